// Sums of products with a bias added after. Order: that of the axes given, Chains as a rule.
//   Y(n, f) = linear(k, X(n, k), W(f, k), b(f));
//   Y(n, y, x, f) = conv({r, s, c}, X(n, w.at(y, r), w.at(x, s), c), F(r, s, c, f), b(f));     Window w: pool.hpp
// Window axes need their extents: Chain r{"r", R}, s{"s", S}.
#pragma once
#include "ordo/nn/pool.hpp"

namespace ordo::nn {
// sum(k, x * w) + b, products fused.
template <class T> Expr<T> linear(lang::Axes k, Expr<T> x, Expr<T> w, Where at = Where::current()) {
  static_assert(Number<T>, "ordo: linear takes numbers");
  return sum(k, x * w, lang::always(), at);
}
template <class T> Expr<T> linear(lang::Axes k, Expr<T> x, Expr<T> w, Expr<T> b, Where at = Where::current()) {
  return linear(k, x, w, at) + b;
}
// The same over the elements that lie in the image: padding makes no step.
template <class T, class W = value_t<T>> Expr<value_t<T>> conv(lang::Axes k, Access<T> x, Expr<W> w, Where at = Where::current()) {
  static_assert(std::is_same_v<W, value_t<T>>, ORDO_MIX);
  if constexpr (std::is_same_v<W, value_t<T>>) return sum(k, Expr<W>(x) * w, inside(x), at);
  else return x;
}
template <class T, class W = value_t<T>>
Expr<value_t<T>> conv(lang::Axes k, Access<T> x, Expr<W> w, Expr<value_t<T>> b, Where at = Where::current()) {
  return conv(k, x, w, at) + b;
}
template <class T, class W> Expr<T> conv(lang::Axes, Expr<T> x, Expr<W>) {
  static_assert(lang::never<T>, ORDO_READ);
  return x;
}
template <class T, class W> Expr<T> conv(lang::Axes, Expr<T> x, Expr<W>, Expr<T>) {
  static_assert(lang::never<T>, ORDO_READ);
  return x;
}
#undef ORDO_READ
}  // namespace ordo::nn
