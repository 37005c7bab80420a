#pragma once
#include "ordo/functions/angle.hpp"

namespace ordo::functions {
namespace detail_trigonometric {
// The bits of 2 / pi after 26 zeros, after 55 zeros: a window of them times the digits of x is x / (2 pi) modulo 1.
inline constexpr u64 window32[] = {0x00000028be60db93, 0x91054a7f09d5f47d, 0x4d377036d8a5664f, 0x10e4107f9458eaf7};
inline constexpr u64 window64[] = {0x0000000000000145, 0xf306dc9c882a53f8, 0x4eafa3ea69bb81b6, 0xc52b3278872083fc, 0xa2c757bd778ac36e,
                                   0x48dc74849ba5c00c, 0x925dd413a32439fc, 0x3bd63962534e7dd1, 0x046bea5d768909d3, 0x38e04d68befc8273,
                                   0x23ac7306a673e939, 0x08bf177bf250763f, 0xf12fffbc0b301fde, 0x5e2316b414da3eda, 0x6cfd9e4f96136e9e,
                                   0x8c7ecd3cbfd45aea, 0x4f758fd7cbe2f67a, 0x0e73ef14a525d4d7, 0xf6bf623f1aba10ac};
inline constexpr int words64 = 19;

inline Value low_half(Value a) { return a & u64{0xffffffff}; }
inline Value shifted_in(Value high, Value low, Value by) { return (high << by) | (low >> (u64{64} - by)); }
inline Value to_f64(Value bits) { return cast(Type::f64, cast(Type::i32, bits)); }  // the low 32 bits, signed

// 2^-64 turns, as an angle; what a quarter of a turn leaves has 62 bits, enough for f32.
inline Angle of_turns(Value turns) {
  const Value quarter = (turns + (u64{1} << 61)) >> 62, rest = bitcast(Type::i64, turns - (quarter << 62));
  const Value high = to_f64(rest >> 32), low = to_f64((rest >> 1) & 0x7fffffff);
  const Pair r = fast_sum(high * 0x1.921fbp-30, high * 0x1.5110b4611a626p-52 + low * 0x1.921fb54442d18p-61);  // 2 pi
  return {r, bitcast(Type::i64, quarter)};
}
}  // namespace detail_trigonometric
ORDO_INLINE Value turns_of(Value x) {
  using namespace detail_trigonometric;
  const Value bits = cast(Type::u64, bitcast(Type::u32, x)), digits = (bits & 0x7fffff) | 0x800000;
  const Value at = ((bits >> 23) & 255) - 126;  // |x| < 1/2: nonsense, and not used
  const Value later = at >= 64, by = at - select(later, 64, at.number(0));
  Value w[3] = {at, at, at};
  for (int k = 0; k < 3; ++k) w[k] = select(later, at.number(window32[k + 1]), at.number(window32[k]));
  const Value high = shifted_in(w[0], w[1], by), low = shifted_in(w[1], w[2], by);
  return digits * low_half(high) + ((digits * (high >> 32)) << 32) + ((digits * (low >> 32)) >> 32);
}
namespace detail_trigonometric {
struct Words {
  Value high, low;
};
inline Words times(Value a, Value b) {  // 64 by 64 bits
  const Value a0 = low_half(a), a1 = a >> 32, b0 = low_half(b), b1 = b >> 32;
  const Value low = a0 * b0, middle = a1 * b0 + (low >> 32), other = a0 * b1 + low_half(middle);
  return {a1 * b1 + (middle >> 32) + (other >> 32), (other << 32) | low_half(low)};
}
inline Value carry(Value sum, Value part) { return cast(Type::u64, sum < part); }
inline Value from_word(Value word) { return bitcast(Type::f64, word | u64{0x4330000000000000}) - 0x1p52; }  // below 2^52
inline Angle turned_double(Value x) {
  const Value bits = bitcast(Type::u64, x), digits = (bits & 0xfffffffffffff) | 0x10000000000000;
  const Value at = ((bits >> 52) & 2047) - 1022, index = select(at > 1023, 15, at >> 6);
  Value w[words64] = {x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x};
  for (int k = 0; k < words64; ++k) w[k] = at.number(window64[k]);
  int count = words64;
  for (int step = 8; step > 0; step /= 2) {
    count -= step;
    const Value later = (index & step) != 0;
    for (int k = 0; k < count; ++k) w[k] = select(later, w[k + step], w[k]);
  }
  const Value by = at - (index << 6);
  const Value h0 = shifted_in(w[0], w[1], by), h1 = shifted_in(w[1], w[2], by), h2 = shifted_in(w[2], w[3], by);
  const Words p1 = times(digits, h1), p2 = times(digits, h2);
  const Value more = p1.low + p2.high, turns = digits * h0 + p1.high + carry(more, p2.high);
  const Value quarter = (turns + (u64{1} << 61)) >> 62, rest = bitcast(Type::i64, turns - (quarter << 62));
  const Value high = to_f64(rest >> 32), low = from_word(bitcast(Type::u64, rest) & u64{0xffffffff});
  const Pair t = fast_sum(high * 0x1p32, low), all = normal({t.hi, t.lo + from_word(more >> 12) * 0x1p-52});
  const Pair r = all * Pair{x.number(0x1.921fb54442d18p-62), x.number(0x1.1a62633145c07p-116)};  // 2 pi
  return {normal(r), bitcast(Type::i64, quarter)};
}
// pi (x - quarter / 2)
inline Angle turned_by_pi(Value x) {
  const Value half = widened(x) * 0.5, w = (half - unary(Op::Trunc, half)) * 2, shifted = w * 2 + 0x1.8p52;
  const Value rest = w - (shifted - 0x1.8p52) * 0.5, quarter = bitcast(Type::i64, shifted);
  if (is_single(x)) return {fast_sum(rest * 0x1.921fb54p+1, rest * 0x1.10b4611a62633p-29), quarter};
  const Pair p = product(rest, rest.number(0x1.921fb54442d18p+1));
  return {fast_sum(p.hi, p.lo + rest * 0x1.1a62633145c07p-53), quarter};
}
inline Value negative_if(Value c, Value x) { return select(c, -x, x); }
inline Value of_finite(Value x, Value result) { return select(abs(x) < infinity(x), result, nan(x)); }
// quarter + 1 makes a cosine of a sine.
inline Value sine_of(Type to, Angle a) {
  const Value r = rounded_once(to, select(is_odd(a.quarter), cosine(a.r), sine(to == Type::f32, a.r)));
  return negative_if((a.quarter & 2) != 0, r);
}
}  // namespace detail_trigonometric

ORDO_INLINE Angle turned(Value x) {
  const Angle a = is_single(x) ? detail_trigonometric::of_turns(turns_of(abs(x))) : detail_trigonometric::turned_double(abs(x));
  const Value small = abs(x) < 0.78515625, w = widened(abs(x));  // below pi / 4
  return {select(small, Pair{w, w.number(0)}, a.r), select(small, 0, a.quarter)};
}
ORDO_INLINE Value sin(Value x) {
  using namespace detail_trigonometric;
  const Value r = sine_of(x.type(), turned(x));
  return of_finite(x, select(abs(x) < 0x1p-28, x, negative_if(x < 0, r)));
}
ORDO_INLINE Value cos(Value x) {
  using namespace detail_trigonometric;
  Angle a = turned(x);
  a.quarter = a.quarter + 1;
  return of_finite(x, sine_of(x.type(), a));
}
ORDO_INLINE Value tan(Value x) {
  using namespace detail_trigonometric;
  const Angle a = turned(x);
  const Pair s = normal(sine(is_single(x), a.r)), c = normal(cosine(a.r));
  const Value odd = is_odd(a.quarter);
  const Pair t = select(odd, c, s) / select(odd, -s, c);
  return of_finite(x, select(abs(x) < 0x1p-28, x, negative_if(x < 0, rounded_once(x.type(), t))));
}
ORDO_INLINE Value sinpi(Value x) {
  using namespace detail_trigonometric;
  const bool single = is_single(x);
  const Value tiny = abs(x) < 0x1p-700;  // pi x, and subnormal parts of it
  const Value s = sine_of(x.type(), turned_by_pi(single ? x : select(tiny, x * 0x1p600, x)));
  const Value r = single ? s : select(tiny, s * 0x1p-600, s);
  return of_finite(x, select(r == 0, with_sign(x.number(0), x), r));
}
ORDO_INLINE Value cospi(Value x) {
  using namespace detail_trigonometric;
  Angle a = turned_by_pi(x);
  a.quarter = a.quarter + 1;
  return of_finite(x, sine_of(x.type(), a) + 0.0);
}
}  // namespace ordo::functions
