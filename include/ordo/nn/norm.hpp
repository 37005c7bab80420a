// Normalisations. Order: that of the axes given; Lanes<16> is a good one for rows in memory order.
#pragma once
#include "ordo/lang/lang.hpp"

namespace ordo::nn {
template <class T> struct Moments {
  Expr<T> mean, var;
};
// In two passes: mean = sum x / n;  var = sum (x - mean) * (x - mean) / n, products fused; n the number of elements as T.
template <class T> Moments<T> moments(lang::Axes k, Expr<T> x, Where at = Where::current()) {
  static_assert(Floating<T>, "ordo: moments needs a floating type; use cast<float>(x)");
  const Expr<T> m = named({"mean", at}, mean(k, x, at)), d = x - m;
  return {m, named({"var", at}, mean(k, d * d, at))};
}

template <class T, int N> class Normalized {       // (x - shift) * scale of a row
 public:
  Normalized(const lang::List<N>& k, Expr<T> x, Expr<T> scale) : axes_(k), x_(x), scale_(scale) {}
  template <class... I> Expr<T> at(const lang::IndexAt& first, const I&... rest) const {
    return lang::placed(axes_, x_, lang::positions<N>(first, rest...).node) * scale_;
  }

 private:
  lang::Axes axes_;
  Expr<T> x_, scale_;
};
namespace detail_norm {
template <class T, int N> Normalized<T, N> layer(const lang::List<N>& k, Expr<T> x, Expr<T> eps, Where at) {
  static_assert(Floating<T>, "ordo: layer_norm needs a floating type; use cast<float>(x)");
  const Moments<T> m = moments(k, x, at);
  return {k, x - m.mean, named({"layer_norm.scale", at}, rsqrt(m.var + eps, at))};
}
template <class T, int N> Normalized<T, N> rms(const lang::List<N>& k, Expr<T> x, Expr<T> eps, Where at) {
  static_assert(Floating<T>, "ordo: rms_norm needs a floating type; use cast<float>(x)");
  return {k, x, named({"rms_norm.scale", at}, rsqrt(mean(k, x * x, at) + eps, at))};
}
}  // namespace detail_norm

// Y(i, j) = layer_norm(l, X(i, l), 1e-5).at(j) * g(j) + b(j):  (x - mean) * rsqrt(var + eps). Ba, Kiros, Hinton 2016.
// Over several axes also instance and group norm (Wu, He 2018), channels read as group x channel:
//   Y(n, y, x, g, c) = layer_norm({u, v, w}, X(n, u, v, g, w), 1e-5).at(y, x, c) * gamma(g, c) + beta(g, c);
template <class T, class E> Normalized<T, 1> layer_norm(const lang::List<1>& k, Expr<T> x, E eps, Where at = Where::current()) {
  return detail_norm::layer<T, 1>(k, x, lang::as<T>(eps, at), at);
}
template <class T, int N, class E>
Normalized<T, N> layer_norm(const Reduction (&k)[N], Expr<T> x, E eps, Where at = Where::current()) {
  return detail_norm::layer<T, N>(k, x, lang::as<T>(eps, at), at);
}
template <class T, int N, class E>
Normalized<T, N> group_norm(const Reduction (&k)[N], Expr<T> x, E eps, Where at = Where::current()) {
  return detail_norm::layer<T, N>(k, x, lang::as<T>(eps, at), at);
}
// Y(i, j) = rms_norm(l, X(i, l), 1e-6).at(j) * g(j):  x * rsqrt(sum x * x / n + eps). Zhang, Sennrich 2019.
template <class T, class E> Normalized<T, 1> rms_norm(const lang::List<1>& k, Expr<T> x, E eps, Where at = Where::current()) {
  return detail_norm::rms<T, 1>(k, x, lang::as<T>(eps, at), at);
}
template <class T, int N, class E> Normalized<T, N> rms_norm(const Reduction (&k)[N], Expr<T> x, E eps, Where at = Where::current()) {
  return detail_norm::rms<T, N>(k, x, lang::as<T>(eps, at), at);
}
// Y(n, c) = batch_norm(X(n, c), mean(c), var(c), gamma(c), beta(c), 1e-5), Ioffe, Szegedy 2015, as the contract writes it:
//   s = gamma / sqrt(var + eps);  t = beta - mean * s;  y = fma(x, s, t).
// In training mean and var are moments(k, x) over the batch.
template <class T, class E>
Expr<T> batch_norm(Expr<T> x, Expr<T> mean, Expr<T> var, Expr<T> gamma, Expr<T> beta, E eps, Where at = Where::current()) {
  static_assert(Floating<T>, "ordo: batch_norm needs a floating type; use cast<float>(x)");
  const Expr<T> s = named({"batch_norm.scale", at}, gamma / sqrt(var + lang::as<T>(eps, at), at));
  return fma(x, s, named({"batch_norm.shift", at}, beta - mean * s), at);
}
}  // namespace ordo::nn
