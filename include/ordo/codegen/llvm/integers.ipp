// Integer arithmetic of NUMERICS.md, total: x / 0 = 0, x % 0 = x, MIN / -1 = MIN, MIN % -1 = 0; shifts past the width.
// A constant divisor or count needs none of the guards.
#pragma once
#include "ordo/codegen/llvm/function.hpp"

namespace ordo::codegen::llvm::detail_integers {
using ir::Op;

struct Divided { Value quotient, remainder; };

// The scalar behind a constant splat, sign-extended.
inline bool known_constant(Value v, i64* out) {
  Value scalar = v;
  if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind) {
    if (LLVMIsConstant(v) == 0) return false;
    scalar = LLVMGetAggregateElement(v, 0);
    const unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(v));
    for (unsigned k = 1; k < lanes; ++k)
      if (LLVMGetAggregateElement(v, k) != scalar) return false;
  }
  if (scalar == nullptr || LLVMIsAConstantInt(scalar) == nullptr) return false;
  *out = LLVMConstIntGetSExtValue(scalar);
  return true;
}
inline Value divide(Function& f, bool sign, Value a, Value b) {
  return sign ? LLVMBuildSDiv(f.at, a, b, "") : LLVMBuildUDiv(f.at, a, b, "");
}
inline Value rest(Function& f, bool sign, Value a, Value b) { return sign ? LLVMBuildSRem(f.at, a, b, "") : LLVMBuildURem(f.at, a, b, ""); }

inline Divided divided(Function& f, Type t, Value a, Value b) {
  LLVMTypeRef type = LLVMTypeOf(b);
  const bool sign = is_signed(t);
  Value zero = integer(type, 0), one = integer(type, 1), minus = integer(type, ~u64{0});
  i64 k = 0;
  if (known_constant(b, &k)) {
    if (k == 0) return {zero, a};
    if (sign && k == -1) return {LLVMBuildNeg(f.at, a, ""), zero};
    return {divide(f, sign, a, b), rest(f, sign, a, b)};
  }
  Value by_zero = icmp(f, LLVMIntEQ, b, zero);
  Value by_minus = sign ? icmp(f, LLVMIntEQ, b, minus) : nullptr;
  Value safe = select(f, sign ? LLVMBuildOr(f.at, by_zero, by_minus, "") : by_zero, one, b);
  Value quotient = divide(f, sign, a, safe), remainder = rest(f, sign, a, safe);     // by 1: a, 0
  if (sign) quotient = select(f, by_minus, LLVMBuildNeg(f.at, a, ""), quotient);
  return {select(f, by_zero, zero, quotient), select(f, by_zero, a, remainder)};
}
// Rounding down: where the remainder is not 0 and its sign differs from the divisor's.
inline Divided floored(Function& f, Type t, Value a, Value b) {
  LLVMTypeRef type = LLVMTypeOf(b);
  i64 k = 0;
  const bool constant_divisor = known_constant(b, &k);
  if (constant_divisor && k > 0 && (k & (k - 1)) == 0)
    return {LLVMBuildAShr(f.at, a, integer(type, static_cast<u64>(__builtin_ctzll(static_cast<u64>(k)))), ""),
            LLVMBuildAnd(f.at, a, integer(type, static_cast<u64>(k) - 1), "")};
  const Divided d = divided(f, t, a, b);
  if (constant_divisor && k == 0) return d;
  Value zero = integer(type, 0);
  Value inexact = icmp(f, LLVMIntNE, d.remainder, zero);
  Value differs = icmp(f, LLVMIntSLT, LLVMBuildXor(f.at, d.remainder, b, ""), zero);
  Value down = LLVMBuildAnd(f.at, inexact, differs, "");
  if (!constant_divisor) down = LLVMBuildAnd(f.at, down, icmp(f, LLVMIntNE, b, zero), "");
  return {LLVMBuildAdd(f.at, d.quotient, LLVMBuildSExt(f.at, down, type, ""), ""),
          LLVMBuildAdd(f.at, d.remainder, select(f, down, b, zero), "")};
}
inline Value shift(Function& f, Op op, Type t, Value a, Value count) {
  LLVMTypeRef type = LLVMTypeOf(a);
  const u64 width = static_cast<u64>(bits_of(t));
  Value inside = icmp(f, LLVMIntULT, count, integer(type, width));
  if (op == Op::Shr && is_signed(t)) return LLVMBuildAShr(f.at, a, select(f, inside, count, integer(type, width - 1)), "");
  Value safe = select(f, inside, count, integer(type, 0));
  Value shifted = op == Op::Shl ? LLVMBuildShl(f.at, a, safe, "") : LLVMBuildLShr(f.at, a, safe, "");
  return select(f, inside, shifted, integer(type, 0));
}
inline Value extreme(Function& f, Op op, Type t, Value a, Value b) {
  const bool max = op == Op::Max || op == Op::Fmax;
  return intrinsic(f, max ? (is_signed(t) ? "llvm.smax" : "llvm.umax") : (is_signed(t) ? "llvm.smin" : "llvm.umin"), {LLVMTypeOf(a)},
                   {a, b});
}
}  // namespace ordo::codegen::llvm::detail_integers

namespace ordo::codegen::llvm {
ORDO_INLINE Value integer_binary(Function& f, ir::Op op, Type t, Value a, Value b) {
  using ir::Op;
  using namespace detail_integers;
  switch (op) {
    case Op::Add: return LLVMBuildAdd(f.at, a, b, "");
    case Op::Sub: return LLVMBuildSub(f.at, a, b, "");
    case Op::Mul: return LLVMBuildMul(f.at, a, b, "");
    case Op::Div: return divided(f, t, a, b).quotient;
    case Op::Mod: case Op::Fmod: return divided(f, t, a, b).remainder;
    case Op::FloorDiv: return is_signed(t) ? floored(f, t, a, b).quotient : divided(f, t, a, b).quotient;
    case Op::FloorMod: return is_signed(t) ? floored(f, t, a, b).remainder : divided(f, t, a, b).remainder;
    case Op::Max: case Op::Min: case Op::Fmax: case Op::Fmin: return extreme(f, op, t, a, b);
    case Op::Shl: case Op::Shr: return shift(f, op, t, a, b);
    default: fail_internal("codegen.op", (std::string(name_of(op)) + " of " + name_of(t)).c_str());
  }
}
}  // namespace ordo::codegen::llvm
