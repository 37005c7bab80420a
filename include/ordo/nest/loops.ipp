#pragma once
#include <algorithm>
#include "ordo/nest/edit.hpp"

namespace ordo::nest {
ORDO_INLINE int loop_named(const Stage& stage, const std::string& name) {
  for (std::size_t k = 0; k < stage.loops.size(); ++k)
    if (stage.loops[k].name == name) return static_cast<int>(k);
  return -1;
}
ORDO_INLINE std::string unused_name(const Stage& stage, const std::string& wanted) {
  std::string name = wanted;
  for (int k = 2; loop_named(stage, name) >= 0; ++k) name = wanted + "_" + std::to_string(k);
  return name;
}

ORDO_INLINE std::vector<int> parts_of(const Stage& stage, int loop) {
  std::vector<int> found, work{loop};
  while (!work.empty()) {
    const int n = work.back();
    work.pop_back();
    const int by = stage.loop(n).consumed_by;
    if (by == -1) found.push_back(n);
    if (by < 0) continue;
    const Relation& relation = stage.relations[static_cast<std::size_t>(by)];
    if (relation.op == Relation::Op::split)
      work.insert(work.end(), {relation.outer, relation.inner});
    else
      work.push_back(relation.parent);
  }
  std::sort(found.begin(), found.end(), [&](int a, int b) { return stage.place(a) < stage.place(b); });
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}
ORDO_INLINE std::vector<int> loops_of(const Stage& stage, ir::Ref axis) {
  std::vector<int> found;
  for (const Root& root : stage.roots)
    if (root.axis == axis)
      for (const int part : parts_of(stage, root.loop)) found.push_back(part);
  std::sort(found.begin(), found.end(), [&](int a, int b) { return stage.place(a) < stage.place(b); });
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

ORDO_INLINE i64 constant_extent(const Loop& loop) { return loop.extent->op == ir::Op::Const ? static_cast<i64>(loop.extent->arg) : -1; }
ORDO_INLINE std::string name_of(const Stage& stage, int loop) { return ticked(stage.loop(loop).name); }
ORDO_INLINE const char* verb_of(Mark mark) {
  constexpr const char* verb[] = {"", "unroll", "vectorize", "parallel"};
  return verb[static_cast<int>(mark)];
}
ORDO_INLINE const char* word_of(Mark mark) {
  constexpr const char* word[] = {"serial", "unrolled", "vectorized", "parallel"};
  return word[static_cast<int>(mark)];
}

ORDO_INLINE std::string kind_of(const Stage& stage, int loop) {
  constexpr const char* kind[] = {"Index", "Scan", "Chain", "Lanes", "Blocks", "AnyOrder", "Chain", "Chain"};
  std::vector<std::string> names;
  for (const Root& root : stage.roots) {
    const std::vector<int> parts = parts_of(stage, root.loop);
    if (std::find(parts.begin(), parts.end(), loop) == parts.end()) continue;
    const std::string axis = root.axis->name;
    const std::string text = std::string(kind[static_cast<int>(ir::axis_facts(root.axis).order)]) + " " + ticked(axis);
    if (std::find(names.begin(), names.end(), text) == names.end()) names.push_back(text);
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " and ") + name;
  return text;
}

ORDO_INLINE Refusal not_live(const Edit& edit, int loop) {
  const Loop& l = edit.stage.loop(loop);
  if (l.consumed_by == Loop::live) return {};
  if (l.consumed_by == Loop::given_back)
    return {"schedule.consumed", cannot(edit.directive) + ": " + ticked(l.name) + " went back to the stage that it came from", "", -1};
  const Relation& relation = edit.stage.relations[static_cast<std::size_t>(l.consumed_by)];
  std::vector<std::string> names, now;
  const bool split = relation.op == Relation::Op::split;
  if (split) {  // the parts of one call: its further splits cut the inner part
    int number = l.consumed_by;
    for (const Relation* r = &relation;; r = &edit.stage.relations[static_cast<std::size_t>(++number)]) {
      names.push_back(edit.stage.loop(r->outer).name);
      const Loop& inner = edit.stage.loop(r->inner);
      if (!inner.between) {
        names.push_back(inner.name);
        break;
      }
    }
  } else
    names.push_back(edit.stage.loop(relation.parent).name);
  for (const int part : parts_of(edit.stage, loop)) now.push_back(edit.stage.loop(part).name);
  const std::string where = line_of(relation.line);
  return {"schedule.consumed",
          cannot(edit.directive) + ": " + ticked(l.name) + " was " + (split ? "split" : "fused") + " into " + listed(names) +
              (where.empty() ? "" : " at " + where),
          now.empty() ? "" : "use " + listed(now, "or"), -1};
}

ORDO_INLINE Refusal find_loop(const Edit& edit, const std::string& name, int& loop) {
  loop = loop_named(edit.stage, name);
  if (loop >= 0) return not_live(edit, loop);
  std::vector<std::string> live, components;
  for (const int n : edit.stage.order) live.push_back(edit.stage.loop(n).name);
  for (const Root& root : edit.stage.roots)
    if (root.part != ir::AxisPart::whole && name == root.axis->name)
      components.push_back(name + (root.part == ir::AxisPart::lane ? ".lane" : root.part == ir::AxisPart::step ? ".step" : ".block"));
  if (!components.empty())
    return {"schedule.component", cannot(edit.directive) + ": " + ticked(name) + " has a declared order of several parts",
            "use " + listed(components, "or"), -1};
  const std::string near = did_you_mean(name, live);
  return {"schedule.loop", cannot(edit.directive) + ": " + ticked(edit.stage.name) + " has no loop " + ticked(name),
          !near.empty()  ? near
          : live.empty() ? "it has no loops"
                         : "its loops are " + listed(live),
          -1};
}

ORDO_INLINE Refusal not_serial(const Edit& edit, int loop) {
  const Loop& l = edit.stage.loop(loop);
  if (l.mark == Mark::serial) return {};
  return {"schedule.marked", cannot(edit.directive) + ": it is " + word_of(l.mark) + " (" + at_line(verb_of(l.mark), l.marked) + ")",
          "a loop has one mark, given after it is split and fused", loop};
}

ORDO_INLINE Refusal pinned(const Edit& edit, int loop) {
  for (const Pack& pack : edit.stage.packs)
    if (pack.at == loop)
      return {"schedule.pack",
              cannot(edit.directive) + ": " + ticked(pack.name) + " is copied in each turn of it (" + at_line("pack", pack.line) + ")",
              "pack after the loops are split and fused", loop};
  for (const Prefetch& p : edit.stage.prefetches)
    if (p.loop == loop)
      return {"schedule.prefetch",
              cannot(edit.directive) + ": " + ticked(edit.nest.names[static_cast<std::size_t>(p.tensor)]) + " is prefetched along it (" +
                  at_line("prefetch", p.line) + ")",
              "prefetch after the loops are split, fused and vectorized", loop};
  if (edit.stage.cached_at == loop)
    return {"schedule.cache_write",
            cannot(edit.directive) + ": unfinished sums are kept in each turn of it (" + at_line("cache_write", edit.stage.cached) + ")",
            "cache_write after the loops are split, fused and vectorized", loop};
  return {};
}
}  // namespace ordo::nest
