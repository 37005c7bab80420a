#pragma once
#include "ordo/nest/edit.hpp"

namespace ordo::nest {
namespace detail_tile {
// Of the stage's own reduction, or of the one that was inlined into it.
inline bool order_is_free(const Nest& nest, const Stage& stage) {
  if (const ir::Ref own = reduction_of(definition_of(nest, stage).value)) return ir::ReduceView(own).facts.free;
  for (const int other : stage.absorbed)
    if (const ir::Ref r = reduction_of(nest.program.definitions[static_cast<std::size_t>(other)].value))
      return ir::ReduceView(r).facts.free;
  return false;
}
}  // namespace detail_tile

ORDO_INLINE bool runs_parts(const Stage& stage, int loop, bool free_order) {
  const Loop& l = stage.loop(loop);
  return l.reduction && l.kind == Kind::free && !(free_order && l.mark == Mark::serial);
}

ORDO_INLINE std::size_t tile_of(const Nest& nest, const Stage& stage) {
  const bool free_order = detail_tile::order_is_free(nest, stage);
  std::size_t tile = stage.order.size();
  bool registers = false;
  i64 serial_parts = 1;
  while (tile > 0) {
    const Loop& l = stage.loop(stage.order[tile - 1]);
    const bool kept = l.mark == Mark::unrolled || l.mark == Mark::vectorized;
    const bool part = runs_parts(stage, stage.order[tile - 1], free_order);
    if (!kept && part) {  // accumulators on the stack, when none would leave registers
      const i64 extent = constant_extent(l);
      constexpr i64 most_parts = 1024;
      if (registers || l.mark != Mark::serial || extent < 1 || extent > most_parts / serial_parts) break;
      serial_parts *= extent;
    } else if (!l.reduction && (!kept || l.kind == Kind::ordered)) {  // the elements of one step are finished before the next
      break;
    }
    registers = registers || (kept && (!l.reduction || part));
    --tile;
  }
  return tile;
}
}  // namespace ordo::nest
