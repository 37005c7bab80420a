#pragma once
#include "ordo/lang/lang.hpp"

namespace ordo::nn {
// Y(i, j) = dropout(X(i, j), p, {seed, layer}, i * j.extent() + j): kept where uniform(key, counter) >= p, as x / (1 - p); else 0.
// Srivastava et al. 2014. The counter numbers the elements; the same key and counter give the same mask anywhere.
template <class T, class P> Expr<T> dropout(Expr<T> x, P p, Key key, Expr<i64> counter, Where at = Where::current()) {
  static_assert(Floating<T>, "ordo: dropout needs a floating type; use cast<float>(x)");
  const Expr<T> rate = lang::as<T>(p, at), one(1);
  return select(uniform<T>(key, counter) >= rate, x / (one - rate), 0, at);
}
}  // namespace ordo::nn
