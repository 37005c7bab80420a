// From a program to what `walk`, or an emulated machine, is given: kernels, and a call of them.
#pragma once
#include "foreign/foreign.hpp"
#include "ordo/base/argument.hpp"
#include "ordo/kernel/lower.hpp"
#include "ordo/plan/plan.hpp"

namespace foreign {
// What the kernels of a plan are called with.
struct Setting {
  Setting(const ordo::plan::Plan& plan, const std::vector<ordo::Argument>& arguments);
  ordo::kernel::Layout layout;
  std::vector<i64> dims, strides;
  std::vector<std::size_t> workspaces;   // bytes
};
// A plan of staged stages. Without a trace: the default schedule of the target.
ordo::plan::Plan plan_of(const ordo::ir::Program& staged, const ordo::nest::Trace* trace, const ordo::Target& target);
// One call: memory k is that of argument k, from its lowest address to its highest.
Job lowered(Batch& batch, const ordo::plan::Plan& plan, const std::vector<ordo::Argument>& arguments,
            const ordo::kernel::Planted& planted = {});
}  // namespace foreign
