#pragma once
#include <algorithm>
#include "ordo/auto/scatter.hpp"
#include "ordo/ir/pin.hpp"
#include "ordo/ir/visit.hpp"

namespace ordo::detail_auto {
namespace detail_scatter {
using namespace ir;
inline constexpr i64 few_destinations = 8, destinations_of_a_task = 1 << 14;

inline bool reads_through(Ref e) {  // an index that depends on data may be out of range: every turn has to ask
  bool any = false;
  visit_once(e, [&](Ref n) {
    for (u32 d = 1; n->op == Op::Load && d < n->count; ++d) any = any || first_of(n->src[d], Op::Load) != nullptr;
  });
  return any;
}
inline Ref only_reduction(const Definition& d) {
  Ref only = nullptr;
  int count = 0;
  visit_once(d.value, [&](Ref e) {
    if (e->op == Op::Reduce) only = e, ++count;
  });
  return count == 1 ? only : nullptr;
}
}  // namespace detail_scatter

//   before: for v, for d, for n: where id[n] == v   after: for v.0 parallel, for n, for v.1, for d.0, for d.1 vectorized
ORDO_INLINE bool scattered(Writer& w, const nest::Stage& stage, const ir::Definition& d, const Shape& s, const Machine& machine, i64 lanes,
                           bool tasks) {
  using namespace detail_scatter;
  const ir::Ref reduce = only_reduction(d);
  if (reduce == nullptr) return false;
  const ir::ReduceView r(reduce);
  for (const nest::Root& root : stage.roots)
    if (root.part != ir::AxisPart::whole) return false;
  for (const ir::Pin& pin : ir::pins(r.where(), s.left)) {
    const i64 destinations = known(extent_of(pin.axis));
    bool moves = false;
    for (const ir::Ref k : s.reductions) moves = moves || mentions(pin.at, k);
    if (!moves || reads_through(pin.at) || (destinations >= 0 && destinations < few_destinations)) continue;
    std::vector<std::string> order, rest;
    for (const ir::Ref axis : s.left)
      if (axis != pin.axis) (mentions(pin.at, axis) ? order : rest).push_back(loop_name(stage, axis));
    const bool share = tasks && (!order.empty() || !rest.empty());
    std::string place = loop_name(stage, pin.axis);
    if (share && order.empty()) {
      const i64 block = destinations < 0 ? destinations_of_a_task : (destinations + machine.cores - 1) / machine.cores;
      w.split(place, {block}, tail_for(destinations, block));
      order.push_back(place + ".0");
      place += ".1";
    }
    for (const ir::Ref k : s.reductions) order.push_back(loop_name(stage, k));
    order.push_back(place);
    const i64 n = known(extent_of(s.vector_axis));
    std::string vector;
    if (!rest.empty() && s.vector_axis != pin.axis && rest.back() == loop_name(stage, s.vector_axis) && s.contiguous && (n < 0 || n > 1)) {
      vector = rest.back();
      const i64 wide = n >= 0 && n < lanes ? n : lanes;
      w.split(vector, {wide}, tail_for(n, wide));
      rest.back() += ".0";
      rest.push_back(vector += ".1");
    }
    order.insert(order.end(), rest.begin(), rest.end());
    w.add("reorder", order);
    if (!vector.empty()) w.add("vectorize", {vector});
    if (share) w.add("parallel", {order[0]});
    return true;
  }
  return false;
}
}  // namespace ordo::detail_auto
