// Ranges of scalar i64 values; `known` is false when nothing is known of a value, or when it may wrap.
#pragma once
#include "ordo/ir/node.hpp"

namespace ordo::ir {
struct Interval { i64 low, high; bool known; };
struct AtomRange { Ref atom; i64 low, high; };
// In the arg of an i64 Var: it may hold any value. Every other i64 Var, as every Dim and Axis, is taken to be in [0, 2^40).
inline constexpr u64 any_value = u64{1} << 63;
}  // namespace ordo::ir
