// The functions of NUMERICS.md as expressions. An operand is f32 or f64 and so is the result. f32 functions are evaluated
// in f64 with some 56 bits and rounded once; that no input of 2^32 is misrounded is what tests/functions show.
#pragma once
#include "ordo/functions/pair.hpp"

namespace ordo::functions {
Value exp(Value x);
Value exp2(Value x);
Value exp10(Value x);
Value expm1(Value x);
Value log(Value x);
Value log2(Value x);
Value log10(Value x);
Value log1p(Value x);
Value sin(Value x);
Value cos(Value x);
Value tan(Value x);
Value sinpi(Value x);
Value cospi(Value x);
Value asin(Value x);
Value acos(Value x);
Value atan(Value x);
Value sinh(Value x);
Value cosh(Value x);
Value tanh(Value x);
Value asinh(Value x);
Value acosh(Value x);
Value atanh(Value x);
Value erf(Value x);
Value erfc(Value x);
Value cbrt(Value x);
Value pow(Value x, Value y);
Value atan2(Value y, Value x);
Value hypot(Value x, Value y);
Value approx_exp(Value x);
Value approx_log(Value x);
Value approx_tanh(Value x);
Value approx_sigmoid(Value x);
Value approx_erf(Value x);
Value approx_gelu(Value x);
Value approx_sin(Value x);
Value approx_cos(Value x);

inline bool is_single(Value x) { return x.type() == Type::f32; }
inline Value widened(Value x) { return cast(Type::f64, x); }
inline Value rounded(Type to, Value x) { return cast(to, x); }
inline Value rounded(Type to, Pair x) { return cast(to, x.hi + x.lo); }
// For the few results that are too near the middle of two f32 to be rounded twice.
inline Value summed(Type to, Pair x) { return to == Type::f32 ? to_odd(x) : x.hi + x.lo; }
inline Value rounded_once(Type to, Pair x) { return cast(to, summed(to, x)); }
}  // namespace ordo::functions
