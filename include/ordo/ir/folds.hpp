// The reductions with names: their step, where they start, and whether their order is free. NUMERICS.md, "Reductions".
#pragma once
#include "ordo/ir/builder.hpp"

namespace ordo::ir {
inline constexpr int fold_count = 8;
inline const char* name_of(Fold f) {
  constexpr const char* name[fold_count] = {"sum", "product", "max", "min", "fmax", "fmin", "all_of", "any_of"};
  return name[static_cast<int>(f)];
}
inline Op step_of(Fold f) {
  constexpr Op op[fold_count] = {Op::Add, Op::Mul, Op::Max, Op::Min, Op::Fmax, Op::Fmin, Op::And, Op::Or};
  return op[static_cast<int>(f)];
}
inline bool order_is_free(Fold f, Type type) { return !(is_float(type) && (f == Fold::sum || f == Fold::product)); }
inline u64 infinity(Type type, bool negative) {
  if (type == Type::f32) return negative ? 0xff800000u : 0x7f800000u;
  return negative ? 0xfff0000000000000u : 0x7ff0000000000000u;
}
inline u64 smallest(Type type) {
  if (is_float(type)) return infinity(type, true);
  return is_signed(type) ? u64{1} << (bits_of(type) - 1) : 0;
}
inline u64 largest(Type type) {
  if (is_float(type)) return infinity(type, false);
  const u64 ones = bits_of(type) == 64 ? ~u64{0} : (u64{1} << bits_of(type)) - 1;
  return is_signed(type) ? ones >> 1 : ones;
}
inline u64 zero_of(Fold f, Type type) {
  switch (f) {
    case Fold::sum: case Fold::any_of: return 0;
    case Fold::product: return type == Type::f32 ? 0x3f800000u : type == Type::f64 ? 0x3ff0000000000000u : 1;
    case Fold::max: return smallest(type);
    case Fold::min: return largest(type);
    case Fold::fmax: case Fold::fmin: return type == Type::f32 ? 0x7fc00000u : 0x7ff8000000000000u;
    case Fold::all_of: return 1;
  }
  return 0;
}
}  // namespace ordo::ir
