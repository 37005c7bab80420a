// log and what is made of it: x = 2^e m, m in [sqrt(1/2), sqrt(2)]; log m = 2 atanh s with s = (m - 1) / (m + 1).
#pragma once
#include "ordo/functions/exponential.hpp"

namespace ordo::functions {
// 2^-66
inline constexpr double atanh_tail[] = {0x1.5555555555555p-2, 0x1.9999999999d0cp-3, 0x1.249249243a031p-3, 0x1.c71c724ac13e3p-4,
                                        0x1.745ce1fcd8c4cp-4, 0x1.3b201bc748512p-4, 0x1.0f6803214d1bap-4, 0x1.0f0745ab2ac56p-4};

// After x + x^3 / 3: 2^-73.
inline constexpr double atanh_more[] = {0x1.9999999999996p-3, 0x1.2492492492f4bp-3, 0x1.c71c71c59796ap-4, 0x1.745d1828c79ebp-4,
                                        0x1.3b1364f1016b5p-4, 0x1.1120692f23e3ep-4, 0x1.de3e606607dcfp-5, 0x1.eabe236a092aep-5};

struct Binary {
  Value e, m;  // f64 both; m in [sqrt(1/2), sqrt(2)]
  Value down;  // 2^-e; 0 from e = 1023 on
};
inline Binary binary(Value x) {  // x normal and > 0
  const Value bits = bits_of_number(x), up = ((bits - i64{0x3fe6a09e667f3bcd}) >> 52) << 52;
  const Value e_bits = (up >> 52) + i64{0x4338000000000000};
  const Value down = binary(Op::Max, i64{0x3ff0000000000000} - up, up.number(0));
  return {bitcast(Type::f64, e_bits) - to_integer, bitcast(Type::f64, bits - up), bitcast(Type::f64, down)};
}
struct Logarithm {
  Value e;
  Pair s;      // s.hi has 26 bits
  Value rest;  // 2 atanh(s) - 2 s.hi
};
inline Logarithm logarithm(Value e, Pair numerator, Pair denominator) {
  const Pair s = numerator / denominator;
  const Value v = s.hi + s.lo, z = v * v;
  return {e, s, s.lo * 2 + z * v * 2 * polynomial(z, atanh_tail)};
}
inline Pair natural(const Logarithm& l) {
  const Pair s = fast_sum(l.e * ln2_hi, l.s.hi * 2);
  return {s.hi, s.lo + multiply_add(l.e, l.e.number(ln2_lo), l.rest)};
}
// log(u), u.hi normal and > 0
inline Logarithm logarithm(Pair u) {
  const Binary b = binary(u.hi);
  const Value lo = u.lo * b.down;
  const Pair d = sum(b.m, b.m.number(1));
  return logarithm(b.e, normal({b.m - 1, lo}), {d.hi, d.lo + lo});
}
}  // namespace ordo::functions
