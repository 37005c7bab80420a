// Members of a state that mention fewer indices than the others: one accumulator for all elements that share it.
//   before: for d vectorized: m[d] = maximum(m[d], x); o[d] = fma(exp(x - maximum(m[d], x)), v[d], o[d])
//   after:  for d vectorized: o[d] = fma(exp(x - maximum(m, x)), v[d], o[d]);   m = maximum(m, x)
// What spans more loops reads what spans fewer, never the other way round: so it is stepped and joined first, from old values.
#pragma once
#include <algorithm>
#include "ordo/kernel/lowering.hpp"

namespace ordo::kernel::detail_lower {
// The left axes that an accumulator depends on, by itself.
ORDO_INLINE std::vector<bool> Lowering::axes_of(u32 accumulator) const {
  const ReduceView r(reduce_);
  std::vector<Ref> parts{r.where()};
  if (accumulator < r.facts.fields) {
    parts.insert(parts.end(), {r.init(accumulator), r.step(accumulator)});
    if (r.facts.merge) parts.push_back(r.merged(accumulator));
  }
  std::vector<bool> axes;
  for (const Ref axis : definition_.axes) axes.push_back(std::any_of(parts.begin(), parts.end(), [&](Ref e) { return mentions(e, axis); }));
  return axes;
}

// Loops around a reduction loop of the tile are common to all: what runs inside it may differ.
ORDO_INLINE void Lowering::collect_members() {
  if (reduce_ == nullptr) return;
  const ReduceView r(reduce_);
  const u32 count = accumulator_count();
  if (count == 1) return;
  std::vector<std::vector<bool>> axes;
  for (u32 f = 0; f < count; ++f) axes.push_back(axes_of(f));
  for (u32 round = 0; round < r.facts.fields; ++round)  // what a member reads, it depends on
    for (u32 f = 0; f < r.facts.fields; ++f)
      for (u32 g = 0; g < r.facts.fields; ++g) {
        const bool reads =
            mentions(r.step(f), r.state(g)) || (r.facts.merge && (mentions(r.merged(f), r.state(g)) || mentions(r.merged(f), r.other(g))));
        for (std::size_t a = 0; reads && a < axes[f].size(); ++a) axes[f][a] = axes[f][a] || axes[g][a];
      }
  split_at_ = tile_;
  for (std::size_t d = tile_; d < stage_.order.size(); ++d)
    if (stage_.loops[static_cast<std::size_t>(stage_.order[d])].reduction && !is_part(stage_.order[d])) split_at_ = d + 1;
  for (u32 f = 0; f < count; ++f) {
    std::vector<bool> spans(stage_.loops.size(), true);
    for (std::size_t d = split_at_; d < stage_.order.size(); ++d) {
      const int loop = stage_.order[d];
      bool needed = stage_.loops[static_cast<std::size_t>(loop)].reduction;
      for (std::size_t a = 0; a < definition_.axes.size(); ++a)
        for (const nest::Root& root : stage_.roots)
          needed = needed || (axes[f][a] && root.axis == definition_.axes[a] && depends(root.loop, loop));
      spans[static_cast<std::size_t>(loop)] = needed;
    }
    const auto same = std::find_if(members_.begin(), members_.end(), [&](const Members& m) { return m.spans == spans; });
    if (same != members_.end()) same->accumulators.push_back(f);
    else members_.push_back({{f}, spans});
  }
  const auto loops = [](const Members& m) { return std::count(m.spans.begin(), m.spans.end(), true); };
  std::stable_sort(members_.begin(), members_.end(), [&](const Members& a, const Members& b) { return loops(a) > loops(b); });
  if (members_.size() == 1) members_.clear();
}
}  // namespace ordo::kernel::detail_lower
