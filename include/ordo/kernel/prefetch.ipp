// What a stage's prefetches ask for where its values are made: the places of its reads some turns later.
//   before: acc = acc + X[i * N + k]                after: prefetch X[(i + 2) * N + k]; acc = acc + X[i * N + k]
#pragma once
#include <algorithm>
#include "ordo/ir/visit.hpp"
#include "ordo/kernel/lowering.hpp"

namespace ordo::kernel::detail_lower {
ORDO_INLINE void Lowering::add_prefetches(const nest::Prefetch& p, Ref value_at_hand, std::vector<Ref>& all) {
  const auto place = [&](Ref load) {
    std::vector<Ref> at;
    for (u32 d = 1; d < load->count; ++d) at.push_back(value(load->src[d]));
    return element_offset(p.tensor, at);
  };
  visit_once(value_at_hand, [&](Ref e) {
    if (e->op == Op::Reduce) return false;  // its steps ask for themselves
    if (e->op != Op::Load || static_cast<int>(e->src[0]->arg) != p.tensor) return true;
    forget_values();
    const Ref now = place(e), keep = var_[static_cast<std::size_t>(p.loop)];
    forget_values();
    bind(p.loop, make_.add(keep, size(p.distance)));
    const Ref later = place(e), ask = make_.prefetch(buffer_of(p.tensor), later);
    bind(p.loop, keep);
    forget_values();
    if (later != now && std::find(all.begin(), all.end(), ask) == all.end()) all.push_back(ask);
    return true;
  });
}
ORDO_INLINE Ref Lowering::prefetches(const std::vector<Ref>& values) {
  std::vector<Ref> all;
  for (const nest::Prefetch& p : stage_.prefetches)
    for (const Ref v : values) add_prefetches(p, v, all);
  return make_.block(all);
}
}  // namespace ordo::kernel::detail_lower
