// Operations whose floating-point result is exact.
#pragma once
#include "ordo/base/soft.hpp"
#include "ordo/base/soft_format.hpp"

namespace ordo::soft::detail_round {
using namespace detail_format;
enum class Toward : u8 { zero, down, up, nearest };

template <class F> inline u64 integral(Toward toward, u64 a) {
  const u64 m = a & F::magnitude;
  const bool negative = (a & F::sign) != 0;
  const int exp = static_cast<int>(m >> F::frac) - F::bias;
  if (m > F::inf) return F::nan;
  if (exp >= F::frac || m == 0) return a;
  const bool away = negative ? toward == Toward::down : toward == Toward::up;
  if (exp < 0) {
    const bool one = away || (toward == Toward::nearest && m > F::one - (u64{1} << F::frac));   // above 0.5
    return signed_as<F>(negative, one ? F::one : 0);
  }
  const u64 below = F::fraction >> exp, unit = below + 1;
  if (away) return (a + below) & ~below;
  if (toward == Toward::nearest) return (a + (below >> 1) + static_cast<u64>((a & unit) != 0)) & ~below;
  return a & ~below;
}

template <class F> inline u64 fmod(u64 a, u64 b) {
  const u64 ma = a & F::magnitude, mb = b & F::magnitude;
  const bool sign = (a & F::sign) != 0;
  if (ma >= F::inf || mb > F::inf || mb == 0) return F::nan;
  if (ma < mb) return a;
  const Parts x = parts<F>(a), y = parts<F>(b);
  constexpr int room = 63 - F::frac;      // a remainder has frac + 1 bits, so this many more fit
  const u64 divisor = y.sig >> room;
  u64 rest = (x.sig >> room) % divisor;
  for (int left = x.exp - y.exp; left > 0 && rest != 0; left -= room) rest = (rest << (left < room ? left : room)) % divisor;
  return rest == 0 ? signed_as<F>(sign, 0) : normalised<F>(sign, y.exp + room, rest);
}
}  // namespace ordo::soft::detail_round

namespace ordo::soft {
ORDO_INLINE u64 floor(Type t, u64 a) {
  namespace d = detail_round;
  if (t == Type::f32) return d::integral<d::F32>(d::Toward::down, a);
  return t == Type::f64 ? d::integral<d::F64>(d::Toward::down, a) : a;
}
ORDO_INLINE u64 ceil(Type t, u64 a) {
  namespace d = detail_round;
  if (t == Type::f32) return d::integral<d::F32>(d::Toward::up, a);
  return t == Type::f64 ? d::integral<d::F64>(d::Toward::up, a) : a;
}
ORDO_INLINE u64 trunc(Type t, u64 a) {
  namespace d = detail_round;
  if (t == Type::f32) return d::integral<d::F32>(d::Toward::zero, a);
  return t == Type::f64 ? d::integral<d::F64>(d::Toward::zero, a) : a;
}
ORDO_INLINE u64 round(Type t, u64 a) {
  namespace d = detail_round;
  if (t == Type::f32) return d::integral<d::F32>(d::Toward::nearest, a);
  return t == Type::f64 ? d::integral<d::F64>(d::Toward::nearest, a) : a;
}
ORDO_INLINE ORDO_NOINLINE u64 fmod(Type t, u64 a, u64 b) {
  namespace d = detail_round;
  return t == Type::f32 ? d::fmod<d::F32>(a, b) : d::fmod<d::F64>(a, b);
}
}  // namespace ordo::soft
