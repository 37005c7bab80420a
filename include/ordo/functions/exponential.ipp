#pragma once
#include "ordo/functions/exponential.hpp"

namespace ordo::functions {
namespace detail_exponential {
inline constexpr double ln2_head = 0x1.62e42ffp-1, ln2_rest = -0x1.718432a1b0e26p-35;  // 29 bits: times an f32 it is exact
inline constexpr double ln10_head = 0x1.26bb1bcp+1, ln10_rest = -0x1.2aaba9f48ad49p-29;
inline constexpr double ln2_53 = 0x1.62e42fefa39efp-1, ln2_more = 0x1.abc9e3b39803fp-56;
inline constexpr double ln10_53 = 0x1.26bb1bbb55516p+1, ln10_more = -0x1.f48ad494ea3e9p-53;

// exp2, exp10: any base: y = x * log(base) in two parts.
inline Pair times_ln2(bool single, Value x) {
  if (single) return {x * ln2_head, x * ln2_rest};
  const Pair p = product(x, x.number(ln2_53));
  return {p.hi, p.lo + x * ln2_more};
}
inline Pair times_ln10(bool single, Value x) {
  if (single) return {x * ln10_head, x * ln10_rest};
  const Pair p = product(x, x.number(ln10_53));
  return {p.hi, p.lo + x * ln10_more};
}
inline Value clamped_for(Value x, double low32, double high32, double low64, double high64) {
  return widened(is_single(x) ? clamped(x, low32, high32) : clamped(x, low64, high64));
}
// Halves: with p = 2^(k - 2), q = 2^(-k - 2): sinh(x) / 2 = (p - q) cosh r + (p + q) sinh r, and so on.
struct Hyperbolic {
  Value p, q;
  Pair r;
  Value sinh_r, cosh_r;  // sinh r - r.hi, cosh r - 1
  Pair less, more;       // p - q, p + q
};
inline Hyperbolic hyperbolic(bool single, Value x) {
  const Reduced y = reduced(x);
  const Value z = y.r.hi * y.r.hi, zero = z.number(0);
  Value p = power_of_two(y.k_bits, -2), q = power_of_two(-y.k_bits, -2);
  if (!single) p = select(y.k < -1000, 0, p), q = select(y.k > 1000, 0, q);  // beyond the exponents of f64
  return {p,
          q,
          y.r,
          y.r.lo + z * y.r.hi * polynomial(z, sinh_tail),
          z * 0.5 + (z * z * polynomial(z, cosh_tail) + y.r.hi * y.r.lo),
          single ? Pair{p - q, zero} : sum(p, -q),
          single ? Pair{p + q, zero} : sum(p, q)};
}
// n + (p + sign q) r.hi + ...
inline Pair joined(const Hyperbolic& h, Pair even, Pair odd, Value q) {
  const Pair one = fast_sum(even.hi, h.p * h.r.hi), two = fast_sum(one.hi, q * h.r.hi);
  return {two.hi, one.lo + two.lo + even.lo + (even.hi * h.cosh_r + odd.hi * h.sinh_r)};
}
inline Pair half_sinh(const Hyperbolic& h) { return joined(h, h.less, h.more, h.q); }
inline Pair half_cosh(const Hyperbolic& h) { return joined(h, h.more, h.less, -h.q); }
inline constexpr double last_sinh = 0x1.633ce8fb9f87dp+9;  // of f64, before infinity
}  // namespace detail_exponential

ORDO_INLINE Value exp(Value x) {
  const Value c = detail_exponential::clamped_for(x, -104, 89, -746, 710);
  if (x.fused) {
    const Value shifted = multiply_add(c, c.number(log2e), c.number(to_integer)), k = shifted - to_integer;
    const Value r = multiply_add(k, k.number(-ln2_lo), multiply_add(k, k.number(-ln2_hi), c));
    return scaled(Type::f32, of_exp_fused(r), bits_of_number(shifted));
  }
  const Reduced y = reduced(c);
  const Pair e = of_exp(is_single(x), y);
  return scaled(x.type(), e.hi + e.lo, y.k_bits);
}
ORDO_INLINE Value exp2(Value x) {
  const Value c = detail_exponential::clamped_for(x, -150, 128, -1080, 1024);
  const Value shifted = c + to_integer, r = c - (shifted - to_integer);
  const Reduced y{normal(detail_exponential::times_ln2(is_single(x), r)), r, bits_of_number(shifted)};
  return scaled(x.type(), summed(x.type(), of_exp(is_single(x), y)), y.k_bits);
}
ORDO_INLINE Value exp10(Value x) {
  const Value c = detail_exponential::clamped_for(x, -46, 39, -325, 309);
  const Reduced y = reduced(detail_exponential::times_ln10(is_single(x), c));
  return scaled(x.type(), summed(x.type(), of_exp(is_single(x), y)), y.k_bits);
}
ORDO_INLINE Value expm1(Value x) {
  const Value c = detail_exponential::clamped_for(x, -40, 89, -40, 710);
  const Reduced y = reduced(c);
  const Value p = power_of_two(y.k_bits, -1);
  const Pair t = tail(is_single(x), y.r), less = is_single(x) ? Pair{p - 0.5, p.number(0)} : sum(p, p.number(-0.5));
  const Pair s = fast_sum(less.hi, p * t.hi);
  return select(abs(x) < 0x1p-54, x, rounded_once(x.type(), Pair{s.hi, s.lo + less.lo + p * t.lo} * 2));
}
ORDO_INLINE Value sinh(Value x) {
  using namespace detail_exponential;
  const Pair s = half_sinh(hyperbolic(is_single(x), clamped_for(x, -90, 90, -last_sinh, last_sinh)));
  const Value r = select(abs(x) < 0x1p-28, x, rounded_once(x.type(), s * 2));
  return is_single(x) ? r : select(abs(x) > last_sinh, x * infinity(x), r);
}
ORDO_INLINE Value cosh(Value x) {
  using namespace detail_exponential;
  const Pair c = half_cosh(hyperbolic(is_single(x), clamped_for(x, -90, 90, -last_sinh, last_sinh)));
  const Value r = rounded_once(x.type(), c * 2);
  return is_single(x) ? r : select(abs(x) > last_sinh, infinity(x), r);
}
ORDO_INLINE Value tanh(Value x) {
  using namespace detail_exponential;
  const Hyperbolic h = hyperbolic(is_single(x), clamped_for(x, -10, 10, -22, 22));
  return select(abs(x) < 0x1p-28, x, rounded(x.type(), normal(half_sinh(h)) / normal(half_cosh(h))));
}
}  // namespace ordo::functions
