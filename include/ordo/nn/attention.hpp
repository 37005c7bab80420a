// Attention over keys k: softmax of scores, weighing values. Vaswani et al. 2017. Causal: where = (k <= q).
//   O(h, q, d) = attention(k, sum(e, Q(h, q, e) * K(h, k, e)) * scale, V(h, k, d), k <= q);
// Scores mention the queries and k, values k and the columns. Order: that of k, a Chain as a rule; of the scores, their own.
// Positions where `where` is false are left out; a query that sees no key, and one whose largest score is infinite, gives NaN.
#pragma once
#include "ordo/nn/softmax.hpp"

namespace ordo::nn {
// m = max s;  p = exp(s - m);  o = sum(k, p * v) / sum(k, p), products fused. Scores and weights are tensors.
template <class Kind = Exact, class T>
Expr<T> attention(const lang::List<1>& k, Expr<T> score, Expr<T> value, Expr<bool> where = lang::always(), Where at = Where::current()) {
  static_assert(Floating<T>, "ordo: attention needs a floating type; use cast<float>(x)");
  const Expr<T> s = Expr<T>::wrap(lang::store({"attention.score", at}, &k, score.node, k.node).read(k.node, at));
  const Expr<T> m = named({"attention.max", at}, max(k, s, where, at));
  const Expr<T> weight = detail_softmax::weight<Kind>(s, m, where, at);
  const Expr<T> p = Expr<T>::wrap(lang::store({"attention.weight", at}, &k, weight.node, k.node).read(k.node, at));
  return sum(k, p * value, where, at) / named({"attention.sum", at}, sum(k, p, where, at));
}

template <class T> struct OnlineState {
  Expr<T> m, l, o;               // the largest score so far, the sum of weights, the weighted sum: relative to m
};
// In one pass over k: m' = maximum(m, s), keep = exp(m - m'), p = exp(s - m'), l' = fma(l, keep, p), o' = fma(p, v, o * keep);
// o / l at the end (Milakov, Gimelshein 2018; Rabe, Staats 2021). Parts of Lanes and Blocks are joined the same way. Another
// sequence of roundings than attention(...), so other bits; scores of -inf give NaN until a number was met: use `where`.
template <class Kind = Exact, class T>
Expr<T> online_attention(const lang::List<1>& k, Expr<T> score, Expr<T> value, Expr<bool> where = lang::always(),
                         Where at = Where::current()) {
  static_assert(Floating<T>, "ordo: online_attention needs a floating type; use cast<float>(x)");
  const Expr<T> s = Expr<T>::wrap(lang::store({"attention.score", at}, &k, score.node, k.node).read(k.node, at));
  using State = OnlineState<T>;
  const auto step = [&](State a) {
    const Expr<T> m = maximum(a.m, s, at), keep = Kind::exp(a.m - m, at), p = Kind::exp(s - m, at);
    return State{m, fma(a.l, keep, p, at), fma(p, value, a.o * keep, at)};
  };
  const State zero{-inf<T>(), 0, 0};
  if (ir::axis_facts(k.node[0]).order == ir::Order::chain) {
    const State st = reduce(k, zero, step, where, at);
    return st.o / st.l;
  }
  const auto merge = [&](State a, State b) {
    const Expr<T> m = maximum(a.m, b.m, at), x = Kind::exp(a.m - m, at), y = Kind::exp(b.m - m, at);
    return State{m, fma(a.l, x, b.l * y, at), fma(a.o, x, b.o * y, at)};
  };
  const State st = reduce(k, zero, step, merge, where, at);
  return st.o / st.l;
}
}  // namespace ordo::nn
