// Computes a stage on its own, before the stages that read it, and stores it: how every stage starts out.
//   before: D: inlined into C                       after: D: for i, for k                   compute_root() of D
//           C: for i, for j, for k                         C: for i, for j
// Keeps: what inline_ keeps; the reduction's loops go back with it.
#pragma once
#include <algorithm>
#include "ordo/nest/body.hpp"

namespace ordo::nest {
namespace detail_compute_root {
inline Refusal packed(const Edit& e) {
  const std::vector<int> below = reads_through(e.nest, e.number);
  for (const int reader : final_readers(e.nest, e.number))
    for (const Pack& p : e.nest.stages[static_cast<std::size_t>(reader)].packs)
      if (std::find(below.begin(), below.end(), p.tensor) != below.end())
        return {"compute_root.packed",
                cannot(e.directive) + ": " + ticked(e.nest.stages[static_cast<std::size_t>(reader)].name) + " copies " +
                    ticked(e.nest.names[static_cast<std::size_t>(p.tensor)]) + " (" + at_line("pack", p.line) +
                    "), which it reads through " + ticked(e.stage.name),
                "leave it inlined", -1};
  return {};
}

// What is computed in the turns of its reader is there for those turns only.
inline Refusal reads_placed(const Edit& e) {
  for (const int tensor : reads_through(e.nest, e.number)) {
    const int producer = e.nest.program.tensors[static_cast<std::size_t>(tensor)].definition;
    if (producer < 0 || e.nest.stages[static_cast<std::size_t>(producer)].placed.stage < 0) continue;
    const Stage& guest = e.nest.stages[static_cast<std::size_t>(producer)];
    return {"compute_at.placed",
            cannot(e.directive) + ": it reads " + ticked(guest.name) + ", which is computed in the turns of " +
                ticked(e.nest.stages[static_cast<std::size_t>(guest.placed.stage)].name) + " (" + at_line("compute_at", guest.placed.line) +
                ")",
            "compute_root() " + ticked(guest.name) + " first", -1};
  }
  return {};
}

inline Refusal give_back(Edit& e) {
  e.other_number = e.stage.readers[0];
  e.other = e.nest.stages[static_cast<std::size_t>(e.other_number)];
  const auto no = [&](const std::string& why) {
    return Refusal{"compute_root.scheduled", cannot(e.directive) + ": " + why, "leave it inlined", -1, e.other_number};
  };
  if (e.other.inlined)
    return no(ticked(e.other.name) + ", which took its loops, is inlined too (" + at_line("inline_", e.other.line) + ")");
  for (const Root& root : e.other.roots) {
    Loop& l = e.other.loop(root.loop);
    if (!l.reduction) continue;  // the reader had no reduction: all are of this stage
    const auto scheduled = [&](const std::string& how) {
      return no("its loop " + ticked(l.name) + " in " + ticked(e.other.name) + " " + how);
    };
    if (l.consumed_by >= 0) {
      const Relation& r = e.other.relations[static_cast<std::size_t>(l.consumed_by)];
      const bool split = r.op == Relation::Op::split;
      return scheduled(std::string(split ? "was split (" : "was fused (") + at_line(split ? "split" : "fuse", r.line) + ")");
    }
    if (l.mark != Mark::serial) return scheduled(std::string("is ") + word_of(l.mark) + " (" + at_line(verb_of(l.mark), l.marked) + ")");
    e.other.order.erase(e.other.order.begin() + e.other.place(root.loop));
    l.consumed_by = Loop::given_back;
  }
  std::erase_if(e.other.roots, [&](const Root& root) { return e.other.loop(root.loop).consumed_by == Loop::given_back; });
  e.other.absorbed.clear();
  return {};
}
// Out of the turns of another stage, unless what stays there is read here.
inline Refusal leave(Edit& e) {
  e.other_number = e.stage.placed.stage;
  e.other = e.nest.stages[static_cast<std::size_t>(e.other_number)];
  for (const int guest : e.other.guests) {
    const std::vector<int> readers = final_readers(e.nest, guest);
    if (std::find(readers.begin(), readers.end(), e.number) == readers.end()) continue;
    const Stage& g = e.nest.stages[static_cast<std::size_t>(guest)];
    return {"compute_at.placed",
            cannot(e.directive) + ": it reads " + ticked(g.name) + ", which is computed in the turns of " + ticked(e.other.name) + " (" +
                at_line("compute_at", g.placed.line) + ")",
            "compute_root() " + ticked(g.name) + " first", -1};
  }
  if (Refusal r = resize_loops(e, e.stage, nullptr)) return r;
  std::erase(e.other.guests, e.number);
  e.stage.placed = {};
  return {};
}
}  // namespace detail_compute_root

ORDO_INLINE Refusal directive::compute_root(Edit& e) {
  if (e.stage.placed.stage >= 0) return detail_compute_root::leave(e);
  if (!e.stage.inlined) return {};
  if (Refusal r = detail_compute_root::reads_placed(e)) return r;
  if (Refusal r = detail_compute_root::packed(e)) return r;
  if (has_reduction(e.stage))
    if (Refusal r = detail_compute_root::give_back(e)) return r;
  e.stage.inlined = false;
  e.stage.line = {};
  return {};
}

ORDO_INLINE void compute_root(const StageHandle* s, Where at) { Call(s, "compute_root", at).apply(); }
}  // namespace ordo::nest
