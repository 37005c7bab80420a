// Plan: which groups of stages are launched in which order, and where tensors live. It orders, it does not compute.
#pragma once
#include <string>
#include <vector>
#include "ordo/base/target.hpp"
#include "ordo/nest/nest.hpp"

namespace ordo::plan {
struct Slot {                    // where a tensor of the program lives during a call
  enum class In : u8 { none, argument, workspace, turn } in = In::none;
  int number = 0;                // argument number (inputs, then outputs), or workspace number; turn: the stage, which is placed
};
struct Workspace {               // made by the runtime before the launches, dense row-major, 64-byte aligned
  std::string name;
  Type type;
  ir::Ref elements;              // i64 over Dims
  int first_launch, last_launch; // lifetime
  int stage = -1, pack = -1;     // a constant copy: of this pack of this stage. It outlives the call
  int argument = -1;             // what it is a copy of
};
struct Range {                   // an access that must lie in its tensor: 0 <= low and high < extent, unless `turns` <= 0
  ir::Ref low, high, extent;     // i64 over Dims; checked once a call, code run.index
  ir::Ref turns;                 // least extent of the axes around the access: nothing is read when it is 0
  int tensor, dimension;
  Where at;
};
struct Group {                   // one launch: a root stage with what is inlined into it
  int stage;                     // number in the nest and of its definition
  int pack = -1;                 // not the stage itself: fills the constant copy of this pack, once for each argument
  int last = stage;              // further on: the stages up to here form one recurrence and go through time together
  std::vector<int> guests = {};  // placed in turns of loops of `stage`, or of one another, ascending
  std::vector<int> stages() const {
    std::vector<int> all = guests;
    for (int s = stage; s <= last; ++s) all.push_back(s);
    return all;
  }
};
struct Plan {
  nest::Nest nest;               // inlined stages substituted into their consumers, Scans by started values (recurrence.hpp)
  std::vector<Slot> slots;       // by tensor number
  std::vector<Workspace> workspaces;
  std::vector<Group> groups;     // in launch order
  std::vector<Range> ranges;
};
Plan make(nest::Nest nest);              // codegen.deep: a value, with what is inlined into it, of more than most_levels
// What is below a Plan recurses through values: half a KiB of stack a level in release builds, more under a sanitizer.
inline constexpr u32 most_levels = 2000;
u32 levels(ir::Ref value);               // nodes on its longest path
// Smallest and largest value of an index over the axes it mentions; false when it is not affine in axes and Dims. Nodes are
// made in `arena`.
bool hull(ir::Arena& arena, ir::Ref index, ir::Ref& low, ir::Ref& high);
std::string print(const Plan& plan);
}  // namespace ordo::plan
#if !defined(ORDO_COMPILED)
#include "ordo/plan/make.ipp"
#include "ordo/plan/recurrence.ipp"
#endif
