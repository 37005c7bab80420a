// Angles modulo a right angle, and sine and cosine of the rest r, |r| <= pi / 4.
// Payne and Hanek, "Radian reduction for trigonometric functions", 1983: x / (2 pi) modulo 1 in integers.
#pragma once
#include "ordo/functions/recipe.hpp"

namespace ordo::functions {
// 2^-62
inline constexpr double sin_tail[] = {-0x1.5555555555555p-3,  0x1.111111111108bp-7,  -0x1.a01a01a006d8cp-13, 0x1.71de3a4019c42p-19,
                                      -0x1.ae643d446f19dp-26, 0x1.6114a6609cc0ap-33, -0x1.a55cf0a3d521cp-41};
// 2^-63
inline constexpr double cos_tail[] = {0x1.555555555554bp-5,   -0x1.6c16c16c15018p-10, 0x1.a01a019c8f932p-16,
                                      -0x1.27e4f7f1ec8dep-22, 0x1.1ee9dc1091329p-29,  -0x1.8fa6a7125b7f9p-37};

struct Angle {
  Pair r;
  Value quarter;  // i64: x = r + quarter * pi / 2, its low two bits count
};
inline Pair sine(bool single, Pair r) {
  const Value z = r.hi * r.hi, lo = single ? r.lo : r.lo - z * 0.5 * r.lo;
  return {r.hi, lo + z * r.hi * polynomial(z, sin_tail)};
}
inline Pair cosine(Pair r) {
  const Value z = r.hi * r.hi, a = (r.hi + 0x1.8p26) - 0x1.8p26, b = r.hi - a;  // a * a is exact, so is 1 - a * a / 2
  return {1 - a * a * 0.5, z * z * polynomial(z, cos_tail) - (b * (a + b * 0.5) + r.hi * r.lo)};
}
inline Value is_odd(Value i) { return (i & 1) != 0; }

Value turns_of(Value x);  // f32, finite, at least 1/2: x / (2 pi) modulo 1 times 2^64, as u64
Angle turned(Value x);    // f32 or f64, any finite one; r in f64
}  // namespace ordo::functions
