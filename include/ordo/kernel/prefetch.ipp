// What a stage's prefetches ask for where its values are made: the places of its reads some turns later; once a cache line, where
// loops around the read step inside one.
//   before: acc = acc + X[i * N + k]                after: prefetch X[(i + 2) * N + k]; acc = acc + X[i * N + k]
//   before: for c in 0..16: acc = acc + X[i * N + c]
//   after:  prefetch X[(i + 2) * N]; for c in 0..16: acc = acc + X[i * N + c]
// Of the neighbours that a stencil reads only those farthest ahead along the loop: the others find what these have asked for, and of
// those that lie side by side in a row, one.
#pragma once
#include <algorithm>
#include <cstdlib>
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
  const bool lines = std::find(asked_.begin(), asked_.end(), Asked::now) != asked_.end();
  for (std::size_t k = 0; k < stage_.prefetches.size(); ++k)
    if (asked_.empty() || asked_[k] == (lines ? Asked::now : Asked::where_read))
      for (const Ref v : values) add_prefetches(stage_.prefetches[k], v, all);
  return make_.block(all);
}

ORDO_INLINE std::vector<Ref> Lowering::step_values() const {
  const ReduceView r(reduce_);
  std::vector<Ref> all{r.where()};
  for (u32 f = 0; f < r.facts.fields; ++f) all.push_back(r.step(f));
  return all;
}
// Offsets of what the steps read of its tensor, where the loops stand.
ORDO_INLINE std::vector<Ref> Lowering::places_read(const nest::Prefetch& p) {
  std::vector<Ref> all;
  forget_values();
  for (const Ref v : step_values())
    visit_once(v, [&](Ref e) {
      if (e->op != Op::Load || static_cast<int>(e->src[0]->arg) != p.tensor) return;
      std::vector<Ref> at;
      for (u32 d = 1; d < e->count; ++d) at.push_back(value(e->src[d]));
      all.push_back(element_offset(p.tensor, at));
    });
  forget_values();
  checks_.clear();
  return all;
}
// Do the serial loops from `depth` on stay inside a cache line of what the prefetch is of?
ORDO_INLINE bool Lowering::within_a_line(const nest::Prefetch& p, std::size_t depth) {
  const i64 size_of = bytes_of(program_.tensors[static_cast<std::size_t>(p.tensor)].type), line = 64 / size_of;
  if (static_cast<std::size_t>(stage_.place(p.loop)) >= depth) return false;
  for (const Ref place : places_read(p)) {
    const Linear form = linear(place);
    i64 elements = 1;
    for (std::size_t d = depth; d < stage_.order.size(); ++d) {
      const int loop = stage_.order[d];
      const Ref var = var_[static_cast<std::size_t>(loop)], whole = extent(loop);
      if (stage_.loops[static_cast<std::size_t>(loop)].mark != nest::Mark::serial || !mentions(place, var)) continue;
      if (!Make::is_constant(whole) || static_cast<i64>(whole->arg) > line) return false;
      for (const Linear::Term& t : form.terms) {
        if (!mentions(t.atom, var)) continue;
        if (t.atom != var || t.coefficient > line || t.coefficient < -line) return false;
        elements += (static_cast<i64>(whole->arg) - 1) * std::abs(t.coefficient);
      }
    }
    if (elements > line) return false;
  }
  return true;
}
// Does a loop of the tile change what the prefetches of this turn ask for?
ORDO_INLINE bool Lowering::moves_prefetch(int loop) {
  for (std::size_t k = 0; k < asked_.size(); ++k)
    if (asked_[k] == Asked::now)
      for (const Ref place : places_read(stage_.prefetches[k]))
        if (mentions(place, var_[static_cast<std::size_t>(loop)])) return true;
  return false;
}
// Prefetches whose lines last for all turns of the loop at `depth`.
ORDO_INLINE std::vector<std::size_t> Lowering::lines_from(std::size_t depth) {
  std::vector<std::size_t> all;
  if (stage_.prefetches.empty() || mode_ == Mode::guarded || !places_.empty() || !members_.empty()) return all;
  asked_.resize(stage_.prefetches.size(), Asked::where_read);
  for (std::size_t k = 0; k < asked_.size(); ++k)
    if (asked_[k] == Asked::where_read && within_a_line(stage_.prefetches[k], depth)) all.push_back(k);
  return all;
}
ORDO_INLINE Ref Lowering::lines_ahead(std::size_t depth, const std::vector<std::size_t>& now) {
  for (const std::size_t k : now) asked_[k] = Asked::now;
  const Ref ahead = tile_nest(depth, Phase::ahead);
  for (const std::size_t k : now) asked_[k] = Asked::before;
  const Ref steps = tile_nest(depth, Phase::step);
  for (const std::size_t k : now) asked_[k] = Asked::where_read;
  return make_.block({ahead, steps});
}
}  // namespace ordo::kernel::detail_lower
