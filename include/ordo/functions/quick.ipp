#pragma once
#include "ordo/functions/logarithm.hpp"
#include "ordo/functions/quick.hpp"
#include "ordo/functions/turn.hpp"

namespace ordo::functions {
namespace detail_quick {
// From the quadratic term on, |r| < ln 2 / 2: 2^-45
inline constexpr double exp_short[] = {0x1.fffffffff138ep-2,  0x1.555555558a07fp-3,  0x1.5555557dfc6fbp-5,  0x1.1111108dffd02p-7,
                                       0x1.6c163bcb693f2p-10, 0x1.a01b73d99c58dp-13, 0x1.a16e58b49f756p-16, 0x1.71016748c2ff3p-19};
// The same, |r| < ln 2 / 64: 2^-39
inline constexpr double exp_single[] = {0x1.fffffcp-2, 0x1.5555c8p-3, 0x1.5a1d8cp-5};
// log(1 + f) from the quadratic term on, |f| < 0.0163: 2^-41 absolutely
inline constexpr double log_single[] = {-0x1p-1, 0x1.555554p-2, -0x1.000a76p-2, 0x1.99d75ep-3};
// 2^r, |r| <= 1/2: 2^-45
inline constexpr double exp2_all[] = {0x1p0,
                                      0x1.62e42fefa37dp-1,
                                      0x1.ebfbdff81bd9cp-3,
                                      0x1.c6b08d70c8c3dp-5,
                                      0x1.3b2ab7241e588p-7,
                                      0x1.5d87fd932b067p-10,
                                      0x1.430897da58c4cp-13,
                                      0x1.ffce306bdc134p-17,
                                      0x1.63e6b4345ee8dp-20,
                                      0x1.b3dde1916d6b4p-24};
// 2 atanh s after 2 s: 2^-44, and 2^-52
inline constexpr double atanh_short[] = {0x1.555555561d92fp-1, 0x1.999996ab11efbp-2, 0x1.249411370186bp-2, 0x1.c62b4eb8133b8p-3,
                                         0x1.9112625ba00adp-3};
inline constexpr double atanh_long[] = {0x1.5555555553977p-1, 0x1.999999a28f784p-2, 0x1.24924179f988ep-2,
                                        0x1.c72276f83340fp-3, 0x1.732c452f6018dp-3, 0x1.587635bf4aa09p-3};
// erf(a) / a in a a, up to 1: 2^-45
inline constexpr double erf_short[] = {0x1.20dd750429b0fp+0,  -0x1.812746b025a4dp-2,  0x1.ce2f21972214p-4,   -0x1.b82ce143edbc9p-6,
                                       0x1.565b9e5360af9p-8,  -0x1.c02840aeb2abbp-11, 0x1.f93f6f7895656p-14, -0x1.f05e3aec8d278p-17,
                                       0x1.9a93d94065a98p-20, -0x1.c095fc85ed19ap-24};
// (1 + 2 a) exp(a a) erfc(a) in (a - 2) / (a + 2), 1 to 4: 2^-46
inline constexpr double erfc_short[] = {0x1.46e80e2277965p+0,   -0x1.7bf5ec16fae9bp-4, -0x1.5407bebf49fcep-3, 0x1.4ffa1e1266491p-3,
                                        -0x1.bc2b953907ccep-5,  -0x1.074229a03f747p-7, 0x1.1dd2d3f2a2754p-7,  0x1.4d3cbc968a7b7p-10,
                                        -0x1.7dd83acab18adp-10, -0x1.da56d666a208p-12, 0x1.ae00bc37c8b6fp-13, 0x1.205e8965616ep-13};
// Up to a little more than pi / 2: 2^-43
inline constexpr double sin_short[] = {-0x1.5555555545ec6p-3, 0x1.11111109e27fbp-7,   -0x1.a019fd1f739d4p-13,
                                       0x1.71dcebaa72cf3p-19, -0x1.ae017a9b36915p-26, 0x1.52ad595720aa4p-33};
inline constexpr double ln2_53 = 0x1.62e42fefa39efp-1;

// Nearer than 2^bits units of its last place to the middle of two f32, of which none is subnormal.
inline Value near_middle(Value y, int bits) {
  const i64 near = i64{1} << bits;
  return ((bits_of_number(y) + (near - (i64{1} << 28))) & ((i64{1} << 29) - 2 * near)) == 0;
}
inline Value unfused(Value x) {
  x.fused = false;
  return x;
}
inline Value not_normal(Value x) { return cast(Type::u32, bits_of_number(x)) - u32{0x00800000} >= u32{0x7f000000}; }  // or not above 0

// x = m 2^e, m in [sqrt(1/2), sqrt(2)]; s = (m - 1) / (m + 1), of which one division in f32 gives the first half.
struct Quotient {
  Value e, s;  // e times 2^23
};
inline Quotient quotient(Value x) {
  const Value bits = bits_of_number(x), up = (bits - 0x3f3504f3) & i32{-0x800000}, m = bitcast(Type::f32, bits - up);
  const Value n = widened(m - 1), inverse = widened(1 / (m + 1)), q = n * inverse;
  return {cast(Type::f64, up), multiply_add(multiply_add(-q, n + 2, n), inverse, q)};
}
template <std::size_t n>
Value log_of(const Quotient& x, const double (&c)[n]) {
  const Value z = x.s * x.s;
  return multiply_add(x.s * z, polynomial(z, c), x.s + x.s);
}
// a - k pi
inline Value less_turns(Value a, Value k) {
  if (a.fused) return multiply_add(k, k.number(-0x1.1a62633145c07p-53), multiply_add(k, k.number(-0x1.921fb54442d18p+1), a));
  return ((a - k * 0x1.921fb544p+1) - k * 0x1.0b4611a6p-33) - k * 0x1.3198a2e037073p-68;
}
// sin(r), less its sign as often as `turned` says.
inline Value sine(Value r, const HalfTurns& turns, Value precise, Value sign) {
  const Value z = r * r, y = multiply_add(r * z, polynomial(z, sin_short), r);
  return seldom(either(turns.many, near_middle(y, 11)), precise, flipped(cast(Type::f32, y), sign));
}
// What is below the smallest subnormal number, and an infinity that hides an element, are settled where the quick result is not.
inline Value settled_exp(Value x, Value open, Value quick) {
  const Value unusual = either(no(abs(x) < 87), open), none = x <= -104;
  return seldom(unusual, seldom(both(unusual, no(none)), exp(x), select(none, 0, quick)), quick);
}
}  // namespace detail_quick

// 2^(k / 32) in two f32 from tables, and x less k ln 2 / 32 in two: the first exactly. Worst error seen 1.8 2^-36.
ORDO_INLINE Value looked_up_exp(Value x) {
  using namespace detail_quick;
  const Value shifted = multiply_add(x, x.number(0x1.715476p+5), x.number(0x1.8p23)), k = shifted - 0x1.8p23,
              bits = bits_of_number(shifted);
  const Value head = lookup(Table::exp_head, bits), first = multiply_add(k, k.number(-0x1.62e43p-6), x);
  const Value rest = multiply_add(k, k.number(0x1.05c61p-34), lookup(Table::exp_rest, bits));
  const Value r = first + rest, above_one = multiply_add(r * r, polynomial(r, exp_single), rest);
  const Value s = multiply_add(head, first, head), low = multiply_add(head, above_one, multiply_add(head, first, head - s));
  const Value up = s + (low + 0x1.4p-35), down = s + (low - 0x1.4p-35);
  return settled_exp(x, up != down, bitcast(Type::f32, bits_of_number(up) + ((bits >> 5) << 23)));
}
ORDO_INLINE Value quick_exp(Value x) {
  using namespace detail_quick;
  const Value shifted = multiply_add(x, x.number(log2e), x.number(0x1.8p23)), k = widened(shifted - 0x1.8p23);
  const Value r = multiply_add(k, k.number(-ln2_53), widened(x)), one = r.number(1);
  const Value s = multiply_add(multiply_add(r, polynomial(r, exp_short), one), r, one);
  const Value scaled = bitcast(Type::f32, bits_of_number(cast(Type::f32, s)) + (bits_of_number(shifted) << 23));
  return settled_exp(x, near_middle(s, 10), scaled);
}
// x = 2^e m, 1 / c from a table: m / c - 1 = f and a rest, exactly; log x = (e ln 2 + log c) + f + ..., of which the first sum is exact.
// What is lost: a few roundings of f f / 2, and of all that is smaller.
ORDO_INLINE Value looked_up_log(Value x) {
  using namespace detail_quick;
  const Value bits = bits_of_number(x), place = bits - 0x3f3504f3, up = place & i32{-0x800000}, m = bitcast(Type::f32, bits - up),
              j = place >> 18;
  const Value e = cast(Type::f32, up), inverse = lookup(Table::log_inverse, j), p = m * inverse, f = p - 1;
  const Value f_rest = multiply_add(m, inverse, -p), base = multiply_add(e, e.number(0x1.62e4p-24), lookup(Table::log_head, j));
  const Pair s = fast_sum(base, f);
  const Value g = f + f_rest, square = g * g, rest = multiply_add(e, e.number(0x1.7f7d1cp-43), lookup(Table::log_rest, j));
  const Value low = (multiply_add(square, polynomial(g, log_single), f_rest) + rest) + s.lo;
  const Value error = multiply_add(abs(s.hi), x.number(0x1.8p-35), square * 0x1.4p-22), above = s.hi + (low + error),
              below = s.hi + (low - error);
  return seldom(either(not_normal(x), above != below), log(x), above);
}
ORDO_INLINE Value quick_log(Value x) {
  using namespace detail_quick;
  const Quotient q = quotient(x);
  const Value y = multiply_add(q.e, q.e.number(ln2_53 * 0x1p-23), log_of(q, atanh_short));
  return seldom(either(not_normal(x), near_middle(y, 10)), log(x), cast(Type::f32, y));
}
// With t = exp(2 |x|) - 1 = (2^k - 1) + 2^k (exp(r) - 1): t / (t + 2). From 9.5 on it is rounded to 1.
ORDO_INLINE Value quick_tanh(Value x) {
  using namespace detail_quick;
  const Value a = select(abs(x) < 9.5, abs(x), 9.5), shifted = multiply_add(a, a.number(2 * log2e), a.number(0x1.8p23));
  const Value k = widened(shifted - 0x1.8p23), scale = widened(bitcast(Type::f32, (bits_of_number(shifted) << 23) + 0x3f800000));
  const Value w = widened(a), r = multiply_add(k, k.number(-ln2_53), w + w), less_one = multiply_add(r * r, polynomial(r, exp_short), r);
  const Value t = multiply_add(scale, less_one, scale - 1), y = t / (t + 2);
  return seldom(either(is_nan(x), near_middle(y, 13)), tanh(unfused(x)), flipped(cast(Type::f32, y), sign_of(x)));
}
// Below 1 a polynomial, from there 1 - exp(-a a) F((a - 2) / (a + 2)) / (1 + 2 a), see error.ipp; from 4 on it is rounded to 1.
ORDO_INLINE Value quick_erf(Value x) {
  using namespace detail_quick;
  const Value a = abs(x), b = select(a < 4, a, 4), shifted = multiply_add(b * b, b.number(-log2e), b.number(0x1.8p23));
  const Value k = widened(shifted - 0x1.8p23), scale = widened(bitcast(Type::f32, (bits_of_number(shifted) << 23) + 0x3f800000));
  const Value w = widened(b), square = w * w, r = multiply_add(k, k.number(-ln2_53), -square), one = r.number(1);
  const Value e = multiply_add(multiply_add(r, polynomial(r, exp_short), one), r, one);
  const Value plus = w + 2, denominator = multiply_add(w, w.number(2), one), inverse = 1 / (plus * denominator);
  const Value f = polynomial((w - 2) * (denominator * inverse), erfc_short);
  const Value far = 1 - (e * scale) * (f * (plus * inverse)), y = select(w < 1, w * polynomial(square, erf_short), far);
  return seldom(either(both(no(a >= 0x1p-120), a != 0), near_middle(y, 10)), erf(unfused(x)), flipped(cast(Type::f32, y), sign_of(x)));
}
ORDO_INLINE Value quick_sin(Value x) {
  using namespace detail_quick;
  const Value a = abs(x);
  const HalfTurns turns = half_turns(a);
  return sine(less_turns(widened(a), widened(turns.count)), turns, sin(unfused(x)), sign_of(x) ^ turns.sign);
}
ORDO_INLINE Value quick_cos(Value x) {
  using namespace detail_quick;
  const HalfTurns turns = odd_half_turns(abs(x));
  return sine(-less_turns(widened(abs(x)), widened(turns.count)), turns, cos(unfused(x)), turns.sign);
}
ORDO_INLINE Value quick_pow(Value x, Value y) {
  using namespace detail_quick;
  const Quotient q = quotient(x);
  const Value log2 = multiply_add(log_of(q, atanh_long), q.e.number(log2e), q.e * 0x1p-23), t = log2 * widened(y);
  const Value shifted = t + to_integer, s = polynomial(t - (shifted - to_integer), exp2_all);
  const Value size = bitcast(Type::f64, bits_of_number(s) + (bits_of_number(shifted) << 52));
  const Value unusual = either(not_normal(x), no(abs(t) < 125));
  return seldom(either(unusual, near_middle(s, 12)), pow(unfused(x), unfused(y)), cast(Type::f32, size));
}
}  // namespace ordo::functions
