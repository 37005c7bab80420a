// IEEE 754 binary formats in integer code: taken apart, rounded and put together. Used by the soft_*.ipp only.
//
// Parts of a finite number other than zero: (-1)^sign * sig * 2^(exp - 63), the top bit of sig set. The last bit of a sig
// that is to be rounded may be sticky: it stands for everything below it.
#pragma once
#include "ordo/base/types.hpp"

namespace ordo::soft::detail_format {
__extension__ typedef unsigned __int128 u128;

template <int Frac, int Exp>
struct Format {
  static constexpr int frac = Frac;
  static constexpr int bias = (1 << (Exp - 1)) - 1;
  static constexpr u64 sign = u64{1} << (Frac + Exp);
  static constexpr u64 magnitude = sign - 1;
  static constexpr u64 fraction = (u64{1} << Frac) - 1;
  static constexpr u64 inf = magnitude ^ fraction;
  static constexpr u64 nan = inf | u64{1} << (Frac - 1);
  static constexpr u64 one = static_cast<u64>(bias) << Frac;
};
using F16 = Format<10, 5>;
using BF16 = Format<7, 8>;
using F32 = Format<23, 8>;
using F64 = Format<52, 11>;

struct Parts {
  bool sign;
  int exp;
  u64 sig;
};

template <class F> constexpr bool nan(u64 a) { return (a & F::magnitude) > F::inf; }
template <class F> constexpr u64 signed_as(bool sign, u64 a) { return sign ? a | F::sign : a; }

// `a` is finite and not zero.
template <class F> constexpr Parts parts(u64 a) {
  const u64 m = a & F::magnitude;
  const int biased = static_cast<int>(m >> F::frac);
  if (biased != 0) return {(a & F::sign) != 0, biased - F::bias, ((m & F::fraction) | (u64{1} << F::frac)) << (63 - F::frac)};
  const int zeros = __builtin_clzll(m);
  return {(a & F::sign) != 0, 1 - F::bias + 63 - F::frac - zeros, m << zeros};
}

// To nearest, ties to even; overflow to infinity; subnormals kept.
template <class F> constexpr u64 rounded(bool sign, int exp, u64 sig) {
  if (exp > F::bias) return signed_as<F>(sign, F::inf);
  const bool normal = exp > -F::bias;
  const int shift = 63 - F::frac + (normal ? 0 : 1 - F::bias - exp);
  if (shift > 64) return signed_as<F>(sign, 0);
  u64 kept = shift == 64 ? 0 : sig >> shift;
  const u64 rest = shift == 64 ? sig : sig << (64 - shift), half = u64{1} << 63;
  if (rest > half || (rest == half && (kept & 1) != 0)) ++kept;
  if (normal) kept += static_cast<u64>(exp + F::bias - 1) << F::frac;
  return signed_as<F>(sign, kept);
}
// The same for a sig that is not normalised, but not zero.
template <class F> constexpr u64 normalised(bool sign, int exp, u64 sig) {
  const int zeros = __builtin_clzll(sig);
  return rounded<F>(sign, exp - zeros, sig << zeros);
}
// The same for 128 bits: (-1)^sign * sig * 2^(exp - 127).
template <class F> constexpr u64 normalised_wide(bool sign, int exp, u128 sig) {
  const u64 high = static_cast<u64>(sig >> 64);
  const int zeros = high != 0 ? __builtin_clzll(high) : 64 + __builtin_clzll(static_cast<u64>(sig));
  sig <<= zeros;
  return rounded<F>(sign, exp - zeros, static_cast<u64>(sig >> 64) | static_cast<u64>(static_cast<u64>(sig) != 0));
}
// Right shift that keeps what falls off as a sticky last bit.
template <class U> constexpr U sticky_shift(U sig, int count) {
  constexpr int width = static_cast<int>(8 * sizeof(U));
  if (count == 0) return sig;
  if (count >= width) return sig != 0;
  return static_cast<U>(sig >> count | static_cast<U>(static_cast<U>(sig << (width - count)) != 0));
}
template <class To, class From> constexpr u64 converted(u64 a) {
  const u64 m = a & From::magnitude;
  const bool sign = (a & From::sign) != 0;
  if (m > From::inf) return To::nan;
  if (m == From::inf) return signed_as<To>(sign, To::inf);
  if (m == 0) return signed_as<To>(sign, 0);
  const Parts p = parts<From>(a);
  return rounded<To>(p.sign, p.exp, p.sig);
}

// Integers: the bits of `t` as a signed number, and back.
constexpr u64 mask_of(Type t) { return bits_of(t) == 64 ? ~u64{0} : (u64{1} << bits_of(t)) - 1; }
constexpr i64 as_signed(Type t, u64 a) {
  const u64 top = u64{1} << (bits_of(t) - 1);
  return is_signed(t) ? static_cast<i64>(((a & mask_of(t)) ^ top) - top) : static_cast<i64>(a);
}
constexpr u64 wrap(Type t, u64 a) { return a & mask_of(t); }
constexpr bool negative(Type t, u64 a) { return is_signed(t) && (a >> (bits_of(t) - 1) & 1) != 0; }
}  // namespace ordo::soft::detail_format
