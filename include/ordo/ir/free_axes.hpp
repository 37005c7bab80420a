#pragma once
#include <deque>
#include <vector>
#include "ordo/ir/form.hpp"
#include "ordo/ir/post_order.hpp"

namespace ordo::ir {
namespace detail_free_axes {
using Axes = std::vector<Ref>;
inline bool has(const Axes& axes, Ref axis) {
  for (Ref a : axes)
    if (a == axis) return true;
  return false;
}
inline void add(Axes& axes, Ref axis) {  // ascending by level
  if (has(axes, axis)) return;
  std::size_t place = axes.size();
  while (place > 0 && axis_facts(axes[place - 1]).level > axis_facts(axis).level) --place;
  axes.insert(axes.begin() + static_cast<std::ptrdiff_t>(place), axis);
}
}  // namespace detail_free_axes

// Free axes of canonical expressions: mentioned and not bound by a Reduce inside, ascending by level. Each node once;
// a node with the set of one of its sources shares it.
class FreeAxes {
 public:
  using Axes = detail_free_axes::Axes;
  const Axes& of(Ref expression) {
    post_order(
        expression, [this](Ref e) { return known_.find(e) != nullptr; }, [this](Ref e) { known_.insert(e, compute(e)); });
    return sets_[*known_.find(expression)];
  }

 private:
  u32 compute(Ref e) {
    if (e->op == Op::Axis) return keep({e});
    u32 result = 0;
    if (e->op != Op::Reduce) {
      for (u32 k = 0; k < e->count; ++k) result = unite(result, *known_.find(e->src[k]));
      return result;
    }
    const ReduceView view(e);
    u32 init = 0;
    const u32 inits = view.facts.axes + 1, after = inits + view.facts.fields;
    for (u32 k = inits; k < after; ++k) init = unite(init, *known_.find(e->src[k]));
    result = *known_.find(view.where());
    for (u32 k = after; k < e->count; ++k) result = unite(result, *known_.find(e->src[k]));
    Axes outside;
    for (Ref axis : sets_[result]) {
      bool bound = false;
      for (u32 k = 0; k < view.facts.axes; ++k) bound = bound || view.axis(k) == axis;
      if (!bound) outside.push_back(axis);
    }
    return unite(keep(outside), init);
  }
  u32 unite(u32 a, u32 b) {
    bool more = false;
    for (Ref axis : sets_[b]) more = more || !detail_free_axes::has(sets_[a], axis);
    if (!more) return a;
    Axes all = sets_[a];
    for (Ref axis : sets_[b]) detail_free_axes::add(all, axis);
    return all.size() == sets_[b].size() ? b : keep(all);
  }
  u32 keep(const Axes& axes) {
    if (axes.empty()) return 0;
    if (axes.size() == 1) {
      if (u32* known = single_.find(axes[0])) return *known;
      single_.insert(axes[0], static_cast<u32>(sets_.size()));
    }
    sets_.push_back(axes);
    return static_cast<u32>(sets_.size() - 1);
  }
  RefMap<u32> known_, single_;
  std::deque<Axes> sets_ = std::deque<Axes>(1);  // of() gives references that later sets must not move
};
}  // namespace ordo::ir
