#pragma once
#include "ordo/functions/logarithm.hpp"

namespace ordo::functions {
namespace detail_power {
// log(a) to about 2^-68, for a normal: the first two terms of the series of atanh in two parts each.
inline Pair precise_log(Value a, Value e_less) {
  const Binary b = binary(a);
  const Value one = a.number(1), e = b.e - e_less;
  const Pair s = normal(Pair{b.m - 1, a.number(0)} / sum(b.m, one)), z = s * s;
  const Pair third = fast_sum(a.number(atanh_tail[0]), z.hi * polynomial(z.hi, atanh_more));
  const Pair tail = (s * z) * Pair{third.hi, third.lo + 0x1.5555555555555p-56};
  const Pair h = fast_sum(e * ln2_hi, s.hi * 2), m = sum(h.hi, tail.hi * 2);
  return normal({m.hi, m.lo + (h.lo + (e * ln2_lo + (s.lo * 2 + tail.lo * 2)))});
}
// Is x^y, to 2^-57 the number hi, that number? Asked of the middle of two f32, an odd number v of 25 bits: v = x^y with
// x = m 2^e, m odd, and y = n / 2^j gives m = r^(2^j) and v = r^n, r odd; r is at least 3 and m below 2^24, so y is one of 2, 3, ...
// 7, 5/2, 7/2, 5/4, 3/2, 7/4. Where the result is subnormal v has fewer bits and y goes up to 15. Or else m = 1: a power of two.
inline Value exact(Pair hi, Value result, Value y) {
  const Value four = y * 4, most = select(result < 0x1p-126, four.number(60), 28);
  const Value few = both(both(four >= 5, four <= most), unary(Op::Trunc, four) == four);
  const Value power = (bitcast(Type::i64, hi.hi) & i64{0xfffffffffffff}) == 0;
  return both(abs(hi.lo) < 0x1p-57, either(few, power));
}
}  // namespace detail_power

ORDO_INLINE Value pow(Value x, Value y) {
  const bool single = is_single(x);
  const Value w = widened(x), v = widened(y), a = abs(w), one = a.number(1), zero = a.number(0), inf = infinity(a);
  const Value proper = both(a > 0, a < inf);
  Value base = select(proper, a, one), less = zero;
  if (!single) {
    const Value tiny = base < 0x1p-1022;
    base = select(tiny, base * 0x1p54, base), less = select(tiny, 54, zero);
  }
  const Value power = single ? select(abs(v) < inf, v, one) : clamped(v, -0x1p70, 0x1p70);
  const Pair l = detail_power::precise_log(base, less), p = product(l.hi, power);
  Pair exponent{p.hi, p.lo + l.lo * power};
  const double most = single ? 200 : 800;
  exponent = {clamped(exponent.hi, -most, most), select(abs(exponent.hi) < most, exponent.lo, 0)};
  const Reduced r = reduced(normal(exponent));
  const Pair t = tail(false, r.r), s = fast_sum(one, t.hi);
  const Pair result = normal({s.hi, s.lo + t.lo});
  Value size = zero;
  if (single) {
    const Value scale = power_of_two(r.k_bits);
    size = to_odd({result.hi * scale, select(detail_power::exact(result, result.hi * scale, v), 0, result.lo * scale)});
  } else {
    size = scaled(Type::f64, result.hi + result.lo, r.k_bits);
  }
  const Value rises = (a > 1) == (v > 0);
  size = select(abs(v) == inf, select(a == 1, one, select(rises, inf, zero)), select(proper, size, select((a == 0) == (v < 0), inf, zero)));
  const Value whole = unary(Op::Trunc, v), half = v * 0.5, is_whole = v == whole;
  const Value odd = both(is_whole, unary(Op::Trunc, half) != half), negative = with_sign(one, w) < 0;
  size = select(both(negative, both(odd, abs(v) < inf)), -size, size);
  const Value none = both(both(w < 0, a < inf), both(no(is_whole), abs(v) < inf));
  const Value number = select(either(none, either(is_nan(w), is_nan(v))), nan(w), size);
  return rounded(x.type(), select(either(v == 0, w == 1), one, number));
}
}  // namespace ordo::functions
