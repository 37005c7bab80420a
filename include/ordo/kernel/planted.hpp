// Faults that only tests plant: each is one wrong order, rounding or value, so that the oracles can be shown to notice.
#pragma once
#include "ordo/ir/program.hpp"
#include "ordo/kernel/kernel.hpp"

namespace ordo::kernel {
struct Planted {
  bool reverse_chain = false, drop_tail = false, contract = false, wrong_tree = false, reverse_time = false;
  bool half_lanes = false;  // Lanes<L> is lowered as Lanes<L / 2>
  u32 split_fma = 0;        // this fma of a kernel, counted from 1, rounds its product too
  u32 coefficient = 0;      // this coefficient of a kernel's functions, counted from 1, is one unit in the last place larger
};
ir::Program with_half_lanes(const ir::Program& program);
ir::Ref with_split_fma(Kernel& kernel, ir::Ref body, u32 number);            // as it is when there are fewer
ir::Ref with_changed_coefficient(Kernel& kernel, ir::Ref body, u32 number);  // a constant with more than half its bits in use
}  // namespace ordo::kernel
#if !defined(ORDO_COMPILED)
#include "ordo/kernel/planted.ipp"
#endif
