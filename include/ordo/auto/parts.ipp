#pragma once
#include <algorithm>
#include "ordo/auto/parts.hpp"
#include "ordo/ir/visit.hpp"

namespace ordo::detail_auto {
namespace detail_parts {
using namespace ir;

// Is everything that varies with `axis` read one element after the other along it?
inline bool runs_along(const Shape& s, Ref axis) {
  bool any = false;
  for (const Read& r : s.reads) {
    const Read along = read_of(r.load, axis);
    if (!along.varies) continue;
    if (!along.unit) return false;
    any = true;
  }
  return any;
}
inline bool has_parts(const nest::Stage& stage) {
  return std::any_of(stage.roots.begin(), stage.roots.end(), [](const nest::Root& r) { return r.part != AxisPart::whole; });
}

// The loops of a reduction in their order: blocks, lanes, and those that are ordered.
struct Loops {
  std::vector<std::string> blocks, lanes, steps;
};
inline Loops loops_of(const nest::Stage& stage, const ReduceView& r) {
  Loops l;
  for (u32 k = 0; k < r.facts.axes; ++k)
    for (const nest::Root& root : stage.roots) {
      if (root.axis != r.axis(k)) continue;
      std::vector<std::string>& list = root.part == AxisPart::block ? l.blocks : root.part == AxisPart::lane ? l.lanes : l.steps;
      list.push_back(stage.loops[static_cast<std::size_t>(root.loop)].name);
    }
  return l;
}
inline i64 constant_extent(const nest::Stage& stage, const std::string& loop) {
  for (const nest::Loop& l : stage.loops)
    if (l.name == loop) return known(l.extent);
  return -1;
}
inline std::vector<std::string> left_loops(const nest::Stage& stage, const Shape& s) {
  std::vector<std::string> names;
  for (const Ref axis : s.left) names.push_back(loop_name(stage, axis));
  return names;
}
// The last axis that elements lie along and whose loop is free: its lanes, or all of it.
inline Ref vector_of(const Shape& s, const ReduceView& r, AxisPart& part) {
  for (u32 k = r.facts.axes; k-- > 0;) {
    part = axis_facts(r.axis(k)).lanes > 1 ? AxisPart::lane : AxisPart::whole;
    const bool whole = r.facts.free && (axis_facts(r.axis(k)).order == Order::any || axis_facts(r.axis(k)).order == Order::chain);
    if ((part == AxisPart::lane || whole) && runs_along(s, r.axis(k))) return r.axis(k);
  }
  return nullptr;
}
inline void append(std::vector<std::string>& to, const std::vector<std::string>& from) { to.insert(to.end(), from.begin(), from.end()); }

// How many rows or blocks from memory are read side by side: caches look ahead in each of them, and short ones follow each other so
// closely that they are one. Their accumulators fill half of the registers.
inline i64 streams(const ReduceView& r, i64 vector, const Machine& machine, i64 lanes, i64 rows, i64 row_bytes) {
  constexpr i64 most = 4;
  if (r.facts.fields != 1 || vector < 0 || rows < 2 * most || row_bytes < 2 * machine.page_bytes) return 1;
  return std::clamp<i64>(machine.vector_registers / 2 / std::max<i64>(1, vector / lanes), 1, most);
}
// Rows: lanes of vectors are the lanes of the sum.
//   before: for i, for l.step, for l.lane           after: for i parallel, for l.step, for l.lane vectorized
// From memory:                                             for i.0 parallel, for l.step, for i.1 0..4 unrolled, for l.lane vectorized
inline void along(Writer& w, const nest::Stage& stage, const Shape& s, const ReduceView& r, Ref axis, AxisPart part, const Machine& machine,
                  i64 lanes, bool tasks, bool beyond) {
  constexpr i64 most_vectorized = 256, most_unrolled = 16;
  Loops l = loops_of(stage, r);
  std::string vector = loop_name(stage, axis, part);
  std::string rest, unrolled;  // what is left of a loop that was split
  std::erase(l.lanes, vector);
  std::erase(l.steps, vector);
  const i64 n = part == AxisPart::lane ? static_cast<i64>(axis_facts(axis).lanes) : known(extent_of(axis));
  const i64 most = part == AxisPart::lane ? most_vectorized : lanes * machine.fma_ports * machine.fma_latency / 2;
  if (n < 0 || n > most) {
    w.split(vector, {most}, Tail::mask);
    (n > most && n / most <= most_unrolled && part == AxisPart::lane ? unrolled : rest) = vector + ".0";
    vector += ".1";
  }
  std::vector<std::string> left = left_loops(stage, s);
  const i64 rows = s.left.empty() ? 1 : known(extent_of(s.left[0]));
  const i64 blocks = l.blocks.size() == 1 ? constant_extent(stage, l.blocks[0]) : -1;
  std::string stream;
  const bool by_rows = left.size() == 1 && l.blocks.empty() && s.reductions.size() == 1, by_blocks = left.empty() && blocks > 0;
  const i64 element = machine.vector_bits / 8 / lanes, count_of = by_rows ? rows : blocks;
  const i64 row = element * (by_rows ? known(extent_of(axis)) : static_cast<i64>(axis_facts(axis).block));
  if (const i64 count = beyond && (by_rows || by_blocks) ? streams(r, std::min(n, most), machine, lanes, count_of, row) : 1; count > 1) {
    std::string& outer = by_rows ? left[0] : l.blocks[0];
    w.split(outer, {count}, tail_for(count_of, count));
    stream = outer + ".1";
    outer += ".0";
  }
  if (r.facts.free && r.facts.fields == 1 && part == AxisPart::lane && l.steps.size() == 1 && unrolled.empty() && stream.empty()) {
    const i64 steps = constant_extent(stage, l.steps[0]);  // any order: more accumulators than it has lanes
    i64 turns = machine.fma_ports * machine.fma_latency / std::max<i64>(1, n / lanes);
    while (turns > 1 && steps < 4 * turns) turns /= 2;
    if (turns > 1) {
      w.split(l.steps[0], {turns}, tail_for(steps, turns));
      unrolled = l.steps[0] + ".1";
      l.steps[0] += ".0";
    }
  }
  std::vector<std::string> order = left;
  append(order, l.blocks);
  append(order, l.lanes);
  append(order, l.steps);
  if (!rest.empty()) order.push_back(rest);
  if (!stream.empty()) order.push_back(stream);
  if (!unrolled.empty()) order.push_back(unrolled);
  order.push_back(vector);
  if (order.size() > 1) w.add("reorder", order);
  if (!stream.empty()) w.add("unroll", {stream});
  if (!unrolled.empty()) w.add("unroll", {unrolled});
  if (n != 0 && n != 1) w.add("vectorize", {vector});
  if (!tasks) return;
  if (rows < 0 || rows > 1) w.parallel(order[0], stream.empty() ? grain_of(s, machine) : std::max<i64>(1, grain_of(s, machine) / 4));
  else if (!l.blocks.empty()) w.add("parallel", {l.blocks[0]});
}

// Columns: vectors along the output, a few accumulators of each element side by side.
//   before: for j, for l.step, for l.lane           after: for j.0 parallel, for l.step, for l.lane unrolled, for j.1 vectorized
inline void across(Writer& w, const nest::Stage& stage, const Shape& s, const ReduceView& r, const Machine& machine, i64 lanes,
                   bool tasks) {
  const Loops l = loops_of(stage, r);
  i64 parts = 1;
  for (u32 k = 0; k < r.facts.axes; ++k) parts *= axis_facts(r.axis(k)).lanes;
  const i64 vectors = std::max<i64>(1, machine.fma_ports * machine.fma_latency / 2), most_parts = machine.vector_registers / 2;
  const bool kept = parts <= most_parts;  // in registers; else one lane after the other
  const std::string v = loop_name(stage, s.vector_axis);
  const i64 n = known(extent_of(s.vector_axis)), chains = lanes * (kept ? std::max<i64>(1, vectors / parts) : vectors);
  const i64 wide = n >= 0 && n < chains ? std::max<i64>(n, 1) : chains;
  w.split(v, {wide}, tail_for(n, wide));
  std::vector<std::string> order = left_loops(stage, s);
  order.back() = v + ".0";
  append(order, l.blocks);
  if (!kept) append(order, l.lanes);
  append(order, l.steps);
  if (kept) append(order, l.lanes);
  order.push_back(v + ".1");
  w.add("reorder", order);
  for (std::size_t k = 0; kept && k < l.lanes.size(); ++k) w.add("unroll", {l.lanes[k]});
  if (wide > 1) w.add("vectorize", {v + ".1"});
  if (tasks) w.add("parallel", {order[0]});
}
}  // namespace detail_parts

ORDO_INLINE bool side_by_side(Writer& w, const nest::Stage& stage, const ir::Definition& d, const Shape& s, const Machine& machine,
                              i64 lanes, bool tasks, bool beyond) {
  using namespace detail_parts;
  const Ref reduce = first_of(d.value, Op::Reduce);
  if (reduce == nullptr) return false;
  const ReduceView r(reduce);
  const bool columns = !s.left.empty() && s.contiguous && runs_along(s, s.vector_axis), parts = has_parts(stage);
  AxisPart part = AxisPart::whole;
  const Ref axis = columns ? nullptr : vector_of(s, r, part);
  if (axis != nullptr) along(w, stage, s, r, axis, part, machine, lanes, tasks, beyond);
  else if (columns && parts && !r.facts.free) across(w, stage, s, r, machine, lanes, tasks);
  else if (parts && tasks && !s.left.empty()) w.add("parallel", {loop_name(stage, s.left[0])});
  return axis != nullptr || parts;
}
}  // namespace ordo::detail_auto
