// Computes a stage where it is read, instead of storing it. A reduction goes with its loops to its one reader.
//   before: D: for i, for k                         after: D: inlined into C                 inline_() of D
//           C: for i, for j                                C: for i, for j, for k
// Keeps: every value as its tensor would hold it (a narrow one rounds); no reduction is computed twice.
#pragma once
#include <algorithm>
#include "ordo/ir/simplify.hpp"
#include "ordo/nest/body.hpp"

namespace ordo::nest {
namespace detail_inline {
// What was done to a stage, or "" when it is as made.
inline std::string touched(const Stage& stage) {
  if (stage.placed.stage >= 0 || !stage.guests.empty()) return at_line("compute_at", stage.placed.line);
  for (const Relation& r : stage.relations) return at_line(r.op == Relation::Op::split ? "split" : "fuse", r.line);
  for (const Loop& l : stage.loops)
    if (l.mark != Mark::serial) return at_line(verb_of(l.mark), l.marked);
  for (const Pack& p : stage.packs) return at_line("pack", p.line);
  for (const Prefetch& p : stage.prefetches) return at_line("prefetch", p.line);
  if (stage.nontemporal) return at_line("store_nontemporal", stage.past_caches);
  if (!stage.layout.empty()) return at_line("layout", stage.laid_out);
  if (stage.cached_at >= 0) return at_line("cache_write", stage.cached);
  return std::is_sorted(stage.order.begin(), stage.order.end()) ? "" : "reorder";
}

inline Refusal packed(const Edit& e) {
  const std::vector<int> below = reads_through(e.nest, e.number);
  const int own = definition_of(e.nest, e.stage).tensor;
  for (const int reader : final_readers(e.nest, e.number))
    for (const Pack& p : e.nest.stages[static_cast<std::size_t>(reader)].packs)
      if (p.tensor == own || std::find(below.begin(), below.end(), p.tensor) != below.end())
        return {"inline.packed",
                cannot(e.directive) + ": " + ticked(e.nest.stages[static_cast<std::size_t>(reader)].name) + " copies " +
                    ticked(e.nest.names[static_cast<std::size_t>(p.tensor)]) + " (" + at_line("pack", p.line) + "), which " +
                    (p.tensor == own ? "would no longer be stored" : ticked(e.stage.name) + " reads too"),
                "inline before packing", -1};
  return {};
}

// A reduction moves only to where each of its values is used once.
inline Refusal reduction(const Edit& e, const Stage*& reader) {
  const auto no = [&](const std::string& why) {
    return Refusal{"inline.reduction", cannot(e.directive) + ": it is a reduction, and " + why,
                   "leave it stored; a reduction is inlined where one stage without a reduction reads it once, at that stage's own indices",
                   -1};
  };
  if (e.stage.readers.size() != 1) return no(std::to_string(e.stage.readers.size()) + " stages read it");
  reader = &e.nest.stages[static_cast<std::size_t>(e.stage.readers[0])];
  const std::string name = ticked(reader->name);
  if (reader->inlined) {
    Refusal r = no(name + ", which reads it, is inlined already (" + at_line("inline_", reader->line) + ")");
    r.help = "inline " + ticked(e.stage.name) + " before " + name;
    return r;
  }
  if (has_reduction(*reader)) return no(name + ", which reads it, has a reduction too");
  const ir::Definition& to = definition_of(e.nest, *reader);
  const ir::Definition& from = definition_of(e.nest, e.stage);
  if (to.value->op == ir::Op::Scan) {
    const std::vector<int> start = reads_of(to.value->src[1]);
    if (std::find(start.begin(), start.end(), from.tensor) != start.end()) return no(name + " reads it as its initial value");
  }
  const std::vector<Access> found = accesses(e.nest, *reader, from.tensor);
  ir::Ref load = nullptr;
  bool guarded = false;
  for (const Access& a : found) {
    if (load != nullptr && a.load != load) return no(name + " reads it at more than one place");
    if (a.through) return no(name + " reads it through an inlined stage");
    load = a.load;
    guarded = guarded || a.guarded;
  }
  if (from.axes.size() != to.axes.size()) return no(name + " has other indices");
  std::vector<ir::Ref> used;
  for (std::size_t k = 0; k < from.axes.size(); ++k) {
    const ir::Ref index = load->src[k + 1];
    if (std::find(to.axes.begin(), to.axes.end(), index) == to.axes.end() || std::find(used.begin(), used.end(), index) != used.end())
      return no(name + " reads it at other indices than its own");
    if (guarded && !ir::provably_equal(ir::extent_of(index), ir::extent_of(from.axes[k])))
      return no(name + " reads part of it, under a condition");
    used.push_back(index);
  }
  return {};
}

inline void take_loops(Edit& e) {
  for (const Root& root : e.stage.roots) {
    const Loop& l = e.stage.loop(root.loop);
    if (!l.reduction || l.consumed_by == Loop::given_back) continue;
    const int number = static_cast<int>(e.other.loops.size());
    e.other.loops.push_back({unused_name(e.other, l.name), l.kind, true, l.extent});
    e.other.order.push_back(number);
    e.other.roots.push_back({root.axis, root.part, number});
  }
  e.other.absorbed.push_back(e.number);
  e.other.absorbed.insert(e.other.absorbed.end(), e.stage.absorbed.begin(), e.stage.absorbed.end());
}
}  // namespace detail_inline

ORDO_INLINE Refusal directive::inline_(Edit& e) {
  using namespace detail_inline;
  const ir::Definition& definition = definition_of(e.nest, e.stage);
  if (e.stage.inlined)
    return {"inline.twice", cannot(e.directive) + ": it is inlined already (" + at_line("inline_", e.stage.line) + ")", "inline it once",
            -1};
  if (e.nest.program.tensors[static_cast<std::size_t>(definition.tensor)].output)
    return {"inline.output", cannot(e.directive) + ": it is an output and must be stored", "inline a stage that other stages read", -1};
  for (const ir::Ref axis : definition.axes)
    if (ir::axis_facts(axis).order == ir::Order::scan)
      return {"inline.scan", cannot(e.directive) + ": it is part of a recurrence over " + ticked(axis->name), "leave it stored", -1};
  const std::string done = touched(e.stage);
  if (!done.empty())
    return {"inline.scheduled", cannot(e.directive) + ": it has a schedule of its own (" + done + "), which would be lost",
            "inline it without other directives, and schedule the stage that reads it", -1};
  if (Refusal r = packed(e)) return r;
  if (has_reduction(e.stage)) {
    const Stage* reader = nullptr;
    if (Refusal r = reduction(e, reader)) return r;
    e.other_number = e.stage.readers[0];
    e.other = *reader;
    take_loops(e);
    Edit after{e.nest, e.directive, e.other_number, -1, e.other};
    if (Refusal r = check_marks(after)) {
      r.stage = e.other_number;
      return r;
    }
  }
  e.stage.inlined = true;
  e.stage.line = e.directive.at;
  return {};
}

ORDO_INLINE void inline_(const StageHandle* s, Where at) { Call(s, "inline_", at).apply(); }
}  // namespace ordo::nest
