// Which functions a definition uses: softmax<nn::Approx>(l, x). Exact, the default: correctly rounded for f32; Approx: within
// 2 ulp, f32 alone, and two to three times as fast. Both are fixed by the contract, and give other bits.
#pragma once
#include "ordo/lang/lang.hpp"

namespace ordo::nn {
struct Exact {
  template <class T> static Expr<T> exp(Expr<T> x, Where at) { return ordo::exp(x, at); }
  template <class T> static Expr<T> log(Expr<T> x, Where at) { return ordo::log(x, at); }
};
struct Approx {
  template <class T> static Expr<T> exp(Expr<T> x, Where at) { return approx::exp(x, at); }
  template <class T> static Expr<T> log(Expr<T> x, Where at) { return approx::log(x, at); }
};
}  // namespace ordo::nn
