// Lowering of one group of a Plan to a Kernel: the list of passes for a CPU target.
#pragma once
#include "ordo/kernel/kernel.hpp"
#include "ordo/plan/plan.hpp"

namespace ordo::kernel {
// Switches that only tests set: each plants one wrong order or value, so that the oracles can be shown to notice.
struct Planted {
  bool reverse_chain = false;
  bool drop_tail = false;
  bool contract = false;
  bool wrong_tree = false;
  bool reverse_time = false;
};
// Which dimension of each argument has stride 1 (-1: none); a Kernel is made for one such layout.
using Layout = std::vector<int>;

// Codes codegen.*: what this back-end does not lower is refused here, clearly.
Kernel lower(const plan::Plan& plan, int group, const Layout& layout, const Target& target, const Planted& planted = {});
}  // namespace ordo::kernel
#if !defined(ORDO_COMPILED)
#include "ordo/kernel/lower.ipp"
#endif
