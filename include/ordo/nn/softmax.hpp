// Softmax of a row, shifted by its maximum. Order: that of the axes given; Lanes<16> is a good one for rows in memory order.
#pragma once
#include "ordo/lang/lang.hpp"

namespace ordo::nn {
namespace detail_softmax {
template <class T> Expr<T> largest(const lang::Axes& k, Expr<T> x, Expr<bool> where, Where at) {
  return named({"softmax.max", at}, max(k, x, where, at));
}
// exp(x - max) of a row, 0 where left out.
template <class T> Expr<T> weight(Expr<T> x, Expr<T> shift, Expr<bool> where, Where at) {
  const Expr<T> e = exp(x - shift, at);
  return where.node == nullptr ? e : select(where, e, 0, at);
}
}  // namespace detail_softmax

template <class T, int N> class Softmax {
 public:
  Softmax(const lang::List<N>& k, Expr<T> x, Expr<bool> where, Where at)
      : axes_(k), weight_(detail_softmax::weight(x, detail_softmax::largest(k, x, where, at), where, at)), where_(where), at_(at) {}
  // Computes the row's weights once, in a tensor over the positions where they are Indices.
  template <class... I> Expr<T> at(const lang::IndexAt& first, const I&... rest) const {
    const lang::Positions p = lang::positions<N>(first, rest...);
    const lang::Stored e = lang::store({"softmax.exp", at_}, &axes_, weight_.node, p.node);
    const auto read = [&](const ir::Ref* position) { return Expr<T>::wrap(e.read(position, at_)); };
    return read(p.node) / sum(axes_, read(axes_.node), where_, at_);
  }

 private:
  lang::Axes axes_;
  Expr<T> weight_;
  Expr<bool> where_;
  Where at_;
};
// Y(i, j) = softmax(l, X(i, l)).at(j);  over several axes softmax({a, b}, X(i, a, b)).at(p, q).
//   m = max x;  e = exp(x - m);  y = e / sum e.  Elements where `where` is false weigh 0 and make no step.
// NaN when an element is NaN, when the maximum is infinite, and when nothing is left in.
template <class T> Softmax<T, 1> softmax(const Reduction& k, Expr<T> x, Expr<bool> where = lang::always(), Where at = Where::current()) {
  static_assert(Floating<T>, "ordo: softmax needs a floating type; use cast<float>(x)");
  return {k, x, where, at};
}
template <class T, int N>
Softmax<T, N> softmax(const Reduction (&k)[N], Expr<T> x, Expr<bool> where = lang::always(), Where at = Where::current()) {
  static_assert(Floating<T>, "ordo: softmax needs a floating type; use cast<float>(x)");
  return {k, x, where, at};
}

// log(sum exp x) of a row: m + log(sum exp(x - m)), m = max x, or 0 where that is infinite. -inf over no element.
template <class T> Expr<T> logsumexp(lang::Axes k, Expr<T> x, Expr<bool> where = lang::always(), Where at = Where::current()) {
  static_assert(Floating<T>, "ordo: logsumexp needs a floating type; use cast<float>(x)");
  const Expr<T> m = detail_softmax::largest(k, x, where, at), shift = select(abs(m) < inf<T>(), m, 0);
  return shift + log(sum(k, exp(x - shift), where, at), at);
}

template <class T, int N> class LogSoftmax {
 public:
  LogSoftmax(const lang::List<N>& k, Expr<T> x, Where at)
      : axes_(k),
        x_(x),
        shift_(detail_softmax::largest(k, x, lang::always(), at)),
        log_(named({"log_softmax.log", at}, log(sum(k, exp(x - shift_, at), lang::always(), at), at))) {}
  template <class... I> Expr<T> at(const lang::IndexAt& first, const I&... rest) const {
    return (lang::placed(axes_, x_, lang::positions<N>(first, rest...).node) - shift_) - log_;
  }

 private:
  lang::Axes axes_;
  Expr<T> x_, shift_, log_;
};
// Y(i, j) = log_softmax(l, X(i, l)).at(j):  (x - m) - log(sum exp(x - m)), m = max x.
template <class T> LogSoftmax<T, 1> log_softmax(const Reduction& k, Expr<T> x, Where at = Where::current()) {
  static_assert(Floating<T>, "ordo: log_softmax needs a floating type; use cast<float>(x)");
  return {k, x, at};
}
template <class T, int N> LogSoftmax<T, N> log_softmax(const Reduction (&k)[N], Expr<T> x, Where at = Where::current()) {
  static_assert(Floating<T>, "ordo: log_softmax needs a floating type; use cast<float>(x)");
  return {k, x, at};
}
}  // namespace ordo::nn
