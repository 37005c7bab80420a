// Windows over images, and pooling of what they read.
//   Window w{.size = 3, .stride = 2, .pad = 1};   Index y{"y", w.extent(H)}, x{"x", w.extent(W)};   AnyOrder p{"p", 3}, q{"q", 3};
//   Y(n, y, x, c) = max_pool({p, q}, X(n, w.at(y, p), w.at(x, q), c));
#pragma once
#include "ordo/lang/lang.hpp"

namespace ordo::nn {
struct Window {                  // along one axis of the image
  i64 size = 1, stride = 1, pad = 0, dilation = 1;
  Expr<i64> at(Expr<i64> place, Expr<i64> tap) const { return place * stride + tap * dilation - pad; }
  Expr<i64> extent(Expr<i64> image) const { return (image + (2 * pad - dilation * (size - 1) - 1)) / stride + 1; }
};
// The largest of the elements that lie in the image; -inf, or the least integer, over none.
template <class T> Expr<value_t<T>> max_pool(lang::Axes k, Access<T> x, Where at = Where::current()) {
  static_assert(Number<value_t<T>>, "ordo: max_pool takes numbers");
  return max(k, Expr<value_t<T>>(x), inside(x), at);
}
// sum / number of the elements that lie in the image, 0 / 0 over none. Order: that of the axes, Chains as a rule.
template <class T> Expr<value_t<T>> avg_pool(lang::Axes k, Access<T> x, Where at = Where::current()) {
  using V = value_t<T>;
  static_assert(Floating<V>, "ordo: avg_pool needs a floating type; use cast<float>(x)");
  return sum(k, Expr<V>(x), inside(x), at) / cast<V>(count(k, inside(x), at), at);
}
// The same with elements outside the image counted as zeros.
template <class T> Expr<value_t<T>> avg_pool_padded(lang::Axes k, Access<T> x, Where at = Where::current()) {
  using V = value_t<T>;
  static_assert(Floating<V>, "ordo: avg_pool needs a floating type; use cast<float>(x)");
  return sum(k, Expr<V>(x), inside(x), at) / Expr<V>::wrap(lang::mean_divisor(k, type_of<V>, at));
}
// Only reads know what lies outside: these exist for their sentence.
#define ORDO_READ "ordo: this takes a read of a tensor, X(...): it leaves out what lies outside of it"
template <class T> Expr<T> max_pool(lang::Axes, Expr<T> x) {
  static_assert(lang::never<T>, ORDO_READ);
  return x;
}
template <class T> Expr<T> avg_pool(lang::Axes, Expr<T> x) {
  static_assert(lang::never<T>, ORDO_READ);
  return x;
}
template <class T> Expr<T> avg_pool_padded(lang::Axes, Expr<T> x) {
  static_assert(lang::never<T>, ORDO_READ);
  return x;
}
}  // namespace ordo::nn
