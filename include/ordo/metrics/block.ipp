#pragma once
#include <algorithm>
#include "ordo/metrics/block.hpp"
#include "ordo/nest/edit.hpp"

namespace ordo::metrics {
namespace detail_block {
inline i64 computed_bytes(const nest::Nest& nest, const nest::Stage& stage) {
  const ir::Definition& d = nest::definition_of(nest, stage);
  const Ref value = d.value->op == ir::Op::Scan ? d.value->src[2] : d.value;
  return std::max(4, bytes_of(compute_type(value->type)));
}
inline bool chains(const nest::Loop& l) { return l.reduction || l.kind == nest::Kind::ordered; }

// Vectors that a turn of the block takes of a read: one for each copy that reads elsewhere.
inline i64 vectors_of(Known& known, const Use& use, const nest::Stage& stage, int number, const Block& block) {
  i64 all = 1;
  for (std::size_t place = static_cast<std::size_t>(block.from); place < stage.order.size(); ++place) {
    Running r{std::vector<int>(known.nest.stages.size(), 0)};
    int& from = r.from[static_cast<std::size_t>(number)];
    from = static_cast<int>(place);
    const Ref with = footprint(known, use, r);
    from = static_cast<int>(place) + 1;
    if (with == footprint(known, use, r)) continue;
    all *=
        stage.order[place] == block.vector_loop ? block.vectors : std::max<i64>(1, nest::constant_extent(stage.loop(stage.order[place])));
  }
  return all;
}
inline Reach reach_of(Known& known, const Use& use, const nest::Stage& stage, int number, int vector_loop) {
  for (const Ref index : use.index)
    if (index == nullptr) return Reach::gathered;
  Running all{std::vector<int>(known.nest.stages.size(), 0)}, none = all;
  all.from[static_cast<std::size_t>(number)] = stage.place(vector_loop);
  none.from[static_cast<std::size_t>(number)] = stage.place(vector_loop) + 1;
  if (use.tensor < 0) {  // laid out in the order of its loops
    for (const nest::Pack& pack : stage.packs)
      if (pack.name == use.name)
        return std::find(pack.order.begin(), pack.order.end(), vector_loop) == pack.order.end() ? Reach::same
               : pack.order.back() == vector_loop                                               ? Reach::contiguous
                                                                                                : Reach::strided;
  }
  std::size_t last = use.index.size() - 1;                 // the dimension whose elements are neighbours
  if (const int by = use.tensor < 0 ? -1 : known.nest.program.tensors[static_cast<std::size_t>(use.tensor)].definition; by >= 0)
    if (const nest::Stage& from = known.nest.stages[static_cast<std::size_t>(by)]; !from.layout.empty())
      last = static_cast<std::size_t>(from.layout.back().dimension);
  Reach found = Reach::same;
  for (std::size_t d = 0; d < use.index.size(); ++d) {
    Spans with(known, all), without(known, none);
    const Span a = with.of_index(use.stage, use.index[d]), b = without.of_index(use.stage, use.index[d]);
    if (!a || !b || a.reach == b.reach) continue;
    const Span loop = with.of_loop(number, vector_loop);
    const bool dense = known.sub(a.reach, b.reach) == known.less_one(loop.reach);
    found = found == Reach::same && d == last && dense ? Reach::contiguous : Reach::strided;
  }
  return found;
}
// Sums of the block, and of free loops inside the innermost loop that waits for its turn before.
inline void add_chains(Known& known, const nest::Stage& stage, const Block& block, const Machine& machine, StageMetrics& to) {
  to.wanted = i64{machine.fma_latency} * machine.fma_ports;
  Ref independent = known.number(block.copies * block.vectors);
  for (std::size_t place = static_cast<std::size_t>(block.from); place-- > 0 && !to.chained;) {
    const nest::Loop& l = stage.loop(stage.order[place]);
    to.chained = chains(l);
    if (!to.chained) independent = known.mul(independent, known(l.extent));
  }
  to.chained = to.chained || block.chained > 1;
  to.accumulators = to.chained ? independent : nullptr;
}
// Operations and loads of all copies, again for each tail that has a version of its own; where sums start and end; copies; loops.
inline i64 instructions_of(Known& known, const nest::Stage& stage, const Block& block, const Operations& work, i64 loads) {
  const i64 tile = block.copies * block.vectors;
  const i64 body = ((work.step_instructions + (work.fields == 0 ? work.element_instructions : 0)) * tile + loads) * block.chained;
  const i64 ends = (work.fields == 0 ? 1 : work.element_instructions + 4 * work.fields) * tile;
  i64 versions = 1, copied = 0;
  for (const nest::Relation& r : stage.relations)
    if (r.op == nest::Relation::Op::split && (r.tail == Tail::mask || r.tail == Tail::peel) && stage.place(r.inner) >= block.from &&
        constant(known.mod(known(stage.loop(r.parent).extent), known(r.factor))) != 0)
      versions *= 2;
  for (const nest::Pack& pack : stage.packs) {
    i64 each = 8;
    for (std::size_t k = 0; k < pack.order.size(); ++k)
      if (pack.marks[k] == nest::Mark::unrolled) each *= std::max<i64>(1, nest::constant_extent(stage.loop(pack.order[k])));
    copied += each + 12 * static_cast<i64>(pack.order.size());
  }
  return versions * (body + ends) + copied + 6 * block.from + 10;
}
}  // namespace detail_block

ORDO_INLINE Block block_of(const nest::Nest& nest, int number, const Machine& machine) {
  const nest::Stage& stage = nest.stages[static_cast<std::size_t>(number)];
  Block block;
  block.lanes = std::max<i64>(1, machine.vector_bits / 8 / detail_block::computed_bytes(nest, stage));
  block.from = static_cast<int>(stage.order.size());
  for (; block.from > 0; --block.from) {
    const nest::Loop& l = stage.loop(stage.order[static_cast<std::size_t>(block.from) - 1]);
    if (l.mark != nest::Mark::unrolled && l.mark != nest::Mark::vectorized) break;
    const i64 extent = std::max<i64>(1, nest::constant_extent(l));
    if (l.mark == nest::Mark::vectorized) {
      block.vector_loop = stage.order[static_cast<std::size_t>(block.from) - 1];
      block.vectors = (extent + block.lanes - 1) / block.lanes;
    } else {
      (l.kind == nest::Kind::ordered ? block.chained : block.copies) *= extent;
    }
  }
  return block;
}

ORDO_INLINE void add_block(Known& known, const std::vector<Use>& uses, int number, const Machine& machine, StageMetrics& to) {
  using namespace detail_block;
  const nest::Stage& stage = known.nest.stages[static_cast<std::size_t>(number)];
  const Block block = block_of(known.nest, number, machine);
  const Operations work = operations_of(known.nest, number);
  add_chains(known, stage, block, machine, to);
  i64 loads = 0, fewest = 0, reads = 0;
  for (const Use& use : uses) {
    if (use.written || use.by_copy) continue;
    const i64 vectors = vectors_of(known, use, stage, number, block) * (use.more.empty() ? 1 : use.more.back() + 1);
    loads += vectors;
    fewest = reads++ == 0 ? vectors : std::min(fewest, vectors);
    if (block.vector_loop >= 0) to.reads.push_back({use.name, reach_of(known, use, stage, number, block.vector_loop)});
  }
  to.registers = work.fields > 0 ? work.fields * block.copies * block.vectors + (reads > 1 ? fewest : 0) + 1 : reads + 1;
  const i64 extent = block.vector_loop < 0 ? 1 : nest::constant_extent(stage.loop(block.vector_loop));
  to.lanes = block.lanes;
  to.vectors = {known.number(extent), known.number(block.vectors * block.lanes)};
  const i64 spills = std::max<i64>(0, to.registers - machine.vector_registers);
  to.code_bytes = instructions_of(known, stage, block, work, loads + 2 * spills) * (machine.vector_bits >= 512 ? 7 : 6);
}
}  // namespace ordo::metrics
