// exp and what is made of it: x = k ln 2 + r, |r| <= ln 2 / 2, then a polynomial in r.
#pragma once
#include "ordo/functions/recipe.hpp"

namespace ordo::functions {
// Coefficients by Sollya's fpminimax; relative errors of the whole functions 2^-63, 2^-61, 2^-69.
inline constexpr double exp_tail[] = {0x1p-1,
                                      0x1.555555555555cp-3,
                                      0x1.5555555555543p-5,
                                      0x1.111111110ea02p-7,
                                      0x1.6c16c16c1ec87p-10,
                                      0x1.a01a01b440b83p-13,
                                      0x1.a01a017b429dbp-16,
                                      0x1.71ddee7dbbaedp-19,
                                      0x1.27e537b21efadp-22,
                                      0x1.af6e6d46ef8a5p-26,
                                      0x1.1ee7245ffa3b9p-29};
inline constexpr double exp_more[] = {0x1.555555555555cp-3,  0x1.5555555555543p-5,  0x1.111111110ea02p-7,  0x1.6c16c16c1ec87p-10,
                                      0x1.a01a01b440b83p-13, 0x1.a01a017b429dbp-16, 0x1.71ddee7dbbaedp-19, 0x1.27e537b21efadp-22,
                                      0x1.af6e6d46ef8a5p-26, 0x1.1ee7245ffa3b9p-29};  // from the cubic term on
inline constexpr double sinh_tail[] = {0x1.5555555555559p-3, 0x1.111111110f652p-7, 0x1.a01a01b0053f1p-13, 0x1.71ddf80a073e6p-19,
                                       0x1.af5f36d38b2p-26};
inline constexpr double cosh_tail[] = {0x1.5555555555558p-5, 0x1.6c16c16c1500fp-10, 0x1.a01a01ad74edap-16, 0x1.27e4cc2ca9f16p-22,
                                       0x1.1f8bab6649ab8p-29};
inline constexpr double ln2_hi = 0x1.62e42fefa3800p-1, ln2_lo = 0x1.ef35793c76730p-45;  // 42 bits and 53
inline constexpr double log2e = 0x1.71547652b82fep+0;
inline constexpr double to_integer = 0x1.8p52;  // x + to_integer has the integer nearest to x in its low bits

struct Reduced {
  Pair r;
  Value k, k_bits;  // k_bits: an i64 with k in its low 51 bits
};
inline Reduced reduced(Pair y) {
  const Value shifted = y.hi * log2e + to_integer, k = shifted - to_integer;
  return {fast_sum(y.hi - k * ln2_hi, y.lo - k * ln2_lo), k, bits_of_number(shifted)};
}
inline Reduced reduced(Value y) {
  const Value shifted = y * log2e + to_integer, k = shifted - to_integer;
  return {fast_sum(y - k * ln2_hi, -(k * ln2_lo)), k, bits_of_number(shifted)};
}
// 2^(k + plus), for a result that is normal.
inline Value power_of_two(Value k_bits, int plus = 0) { return bitcast(Type::f64, (k_bits << 52) + (i64{1023 + plus} << 52)); }
// exp(r) - 1; for f64 with r * r in two parts.
inline Pair tail(bool single, Pair r) {
  if (single) return {r.hi, r.lo + r.hi * r.hi * polynomial(r.hi, exp_tail)};
  const Pair a = split(r.hi), s = fast_sum(r.hi, a.hi * a.hi * 0.5);
  const Value cubic = r.hi * (r.hi * r.hi) * polynomial(r.hi, exp_more);
  return {s.hi, s.lo + (a.lo * (a.hi + a.lo * 0.5) + (r.lo + r.hi * r.lo) + cubic)};
}
inline Pair of_exp(bool single, Reduced y) {  // exp(r)
  const Pair t = tail(single, y.r), s = fast_sum(t.hi.number(1), t.hi);
  return {s.hi, s.lo + t.lo};
}
// The same in half as many operations, to some 2^-53: nearly always enough for f32.
inline Value of_exp_fused(Value r) {
  const Value one = r.number(1);
  return multiply_add(multiply_add(r, polynomial(r, exp_tail), one), r, one);
}
// s 2^k for f32: one multiplication, the cast rounds. For f64 two, and a subnormal result is rounded again.
inline Value scaled(Type to, Value s, Value k_bits) {
  if (to == Type::f32) return cast(to, s * power_of_two(k_bits));
  const Value half = (k_bits << 13) >> 14;
  return s * power_of_two(half) * power_of_two(k_bits - half);
}
}  // namespace ordo::functions
