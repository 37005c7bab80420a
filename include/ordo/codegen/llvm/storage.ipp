// What memory holds <-> values. f16 by the conversion instructions where the target has them (exact, NaN replaced), else,
// and bf16 always, by integer operations: LLVM's own bf16 conversions flush subnormals or round twice on some targets.
#pragma once
#include "ordo/codegen/llvm/function.hpp"

namespace ordo::codegen::llvm::detail_storage {
struct Words {           // integer operations on one width
  Function& f;
  LLVMTypeRef type;
  Value number(u64 bits) const { return integer(type, bits); }
  Value both(Value a, u64 mask) const { return LLVMBuildAnd(f.at, a, number(mask), ""); }
  Value add(Value a, u64 b) const { return LLVMBuildAdd(f.at, a, number(b), ""); }
  Value left(Value a, u64 count) const { return LLVMBuildShl(f.at, a, number(count), ""); }
  Value right(Value a, u64 count) const { return LLVMBuildLShr(f.at, a, number(count), ""); }
  Value above(Value a, u64 b) const { return icmp(f, LLVMIntUGT, a, number(b)); }
};
inline Words words(Function& f, int lanes) { return {f, vector_of(f.unit.int32, lanes)}; }
inline Value halved(Function& f, Value a) { return LLVMBuildTrunc(f.at, a, vector_of(f.unit.int16, lanes_of(a)), ""); }

inline Value to_bf16(Function& f, Value a) {
  const Words w = words(f, lanes_of(a));
  Value x = bits(f, Type::f32, a);
  Value odd = w.both(w.right(x, 16), 1);
  Value rounded = w.right(LLVMBuildAdd(f.at, w.add(x, 0x7fff), odd, ""), 16);
  return halved(f, select(f, is_nan(f, a), w.number(0x7fc0), rounded));
}
inline Value from_bf16(Function& f, Value stored) {
  const Words w = words(f, lanes_of(stored));
  return from_bits(f, Type::f32, w.left(LLVMBuildZExt(f.at, stored, w.type, ""), 16));
}
inline Value to_f16_by_integers(Function& f, Value a) {
  const Words w = words(f, lanes_of(a));
  Value x = bits(f, Type::f32, a), m = w.both(x, 0x7fffffff);
  Value odd = w.both(w.right(m, 13), 1);
  Value normal = w.right(LLVMBuildAdd(f.at, w.add(m, 0xc8000fff), odd, ""), 13);      // exponent less 112, then to nearest even
  Value half = constant(f.unit, Type::f32, 0x3f000000, lanes_of(a));
  Value shifted = LLVMBuildFAdd(f.at, from_bits(f, Type::f32, m), half, "");             // 0.5 has 2^-24 as its last place
  Value subnormal = w.add(bits(f, Type::f32, shifted), 0u - u64{0x3f000000});
  Value finite = select(f, w.above(m, 0x387fffff), normal, subnormal);
  Value any = select(f, w.above(m, 0x477fffff), w.number(0x7c00), finite);
  Value with_sign = LLVMBuildOr(f.at, any, w.both(w.right(x, 16), 0x8000), "");
  return halved(f, select(f, w.above(m, 0x7f800000), w.number(0x7e00), with_sign));
}
inline Value from_f16_by_integers(Function& f, Value stored) {
  const Words w = words(f, lanes_of(stored));
  Value h = LLVMBuildZExt(f.at, stored, w.type, "");
  Value m = w.left(w.both(h, 0x7fff), 13);
  Value scaled = LLVMBuildFMul(f.at, from_bits(f, Type::f32, m), constant(f.unit, Type::f32, 0x77800000, lanes_of(stored)), "");  // 2^112
  Value finite = bits(f, Type::f32, scaled);
  Value any = select(f, w.above(m, (u64{0x7c00} << 13) - 1), LLVMBuildOr(f.at, m, w.number(0x7f800000), ""), finite);
  return from_bits(f, Type::f32, LLVMBuildOr(f.at, any, w.left(w.both(h, 0x8000), 16), ""));
}
inline Value to_f16(Function& f, Value a) {
  if (!f.unit.target.half) return to_f16_by_integers(f, a);
  const int lanes = lanes_of(a);
  LLVMTypeRef words_type = vector_of(f.unit.int16, lanes);
  Value half = LLVMBuildBitCast(f.at, LLVMBuildFPTrunc(f.at, a, vector_of(f.unit.flt16, lanes), ""), words_type, "");
  return select(f, is_nan(f, a), integer(words_type, 0x7e00), half);
}
inline Value from_f16(Function& f, Value stored) {
  if (!f.unit.target.half) return from_f16_by_integers(f, stored);
  const int lanes = lanes_of(stored);
  Value half = LLVMBuildBitCast(f.at, stored, vector_of(f.unit.flt16, lanes), "");
  return LLVMBuildFPExt(f.at, half, vector_of(f.unit.flt32, lanes), "");
}
}  // namespace ordo::codegen::llvm::detail_storage

namespace ordo::codegen::llvm {
ORDO_INLINE Value exact_double(Function& f, Type from, Value a) {
  if (from == Type::f64) return a;
  LLVMTypeRef type = LLVMTypeOf(a);
  Value kept = a;
  if (bits_of(from) == 64) {
    const auto low = [&](u64 mask) { return LLVMBuildAnd(f.at, a, integer(type, mask), ""); };
    Value sticky = LLVMBuildZExt(f.at, icmp(f, LLVMIntNE, low(0xfff), integer(type, 0)), type, "");
    Value cut = LLVMBuildOr(f.at, low(~u64{0xfff}), LLVMBuildShl(f.at, sticky, integer(type, 11), ""), "");
    Value magnitude = is_signed(from) ? intrinsic(f, "llvm.abs", {type}, {a, LLVMConstInt(f.unit.int1, 0, 0)}) : a;
    kept = select(f, icmp(f, LLVMIntULT, magnitude, integer(type, u64{1} << 53)), a, cut);
  }
  return cast(f, Type::f64, from, kept);
}
ORDO_INLINE Value narrow(Function& f, Type to, Type from, Value a) {
  const int lanes = lanes_of(a);
  if (to == Type::boolean) return LLVMBuildZExt(f.at, a, vector_of(f.unit.int8, lanes), "");
  if (to == Type::f16 || to == Type::bf16) {
    Value single = from == Type::f32 ? a : to_odd(f, exact_double(f, from, a));
    return to == Type::f16 ? detail_storage::to_f16(f, single) : detail_storage::to_bf16(f, single);
  }
  return is_integer(to) ? LLVMBuildIntCast2(f.at, a, stored_type(f.unit, to, lanes), 0, "") : a;
}
ORDO_INLINE Value widen(Function& f, Type t, Value stored) {
  if (t == Type::boolean) return icmp(f, LLVMIntNE, stored, LLVMConstNull(LLVMTypeOf(stored)));
  if (t == Type::f16) return detail_storage::from_f16(f, stored);
  if (t == Type::bf16) return detail_storage::from_bf16(f, stored);
  if (compute_type(t) == t) return stored;
  return LLVMBuildIntCast2(f.at, stored, value_type(f.unit, compute_type(t), lanes_of(stored)), is_signed(t) ? 1 : 0, "");
}
}  // namespace ordo::codegen::llvm
