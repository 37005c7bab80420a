// fma and fmod. Without a fused unit f32 goes through f64: the product is exact there, the sum is rounded to odd, so that
// the final rounding is the only one. f64 calls soft:: by name; the JIT knows the address (routines.hpp).
#pragma once
#include "ordo/codegen/llvm/function.hpp"

namespace ordo::codegen::llvm::detail_fma {
// `m`: bits of a result rounded to nearest; `error`: bits of as many, whose sign is that of what rounding lost. Towards
// zero and then odd is rounding to odd.
inline Value made_odd(Function& f, Value m, Value inexact, Value error) {
  LLVMTypeRef type = LLVMTypeOf(m);
  Value one = LLVMBuildZExt(f.at, inexact, type, "");
  const u64 width = LLVMGetIntTypeWidth(lanes_of(m) == 1 ? type : LLVMGetElementType(type));
  Value opposite = LLVMBuildLShr(f.at, LLVMBuildXor(f.at, m, error, ""), integer(type, width - 1), "");
  return LLVMBuildOr(f.at, LLVMBuildSub(f.at, m, LLVMBuildAnd(f.at, opposite, one, ""), ""), one, "");
}
inline Value not_zero(Function& f, Value error) {      // and no NaN
  LLVMTypeRef type = LLVMTypeOf(error);
  return fcmp(f, LLVMRealOGT, intrinsic(f, "llvm.fabs", {type}, {error}), LLVMConstNull(type));
}
// p + c rounded to odd (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
inline Value sum_to_odd(Function& f, Value p, Value c) {
  Value sum = LLVMBuildFAdd(f.at, p, c, "");
  Value back = LLVMBuildFSub(f.at, sum, p, "");
  Value of_p = LLVMBuildFSub(f.at, p, LLVMBuildFSub(f.at, sum, back, ""), "");
  Value error = LLVMBuildFAdd(f.at, of_p, LLVMBuildFSub(f.at, c, back, ""), "");
  return from_bits(f, Type::f64, made_odd(f, bits(f, Type::f64, sum), not_zero(f, error), bits(f, Type::f64, error)));
}
}  // namespace ordo::codegen::llvm::detail_fma

namespace ordo::codegen::llvm {
ORDO_INLINE Value to_odd(Function& f, Value a) {
  const int lanes = lanes_of(a);
  Value rounded = LLVMBuildFPTrunc(f.at, a, vector_of(f.unit.flt32, lanes), "");
  Value error = LLVMBuildFSub(f.at, a, LLVMBuildFPExt(f.at, rounded, LLVMTypeOf(a), ""), "");
  Value high = LLVMBuildLShr(f.at, bits(f, Type::f64, error), integer(vector_of(f.unit.int64, lanes), 32), "");
  Value error_bits = LLVMBuildTrunc(f.at, high, vector_of(f.unit.int32, lanes), "");
  return from_bits(f, Type::f32, detail_fma::made_odd(f, bits(f, Type::f32, rounded), detail_fma::not_zero(f, error), error_bits));
}
ORDO_INLINE Value routine(Function& f, const char* name, Type t, std::initializer_list<Value> arguments) {
  Unit& u = f.unit;
  std::vector<LLVMTypeRef> words(arguments.size(), u.int64);
  LLVMTypeRef type = LLVMFunctionType(u.int64, words.data(), static_cast<unsigned>(words.size()), 0);
  Value function = LLVMGetNamedFunction(u.module, name);
  if (function == nullptr) {
    function = LLVMAddFunction(u.module, name, type);
    for (const char* fact : {"nounwind", "willreturn", "memory"}) add_attribute(function, attribute(u, fact));
  }
  const int lanes = lanes_of(*arguments.begin());
  LLVMTypeRef word = bits_type(u, t, 1);
  Value result = LLVMGetPoison(bits_type(u, t, lanes));
  for (int k = 0; k < lanes; ++k) {
    Value place = LLVMConstInt(u.int32, static_cast<u64>(k), 0);
    std::vector<Value> scalars;
    for (Value a : arguments) {
      Value lane = bits(f, t, a);
      if (lanes > 1) lane = LLVMBuildExtractElement(f.at, lane, place, "");
      scalars.push_back(LLVMBuildZExt(f.at, lane, u.int64, ""));
    }
    Value one = LLVMBuildCall2(f.at, type, function, scalars.data(), static_cast<unsigned>(scalars.size()), "");
    one = LLVMBuildTrunc(f.at, one, word, "");
    result = lanes > 1 ? LLVMBuildInsertElement(f.at, result, one, place, "") : one;
  }
  return from_bits(f, t, result);
}
ORDO_INLINE Value fma(Function& f, Type t, Value a, Value b, Value c) {
  if (!is_float(t)) return LLVMBuildAdd(f.at, LLVMBuildMul(f.at, a, b, ""), c, "");
  if (f.unit.target.fma) return intrinsic(f, "llvm.fma", {LLVMTypeOf(a)}, {a, b, c});
  if (t == Type::f64) return routine(f, "ordo_soft_fma_f64", t, {a, b, c});
  LLVMTypeRef wide = vector_of(f.unit.flt64, lanes_of(a));
  const auto widened = [&](Value v) { return LLVMBuildFPExt(f.at, v, wide, ""); };
  Value product = LLVMBuildFMul(f.at, widened(a), widened(b), "");
  return LLVMBuildFPTrunc(f.at, detail_fma::sum_to_odd(f, product, widened(c)), LLVMTypeOf(a), "");
}
ORDO_INLINE Value fmod(Function& f, Type t, Value a, Value b) {
  return routine(f, t == Type::f32 ? "ordo_soft_fmod_f32" : "ordo_soft_fmod_f64", t, {a, b});
}
}  // namespace ordo::codegen::llvm
