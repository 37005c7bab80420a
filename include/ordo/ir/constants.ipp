#pragma once
#include "ordo/ir/form.hpp"
#include "ordo/ir/scalar.hpp"
#include "ordo/ir/simplify.hpp"

namespace ordo::ir {
ORDO_INLINE bool fold(Op op, Type type, Type from, u64 arg, const u64* operand, u64& result) {
  switch (class_of(op)) {
    case OpClass::unary: case OpClass::binary: case OpClass::compare: break;
    case OpClass::ternary: if (op == Op::Fma) break; return false;
    case OpClass::leaf: case OpClass::order: case OpClass::memory: case OpClass::statement: return false;
  }
  if (op == Op::Unfused || is_function(op) || (op == Op::Bitcast && bits_of(type) != bits_of(from))) return false;
  result = scalar(op, from, arg, operand);
  return true;
}
}  // namespace ordo::ir
