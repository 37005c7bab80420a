// approx::, in f32 and integers alone. Coefficients by Sollya's fpminimax and by Chebyshev interpolation (erfc, gelu).
#pragma once
#include "ordo/functions/angle.hpp"
#include "ordo/functions/turn.hpp"

namespace ordo::functions {
namespace detail_approx {
// 2^-32
inline constexpr double exp_tail[] = {0x1p-1, 0x1.555552p-3, 0x1.5554e2p-5, 0x1.1115a8p-7, 0x1.6d53d4p-10, 0x1.9ab65p-13};
// 2^-25
inline constexpr double log_tail[] = {-0x1.fffffap-2, 0x1.5556f4p-2, -0x1.0004b2p-2, 0x1.98d2b8p-3,
                                      -0x1.53599p-3,  0x1.3181f6p-3, -0x1.251a28p-3, 0x1.660aa4p-4};
// 2^-32
inline constexpr double tanh_tail[] = {-0x1.555554p-2, 0x1.111096p-3, -0x1.b9fb1ep-5, 0x1.643552p-6, -0x1.0fe222p-7, 0x1.29c88p-9};
// 2^-29
inline constexpr double erf_tail[] = {0x1.06eba8p-3, -0x1.81273ep-2,  0x1.ce2cf2p-4, -0x1.b7f88cp-6,
                                      0x1.540172p-8, -0x1.a3d812p-11, 0x1.4917a4p-14};
// 2^-27
inline constexpr double minus_log_erfc[] = {-0x1.4fb068p-12, 0x1.2156fap+0,   0x1.437eb4p-1,  0x1.c2e356p-4,  -0x1.b0e246p-6,
                                            0x1.37ecc6p-8,   -0x1.38e5e6p-11, 0x1.825ce4p-15, -0x1.b77830p-20};
// Of q = (a - 5/2) / (a + 5/2): (1 + a) exp(a a / 2) erfc(a / sqrt 2) / 2, a in [0.49, 14.4].
// 2^-28
inline constexpr double gelu_tail[] = {-0x1.772472p-4, -0x1.34f946p-5, 0x1.795972p-5,   -0x1.1d25cap-7,  -0x1.8c72b4p-8,
                                       0x1.53b508p-10, 0x1.4c7d7ep-10, -0x1.aeb658p-16, -0x1.e475eep-13, -0x1.64e578p-15};
inline constexpr double gelu_0 = 0x1.fa881p-2;
// erf(x / sqrt 2) / 2: 2^-25
inline constexpr double phi_tail[] = {0x1.988454p-2, -0x1.1058d2p-4, 0x1.471246p-7, -0x1.419c78p-10, 0x1.77b55ep-13};
// Up to a little more than pi / 2; by search from the minimax one, for the least error of sine and cosine as evaluated, and cos(0) = 1
inline constexpr double sin_long[] = {-0x1.555558p-3, 0x1.111152p-7, -0x1.a023cp-13, 0x1.726ea6p-19, -0x1.ab9d66p-26};
// 2^-32
inline constexpr double sin_tail[] = {-0x1.555556p-3, 0x1.111164p-7, -0x1.a04866p-13, 0x1.77e1f8p-19};
// 2^-32
inline constexpr double cos_tail[] = {0x1.55554ap-5, -0x1.6c0c2ap-10, 0x1.99e91p-16};

struct Exponential {
  Value above_one;  // exp(x) = (1 + above_one) 2^k
  Value k_bits;     // i32, k in its low 22 bits
};
inline Exponential exponential(Value x) {
  const Value shifted = multiply_add(x, x.number(0x1.715476p+0), x.number(0x1.8p23)), k = shifted - 0x1.8p23;
  const Value first = multiply_add(k, k.number(-0x1.62e4p-1), x), r = multiply_add(k, k.number(-0x1.7f7d1cp-20), first);
  return {multiply_add(r * r, polynomial(r, exp_tail), r), bits_of_number(shifted)};
}
inline Exponential exponential(Value x, Value more) {  // of x + more, some 0.3 ulp better
  const Value shifted = multiply_add(x, x.number(0x1.715476p+0), x.number(0x1.8p23)), k = shifted - 0x1.8p23;
  const Value first = multiply_add(k, k.number(-0x1.62e4p-1), x), second = multiply_add(k, k.number(-0x1.7f7d1cp-20), more);
  const Pair r = fast_sum(first, second);
  return {r.hi + multiply_add(r.hi * r.hi, polynomial(r.hi, exp_tail), r.lo), bits_of_number(shifted)};
}
inline Value f32_power_of_two(Value k_bits) { return bitcast(Type::f32, (k_bits << 23) + 0x3f800000); }
// Two factors: the result may be subnormal.
inline Value scaled(Value x, Value k_bits) {
  const Value half = (k_bits << 10) >> 11;
  return x * f32_power_of_two(half) * f32_power_of_two(k_bits - half);
}
inline Value exp_of(Value x) {
  const Exponential e = exponential(clamped(x, -104, 89));
  return scaled(e.above_one + 1, e.k_bits);
}
inline Value log_of(Value x) {  // normal and above 0
  const Value bits = bits_of_number(x), up = (bits - 0x3f3504f3) & i32{-0x800000}, f = bitcast(Type::f32, bits - up) - 1;
  const Value e = cast(Type::f32, up);
  return multiply_add(e, e.number(0x1.62e43p-24), multiply_add(f * f, polynomial(f, log_tail), f));
}
// sin(r) for the r that `count` half turns leave of a.
inline Value sine_less(Value a, Value count, Value sign) {
  const Value first = multiply_add(count, count.number(-0x1.921fb6p+1), a),
              second = multiply_add(count, count.number(0x1.777a5cp-24), first);
  const Value r = multiply_add(count, count.number(0x1.ee59dap-49), second), z = r * r;
  const Value cube = multiply_add(r, z, r * multiply_add(r, r, -z));       // to half an ulp, which the sum near 1 needs
  return flipped(multiply_add(cube, polynomial(z, sin_long), r), sign);
}
inline Value sine_of(Value r, Value quarter) {
  const Value z = r * r, s = r + r * z * polynomial(z, sin_tail), c = (1 - z * 0.5) + z * z * polynomial(z, cos_tail);
  const Value v = select(is_odd(quarter), c, s);
  return select((quarter & 2) != 0, -v, v);
}
struct SingleAngle {
  Value r, quarter;
};
inline SingleAngle turned(Value x) {
  const Value a = abs(x), small = a < 0.78515625, turns = turns_of(a);
  const Value quarter = (turns + (u64{1} << 61)) >> 62, rest = bitcast(Type::i64, turns - (quarter << 62));
  const Value angle = (rest >> 32) * 0x6487ed51 + (((rest & i64{0xffffffff}) * 0x6487ed51) >> 32);  // by pi 2^29
  return {select(small, a, cast(Type::f32, angle) * 0x1p-60), select(small, 0, cast(Type::i32, bitcast(Type::i64, quarter)))};
}
}  // namespace detail_approx

ORDO_INLINE Value approx_exp(Value x) {
  using namespace detail_approx;
  const Exponential e = exponential(x);
  const Value fast = bitcast(Type::f32, bits_of_number(e.above_one + 1) + (e.k_bits << 23));
  const Value unusual = no(abs(x) < 87), none = x <= -104;  // as an infinity that hides an element
  return seldom(unusual, seldom(both(unusual, no(none)), exp_of(x), select(none, 0, fast)), fast);
}
ORDO_INLINE Value approx_log(Value x) {
  using namespace detail_approx;
  const Value tiny = x < 0x1p-126, slow = log_of(select(tiny, x * 0x1p23, x)) - select(tiny, x.number(0x1.fe2804p+3), 0);
  const Value special = select(x > 0, select(x < infinity(x), slow, x), select(x == 0, -infinity(x), nan(x)));
  return seldom(cast(Type::u32, bits_of_number(x)) - u32{0x00800000} >= u32{0x7f000000}, special, log_of(x));
}
ORDO_INLINE Value approx_tanh(Value x) {
  using namespace detail_approx;
  const Value a = abs(x), z = x * x;
  const Exponential e = exponential(clamped(a, 0, 10) * 2);
  const Value large = 1 - 2 / ((e.above_one + 1) * f32_power_of_two(e.k_bits) + 1);
  const Value near = select(a < 0x1p-12, x, x + x * z * polynomial(z, tanh_tail));
  return select(a < 0.55, near, select(is_nan(x), x, with_sign(large, x)));
}
ORDO_INLINE Value approx_sigmoid(Value x) {
  using namespace detail_approx;
  const Value negative = x < 0;
  const Exponential e = exponential(clamped(-abs(x), -104, 0), x.number(0));
  const Value s = e.above_one + 1, u = scaled(s, e.k_bits), d = u + 1, q = select(negative, u, 1) / d;
  // What rounding took from s and from d, relative: 1 / s is about 2 - s, 1 / d is q or 1 - q.
  const Value of_s = e.above_one - (s - 1), lost = (u - (d - 1)) + of_s * f32_power_of_two(select(abs(x) > 80, 0, e.k_bits));
  return q + q * (select(negative, of_s * (2 - s), 0) - lost * select(negative, 1 - q, q));
}
ORDO_INLINE Value approx_erf(Value x) {
  using namespace detail_approx;
  const Value a = abs(x), z = x * x, c = clamped(a, 1, 4);
  const Exponential e = exponential(-polynomial(c, minus_log_erfc));
  const Value large = 1 - (e.above_one + 1) * f32_power_of_two(e.k_bits);
  return select(a < 1, x + x * polynomial(z, erf_tail), select(is_nan(x), x, with_sign(large, x)));
}
// x Phi(x), with Phi(x) = 1/2 + x P(x x) near 0, and elsewhere from erfc, which takes pairs: its own last place counts.
ORDO_INLINE Value approx_gelu(Value x) {
  using namespace detail_approx;
  const Value a = clamped(abs(x), 0.25, 14.4), one = x.number(1), square = x * x;
  const Value head = split(a).hi, rest = a - head;
  const Exponential e = exponential(head * head * -0.5, (a + head) * rest * -0.5);
  const Value q = (a - 2.5) / (a + 2.5);
  const Pair f = fast_sum(x.number(gelu_0), q * polynomial(q, gelu_tail)), p = f * fast_sum(one, e.above_one);
  const Value w = clamped(x, -14.4, 14.4);
  const Pair n = product(w, p.hi), t = Pair{n.hi, n.lo + w * p.lo} / sum(a, one);
  const Value tail = scaled(t.hi + t.lo, e.k_bits);                                    // x erfc(a / sqrt 2) / 2
  const Value far = select(x < 0, select(x == -infinity(x), nan(x), tail), x - tail);  // -inf * 0, as gelu is composed
  return select(square < 0.25, x * (x * polynomial(square, phi_tail) + 0.5), far);
}
ORDO_INLINE Value approx_sin(Value x) {
  using namespace detail_approx;
  const HalfTurns turns = half_turns(abs(x));
  const SingleAngle angle = detail_approx::turned(x);
  const Value s = sine_of(angle.r, angle.quarter), slow = select(abs(x) < infinity(x), select(x < 0, -s, s), nan(x));
  return seldom(turns.many, slow, sine_less(abs(x), turns.count, turns.sign ^ sign_of(x)));
}
ORDO_INLINE Value approx_cos(Value x) {
  using namespace detail_approx;
  const HalfTurns turns = odd_half_turns(abs(x));
  const SingleAngle angle = detail_approx::turned(x);
  const Value slow = select(abs(x) < infinity(x), sine_of(angle.r, angle.quarter + 1), nan(x));
  return seldom(turns.many, slow, sine_less(abs(x), turns.count, turns.sign ^ i32{-0x7fffffff - 1}));
}
}  // namespace ordo::functions
