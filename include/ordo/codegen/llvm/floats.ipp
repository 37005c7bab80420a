// Floating-point operations whose special cases no single instruction has.
#pragma once
#include <cstring>
#include <string>
#include "ordo/codegen/llvm/architectures.hpp"
#include "ordo/codegen/llvm/function.hpp"

namespace ordo::codegen::llvm::detail_floats {
using ir::Op;

inline u64 sign_of(Type t) { return u64{1} << (bits_of(t) - 1); }
inline u64 nan_of(Type t) { return t == Type::f32 ? 0x7fc00000u : 0x7ff8000000000000u; }

// The bits of a constant splat that is not a NaN.
inline bool number(Function& f, Type t, Value v, u64* out) {
  if (LLVMIsConstant(v) == 0) return false;
  Value scalar = lanes_of(v) == 1 ? v : LLVMGetAggregateElement(v, 0);
  for (int k = 1; k < lanes_of(v); ++k)
    if (LLVMGetAggregateElement(v, static_cast<unsigned>(k)) != scalar) return false;
  Value integer_bits = bits(f, t, scalar);
  if (LLVMIsAConstantInt(integer_bits) == nullptr) return false;
  *out = LLVMConstIntGetZExtValue(integer_bits);
  const u64 magnitude = *out & ~sign_of(t);
  return magnitude <= (t == Type::f32 ? 0x7f800000u : 0x7ff0000000000000u);
}
// maximum(x, c) for a number c: c where x < c (for +0 also where x is -0), else x, which may be a NaN.
inline Value against_number(Function& f, Type t, bool max, Value x, Value c, u64 c_bits) {
  const bool ties = c_bits == (max ? 0 : sign_of(t));
  const LLVMRealPredicate p = max ? (ties ? LLVMRealOLE : LLVMRealOLT) : (ties ? LLVMRealOGE : LLVMRealOGT);
  return select(f, fcmp(f, p, x, c), c, x);
}
// AVX-512 DQ has it in one instruction, zeros in order; nullptr: not for these.
inline Value ranged(Function& f, Type t, bool max, Value a, Value b) {
  const int lanes = lanes_of(a), vector_bits = lanes * bits_of(t);
  if (std::strstr(f.unit.target.features, "+avx512dq") == nullptr) return nullptr;
  if (vector_bits != 512 && (std::strstr(f.unit.target.features, "+avx512vl") == nullptr || (vector_bits != 256 && vector_bits != 128)))
    return nullptr;
  const std::string name =
      std::string("llvm.x86.avx512.mask.range.") + (t == Type::f32 ? "ps." : "pd.") + std::to_string(vector_bits);
  const auto word = [&](LLVMTypeRef type, u64 v) { return LLVMConstInt(type, v, 0); };
  Value which = word(f.unit.int32, max ? 5 : 4), all = LLVMConstAllOnes(lanes > 8 ? f.unit.int16 : f.unit.int8);
  if (vector_bits == 512) return intrinsic(f, name.c_str(), {}, {a, b, which, a, all, word(f.unit.int32, 4)});
  return intrinsic(f, name.c_str(), {}, {a, b, which, a, all});
}
// Of two numbers; -0 < +0 by combining the bits of equal ones. What it gives for a NaN is replaced by the caller.
inline Value of_numbers(Function& f, Type t, bool max, Value a, Value b) {
  if (Value one = ranged(f, t, max, a, b)) return one;
  Value one = select(f, fcmp(f, max ? LLVMRealOGT : LLVMRealOLT, a, b), a, b);
  Value x = bits(f, t, a), y = bits(f, t, b);
  Value tie = from_bits(f, t, max ? LLVMBuildAnd(f.at, x, y, "") : LLVMBuildOr(f.at, x, y, ""));
  return select(f, fcmp(f, LLVMRealOEQ, a, b), tie, one);
}
inline Value extreme(Function& f, Type t, bool max, Value a, Value b) {
  u64 c = 0;
  if (number(f, t, b, &c)) return against_number(f, t, max, a, b, c);
  if (number(f, t, a, &c)) return against_number(f, t, max, b, a, c);
  Value nan = constant(f.unit, t, nan_of(t), lanes_of(a));
  return select(f, fcmp(f, LLVMRealUNO, a, b), nan, of_numbers(f, t, max, a, b));
}
inline Value extreme_number(Function& f, Type t, bool max, Value a, Value b) {
  return select(f, is_nan(f, a), b, select(f, is_nan(f, b), a, of_numbers(f, t, max, a, b)));
}
inline Value copysign(Function& f, Type t, Value a, Value b) {
  Value x = bits(f, t, a), y = bits(f, t, b);
  LLVMTypeRef type = LLVMTypeOf(x);
  Value sign = select(f, is_nan(f, b), integer(type, 0), LLVMBuildAnd(f.at, y, integer(type, sign_of(t)), ""));
  return from_bits(f, t, LLVMBuildOr(f.at, LLVMBuildAnd(f.at, x, integer(type, ~sign_of(t)), ""), sign, ""));
}
}  // namespace ordo::codegen::llvm::detail_floats

namespace ordo::codegen::llvm {
ORDO_INLINE Value is_nan(Function& f, Value a) { return fcmp(f, LLVMRealUNO, a, a); }
ORDO_INLINE Value canonical(Function& f, Type t, Value a) {
  return select(f, is_nan(f, a), constant(f.unit, t, detail_floats::nan_of(t), lanes_of(a)), a);
}
ORDO_INLINE Value quiet(Function& f, Type t, Value a) {
  return std::strcmp(f.unit.target.triple, x86_triple) == 0 ? a : canonical(f, t, a);
}
ORDO_INLINE Value float_binary(Function& f, ir::Op op, Type t, Value a, Value b) {
  using ir::Op;
  using namespace detail_floats;
  switch (op) {
    case Op::Add: return LLVMBuildFAdd(f.at, a, b, "");
    case Op::Sub: return LLVMBuildFSub(f.at, a, b, "");
    case Op::Mul: return LLVMBuildFMul(f.at, a, b, "");
    case Op::Div: return LLVMBuildFDiv(f.at, a, b, "");
    case Op::Mod: case Op::Fmod: return fmod(f, t, a, b);
    case Op::Max: case Op::Min: return extreme(f, t, op == Op::Max, a, b);
    case Op::Fmax: case Op::Fmin: return extreme_number(f, t, op == Op::Fmax, a, b);
    case Op::Copysign: return detail_floats::copysign(f, t, a, b);
    default: fail_internal("codegen.op", (std::string(name_of(op)) + " of " + name_of(t)).c_str());
  }
}
}  // namespace ordo::codegen::llvm
