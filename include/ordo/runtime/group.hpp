// One launch as code sees it: arguments, workspaces and Dims numbered by first appearance in the group, so that equal
// groups of one program, or of many, are one piece of code.
#pragma once
#include <vector>
#include "ordo/ir/digest.hpp"
#include "ordo/kernel/lower.hpp"
#include "ordo/plan/plan.hpp"

namespace ordo::runtime {
struct GroupTable {
  std::vector<int> arguments;    // numbers in the program; the group's own number is the position
  std::vector<int> workspaces;   // numbers in the plan
  std::vector<int> dims;
  ir::Digest digest;             // meaning, loops and marks of the group; neither names nor lines
};
GroupTable make_table(const plan::Plan& plan, std::size_t group);

// Rewrites slots and Dims of a lowered kernel to the group's own numbers.
void relocate(kernel::Kernel& kernel, const GroupTable& table);

// Does a relocated kernel read `argument` (its number in the program)? An output that is read parks sums there.
bool reads_argument(const kernel::Kernel& kernel, const GroupTable& table, int argument);
}  // namespace ordo::runtime
#if !defined(ORDO_COMPILED)
#include "ordo/runtime/group.ipp"
#endif
