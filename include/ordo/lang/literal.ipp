#pragma once
#include "ordo/base/soft.hpp"
#include "ordo/lang/literal.hpp"

namespace ordo::lang {
// A float widens by its bits: the conversion instruction would flush subnormals where the caller's thread asks for it.
ORDO_INLINE ORDO_NOINLINE ir::Ref literal(Type type, float value, Where) {
  const u64 bits = soft::canonical(Type::f32, __builtin_bit_cast(u32, value));
  return front().bits(type, type == Type::f32 ? bits : soft::cast(type, Type::f32, bits));
}
ORDO_INLINE ORDO_NOINLINE ir::Ref literal(Type type, double value, Where at) { return front().constant(type, value, at); }
ORDO_INLINE ir::Ref literal(Type type, i64 value, Where at) { return front().constant(type, value, at); }
ORDO_INLINE ir::Ref literal(Type type, u64 value, Where at) { return front().constant(type, value, at); }
ORDO_INLINE ir::Ref infinity(Type type) { return front().bits(type, type == Type::f32 ? 0x7f800000 : 0x7ff0000000000000); }
ORDO_INLINE ir::Ref boolean(bool value) { return front().bits(Type::boolean, value ? 1 : 0); }
}  // namespace ordo::lang
