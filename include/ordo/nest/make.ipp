#pragma once
#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include "ordo/ir/simplify.hpp"
#include "ordo/nest/edit.hpp"

namespace ordo::nest {
namespace detail_make {
inline void add_loop(Stage& stage, ir::Ref axis, ir::AxisPart part, const std::string& name, Kind kind, bool reduction, ir::Ref extent) {
  const int number = static_cast<int>(stage.loops.size());
  stage.loops.push_back({unused_name(stage, name), kind, reduction, extent});
  stage.order.push_back(number);
  stage.roots.push_back({axis, part, number});
}

// The loops of one axis: itself, or the components that its declared order splits it into.
inline void add_axis(Stage& stage, ir::Arena& arena, ir::Ref axis, bool reduction, bool free) {
  using ir::AxisPart;
  using ir::Order;
  const ir::AxisFacts facts = ir::axis_facts(axis);
  const std::string name = axis->name;
  const ir::Ref extent = ir::extent_of(axis);
  const Kind ordered = free ? Kind::free : Kind::ordered;
  switch (facts.order) {
    case Order::free:
    case Order::any:
      return add_loop(stage, axis, AxisPart::whole, name, Kind::free, reduction, extent);
    case Order::scan:            // free where nothing is read back
    case Order::chain:
    case Order::cut_outer:
    case Order::cut_inner:
      return add_loop(stage, axis, AxisPart::whole, name, ordered, reduction, extent);
    case Order::lanes:
      add_loop(stage, axis, AxisPart::step, name + ".step", ordered, reduction, ceil_div(arena, extent, arena.integer(facts.lanes)));
      return add_loop(stage, axis, AxisPart::lane, name + ".lane", Kind::free, reduction, arena.integer(facts.lanes));
    case Order::blocks:
      add_loop(stage, axis, AxisPart::block, name + ".block", Kind::free, reduction, ceil_div(arena, extent, arena.integer(facts.block)));
      add_loop(stage, axis, AxisPart::step, name + ".step", ordered, reduction,
               ceil_div(arena, arena.integer(facts.block), arena.integer(facts.lanes)));
      if (facts.lanes > 1) add_loop(stage, axis, AxisPart::lane, name + ".lane", Kind::free, reduction, arena.integer(facts.lanes));
      return;
  }
}

inline Stage plain_stage(ir::Program& program, int number, const Recurrence& recurrence) {
  const ir::Definition& definition = program.definitions[static_cast<std::size_t>(number)];
  Stage stage;
  stage.definition = number;
  stage.recurrence = recurrence;
  for (std::size_t k = 0; k < definition.axes.size(); ++k)
    stage.recurrence.across = stage.recurrence.across || recurs_across(definition, recurrence, k);
  const bool outside = stage.recurrence.across || recurrence.together();  // what it reads elsewhere must be there: time runs outside
  for (const bool first : {true, false})
    for (std::size_t k = 0; k < definition.axes.size(); ++k) {
      const bool time = static_cast<int>(k) == recurrence.axis;
      if ((outside && time) != first) continue;
      if (time) stage.recurrence.time = static_cast<int>(stage.loops.size());
      add_axis(stage, program.arena, definition.axes[k], false, !time);
    }
  if (const ir::Ref reduce = reduction_of(definition.value)) {
    const ir::ReduceView view(reduce);
    for (u32 k = 0; k < view.facts.axes; ++k) add_axis(stage, program.arena, view.axis(k), true, view.facts.free);
  }
  return stage;
}

inline std::vector<std::string> unique_names(const ir::Program& program) {
  std::vector<std::string> names;
  std::unordered_set<std::string> taken;
  for (const ir::TensorInfo& tensor : program.tensors) {
    std::string name = tensor.name;
    for (int k = 2; !taken.insert(name).second; ++k) name = std::string(tensor.name) + "_" + std::to_string(k);
    names.push_back(name);
  }
  return names;
}
}  // namespace detail_make

ORDO_INLINE int Stage::place(int loop) const {
  const auto it = std::find(order.begin(), order.end(), loop);
  return it == order.end() ? -1 : static_cast<int>(it - order.begin());
}

ORDO_INLINE Nest make(ir::Program staged) {
  Nest nest{std::move(staged), {}, {}, {}};
  ir::Program& program = nest.program;
  nest.names = detail_make::unique_names(program);
  const int count = static_cast<int>(program.definitions.size());
  const std::vector<Recurrence> found = recurrences(program);
  for (int d = 0; d < count; ++d) {
    nest.stages.push_back(detail_make::plain_stage(program, d, found[static_cast<std::size_t>(d)]));
    nest.stages.back().name = nest.names[static_cast<std::size_t>(program.definitions[static_cast<std::size_t>(d)].tensor)];
    nest.by_name.push_back(d);
  }
  std::sort(nest.by_name.begin(), nest.by_name.end(),
            [&](int a, int b) { return nest.stages[static_cast<std::size_t>(a)].name < nest.stages[static_cast<std::size_t>(b)].name; });
  for (int d = 0; d < count; ++d)
    for (const int tensor : reads_of(program.definitions[static_cast<std::size_t>(d)].value)) {
      const int producer = program.tensors[static_cast<std::size_t>(tensor)].definition;
      if (producer >= 0 && producer != d) nest.stages[static_cast<std::size_t>(producer)].readers.push_back(d);
    }
  return nest;
}

ORDO_INLINE Nest copy(const Nest& nest) {
  Nest to{ir::copy(nest.program), nest.stages, nest.names, nest.by_name};
  for (Stage& stage : to.stages) {
    for (Loop& loop : stage.loops) loop.extent = ir::copy(loop.extent, to.program.arena);
    for (Relation& relation : stage.relations)
      for (ir::Ref* e : {&relation.factor, &relation.second})
        if (*e != nullptr) *e = ir::copy(*e, to.program.arena);
    for (Region& r : stage.placed.regions)
      for (ir::Ref* e : {&r.base, &r.extent, &r.end, &r.kept, &r.held, &r.room, &r.window, &r.window_extent})
        if (*e != nullptr) *e = ir::copy(*e, to.program.arena);
    for (Prefetch& p : stage.prefetches) p.distance = ir::copy(p.distance, to.program.arena);
    for (Root& root : stage.roots) root.axis = ir::copy(root.axis, to.program.arena);
  }
  return to;
}
}  // namespace ordo::nest
