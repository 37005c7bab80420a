#pragma once
#include <cstring>
#include "ordo/codegen/llvm/unit.hpp"

namespace ordo::codegen::llvm {
ORDO_INLINE void open(Unit& u) {
  *u.context.out() = LLVMContextCreate();
  LLVMContextRef c = u.context;
  *u.module.out() = LLVMModuleCreateWithNameInContext(u.kernel.name.c_str(), c);
  u.int1 = LLVMInt1TypeInContext(c);
  u.int8 = LLVMInt8TypeInContext(c);
  u.int16 = LLVMInt16TypeInContext(c);
  u.int32 = LLVMInt32TypeInContext(c);
  u.int64 = LLVMInt64TypeInContext(c);
  u.flt16 = LLVMHalfTypeInContext(c);
  u.flt32 = LLVMFloatTypeInContext(c);
  u.flt64 = LLVMDoubleTypeInContext(c);
  u.pointer = LLVMPointerTypeInContext(c, 0);
  u.nothing = LLVMVoidTypeInContext(c);
  const auto kind = [c](const char* name) { return LLVMGetMDKindIDInContext(c, name, static_cast<unsigned>(std::strlen(name))); };
  u.scope_kind = kind("alias.scope");
  u.disjoint_kind = kind("noalias");
  u.invariant_kind = kind("invariant.load");
  u.unchanging = LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, nullptr, 0));
}
ORDO_INLINE LLVMTypeRef vector_of(LLVMTypeRef element, int lanes) {
  return lanes == 1 ? element : LLVMVectorType(element, static_cast<unsigned>(lanes));
}
ORDO_INLINE LLVMTypeRef bits_type(const Unit& u, Type t, int lanes) {
  switch (bits_of(t)) {
    case 1: return vector_of(u.int1, lanes);
    case 8: return vector_of(u.int8, lanes);
    case 16: return vector_of(u.int16, lanes);
    case 32: return vector_of(u.int32, lanes);
    default: return vector_of(u.int64, lanes);
  }
}
ORDO_INLINE LLVMTypeRef value_type(const Unit& u, Type t, int lanes) {
  if (t == Type::f32) return vector_of(u.flt32, lanes);
  if (t == Type::f64) return vector_of(u.flt64, lanes);
  return bits_type(u, t, lanes);
}
ORDO_INLINE LLVMTypeRef stored_type(const Unit& u, Type t, int lanes) {
  return t == Type::boolean ? vector_of(u.int8, lanes) : value_type(u, t, lanes);
}
ORDO_INLINE int lanes_of(Value v) {
  LLVMTypeRef type = LLVMTypeOf(v);
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? static_cast<int>(LLVMGetVectorSize(type)) : 1;
}
ORDO_INLINE Value splat(Value scalar_constant, int lanes) {
  if (lanes == 1) return scalar_constant;
  std::vector<Value> all(static_cast<std::size_t>(lanes), scalar_constant);
  return LLVMConstVector(all.data(), static_cast<unsigned>(lanes));
}
ORDO_INLINE Value integer(LLVMTypeRef type, u64 bits) {
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) return LLVMConstInt(type, bits, 0);
  return splat(LLVMConstInt(LLVMGetElementType(type), bits, 0), static_cast<int>(LLVMGetVectorSize(type)));
}
ORDO_INLINE Value constant(const Unit& u, Type t, u64 bits, int lanes) {
  Value scalar = LLVMConstInt(bits_type(u, t, 1), bits, 0);
  if (t == Type::f32 || t == Type::f64) scalar = LLVMConstBitCast(scalar, value_type(u, t, 1));
  return splat(scalar, lanes);
}
ORDO_INLINE Value iota(const Unit&, LLVMTypeRef element, int lanes) {
  std::vector<Value> all;
  for (int k = 0; k < lanes; ++k) all.push_back(LLVMConstInt(element, static_cast<u64>(k), 0));
  return lanes == 1 ? all[0] : LLVMConstVector(all.data(), static_cast<unsigned>(lanes));
}
ORDO_INLINE LLVMAttributeRef attribute(const Unit& u, const char* name, u64 number) {
  return LLVMCreateEnumAttribute(u.context, LLVMGetEnumAttributeKindForName(name, std::strlen(name)), number);
}
ORDO_INLINE LLVMAttributeRef attribute(const Unit& u, const char* name, const char* text) {
  return LLVMCreateStringAttribute(u.context, name, static_cast<unsigned>(std::strlen(name)), text,
                                   static_cast<unsigned>(std::strlen(text)));
}
}  // namespace ordo::codegen::llvm
