#pragma once
#include "ordo/base/soft.hpp"
#include "ordo/base/soft_format.hpp"

namespace ordo::soft::detail_arith {
using namespace detail_format;

template <class F> inline u64 add(u64 a, u64 b) {
  u64 ma = a & F::magnitude, mb = b & F::magnitude;
  if (ma >= F::inf || mb >= F::inf) {
    if (ma > F::inf || mb > F::inf || (ma == mb && a != b)) return F::nan;
    return ma == F::inf ? a : b;
  }
  if (ma == 0) return mb == 0 ? a & b : b;
  if (mb == 0) return a;
  if (ma < mb) { const u64 swapped = a; a = b; b = swapped; }
  const Parts x = parts<F>(a), y = parts<F>(b);
  const u64 sx = x.sig >> 1, sy = sticky_shift(y.sig >> 1, x.exp - y.exp);
  const u64 sum = x.sign == y.sign ? sx + sy : sx - sy;
  return sum == 0 ? 0 : normalised<F>(x.sign, x.exp + 1, sum);
}

template <class F> inline u64 mul(u64 a, u64 b) {
  const u64 ma = a & F::magnitude, mb = b & F::magnitude;
  const bool sign = ((a ^ b) & F::sign) != 0;
  if (ma >= F::inf || mb >= F::inf) {
    return ma > F::inf || mb > F::inf || ma == 0 || mb == 0 ? F::nan : signed_as<F>(sign, F::inf);
  }
  if (ma == 0 || mb == 0) return signed_as<F>(sign, 0);
  const Parts x = parts<F>(a), y = parts<F>(b);
  return normalised_wide<F>(sign, x.exp + y.exp + 1, static_cast<u128>(x.sig) * y.sig);
}

template <class F> inline u64 div(u64 a, u64 b) {
  const u64 ma = a & F::magnitude, mb = b & F::magnitude;
  const bool sign = ((a ^ b) & F::sign) != 0;
  if (ma > F::inf || mb > F::inf || (ma == mb && (ma == 0 || ma == F::inf))) return F::nan;
  if (ma == F::inf || mb == 0) return signed_as<F>(sign, F::inf);
  if (ma == 0 || mb == F::inf) return signed_as<F>(sign, 0);
  const Parts x = parts<F>(a), y = parts<F>(b);
  const u128 dividend = static_cast<u128>(x.sig) << 63;
  const u64 quotient = static_cast<u64>(dividend / y.sig);
  const bool rest = static_cast<u128>(quotient) * y.sig != dividend;
  return normalised<F>(sign, x.exp - y.exp, quotient | static_cast<u64>(rest));
}

// Both terms are exact in 128 bits but for a sticky bit, with room for the carry: a product has at most 106 bits.
template <class F> inline u64 fma_finite(u64 a, u64 b, u64 c) {
  const Parts x = parts<F>(a), y = parts<F>(b), z = parts<F>(c);
  u128 product = static_cast<u128>(x.sig) * y.sig >> 1, addend = static_cast<u128>(z.sig) << 63;
  int exp = x.exp + y.exp + 2;
  const int above = exp - (z.exp + 1);
  if (above >= 0) {
    addend = sticky_shift(addend, above);
  } else {
    product = sticky_shift(product, -above);
    exp = z.exp + 1;
  }
  const bool sign = x.sign != y.sign;
  if (sign == z.sign) return normalised_wide<F>(sign, exp, product + addend);
  if (product == addend) return 0;
  return product > addend ? normalised_wide<F>(sign, exp, product - addend) : normalised_wide<F>(z.sign, exp, addend - product);
}
template <class F> inline u64 fma(u64 a, u64 b, u64 c) {
  const u64 ma = a & F::magnitude, mb = b & F::magnitude, mc = c & F::magnitude;
  if (mc == F::inf && ma < F::inf && mb < F::inf) return c;
  if (ma >= F::inf || mb >= F::inf || mc > F::inf || ma == 0 || mb == 0) return add<F>(mul<F>(a, b), c);
  return mc == 0 ? mul<F>(a, b) : fma_finite<F>(a, b, c);
}

// The root of n * 2^scale, n of 2 frac + 6 or + 7 bits in Wide, bit by bit.
template <class F, class Wide> inline u64 sqrt(u64 a) {
  const u64 m = a & F::magnitude;
  if (m == 0) return a;
  if (m > F::inf || (a & F::sign) != 0) return F::nan;
  if (m == F::inf) return a;
  const Parts x = parts<F>(a);
  int shift = F::frac + 5, scale = x.exp - F::frac - shift;
  if ((scale & 1) != 0) ++shift, --scale;
  Wide rest = static_cast<Wide>(x.sig >> (63 - F::frac)) << shift, root = 0;
  for (int bit = F::frac + 3; bit >= 0; --bit) {
    const Wide trial = ((root << 1) | (Wide{1} << bit)) << bit;
    if (trial > rest) continue;
    rest -= trial;
    root |= Wide{1} << bit;
  }
  return normalised<F>(false, scale / 2 + 63, static_cast<u64>(root) | static_cast<u64>(rest != 0));
}
}  // namespace ordo::soft::detail_arith

namespace ordo::soft {
ORDO_INLINE ORDO_NOINLINE u64 add(Type t, u64 a, u64 b) {
  namespace d = detail_arith;
  if (t == Type::f32) return d::add<d::F32>(a, b);
  if (t == Type::f64) return d::add<d::F64>(a, b);
  return d::wrap(t, a + b);
}
ORDO_INLINE ORDO_NOINLINE u64 sub(Type t, u64 a, u64 b) {
  namespace d = detail_arith;
  if (t == Type::f32) return d::add<d::F32>(a, b ^ d::F32::sign);
  if (t == Type::f64) return d::add<d::F64>(a, b ^ d::F64::sign);
  return d::wrap(t, a - b);
}
ORDO_INLINE ORDO_NOINLINE u64 mul(Type t, u64 a, u64 b) {
  namespace d = detail_arith;
  if (t == Type::f32) return d::mul<d::F32>(a, b);
  if (t == Type::f64) return d::mul<d::F64>(a, b);
  return d::wrap(t, a * b);
}
ORDO_INLINE ORDO_NOINLINE u64 div(Type t, u64 a, u64 b) {
  namespace d = detail_arith;
  if (t == Type::f32) return d::div<d::F32>(a, b);
  if (t == Type::f64) return d::div<d::F64>(a, b);
  if (b == 0) return 0;
  if (!is_signed(t)) return a / b;
  const i64 x = d::as_signed(t, a), y = d::as_signed(t, b);
  return d::wrap(t, y == -1 ? -a : static_cast<u64>(x / y));
}
ORDO_INLINE ORDO_NOINLINE u64 fma(Type t, u64 a, u64 b, u64 c) {
  namespace d = detail_arith;
  if (t == Type::f32) return d::fma<d::F32>(a, b, c);
  if (t == Type::f64) return d::fma<d::F64>(a, b, c);
  return d::wrap(t, a * b + c);
}
ORDO_INLINE ORDO_NOINLINE u64 sqrt(Type t, u64 a) {
  namespace d = detail_arith;
  return t == Type::f32 ? d::sqrt<d::F32, u64>(a) : d::sqrt<d::F64, d::u128>(a);
}
}  // namespace ordo::soft
