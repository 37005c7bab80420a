// Constants, element-wise operations and casts of raw expressions.
#pragma once
#include "ordo/base/soft.hpp"
#include "ordo/ir/checks.hpp"

namespace ordo::ir {
ORDO_INLINE Ref Builder::constant(Type type, double value, Where at) {
  detail_checks::check_constant_type(type, at);
  if (!is_float(type)) {
    std::string text = std::to_string(value);
    while (text.size() > 2 && text.back() == '0' && text[text.size() - 2] != '.') text.pop_back();
    detail_checks::fail_literal(text, type, at);
  }
  return make(Op::Const, type, nullptr, 0, soft::canonical(type, soft::from_double(type, value)), "", at);
}
ORDO_INLINE Ref Builder::constant(Type type, i64 value, Where at) {
  detail_checks::check_constant_type(type, at);
  const u64 bits = static_cast<u64>(value);
  if (!detail_checks::holds_exactly(type, Type::i64, bits)) detail_checks::fail_literal(std::to_string(value), type, at);
  return make(Op::Const, type, nullptr, 0, type == Type::boolean ? bits : soft::cast(type, Type::i64, bits), "", at);
}
ORDO_INLINE Ref Builder::constant(Type type, u64 value, Where at) {
  detail_checks::check_constant_type(type, at);
  if (!detail_checks::holds_exactly(type, Type::u64, value)) detail_checks::fail_literal(std::to_string(value), type, at);
  return make(Op::Const, type, nullptr, 0, type == Type::boolean ? value : soft::cast(type, Type::u64, value), "", at);
}
ORDO_INLINE Ref Builder::bits(Type type, u64 value) {
  detail_checks::check_constant_type(type, {});
  if (bits_of(type) < 64 && value >> bits_of(type) != 0)
    fail("lang.literal", {}, ("the bits " + std::to_string(value) + " are too many for a " + std::string(ordo::name_of(type))).c_str());
  return make(Op::Const, type, nullptr, 0, soft::canonical(type, value), "", {});
}

ORDO_INLINE Ref Builder::op(Op o, const Ref* sources, int count, Where at) {
  detail_checks::check_operands(o, sources, count, at);
  const Type operand = sources[o == Op::Select ? 1 : 0]->type;
  const Type type = class_of(o) == OpClass::compare || o == Op::IsNan ? Type::boolean : operand;
  return make(o, type, sources, static_cast<u32>(count), 0, "", at);
}
ORDO_INLINE Ref Builder::cast(Type type, Ref a, Where at) {
  detail_checks::check_value(a, "`cast`", at);
  if (type == Type::none) fail("lang.type", at, "`cast` to no type");
  if (type == a->type) return a;
  return make(Op::Cast, compute_type(type), &a, 1, static_cast<u64>(type), "", at);
}
ORDO_INLINE Ref Builder::bitcast(Type type, Ref a, Where at) {
  detail_checks::check_value(a, "`bitcast`", at);
  if (!is_compute(type) || bits_of(type) != bits_of(a->type))
    fail("lang.type", at,
         ("`bitcast` from " + std::string(ordo::name_of(a->type)) + " to " + ordo::name_of(type) + ": the sizes differ").c_str());
  if (type == a->type) return a;
  return make(Op::Bitcast, type, &a, 1, 0, "", at);
}
}  // namespace ordo::ir
