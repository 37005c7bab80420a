// What a stage's prefetches ask for where its values are made: the places of its reads some turns later.
//   before: acc = acc + X[i * N + k]                after: prefetch X[(i + 2) * N + k]; acc = acc + X[i * N + k]
// Of the neighbours that a stencil reads only those farthest ahead along the loop: the others find what these have asked for, and of
// those that lie side by side in a row, one.
#pragma once
#include <algorithm>
#include "ordo/ir/visit.hpp"
#include "ordo/kernel/lowering.hpp"

namespace ordo::kernel::detail_lower {
// Does `ahead` read, some turns of the loop over `axes` before or beside it in a row, where `load` reads? Both of one tensor.
inline bool reads_before(Ref ahead, Ref load, const std::vector<Ref>& axes) {
  constexpr i64 side_by_side = 16;       // elements: about a vector
  bool leads = false, elsewhere = false;
  i64 beside = 0;
  for (u32 d = 1; d < load->count; ++d) {
    const Linear a = linear(ahead->src[d]), b = linear(load->src[d]);
    const auto same = [](const Linear::Term& x, const Linear::Term& y) { return x.atom == y.atom && x.coefficient == y.coefficient; };
    if (!std::equal(a.terms.begin(), a.terms.end(), b.terms.begin(), b.terms.end(), same)) return false;
    const i64 gap = a.constant - b.constant;
    if (gap != 0 && a.terms.empty()) return false;
    const bool along = std::any_of(axes.begin(), axes.end(), [&](Ref axis) { return mentions(load->src[d], axis); });
    if (along && gap < 0) return false;
    leads = leads || (along && gap > 0);
    if (along) continue;
    if (d + 1 == load->count) beside = gap;
    else elsewhere = elsewhere || gap != 0;
  }
  return leads || (!elsewhere && beside > 0 && beside < side_by_side);
}

ORDO_INLINE void Lowering::add_prefetches(const nest::Prefetch& p, Ref value_at_hand, std::vector<Ref>& all) {
  const auto place = [&](Ref load) {
    std::vector<Ref> at;
    for (u32 d = 1; d < load->count; ++d) at.push_back(value(load->src[d]));
    return element_offset(p.tensor, at);
  };
  std::vector<Ref> axes, loads;
  for (const nest::Root& root : stage_.roots)
    if (depends(root.loop, p.loop)) axes.push_back(root.axis);
  visit_once(value_at_hand, [&](Ref e) {
    if (e->op == Op::Load && static_cast<int>(e->src[0]->arg) == p.tensor) loads.push_back(e);
    return e->op != Op::Reduce;             // its steps ask for themselves
  });
  for (const Ref e : loads) {
    if (std::any_of(loads.begin(), loads.end(), [&](Ref o) { return reads_before(o, e, axes); })) continue;
    forget_values();
    const Ref now = place(e), keep = var_[static_cast<std::size_t>(p.loop)];
    forget_values();
    bind(p.loop, make_.add(keep, size(p.distance)));
    const Ref later = place(e), ask = make_.prefetch(buffer_of(p.tensor), later);
    bind(p.loop, keep);
    forget_values();
    if (later != now && std::find(all.begin(), all.end(), ask) == all.end()) all.push_back(ask);
  }
}
ORDO_INLINE Ref Lowering::prefetches(const std::vector<Ref>& values) {
  std::vector<Ref> all;
  for (const nest::Prefetch& p : stage_.prefetches)
    for (const Ref v : values) add_prefetches(p, v, all);
  return make_.block(all);
}
}  // namespace ordo::kernel::detail_lower
