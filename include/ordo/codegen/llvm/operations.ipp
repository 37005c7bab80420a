// Node -> instruction, from operands that have been emitted.
#pragma once
#include <cstring>
#include "ordo/codegen/llvm/function.hpp"

namespace ordo::codegen::llvm::detail_operations {
using ir::Op;
inline Value ramp(Function& f, Value first, Value step, int lanes) {
  if (lanes == 1) return first;
  Value steps = LLVMBuildMul(f.at, iota(f.unit, f.unit.int64, lanes), broadcast(f, step, lanes), "");
  return LLVMBuildAdd(f.at, broadcast(f, first, lanes), steps, "");
}
inline Value float_unary(Function& f, Op op, Type t, Value a) {
  LLVMTypeRef type = LLVMTypeOf(a);
  switch (op) {
    case Op::Neg: return LLVMBuildFNeg(f.at, a, "");
    case Op::Abs: return intrinsic(f, "llvm.fabs", {type}, {a});
    case Op::Sqrt: return intrinsic(f, "llvm.sqrt", {type}, {a});
    case Op::Floor: return intrinsic(f, "llvm.floor", {type}, {a});
    case Op::Ceil: return intrinsic(f, "llvm.ceil", {type}, {a});
    case Op::Trunc: return intrinsic(f, "llvm.trunc", {type}, {a});
    case Op::Round: return intrinsic(f, "llvm.roundeven", {type}, {a});
    case Op::IsNan: return is_nan(f, a);
    default: fail_internal("codegen.op", (std::string(name_of(op)) + " of " + name_of(t)).c_str());
  }
}
inline Value integer_unary(Function& f, Op op, Type t, Value a) {
  LLVMTypeRef type = LLVMTypeOf(a);
  switch (op) {
    case Op::Neg: return LLVMBuildNeg(f.at, a, "");
    case Op::Not: return LLVMBuildNot(f.at, a, "");
    case Op::Abs: return is_signed(t) ? intrinsic(f, "llvm.abs", {type}, {a, LLVMConstInt(f.unit.int1, 0, 0)}) : a;
    case Op::Floor: case Op::Ceil: case Op::Trunc: case Op::Round: return a;
    case Op::IsNan: return integer(vector_of(f.unit.int1, lanes_of(a)), 0);
    default: fail_internal("codegen.op", (std::string(name_of(op)) + " of " + name_of(t)).c_str());
  }
}
inline Value bitcast(Function& f, Type to, Type from, Value a, bool number_only) {
  Value integer_bits = is_float(from) ? bits(f, from, number_only ? a : canonical(f, from, a)) : a;
  if (bits_of(to) != bits_of(from)) fail_internal("codegen.op", "bitcast between widths");
  return is_float(to) ? from_bits(f, to, integer_bits) : integer_bits;
}
}  // namespace ordo::codegen::llvm::detail_operations

