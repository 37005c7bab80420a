#pragma once
#include <cstring>
#include "ordo/codegen/llvm/architectures.hpp"
#include "ordo/codegen/llvm/function.hpp"

namespace ordo::codegen::llvm::detail_casts {
inline Value real(Function& f, Type t, double value, int lanes) { return splat(LLVMConstReal(value_type(f.unit, t, 1), value), lanes); }
inline double power(int exponent) { return exponent == 0 ? 1.0 : 2.0 * power(exponent - 1); }

// Truncates and saturates at `to`, NaN gives 0. A conversion out of range is never selected.
inline Value saturated(Function& f, Type to, Type from, Value x) {
  const int lanes = lanes_of(x), width = bits_of(to), magnitude = is_signed(to) ? width - 1 : width;
  const bool exact_top = magnitude < (from == Type::f32 ? 25 : 54);
  LLVMTypeRef type = value_type(f.unit, compute_type(to), lanes);
  const u64 top_bits = magnitude == 64 ? ~u64{0} : (u64{1} << magnitude) - 1;
  x = quiet(f, from, x);
  Value low = real(f, from, is_signed(to) ? -power(magnitude) : 0.0, lanes);
  Value high = real(f, from, exact_top ? power(magnitude) - 1 : power(magnitude), lanes);
  Value in = select(f, fcmp(f, LLVMRealOGT, x, low), x, low);         // a NaN becomes `low`
  if (exact_top) in = select(f, fcmp(f, LLVMRealOLT, in, high), in, high);
  const bool plain = is_signed(to) || width < 32;
  Value out = plain ? LLVMBuildFPToSI(f.at, in, type, "") : LLVMBuildFPToUI(f.at, in, type, "");
  if (!exact_top) out = select(f, fcmp(f, LLVMRealOGE, x, high), integer(type, top_bits), out);
  return is_signed(to) ? select(f, is_nan(f, x), integer(type, 0), out) : out;
}
inline Value resized(Function& f, Value a, LLVMTypeRef to, bool sign) { return LLVMBuildIntCast2(f.at, a, to, sign ? 1 : 0, ""); }

inline Value between_integers(Function& f, Type to, Type from, Value a) {
  const int lanes = lanes_of(a);
  Value kept = resized(f, a, bits_type(f.unit, to, lanes), is_signed(from));
  return resized(f, kept, bits_type(f.unit, compute_type(to), lanes), is_signed(to));
}
inline Value integer_to_float(Function& f, Type to, Type from, Value a) {
  LLVMTypeRef type = value_type(f.unit, to, lanes_of(a));
  const bool through_double = to == Type::f32 && bits_of(from) == 64 && lanes_of(a) > 1;
  if (through_double && std::strcmp(f.unit.target.triple, aarch64_triple) == 0)        // as LLVM goes there, but rounding twice
    return LLVMBuildFPTrunc(f.at, exact_double(f, from, a), type, "");
  return is_signed(from) ? LLVMBuildSIToFP(f.at, a, type, "") : LLVMBuildUIToFP(f.at, a, type, "");
}
}  // namespace ordo::codegen::llvm::detail_casts

namespace ordo::codegen::llvm {
ORDO_INLINE Value cast(Function& f, Type to, Type from, Value a) {
  using namespace detail_casts;
  const int lanes = lanes_of(a);
  if (to == from) return a;
  if (to == Type::boolean)
    return is_float(from) ? fcmp(f, LLVMRealUNE, a, LLVMConstNull(LLVMTypeOf(a))) : icmp(f, LLVMIntNE, a, LLVMConstNull(LLVMTypeOf(a)));
  if (from == Type::boolean && is_float(to))
    return select(f, a, real(f, compute_type(to), 1, lanes), real(f, compute_type(to), 0, lanes));
  if (from == Type::boolean) return resized(f, a, value_type(f.unit, compute_type(to), lanes), false);
  if (to == Type::f16 || to == Type::bf16) return widen(f, to, narrow(f, to, from, a));
  if (is_float(from) && is_float(to))
    return to == Type::f64 ? LLVMBuildFPExt(f.at, a, value_type(f.unit, to, lanes), "")
                           : LLVMBuildFPTrunc(f.at, a, value_type(f.unit, to, lanes), "");
  if (is_float(to)) return integer_to_float(f, to, from, a);
  if (is_float(from)) return saturated(f, to, from, a);
  return between_integers(f, to, from, a);
}
}  // namespace ordo::codegen::llvm
