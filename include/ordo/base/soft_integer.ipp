#pragma once
#include "ordo/base/soft.hpp"
#include "ordo/base/soft_format.hpp"

namespace ordo::soft {
ORDO_INLINE u64 mod(Type t, u64 a, u64 b) {
  namespace d = detail_format;
  if (b == 0) return a;
  if (!is_signed(t)) return a % b;
  const i64 x = d::as_signed(t, a), y = d::as_signed(t, b);
  return d::wrap(t, y == -1 ? 0 : static_cast<u64>(x % y));
}
ORDO_INLINE u64 floor_div(Type t, u64 a, u64 b) {
  namespace d = detail_format;
  const u64 quotient = div(t, a, b);
  const bool down = b != 0 && mod(t, a, b) != 0 && d::negative(t, a) != d::negative(t, b);
  return down ? d::wrap(t, quotient - 1) : quotient;
}
ORDO_INLINE u64 floor_mod(Type t, u64 a, u64 b) {
  namespace d = detail_format;
  const u64 rest = mod(t, a, b);
  const bool down = b != 0 && rest != 0 && d::negative(t, a) != d::negative(t, b);
  return down ? d::wrap(t, rest + b) : rest;
}
ORDO_INLINE u64 shl(Type t, u64 a, u64 b) {
  return b >= static_cast<u64>(bits_of(t)) ? 0 : detail_format::wrap(t, a << b);
}
ORDO_INLINE u64 shr(Type t, u64 a, u64 b) {
  namespace d = detail_format;
  const u64 width = static_cast<u64>(bits_of(t));
  if (!is_signed(t)) return b >= width ? 0 : a >> b;
  return d::wrap(t, static_cast<u64>(d::as_signed(t, a) >> (b >= width ? width - 1 : b)));
}
}  // namespace ordo::soft
