// Lowering of one group of a Plan to a Kernel: the list of passes for a CPU target.
#pragma once
#include "ordo/kernel/planted.hpp"
#include "ordo/plan/plan.hpp"

namespace ordo::kernel {
// Which dimension of each argument has stride 1 (-1: none); a Kernel is made for one such layout.
using Layout = std::vector<int>;

// Codes codegen.*: what this back-end does not lower is refused here, clearly.
Kernel lower(const plan::Plan& plan, int group, const Layout& layout, const Target& target, const Planted& planted = {});
}  // namespace ordo::kernel
#if !defined(ORDO_COMPILED)
#include "ordo/kernel/lower.ipp"
#endif
