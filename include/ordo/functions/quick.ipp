#pragma once
#include "ordo/functions/logarithm.hpp"
#include "ordo/functions/quick.hpp"
#include "ordo/functions/turn.hpp"

namespace ordo::functions {
namespace detail_quick {
// From the quadratic term on, |r| < ln 2 / 2: 2^-45
inline constexpr double exp_short[] = {0x1.fffffffff138ep-2,  0x1.555555558a07fp-3,  0x1.5555557dfc6fbp-5,  0x1.1111108dffd02p-7,
                                      0x1.6c163bcb693f2p-10, 0x1.a01b73d99c58dp-13, 0x1.a16e58b49f756p-16, 0x1.71016748c2ff3p-19};
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
// Up to a little more than pi / 2: 2^-43
inline constexpr double sin_short[] = {-0x1.5555555545ec6p-3,  0x1.11111109e27fbp-7,   -0x1.a019fd1f739d4p-13,
                                      0x1.71dcebaa72cf3p-19, -0x1.ae017a9b36915p-26, 0x1.52ad595720aa4p-33};
inline constexpr double ln2_53 = 0x1.62e42fefa39efp-1;

// Nearer than 2^bits units of its last place to the middle of two f32, of which none is subnormal.
inline Value near_middle(Value y, int bits) {
  const i64 near = i64{1} << bits;
  return ((bitcast(Type::i64, y) + (near - (i64{1} << 28))) & ((i64{1} << 29) - 2 * near)) == 0;
}
inline Value unfused(Value x) {
  x.fused = false;
  return x;
}
inline Value not_normal(Value x) { return bitcast(Type::u32, x) - u32{0x00800000} >= u32{0x7f000000}; }  // or not above 0

// x = m 2^e, m in [sqrt(1/2), sqrt(2)]; s = (m - 1) / (m + 1), of which one division in f32 gives the first half.
struct Quotient {
  Value e, s;  // e times 2^23
};
inline Quotient quotient(Value x) {
  const Value bits = bitcast(Type::i32, x), up = (bits - 0x3f3504f3) & i32{-0x800000}, m = bitcast(Type::f32, bits - up);
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
}  // namespace detail_quick

ORDO_INLINE Value quick_exp(Value x) {
  using namespace detail_quick;
  const Value shifted = multiply_add(x, x.number(log2e), x.number(0x1.8p23)), k = widened(shifted - 0x1.8p23);
  const Value r = multiply_add(k, k.number(-ln2_53), widened(x)), one = r.number(1);
  const Value s = multiply_add(multiply_add(r, polynomial(r, exp_short), one), r, one);
  const Value scaled = bitcast(Type::f32, bitcast(Type::i32, cast(Type::f32, s)) + (bitcast(Type::i32, shifted) << 23));
  return seldom(either(no(abs(x) < 87), near_middle(s, 10)), exp(x), scaled);
}
ORDO_INLINE Value quick_log(Value x) {
  using namespace detail_quick;
  const Quotient q = quotient(x);
  const Value y = multiply_add(q.e, q.e.number(ln2_53 * 0x1p-23), log_of(q, atanh_short));
  return seldom(either(not_normal(x), near_middle(y, 10)), log(x), cast(Type::f32, y));
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
  const Value size = bitcast(Type::f64, bitcast(Type::i64, s) + (bitcast(Type::i64, shifted) << 52));
  const Value unusual = either(not_normal(x), no(abs(t) < 125));
  return seldom(either(unusual, near_middle(s, 12)), pow(unfused(x), unfused(y)), cast(Type::f32, size));
}
}  // namespace ordo::functions
