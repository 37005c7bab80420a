#pragma once
#include "ordo/functions/recipe.hpp"

namespace ordo::functions {
namespace detail_inverse {
// 2^-65
inline constexpr double asin_tail[] = {0x1.5555555555556p-3, 0x1.3333333333197p-4,  0x1.6db6db6dcea8ap-5, 0x1.f1c71c66152c5p-6,
                                       0x1.6e8ba4abd664p-6,  0x1.1c4e97d11e013p-6,  0x1.c99fe11e0b69ep-7, 0x1.7a3750c5373f1p-7,
                                       0x1.42c8fae08559dp-7, 0x1.fe158bf75dc2cp-8,  0x1.527b5586774abp-7, -0x1.17ff51ada2286p-8,
                                       0x1.0538e7f209ccbp-5, -0x1.1ff372036cb3fp-5, 0x1.2c91820fc1be3p-5};
// 2^-63
inline constexpr double atan_tail[] = {-0x1.5555555555554p-2, 0x1.99999999995bfp-3, -0x1.24924924721bep-3, 0x1.c71c71b5f9222p-4,
                                       -0x1.745d14919c87dp-4, 0x1.3b136b1d32819p-4, -0x1.110c4af140319p-4, 0x1.e16f469adb94bp-5,
                                       -0x1.ab6da8afdc02ep-5, 0x1.70b28ddc87bb1p-5, -0x1.11ba2975588edp-5, 0x1.f0111d718118p-7};
inline constexpr double half_pi = 0x1.921fb54442d18p+0, half_pi_lo = 0x1.1a62633145c07p-54;
inline constexpr double three_quarters_pi = 0x1.2d97c7f3321d2p+1, three_quarters_pi_lo = 0x1.a79394c9e8a0ap-54;
inline constexpr double tan_of_eighth = 0x1.a827999fcef32p-2;  // tan(pi / 8)

// asin(t) for t = |x| up to 1/2, or for the t with |x| = 1 - 2 t * t.
struct Arc {
  Value w, big;
  Pair t;
};
inline Arc arc(Value x) {
  const Value w = widened(x), a = abs(w), big = a > 0.5, zero = w.number(0);
  const Value z = select(big, (1 - a) * 0.5, a * a);
  const Pair t = select(big, normal(root({z, zero})), Pair{a, zero});
  return {w, big, {t.hi, t.lo + t.hi * z * polynomial(z, asin_tail)}};
}
inline Pair turned_sign(Value negative, Pair a) { return {select(negative, -a.hi, a.hi), select(negative, -a.lo, a.lo)}; }
inline Pair constant(Value like, double hi, double lo) { return {like.number(hi), like.number(lo)}; }
// base + atan(n / d), |n / d| <= tan(pi / 8), |base| above it or 0
inline Pair arc_tangent(Pair base, Pair n, Pair d, Value negative) {
  const Pair t = turned_sign(negative, normal(n / d)), s = fast_sum(base.hi, t.hi);
  const Value z = t.hi * t.hi;
  return {s.hi, s.lo + (base.lo + (t.lo + t.hi * z * polynomial(z, atan_tail)))};
}
}  // namespace detail_inverse

ORDO_INLINE Value asin(Value x) {
  using namespace detail_inverse;
  const Arc a = arc(x);
  const Pair s = fast_sum(a.t.hi.number(half_pi), a.t.hi * -2);
  const Pair r = select(a.big, Pair{s.hi, s.lo + (half_pi_lo - a.t.lo * 2)}, a.t);
  return select(abs(x) < 0x1p-28, x, select(abs(x) <= 1, with_sign(rounded_once(x.type(), r), x), nan(x)));
}
ORDO_INLINE Value acos(Value x) {
  using namespace detail_inverse;
  const Arc a = arc(x);
  const Value negative = a.w < 0;
  const Pair t = turned_sign(negative, a.t), two = t * 2;
  const Pair base =
      select(a.big, select(negative, constant(a.w, half_pi * 2, half_pi_lo * 2), constant(a.w, 0, 0)), constant(a.w, half_pi, half_pi_lo));
  const Pair add = select(a.big, two, -t), s = fast_sum(base.hi, add.hi);
  const Value r = rounded_once(x.type(), Pair{s.hi, s.lo + (base.lo + add.lo)});
  return select(abs(x) <= 1, r, nan(x));
}
ORDO_INLINE Value atan(Value x) {
  using namespace detail_inverse;
  const Value w = widened(x), a = select(abs(w) > 0x1p100, 0x1p100, abs(w)), zero = a.number(0), one = a.number(1);
  const Value small = a <= tan_of_eighth, large = a > 0x1.3504f333f9de6p+1;
  const Pair n = select(small, Pair{a, zero}, select(large, Pair{-one, zero}, sum(a, -one)));
  const Pair d = select(small, Pair{one, zero}, select(large, Pair{a, zero}, sum(a, one)));
  const Pair base =
      select(small, Pair{zero, zero}, select(large, constant(a, half_pi, half_pi_lo), constant(a, half_pi * 0.5, half_pi_lo * 0.5)));
  const Pair r = arc_tangent(base, n, d, zero > one);
  return select(abs(x) < 0x1p-28, x, select(is_nan(x), x, with_sign(rounded_once(x.type(), r), x)));
}
ORDO_INLINE Value atan2(Value y, Value x) {
  using namespace detail_inverse;
  const bool single = is_single(x);
  const Value a = abs(widened(y)), b = abs(widened(x)), steep = a > b, zero = a.number(0), one = a.number(1);
  Value large = select(steep, a, b), small = select(steep, b, a);
  const Value infinite = large == infinity(large), nothing = large == 0;
  small = select(infinite, select(small == infinity(small), one, zero), small);
  large = select(either(infinite, nothing), one, large);
  if (!single) {
    const Value scale = select(large > 0x1p900, 0x1p-200, select(both(small < 0x1p-500, large < 0x1p400), 0x1p500, one));
    small = small * scale, large = large * scale;
  }
  const Value near = small <= large * tan_of_eighth, left = with_sign(one, widened(x)) < 0;
  const Pair n = select(near, Pair{small, zero}, sum(small, -large)), d = select(near, Pair{large, zero}, sum(large, small));
  // atan(small / large) = (0 or pi / 4) + atan(n / d); steep: pi / 2 less it; left: pi less that
  const Pair flat = select(near, Pair{zero, zero}, constant(a, half_pi * 0.5, half_pi_lo * 0.5));
  const Pair upright = select(near, constant(a, half_pi, half_pi_lo), constant(a, half_pi * 0.5, half_pi_lo * 0.5));
  const Pair flat_left = select(near, constant(a, half_pi * 2, half_pi_lo * 2), constant(a, three_quarters_pi, three_quarters_pi_lo));
  const Pair upright_left = select(near, constant(a, half_pi, half_pi_lo), constant(a, three_quarters_pi, three_quarters_pi_lo));
  const Pair base = select(steep, select(left, upright_left, upright), select(left, flat_left, flat));
  const Pair t = arc_tangent(base, n, d, steep != left);
  Value r = single ? cast(Type::f32, to_odd(t)) : t.hi + t.lo;
  if (!single) r = select(both(both(no(steep), no(left)), small < large * 0x1p-960), small / large, r);
  return select(either(is_nan(x), is_nan(y)), nan(x), with_sign(r, y));
}
}  // namespace ordo::functions