namespace ordo::codegen::llvm {
ORDO_INLINE Value broadcast(Function& f, Value scalar, int lanes) {
  if (lanes == 1) return scalar;
  if (LLVMIsConstant(scalar) != 0) return splat(scalar, lanes);
  LLVMTypeRef type = vector_of(LLVMTypeOf(scalar), lanes);
  Value one = LLVMBuildInsertElement(f.at, LLVMGetPoison(type), scalar, LLVMConstInt(f.unit.int32, 0, 0), "");
  return LLVMBuildShuffleVector(f.at, one, LLVMGetPoison(type), LLVMConstNull(vector_of(f.unit.int32, lanes)), "");
}
ORDO_INLINE Value intrinsic(Function& f, const char* name, std::initializer_list<LLVMTypeRef> types,
                            std::initializer_list<Value> arguments) {
  const unsigned id = LLVMLookupIntrinsicID(name, std::strlen(name));
  std::vector<LLVMTypeRef> overloads(types);
  std::vector<Value> operands(arguments);
  Value function = LLVMGetIntrinsicDeclaration(f.unit.module, id, overloads.data(), overloads.size());
  return LLVMBuildCall2(f.at, LLVMGlobalGetValueType(function), function, operands.data(), static_cast<unsigned>(operands.size()), "");
}
ORDO_INLINE Value bits(Function& f, Type t, Value a) { return LLVMBuildBitCast(f.at, a, bits_type(f.unit, t, lanes_of(a)), ""); }
ORDO_INLINE Value from_bits(Function& f, Type t, Value a) { return LLVMBuildBitCast(f.at, a, value_type(f.unit, t, lanes_of(a)), ""); }
ORDO_INLINE Value select(Function& f, Value condition, Value yes, Value no) { return LLVMBuildSelect(f.at, condition, yes, no, ""); }
ORDO_INLINE Value icmp(Function& f, LLVMIntPredicate p, Value a, Value b) { return LLVMBuildICmp(f.at, p, a, b, ""); }
ORDO_INLINE Value fcmp(Function& f, LLVMRealPredicate p, Value a, Value b) { return LLVMBuildFCmp(f.at, p, a, b, ""); }

ORDO_INLINE Value compare(Function& f, ir::Op op, Type t, Value a, Value b) {
  using ir::Op;
  const bool wide = is_float(t), sign = is_signed(t);
  const auto either = [&](LLVMRealPredicate real, LLVMIntPredicate with_sign, LLVMIntPredicate without) {
    return wide ? fcmp(f, real, a, b) : icmp(f, sign ? with_sign : without, a, b);
  };
  switch (op) {
    case Op::Lt: return either(LLVMRealOLT, LLVMIntSLT, LLVMIntULT);
    case Op::Le: return either(LLVMRealOLE, LLVMIntSLE, LLVMIntULE);
    case Op::Gt: return either(LLVMRealOGT, LLVMIntSGT, LLVMIntUGT);
    case Op::Ge: return either(LLVMRealOGE, LLVMIntSGE, LLVMIntUGE);
    case Op::Eq: return either(LLVMRealOEQ, LLVMIntEQ, LLVMIntEQ);
    case Op::Ne: return either(LLVMRealUNE, LLVMIntNE, LLVMIntNE);
    default: fail_internal("codegen.op", name_of(op));
  }
}
ORDO_INLINE Value unary(Function& f, Ref n, Value a) {
  using ir::Op;
  const Type t = n->src[0]->type;
  if (n->op == Op::Cast) return cast(f, static_cast<Type>(n->arg), t, a);
  if (n->op == Op::Bitcast) return detail_operations::bitcast(f, n->type, t, a, n->arg == ir::number_only);
  if (n->op == Op::Unfused) return a;
  return is_float(t) ? detail_operations::float_unary(f, n->op, t, a) : detail_operations::integer_unary(f, n->op, t, a);
}
ORDO_INLINE Value binary(Function& f, Ref n, Value a, Value b) {
  using ir::Op;
  const Type t = n->src[0]->type;
  switch (n->op) {
    case Op::And: case Op::BitAnd: return LLVMBuildAnd(f.at, a, b, "");
    case Op::Or: case Op::BitOr: return LLVMBuildOr(f.at, a, b, "");
    case Op::BitXor: return LLVMBuildXor(f.at, a, b, "");
    default: return is_float(t) ? float_binary(f, n->op, t, a, b) : integer_binary(f, n->op, t, a, b);
  }
}
ORDO_INLINE Value choose(Function& f, Ref n, Value condition, Value yes, Value no) {
  const Ref compared = n->src[0];
  const auto is_one_of = [&](Ref operand) {
    return class_of(compared->op) == ir::OpClass::compare && (operand == compared->src[0] || operand == compared->src[1]);
  };
  if (is_float(n->type) && is_one_of(n->src[1])) yes = quiet(f, n->type, yes);
  if (is_float(n->type) && is_one_of(n->src[2])) no = quiet(f, n->type, no);
  return select(f, condition, yes, no);
}
ORDO_INLINE Value make(Function& f, Ref n) {
  using ir::Op;
  const auto at = [&](u32 k) { return known(f, n->src[k]).value; };
  switch (class_of(n->op)) {
    case ir::OpClass::unary: return unary(f, n, at(0));
    case ir::OpClass::binary: return binary(f, n, at(0), at(1));
    case ir::OpClass::compare:
      if (Tail tail; tail_of(f, n, &tail)) return tail_mask(f, tail, n->lanes);
      return compare(f, n->op, n->src[0]->type, at(0), at(1));
    case ir::OpClass::ternary:
      if (ir::is_seldom(n)) return seldom(f, n);
      return n->op == Op::Select ? choose(f, n, at(0), at(1), at(2)) : fma(f, n->type, at(0), at(1), at(2));
    case ir::OpClass::leaf:
      if (n->op == Op::Const) return constant(f.unit, n->type, n->arg, n->lanes);
      if (n->op == Op::Dim) return dim(f, n->arg);
      if (n->op == Op::Stride) return stride(f, static_cast<u64>(f.unit.kernel.buffers[n->arg >> 8].slot), n->arg & 255);
      break;
    case ir::OpClass::memory:
      if (n->op == Op::Read) return read(f, n);
      if (n->op == Op::Lookup) return lookup(f, n, at(0));
      if (n->op == Op::Broadcast) return broadcast(f, at(0), n->lanes);
      return detail_operations::ramp(f, at(0), at(1), n->lanes);
    case ir::OpClass::order: case ir::OpClass::statement: break;
  }
  fail_internal("codegen.op", (std::string("not a value of the kernel level: ") + name_of(n->op)).c_str());
}
}  // namespace ordo::codegen::llvm
