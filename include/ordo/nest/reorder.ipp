// The listed loops take the places that they hold together, in the order listed; other loops stay where they are.
//   before: for i, for j, for k                     after: for j, for i, for k        reorder(j, i)
// Keeps: ordered loops among themselves in the order of the algorithm.
#pragma once
#include <algorithm>
#include "ordo/nest/body.hpp"

namespace ordo::nest {
namespace detail_reorder {
inline std::vector<int> permuted(const std::vector<int>& order, const std::vector<int>& listed) {
  std::vector<int> result = order;
  std::size_t next = 0;
  for (int& place : result)
    if (std::find(listed.begin(), listed.end(), place) != listed.end()) place = listed[next++];
  return result;
}
inline Refusal read_loops(const Edit& e, std::vector<int>& loops) {
  for (const std::string& name : e.directive.loops) {
    int loop = -1;
    if (Refusal r = find_loop(e, name, loop)) return r;
    if (std::find(loops.begin(), loops.end(), loop) != loops.end())
      return {"reorder.duplicate", cannot(e.directive) + ": " + ticked(name) + " is listed twice", "list each loop once", loop};
    loops.push_back(loop);
  }
  return {};
}
inline std::vector<int> ordered_loops(const Stage& stage) {
  std::vector<int> found;
  for (const int loop : stage.order)
    if (stage.loop(loop).kind == Kind::ordered) found.push_back(loop);
  return found;
}
}  // namespace detail_reorder

ORDO_INLINE Refusal directive::reorder(Edit& e) {
  using namespace detail_reorder;
  std::vector<int> loops;
  if (Refusal r = read_loops(e, loops)) return r;
  Stage& stage = e.stage;
  const std::vector<int> before = ordered_loops(stage);
  stage.order = permuted(stage.order, loops);
  const std::vector<int> after = ordered_loops(stage);
  for (std::size_t k = 0; k < before.size(); ++k) {
    if (before[k] == after[k]) continue;
    std::vector<std::string> names;
    for (const int loop : before) names.push_back(stage.loop(loop).name);
    const std::string first = kind_of(stage, before[k]), second = kind_of(stage, after[k]);
    return {"reorder.ordered",
            cannot(e.directive) + ": " + name_of(stage, before[k]) + " (" + first + ") runs outside " + name_of(stage, after[k]) + " (" +
                second + "); exchanged, the elements would come in another order",
            "keep " + listed(names) + " in this order, or write another order in the algorithm", before[k]};
  }
  return {};
}

ORDO_INLINE Refusal directive::reorder_copy(Edit& e) {
  using namespace detail_reorder;
  std::vector<int> loops;
  if (Refusal r = read_loops(e, loops)) return r;
  Pack& pack = e.stage.packs[static_cast<std::size_t>(e.pack)];
  for (const int loop : loops)
    if (std::find(pack.order.begin(), pack.order.end(), loop) == pack.order.end()) return not_copied(e, loop);
  pack.asked_order = permuted(pack.order, loops);
  pack.reordered = e.directive.at;
  return {};
}

ORDO_INLINE void reorder(const StageHandle* s, const ir::Ref* loops, int count, Where at) {
  Call call(s, "reorder", at);
  for (int k = 0; k < count; ++k) call.loop(loops[k]);
  call.apply();
}
}  // namespace ordo::nest
