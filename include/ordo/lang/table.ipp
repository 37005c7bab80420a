#pragma once
#include <string>
#include <unordered_set>
#include <vector>
#include "ordo/ir/bound_names.hpp"
#include "ordo/lang/table.hpp"

namespace ordo::lang {
namespace detail_table {
inline bool left_axis(ir::Ref node) { return node->op == ir::Op::Axis && ir::axis_facts(node).order <= ir::Order::scan; }
inline bool lists(const Axes* k, ir::Ref axis) {
  for (int d = 0; k != nullptr && d < k->count; ++d)
    if (k->node[d] == axis) return true;
  return false;
}
inline std::string quoted(ir::Ref named) { return std::string("`") + named->name + "`"; }
// Sources that are evaluated whatever a guard says.
inline bool guarded(ir::Ref node, u32 source) {
  switch (node->op) {
    case ir::Op::Select:
    case ir::Op::And:
    case ir::Op::Or:
      return source > 0;
    case ir::Op::Reduce: {
      const ir::ReduceView view(node);
      const bool always = view.where()->op == ir::Op::Const && view.where()->arg == 1;
      return !always && source >= view.facts.axes + 1 + 2 * view.facts.fields;
    }
    default:
      return false;
  }
}
}  // namespace detail_table

ORDO_INLINE ir::Ref length_of(ir::Ref axis, const ir::Ref* x, int count) {
  if (axis->count > 0) return front().extent(axis, 0);
  std::vector<ir::Ref> stack(x, x + count);
  std::unordered_set<ir::Ref> seen;
  while (!stack.empty()) {
    const ir::Ref node = stack.back();
    stack.pop_back();
    if (ir::class_of(node->op) == ir::OpClass::leaf || !seen.insert(node).second) continue;
    for (u32 d = 1; node->op == ir::Op::Load && d < node->count; ++d)
      if (node->src[d] == axis) return front().extent(node->src[0], static_cast<int>(d) - 1);
    for (u32 d = node->op == ir::Op::Load ? 1 : 0; d < node->count; ++d)
      if (!detail_table::guarded(node, d)) stack.push_back(node->src[d]);
  }
  return nullptr;
}

ORDO_INLINE ir::Ref placed(const Axes& k, ir::Ref x, const ir::Ref* position) {
  ir::StandIn list[Axes::most];
  for (int d = 0; d < k.count; ++d) list[d] = {k.node[d], position[d], length_of(k.node[d], &x, 1)};
  return front().replace(x, list, static_cast<u32>(k.count));
}

ORDO_INLINE int outer_axes(const Axes* k, const ir::Ref* x, int count, ir::Ref* axes, const char* what, Where at) {
  std::vector<ir::Ref> found;
  for (int e = 0; e < count; ++e)
    for (ir::Ref name : ir::free_names(x[e])) {
      bool known = detail_table::lists(k, name);
      for (ir::Ref other : found) known = known || other == name;
      if (name->op == ir::Op::State)
        fail("lang.named", at, (std::string(what) + " mentions the state of a reduction around it").c_str(),
             "  help: a step holds plain expressions; define a tensor along a Scan axis for more");
      if (known) continue;
      if (!detail_table::left_axis(name))
        fail("lang.named", at,
             (std::string(what) + " mentions " + detail_table::quoted(name) + ", the axis of a reduction around it").c_str(),
             ("  help: define it as a tensor over an Index first, and reduce over " + detail_table::quoted(name) + " where that is read")
                 .c_str());
      found.push_back(name);
    }
  const int rank = static_cast<int>(found.size()) + (k == nullptr ? 0 : k->count);
  if (rank > max_rank)
    fail("lang.rank", at,
         (std::string(what) + " runs over " + std::to_string(rank) + " axes: a tensor has at most " + std::to_string(max_rank)).c_str());
  for (std::size_t d = 0; d < found.size(); ++d) axes[d] = found[d];
  return static_cast<int>(found.size());
}
ORDO_INLINE ir::Ref fresh_index(ir::Ref like, ir::Ref extent) {
  return front().axis(like->name, ir::Order::free, 1, 0, extent, like->at);
}

ORDO_INLINE Stored open_table(Name name, Type type, const ir::Ref* outer, int outers, const ir::Ref* inner, int inners) {
  Stored s;
  s.outer = outers;
  s.inner = inners;
  for (int d = 0; d < outers; ++d) s.left[d] = outer[d];
  for (int d = 0; d < inners; ++d) s.left[outers + d] = inner[d];
  s.tensor = front().tensor(name.text, type, outers + inners, nullptr, name.at);
  return s;
}
ORDO_INLINE Stored store(Name name, const Axes* k, ir::Ref x, const ir::Ref* position) {
  ir::Ref outer[max_rank] = {}, inner[max_rank] = {};
  const int inners = k == nullptr ? 0 : k->count;
  const int outers = outer_axes(k, &x, 1, outer, (std::string("`") + name.text + "`").c_str(), name.at);
  for (int d = 0; d < inners; ++d) {
    const ir::Ref wanted = position[d];
    bool fits = wanted->op == ir::Op::Axis && ir::axis_facts(wanted).order == ir::Order::free && wanted->count == 0;
    for (int e = 0; e < outers; ++e) fits = fits && outer[e] != wanted;
    for (int e = 0; e < d; ++e) fits = fits && inner[e] != wanted;
    inner[d] = fits ? wanted : fresh_index(k->node[d], k->node[d]->count > 0 ? front().extent(k->node[d], 0) : nullptr);
  }
  const Stored s = open_table(name, x->type, outer, outers, inner, inners);
  const ir::Ref left = front().load(s.tensor, s.left, outers + inners, name.at);
  front().define(left, inners == 0 ? x : placed(*k, x, inner));
  return s;
}
ORDO_INLINE ir::Ref Stored::read(const ir::Ref* position, Where at) const {
  ir::Ref index[max_rank] = {};
  for (int d = 0; d < outer + inner; ++d) index[d] = d < outer ? left[d] : position[d - outer];
  return front().load(tensor, index, outer + inner, at);
}
}  // namespace ordo::lang
