#pragma once
#include "ordo/ir/visit.hpp"
#include "ordo/metrics/spans.hpp"
#include "ordo/nest/edit.hpp"

namespace ordo::metrics {
ORDO_INLINE bool Spans::stands(int stage, int loop) {
  for (const int part : nest::parts_of(at(stage), loop))
    if (!running_.runs(stage, at(stage).place(part))) return true;
  return false;
}
// Of the two loops that were fused, while a part of the fused loop runs: turns of the inner one first.
ORDO_INLINE Span Spans::all_of_fused(int stage, const nest::Relation& r, bool outer) {
  const Ref turns = of_loop(stage, r.parent).count, inner = known_(at(stage).loop(r.inner).extent);
  const Ref n = outer ? known_.least(known_(at(stage).loop(r.outer).extent), known_.ceil_div(turns, inner)) : known_.least(turns, inner);
  return {n, n};
}
ORDO_INLINE Span Spans::of_loop(int stage, int loop) {
  if (loop == nest::warm_loop) return one();     // but for first turns, the last piece alone
  const nest::Loop& l = at(stage).loop(loop);
  const Ref extent = known_(l.extent);
  if (!stands(stage, loop)) return {extent, extent};
  if (l.consumed_by < 0) return one();
  const nest::Relation& r = at(stage).relations[static_cast<std::size_t>(l.consumed_by)];
  if (r.op == nest::Relation::Op::fuse) return all_of_fused(stage, r, loop == r.outer);
  const Span outer = of_loop(stage, r.outer), inner = of_loop(stage, r.inner);
  const Ref apart = known_.mul(known_.less_one(outer.reach), known_(r.factor));
  return {known_.least(known_.mul(outer.count, inner.count), extent), known_.least(known_.add(apart, inner.reach), extent)};
}
ORDO_INLINE Span Spans::of_axis(int stage, Ref axis) {
  const ir::AxisFacts facts = ir::axis_facts(axis);
  Span all = one();
  bool whole = true, found = false;
  for (const nest::Root& root : at(stage).roots) {
    if (root.axis != axis || at(stage).loop(root.loop).consumed_by == nest::Loop::given_back) continue;
    found = true;
    whole = whole && !stands(stage, root.loop);
    const i64 by = root.part == ir::AxisPart::step ? std::max<i64>(facts.lanes, 1) : root.part == ir::AxisPart::block ? facts.block : 1;
    const Span part = of_loop(stage, root.loop);
    all = {known_.mul(all.count, part.count), known_.add(all.reach, known_.mul(known_.less_one(part.reach), by))};
  }
  if (!found) return {};
  const nest::Placement& placed = at(stage).placed;
  if (placed.stage < 0) {
    const Ref extent = known_(ir::extent_of(axis));
    return whole ? Span{extent, extent} : Span{known_.least(all.count, extent), known_.least(all.reach, extent)};
  }
  const ir::Definition& d = nest::definition_of(known_.nest, at(stage));
  for (std::size_t k = 0; k < d.axes.size(); ++k) {
    if (d.axes[k] != axis) continue;
    const Span base = of_index(stage, placed.regions[k].base);
    if (!base) return {};
    const Ref extent = known_(ir::extent_of(axis)), moved = known_.add(all.reach, known_.less_one(base.reach));
    return {known_.least(base.reach == known_.number(1) ? all.count : moved, extent), known_.least(moved, extent)};
  }
  return all;
}
// What a first turn computes more, where that turn is among those that run.
ORDO_INLINE Span Spans::of_warm_loop(int stage) {
  const nest::Placement& placed = at(stage).placed;
  if (!running_.runs(placed.stage, at(placed.stage).place(placed.turn))) return one();
  const Ref n = known_.number(placed.stored.before + 1);
  return {n, n};
}
ORDO_INLINE Span Spans::of_atom(int stage, Ref atom) {
  using ir::Op;
  int s = -1, loop = -1;
  if (atom->op == Op::Dim) return one();
  if (atom->op == Op::Axis) return of_axis(stage, atom);
  if (nest::is_loop_var(atom, s, loop)) return loop == nest::warm_loop ? of_warm_loop(s) : of_loop(s, loop);
  if (atom->op == Op::Max || atom->op == Op::Min) {
    const Span a = of_index(stage, atom->src[0]), b = of_index(stage, atom->src[1]);
    return !a || !b ? Span{} : constant(a.reach) == 1 ? b : a;
  }
  const bool divides = atom->op == Op::Div || atom->op == Op::FloorDiv, rest = atom->op == Op::Mod || atom->op == Op::FloorMod;
  if (divides || rest) {
    const Span of = of_index(stage, atom->src[0]);
    if (!of || constant(atom->src[1]) <= 0) return {};
    if (rest) return {known_.least(of.count, atom->src[1]), known_.least(of.reach, atom->src[1])};
    const Ref n = known_.ceil_div(of.reach, atom->src[1]);
    return {known_.least(n, of.count), n};
  }
  return {};
}
ORDO_INLINE Span Spans::of_index(int stage, Ref index) {
  Span all = one();
  int varying = 0;
  bool dense = true;
  for (const ir::Linear::Term& term : ir::linear(index).terms) {
    const Span part = of_atom(stage, term.atom);
    if (!part) return {};
    if (constant(part.reach) == 1) continue;
    const i64 by = term.coefficient < 0 ? -term.coefficient : term.coefficient;
    ++varying;
    dense = dense && by == 1;
    all = {known_.mul(all.count, part.count), known_.add(all.reach, known_.mul(known_.less_one(part.reach), by))};
  }
  if (varying > 1) all.count = dense ? all.reach : known_.least(all.reach, all.count);
  return all;
}
}  // namespace ordo::metrics
