// Losses: of elements, to be reduced by sum or mean, and of rows. Order: that of the axes given.
//   L() = mean({n, c}, huber(X(n, c), T(n, c), 1));        L() = mean(n, cross_entropy(l, X(n, l), label(n)));
#pragma once
#include "ordo/nn/softmax.hpp"

namespace ordo::nn {
// sum (x - t) * (x - t) / n, products fused.
template <class T> Expr<T> mse(lang::Axes k, Expr<T> x, Expr<T> t, Where at = Where::current()) {
  static_assert(Floating<T>, "ordo: mse needs a floating type; use cast<float>(x)");
  const Expr<T> d = x - t;
  return mean(k, d * d, at);
}
// |d| <= delta: 0.5 * d * d; else delta * (|d| - 0.5 * delta), d = x - t. Huber 1964.
template <class T, class D> Expr<T> huber(Expr<T> x, Expr<T> t, D delta, Where at = Where::current()) {
  static_assert(Floating<T>, "ordo: huber needs a floating type; use cast<float>(x)");
  const Expr<T> limit = lang::as<T>(delta, at), d = x - t, size = abs(d, at);
  return select(size <= limit, (Expr<T>(0.5) * d) * d, limit * (size - Expr<T>(0.5) * limit), at);
}
// Of a probability: -(t * log p + (1 - t) * log(1 - p)), each log at least -100, so that p = 0 and 1 are finite.
template <class T> Expr<T> binary_cross_entropy(Expr<T> p, Expr<T> t, Where at = Where::current()) {
  static_assert(Floating<T>, "ordo: binary_cross_entropy needs a floating type; use cast<float>(x)");
  const Expr<T> one(1), yes = maximum(log(p, at), -100, at), no = maximum(log1p(-p, at), -100, at);
  return -(t * yes + (one - t) * no);
}
// Of a logit: (maximum(x, 0) - x * t) + log1p(exp(-|x|)).
template <class T> Expr<T> binary_cross_entropy_with_logits(Expr<T> x, Expr<T> t, Where at = Where::current()) {
  static_assert(Floating<T>, "ordo: binary_cross_entropy_with_logits needs a floating type; use cast<float>(x)");
  return (maximum(x, 0, at) - x * t) + log1p(exp(-abs(x, at), at), at);
}
// Of the row of logits x over k: log(sum exp(x - m)) - (x[label] - m), m = max x. A label outside the row: code run.index.
template <class Kind = Exact, class T, class L>
Expr<T> cross_entropy(const lang::List<1>& k, Expr<T> x, Expr<L> label, Where at = Where::current()) {
  static_assert(Floating<T>, "ordo: cross_entropy needs a floating type; use cast<float>(x)");
  static_assert(Integral<L>, "ordo: a label is an integer");
  return -log_softmax<Kind>(k, x, at).at(lang::IndexAt(label, at));
}
// Of the row of log-probabilities x over k: -x[label].
template <class T, class L> Expr<T> nll(const lang::List<1>& k, Expr<T> x, Expr<L> label, Where at = Where::current()) {
  static_assert(Floating<T>, "ordo: nll needs a floating type; use cast<float>(x)");
  static_assert(Integral<L>, "ordo: a label is an integer");
  const lang::IndexAt place(label, at);
  return -lang::placed(k, x, &place.node);
}
}  // namespace ordo::nn
