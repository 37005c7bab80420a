// Arithmetic of NUMERICS.md on bit patterns, in integer code: immune to the caller's floating-point environment and
// to the flags this unit is compiled with. One scalar at a time; the interpreters and constant folding stand on it.
// Values are carried in a u64: the type's bits, zero-extended (bool 0 or 1).
#pragma once
#include "ordo/base/types.hpp"

namespace ordo::soft {
// Element-wise operations, by name of the operation as in ir/op.hpp; both operands have type `t`.
u64 neg(Type t, u64 a);
u64 abs(Type t, u64 a);
u64 sqrt(Type t, u64 a);
u64 floor(Type t, u64 a);
u64 ceil(Type t, u64 a);
u64 trunc(Type t, u64 a);
u64 round(Type t, u64 a);                 // half to even
u64 add(Type t, u64 a, u64 b);
u64 sub(Type t, u64 a, u64 b);
u64 mul(Type t, u64 a, u64 b);
u64 div(Type t, u64 a, u64 b);
u64 mod(Type t, u64 a, u64 b);            // integers
u64 floor_div(Type t, u64 a, u64 b);
u64 floor_mod(Type t, u64 a, u64 b);
u64 fmod(Type t, u64 a, u64 b);
u64 fma(Type t, u64 a, u64 b, u64 c);
u64 maximum(Type t, u64 a, u64 b);
u64 minimum(Type t, u64 a, u64 b);
u64 fmax(Type t, u64 a, u64 b);
u64 fmin(Type t, u64 a, u64 b);
u64 copysign(Type t, u64 a, u64 b);       // a NaN sign operand counts as positive
u64 shl(Type t, u64 a, u64 b);
u64 shr(Type t, u64 a, u64 b);
bool less(Type t, u64 a, u64 b);          // NaN compares false; -0 equals +0; signed or unsigned by type
bool equal(Type t, u64 a, u64 b);
bool is_nan(Type t, u64 a);
u64 cast(Type to, Type from, u64 a);      // one rounding; the result is a value of compute_type(to), narrowed to `to` when
                                          // that is a storage type: cast(f16, f32, x) gives f32 bits that hold an f16 value
u64 canonical(Type t, u64 a);             // a NaN becomes the canonical one; anything else unchanged
// Memory <-> values: `load` widens to compute_type(t) and reads a nonzero byte as true; `store` narrows once and
// canonicalises NaN. `store` takes a value of compute_type(t), or u32 for u8/u16.
u64 load(Type t, const void* address);
void store(Type t, void* address, u64 value);
u64 from_double(Type t, double value);    // value's own bits, rounded once
}  // namespace ordo::soft
#if !defined(ORDO_COMPILED)
#include "ordo/base/soft_arith.ipp"
#include "ordo/base/soft_integer.ipp"
#include "ordo/base/soft_round.ipp"
#include "ordo/base/soft_compare.ipp"
#include "ordo/base/soft_cast.ipp"
#include "ordo/base/soft_memory.ipp"
#endif
