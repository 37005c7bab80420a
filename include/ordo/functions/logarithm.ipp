#pragma once
#include "ordo/functions/logarithm.hpp"

namespace ordo::functions {
namespace detail_logarithm {
// What is no finite number above 0: zero, below zero, infinity, NaN.
inline Value special(Value x, Value result) {
  return select(x > 0, select(x < infinity(x), result, x), select(x == 0, -infinity(x), nan(x)));
}
// Of f32, m - 1 and m + 1 are exact in f64, and so is the remainder of the quotient's first 26 bits. `whole`: s.hi may have 53.
inline Logarithm of_single(Value x, bool whole) {
  const Binary b = binary(widened(x));
  const Value n = b.m - 1, d = b.m + 1, inverse = 1 / d, v = n * inverse, z = v * v, head = x.fused && whole ? v : split(v).hi;
  const Value lo = (x.fused ? multiply_add(-head, d, n) : n - head * d) * inverse;
  return {b.e, {head, lo}, multiply_add(z * v * 2, polynomial(z, atanh_tail), lo * 2)};
}
inline Logarithm of(Value x, bool whole = false) {
  if (is_single(x)) return of_single(x, whole);
  const Value tiny = x < 0x1p-1022;
  Logarithm l = logarithm(Pair{select(tiny, x * 0x1p54, x), x.number(0)});
  l.e = select(tiny, l.e - 54, l.e);
  return l;
}
}  // namespace detail_logarithm

ORDO_INLINE Value log(Value x) { return detail_logarithm::special(x, rounded_once(x.type(), natural(detail_logarithm::of(x, true)))); }
ORDO_INLINE Value log2(Value x) {
  const Logarithm l = detail_logarithm::of(x);
  const Pair s = fast_sum(l.e, l.s.hi * 0x1.7154768p+1);  // 26 bits of 2 / ln 2
  const Value lo = l.s.hi * -0x1.6a3e80f444178p-26 + l.rest * log2e;
  return detail_logarithm::special(x, rounded_once(x.type(), Pair{s.hi, s.lo + lo}));
}
ORDO_INLINE Value log10(Value x) {
  const Logarithm l = detail_logarithm::of(x);
  const Pair s = fast_sum(l.e * 0x1.34413509f8000p-2, l.s.hi * 0x1.bcb7b18p-1);
  const Value lo = l.e * -0x1.80433b83b532ap-44 + (l.s.hi * -0x1.6c8d78e6acaa4p-28 + l.rest * 0x1.bcb7b1526e50ep-2);
  return detail_logarithm::special(x, rounded_once(x.type(), Pair{s.hi, s.lo + lo}));
}
ORDO_INLINE Value log1p(Value x) {
  const Value w = widened(x);
  const Pair u = sum(w, w.number(1));
  const Value r = rounded_once(x.type(), natural(logarithm(u)));
  const Value special = select(x == -1, -infinity(x), select(x == infinity(x), x, nan(x)));
  return select(abs(x) < 0x1p-54, x, select(both(x > -1, x < infinity(x)), r, special));
}
// tanh(asinh(x) / 2) = x / (1 + sqrt(x x + 1)): the quotient where e is 0; elsewhere that of u = x + sqrt(x x + 1).
ORDO_INLINE Value asinh(Value x) {
  const bool single = is_single(x);
  const Value a = abs(widened(x));
  Pair q = sum(a * a, a.number(1));  // exact for f32
  if (!single) {
    const Value c = select(a < 0x1p28, a, 1.0);
    const Pair p = product(c, c), s = sum(p.hi, c.number(1));
    q = normal({s.hi, s.lo + p.lo});
  }
  const Pair root_of = root(q);
  Pair u = sum(a, root_of.hi);
  u = normal({u.hi, u.lo + root_of.lo});
  if (!single) u = select(a < 0x1p28, u, Pair{select(a < 0x1p1000, a * 2, a), a.number(0)});
  const Binary b = binary(u.hi);
  const Value lo = u.lo * b.down, near = b.e == 0, one = a.number(1);
  const Pair d = sum(b.m, one), d_near = sum(root_of.hi, one);
  Value e = b.e;
  if (!single) e = select(a < 0x1p1000, e, e + 1);
  const Logarithm l = logarithm(e, select(near, Pair{a, a.number(0)}, normal({b.m - 1, lo})),
                                normal(select(near, Pair{d_near.hi, d_near.lo + root_of.lo}, Pair{d.hi, d.lo + lo})));
  const Value r = with_sign(rounded_once(x.type(), natural(l)), x);
  return select(both(abs(x) >= 0x1p-28, abs(x) < infinity(x)), r, x);
}
ORDO_INLINE Value acosh(Value x) {
  const Value w = widened(x), one = w.number(1);
  Pair q{w, w};
  if (is_single(x)) {
    q = sum(w * w, -one);
  } else {
    const Value c = select(w < 0x1p28, w, 2.0);
    const Pair p = Pair{c - 1, c.number(0)} * fast_sum(c, one);
    q = normal(p);
  }
  const Pair s = root(q);
  Pair u = fast_sum(w, s.hi);
  u = normal({u.hi, u.lo + s.lo});
  if (!is_single(x)) u = select(w < 0x1p28, u, Pair{select(w < 0x1p1000, w * 2, w), w.number(0)});
  const Binary b = binary(u.hi);
  const Value lo = u.lo * b.down, near = b.e == 0;
  const Pair d = sum(b.m, one), d_near = fast_sum(w, one);
  Value e = b.e;
  if (!is_single(x)) e = select(w < 0x1p1000, e, e + 1);
  const Logarithm l = logarithm(e, select(near, normal(s), normal({b.m - 1, lo})), normal(select(near, d_near, Pair{d.hi, d.lo + lo})));
  const Value r = rounded_once(x.type(), natural(l));
  return select(x > 1, select(x < infinity(x), r, x), select(x == 1, 0, nan(x)));
}
ORDO_INLINE Value atanh(Value x) {
  const Value w = widened(x), one = w.number(1);
  const Pair n = sum(w, one), d = sum(-w, one);
  const Binary b = binary(n.hi / d.hi);
  const Value up = 1 / b.down;
  const Pair scaled{d.hi * up, d.lo * up};
  const Pair top = sum(n.hi, -scaled.hi), bottom = sum(n.hi, scaled.hi);
  const Logarithm l = logarithm(b.e, normal({top.hi, top.lo + (n.lo - scaled.lo)}), normal({bottom.hi, bottom.lo + (n.lo + scaled.lo)}));
  const Value r = rounded_once(x.type(), natural(l) * 0.5);
  const Value a = abs(x);
  return select(a < 0x1p-28, x, select(a < 1, r, select(a == 1, x * infinity(x), nan(x))));
}
}  // namespace ordo::functions
