#pragma once
#include <algorithm>
#include "ordo/nest/edit.hpp"

namespace ordo::nest {
namespace detail_packs {

inline bool has(const std::vector<int>& loops, int loop) { return std::find(loops.begin(), loops.end(), loop) != loops.end(); }

// The order that was asked for, with what its loops have become since.
inline std::vector<int> followed(const Stage& stage, const std::vector<int>& asked) {
  std::vector<int> order;
  for (const int loop : asked)
    for (const int part : parts_of(stage, loop))
      if (!has(order, part)) order.push_back(part);
  return order;
}

inline Refusal order_of(const Edit& e, Pack& pack) {
  pack.order = copy_loops(e.nest, e.stage, pack);
  if (pack.order.empty())
    return {"schedule.pack",
            cannot(e.directive) + ": no loop" + (pack.at < 0 ? "" : " inside " + name_of(e.stage, pack.at)) + " would index the copy " +
                ticked(pack.name) + " (" + at_line("pack", pack.line) + ")",
            "pack at a loop further out", pack.at};
  if (pack.asked_order.empty()) return {};
  std::vector<int> order = followed(e.stage, pack.asked_order), a = order, b = pack.order;
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  if (a != b)
    return {"schedule.pack",
            cannot(e.directive) + ": the copy " + ticked(pack.name) + " would have other loops than those that were reordered (" +
                at_line("reorder", pack.reordered) + ")",
            "reorder the loops of a copy last", -1};
  pack.order = order;
  pack.asked_order = order;
  return {};
}

inline Refusal marks_of(const Edit& e, Pack& pack) {
  pack.marks.assign(pack.order.size(), Mark::serial);
  bool vectorized = false;
  for (const PackMark& mark : pack.asked) {
    const auto it = std::find(pack.order.begin(), pack.order.end(), mark.loop);
    if (it == pack.order.end())
      return {"schedule.pack",
              cannot(e.directive) + ": " + name_of(e.stage, mark.loop) + ", " + word_of(mark.mark) + " in " + ticked(pack.name) + " (" +
                  at_line(verb_of(mark.mark), mark.line) + "), would no longer be a loop of that copy",
              "mark the loops of a copy last", mark.loop};
    pack.marks[static_cast<std::size_t>(it - pack.order.begin())] = mark.mark;
    vectorized = vectorized || mark.mark == Mark::vectorized;
  }
  for (const PackMark& mark : pack.asked) {
    if (mark.mark != Mark::vectorized) continue;
    const std::vector<int> serial = serial_inside(pack.order, pack.marks, mark.loop);
    if (!serial.empty())
      return {"schedule.vectorized",
              cannot(e.directive) + ": " + name_of(e.stage, serial[0]) + " would run inside " + name_of(e.stage, mark.loop) +
                  ", which is vectorized in " + ticked(pack.name) + " (" + at_line("vectorize", mark.line) + ")",
              "only unrolled loops may be inside a vectorized one", mark.loop};
  }
  if (!vectorized && pack.marks.back() == Mark::serial && e.stage.loop(pack.order.back()).mark == Mark::vectorized)
    pack.marks.back() = Mark::vectorized;
  return {};
}

inline Refusal fits_memory(const Edit& e, const Pack& pack) {
  if (pack.options.memory != Memory::stack) return {};
  i64 bytes = bytes_of(e.nest.program.tensors[static_cast<std::size_t>(pack.tensor)].type);
  bool constant = true;
  for (std::size_t k = 0; k < pack.order.size() && constant && bytes <= most_stack_bytes; ++k) {
    const i64 extent = constant_extent(e.stage.loop(pack.order[k]));
    constant = extent >= 0;
    const i64 row = extent + (k + 1 == pack.order.size() ? pack.options.pad : 0);
    bytes = row > most_stack_bytes ? most_stack_bytes + 1 : bytes * row;
  }
  if (constant && bytes <= most_stack_bytes) return {};
  return {"pack.memory",
          cannot(e.directive) + ": " + ticked(pack.name) +
              (constant ? " has more than " + std::to_string(most_stack_bytes) + " bytes" : std::string(" has no constant size")) +
              " and its memory is Memory::stack",
          "use Memory::heap, or pack at a loop further in", pack.at};
}
}  // namespace detail_packs

ORDO_INLINE std::vector<int> copy_loops(const Nest& nest, const Stage& stage, const Pack& pack) {
  std::vector<int> indexing;
  const std::vector<Access> found = accesses(nest, stage, pack.tensor);
  if (!found.empty())
    for (const ir::Ref axis : found.front().axes)
      for (const int loop : loops_of(stage, axis)) indexing.push_back(loop);
  std::vector<int> order;
  const int from = pack.at < 0 ? 0 : stage.place(pack.at) + 1;
  for (std::size_t k = static_cast<std::size_t>(from); k < stage.order.size(); ++k)
    if (detail_packs::has(indexing, stage.order[k])) order.push_back(stage.order[k]);
  return order;
}

// A read of a finished or an initial value happens outside the reduction's loops: so must its copy.
ORDO_INLINE int reduction_outside(const Edit& e, const Pack& pack) {
  const std::vector<Access> found = accesses(e.nest, e.stage, pack.tensor);
  if (found.empty() || found.front().inside || pack.at < 0) return -1;
  for (int k = 0; k <= e.stage.place(pack.at); ++k) {
    const int loop = e.stage.order[static_cast<std::size_t>(k)];
    if (e.stage.loop(loop).reduction) return loop;
  }
  return -1;
}

ORDO_INLINE Refusal refresh_packs(Edit& e) {
  for (Pack& pack : e.stage.packs) {
    if (Refusal r = detail_packs::order_of(e, pack)) return r;
    if (Refusal r = detail_packs::marks_of(e, pack)) return r;
    if (Refusal r = detail_packs::fits_memory(e, pack)) return r;
    const int reduction = reduction_outside(e, pack);
    if (reduction >= 0)
      return {"schedule.pack",
              cannot(e.directive) + ": " + ticked(pack.name) + " (" + at_line("pack", pack.line) + ") is read outside the reduction, and " +
                  name_of(e.stage, pack.at) +
                  (pack.at == reduction ? " is a loop of it" : " would run inside its loop " + name_of(e.stage, reduction)),
              "pack at a loop outside the reduction", pack.at};
  }
  return {};
}
}  // namespace ordo::nest
