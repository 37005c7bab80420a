// Softmax of a row, shifted by its maximum. Order: that of the axes given; Lanes<16> is a good one for rows in memory order.
#pragma once
#include "ordo/nn/kind.hpp"

namespace ordo::nn {
namespace detail_softmax {
template <class T> Expr<T> largest(const lang::Axes& k, Expr<T> x, Expr<bool> where, Where at) {
  return named({"softmax.max", at}, max(k, x, where, at));
}
// exp(x - max) of a row, 0 where left out.
template <class Kind, class T> Expr<T> weight(Expr<T> x, Expr<T> shift, Expr<bool> where, Where at) {
  const Expr<T> e = Kind::exp(x - shift, at);
  return where.node == nullptr ? e : select(where, e, 0, at);
}
}  // namespace detail_softmax

template <class T, int N> class Softmax {
 public:
  Softmax(const lang::List<N>& k, Expr<T> weight, Expr<bool> where, Where at) : axes_(k), weight_(weight), where_(where), at_(at) {}
  // Computes the row's weights once, in a tensor over the positions where they are Indices.
  template <class... I> Expr<T> at(const lang::IndexAt& first, const I&... rest) const {
    const lang::Positions p = lang::positions<N>(first, rest...);
    const lang::Stored e = lang::store({"softmax.exp", at_}, &axes_, weight_.node, p.node);
    const auto read = [&](const ir::Ref* position) { return Expr<T>::wrap(e.read(position, at_)); };
    return read(p.node) * named({"softmax.scale", at_}, 1 / sum(axes_, read(axes_.node), where_, at_));
  }

 private:
  lang::Axes axes_;
  Expr<T> weight_;
  Expr<bool> where_;
  Where at_;
};
// Y(i, j) = softmax(l, X(i, l)).at(j);  over several axes softmax({a, b}, X(i, a, b)).at(p, q).
//   m = max x;  e = exp(x - m);  y = e * (1 / sum e).  Elements where `where` is false weigh 0 and make no step.
// NaN when an element is NaN, when the maximum is infinite, and when nothing is left in.
template <class Kind = Exact, class T>
Softmax<T, 1> softmax(const lang::List<1>& k, Expr<T> x, Expr<bool> where = lang::always(), Where at = Where::current()) {
  static_assert(Floating<T>, "ordo: softmax needs a floating type; use cast<float>(x)");
  return {k, detail_softmax::weight<Kind>(x, detail_softmax::largest(k, x, where, at), where, at), where, at};
}
template <class Kind = Exact, class T, int N>
Softmax<T, N> softmax(const Reduction (&k)[N], Expr<T> x, Expr<bool> where = lang::always(), Where at = Where::current()) {
  static_assert(Floating<T>, "ordo: softmax needs a floating type; use cast<float>(x)");
  const lang::List<N> list(k);
  return {list, detail_softmax::weight<Kind>(x, detail_softmax::largest(list, x, where, at), where, at), where, at};
}

// log(sum exp x) of a row: m + log(sum exp(x - m)), m = max x, or 0 where that is infinite. -inf over no element.
template <class Kind = Exact, class T>
Expr<T> logsumexp(lang::Axes k, Expr<T> x, Expr<bool> where = lang::always(), Where at = Where::current()) {
  static_assert(Floating<T>, "ordo: logsumexp needs a floating type; use cast<float>(x)");
  const Expr<T> m = detail_softmax::largest(k, x, where, at), shift = select(abs(m) < inf<T>(), m, 0);
  return shift + Kind::log(sum(k, Kind::exp(x - shift, at), where, at), at);
}

template <class T, int N> class LogSoftmax {
 public:
  LogSoftmax(const lang::List<N>& k, Expr<T> x, Expr<T> shift, Expr<T> log) : axes_(k), x_(x), shift_(shift), log_(log) {}
  template <class... I> Expr<T> at(const lang::IndexAt& first, const I&... rest) const {
    return (lang::placed(axes_, x_, lang::positions<N>(first, rest...).node) - shift_) - log_;
  }

 private:
  lang::Axes axes_;
  Expr<T> x_, shift_, log_;
};
namespace detail_softmax {
template <class Kind, class T, int N> LogSoftmax<T, N> logs(const lang::List<N>& k, Expr<T> x, Where at) {
  const Expr<T> shift = largest(k, x, lang::always(), at), total = sum(k, Kind::exp(x - shift, at), lang::always(), at);
  return {k, x, shift, named({"log_softmax.log", at}, Kind::log(total, at))};
}
}  // namespace detail_softmax
// Y(i, j) = log_softmax(l, X(i, l)).at(j):  (x - m) - log(sum exp(x - m)), m = max x.
template <class Kind = Exact, class T> LogSoftmax<T, 1> log_softmax(const lang::List<1>& k, Expr<T> x, Where at = Where::current()) {
  static_assert(Floating<T>, "ordo: log_softmax needs a floating type; use cast<float>(x)");
  return detail_softmax::logs<Kind, T, 1>(k, x, at);
}
template <class Kind = Exact, class T, int N>
LogSoftmax<T, N> log_softmax(const Reduction (&k)[N], Expr<T> x, Where at = Where::current()) {
  static_assert(Floating<T>, "ordo: log_softmax needs a floating type; use cast<float>(x)");
  return detail_softmax::logs<Kind, T, N>(k, x, at);
}
}  // namespace ordo::nn
