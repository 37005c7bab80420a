// What recipes of f32 functions look up, on targets that hold a table of 32 numbers in registers (Op::Lookup).
#pragma once
#include "ordo/base/types.hpp"

namespace ordo {
enum class Table : u8 { exp_head, exp_rest, log_inverse, log_head, log_rest };
inline constexpr u64 table_entries = 32;
u32 table_entry(Table table, u64 j);  // the bits of number j mod 32
}  // namespace ordo
#if !defined(ORDO_COMPILED)
#include "ordo/base/tables.ipp"
#endif
