#pragma once
#include "ordo/base/soft.hpp"
#include "ordo/ir/form.hpp"
#include "ordo/ir/simplify.hpp"

namespace ordo::ir {
namespace detail_constants {
inline bool fold_unary(Op op, Type t, u64 arg, u64 a, u64& r) {
  switch (op) {
    case Op::Neg: r = soft::neg(t, a); return true;
    case Op::Abs: r = soft::abs(t, a); return true;
    case Op::Sqrt: r = soft::sqrt(t, a); return true;
    case Op::Not: r = a == 0; return true;
    case Op::Floor: r = soft::floor(t, a); return true;
    case Op::Ceil: r = soft::ceil(t, a); return true;
    case Op::Trunc: r = soft::trunc(t, a); return true;
    case Op::Round: r = soft::round(t, a); return true;
    case Op::IsNan: r = soft::is_nan(t, a); return true;
    case Op::Cast: r = soft::cast(static_cast<Type>(arg), t, a); return true;
    case Op::Bitcast: r = soft::canonical(t, a); return true;
    default: return false;
  }
}
inline u64 fold_bits(Op op, u64 a, u64 b) {
  if (op == Op::BitAnd || op == Op::And) return a & b;
  if (op == Op::BitOr || op == Op::Or) return a | b;
  return a ^ b;
}
inline bool fold_binary(Op op, Type t, u64 a, u64 b, u64& r) {
  switch (op) {
    case Op::Add: r = soft::add(t, a, b); return true;
    case Op::Sub: r = soft::sub(t, a, b); return true;
    case Op::Mul: r = soft::mul(t, a, b); return true;
    case Op::Div: r = soft::div(t, a, b); return true;
    case Op::Mod: r = soft::mod(t, a, b); return true;
    case Op::FloorDiv: r = soft::floor_div(t, a, b); return true;
    case Op::FloorMod: r = soft::floor_mod(t, a, b); return true;
    case Op::Fmod: r = soft::fmod(t, a, b); return true;
    case Op::Max: r = soft::maximum(t, a, b); return true;
    case Op::Min: r = soft::minimum(t, a, b); return true;
    case Op::Fmax: r = soft::fmax(t, a, b); return true;
    case Op::Fmin: r = soft::fmin(t, a, b); return true;
    case Op::Copysign: r = soft::copysign(t, a, b); return true;
    case Op::And: case Op::Or: case Op::BitAnd: case Op::BitOr: case Op::BitXor: r = fold_bits(op, a, b); return true;
    case Op::Shl: r = soft::shl(t, a, b); return true;
    case Op::Shr: r = soft::shr(t, a, b); return true;
    case Op::Lt: r = soft::less(t, a, b); return true;
    case Op::Le: r = soft::less(t, a, b) || soft::equal(t, a, b); return true;
    case Op::Gt: r = soft::less(t, b, a); return true;
    case Op::Ge: r = soft::less(t, b, a) || soft::equal(t, a, b); return true;
    case Op::Eq: r = soft::equal(t, a, b); return true;
    case Op::Ne: r = !soft::equal(t, a, b); return true;
    default: return false;
  }
}
}  // namespace detail_constants

// A bool is compared as a number, false before true; soft knows it as a u32.
ORDO_INLINE bool fold(Op op, Type type, Type from, u64 arg, const u64* operand, u64& result) {
  using namespace detail_constants;
  const OpClass group = class_of(op);
  if (op == Op::Unfused || (op == Op::Bitcast && bits_of(type) != bits_of(from))) return false;
  if (from == Type::boolean && group == OpClass::compare) from = Type::u32;
  if (group == OpClass::unary) return fold_unary(op, from, arg, operand[0], result);
  if (group == OpClass::binary || group == OpClass::compare) return fold_binary(op, from, operand[0], operand[1], result);
  if (op != Op::Fma) return false;
  result = soft::fma(from, operand[0], operand[1], operand[2]);
  return true;
}
}  // namespace ordo::ir
