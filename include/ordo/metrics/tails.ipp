#pragma once
#include "ordo/metrics/block.hpp"

namespace ordo::metrics {
namespace detail_tails {
struct Positions {
  Ref whole, computed;
};  // in whole tiles; with lanes that are masked off
// Of the first n positions of a loop, given that tiles of the innermost block are computed whole where their tail is masked, and that
// peeled ones end with a whole vector.
inline Positions of(Known& known, const nest::Stage& stage, int loop, Ref n, const Block& block) {
  const int by = stage.loop(loop).consumed_by;
  if (by < 0 || stage.relations[static_cast<std::size_t>(by)].op == nest::Relation::Op::fuse) return {n, n};
  const nest::Relation& r = stage.relations[static_cast<std::size_t>(by)];
  const Ref factor = known(r.factor);
  if (stage.loop(r.inner).consumed_by < 0) {
    if (stage.place(r.inner) < block.from) return {n, n};
    const Ref whole = known.mul(known.floor_div(n, factor), factor), lanes = known.number(block.lanes);
    if (r.tail == Tail::mask) return {whole, known.mul(known.ceil_div(n, factor), factor)};
    if (r.tail != Tail::peel || r.inner != block.vector_loop) return {whole, n};
    return {whole, known.add(whole, known.mul(known.ceil_div(known.mod(n, factor), lanes), lanes))};
  }
  const Positions tile = of(known, stage, r.inner, factor, block), last = of(known, stage, r.inner, known.mod(n, factor), block);
  const Ref tiles = known.floor_div(n, factor);
  return {known.add(known.mul(tiles, tile.whole), last.whole), known.add(known.mul(tiles, tile.computed), last.computed)};
}
}  // namespace detail_tails

ORDO_INLINE void add_tails(Known& known, int number, const Block& block, StageMetrics& to) {
  const nest::Stage& stage = known.nest.stages[static_cast<std::size_t>(number)];
  to.mask = {known.number(1), known.number(1)};
  to.remainder = {known.number(1), known.number(1)};  // whole tiles first
  for (const nest::Root& root : stage.roots) {
    if (root.part == ir::AxisPart::lane && stage.place(root.loop) >= block.from) {  // of lanes the last step may not have all
      const Ref n = known(ir::extent_of(root.axis)), lanes = known.number(ir::axis_facts(root.axis).lanes);
      to.mask = {known.mul(to.mask.over, n), known.mul(to.mask.of, known.mul(known.ceil_div(n, lanes), lanes))};
    }
    if (stage.loop(root.loop).consumed_by < 0) continue;
    const Ref n = known(stage.loop(root.loop).extent);
    const detail_tails::Positions p = detail_tails::of(known, stage, root.loop, n, block);
    if (p.computed != n) to.mask = {known.mul(to.mask.over, n), known.mul(to.mask.of, p.computed)};
    if (p.whole != n) to.remainder = {known.mul(to.remainder.over, p.whole), known.mul(to.remainder.of, n)};
  }
  to.remainder.over = known.sub(to.remainder.of, to.remainder.over);
}
}  // namespace ordo::metrics
