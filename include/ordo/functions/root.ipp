#pragma once
#include "ordo/functions/logarithm.hpp"

namespace ordo::functions {
// x = 2^(3q + r) m: a polynomial for the root of m, Halley's step, then Newton's with an exact remainder.
ORDO_INLINE Value cbrt(Value x) {
  const bool single = is_single(x);
  Value a = abs(widened(x));
  const Value tiny = a < 0x1p-1022;
  if (!single) a = select(tiny, a * 0x1p54, a);
  const Binary b = binary(a);
  const Value shifted = b.e * 0x1.5555555555555p-2 + to_integer, q = shifted - to_integer, r = b.e - q * 3;
  const Value low = r<0, high = r> 0;
  const Value t = b.m * select(low, 0.5, select(high, 2.0, r.number(1)));
  const double start[] = {0.495153454057764, 0.7317953965293592, -0.2827043645567611, 0.055811224720516056};  // 2^-13
  const Value y = polynomial(b.m, start) * select(low, 0x1.965fea53d6e3dp-1, select(high, 0x1.428a2f98d728bp+0, r.number(1)));
  const Value cube = y * y * y, head = split(y * (cube + t * 2) / (cube * 2 + t)).hi, square = head * head;
  const Pair parts = split(square);
  const Value step = (t - parts.hi * head - parts.lo * head) / (square * 3);
  Value result = summed(x.type(), {head, step - step * step / head}) * power_of_two(bits_of_number(shifted));
  if (!single) result = select(tiny, result * 0x1p-18, result);
  return select(both(x != 0, abs(x) < infinity(x)), with_sign(rounded(x.type(), result), x), x);
}
// The squares of f32 are exact in f64, so is their sum in two parts.
ORDO_INLINE Value hypot(Value x, Value y) {
  const bool single = is_single(x);
  const Value a = abs(widened(x)), b = abs(widened(y));
  Value large = select(a > b, a, b), small = select(a > b, b, a);
  Value up = large.number(1), down = up;
  Pair s{large, small};
  if (single) {
    s = fast_sum(large * large, small * small);
  } else {
    const Value huge = large > 0x1p500, tiny = large < 0x1p-450;
    up = select(huge, 0x1p600, select(tiny, 0x1p-600, up)), down = select(huge, 0x1p-600, select(tiny, 0x1p600, down));
    const Value l = large * down, m = small * down;
    s = product(l, l) + product(m, m);
    s = normal(s);
  }
  const Pair r = normal(root(s));
  const Value result = single ? cast(Type::f32, to_odd(r)) : (r.hi + r.lo) * up;
  return select(either(abs(x) == infinity(x), abs(y) == infinity(x)), infinity(x), select(either(is_nan(x), is_nan(y)), nan(x), result));
}
}  // namespace ordo::functions
