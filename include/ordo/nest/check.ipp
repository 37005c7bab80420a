#pragma once
#include <algorithm>
#include "ordo/nest/edit.hpp"

namespace ordo::nest {
// A vectorized loop has only unrolled loops inside.
ORDO_INLINE Refusal check_marks(const Edit& e) {
  std::vector<Mark> marks;
  for (const int loop : e.stage.order) marks.push_back(e.stage.loop(loop).mark);
  for (const int loop : e.stage.order) {
    const Loop& l = e.stage.loop(loop);
    if (l.mark != Mark::vectorized) continue;
    const std::vector<int> serial = serial_inside(e.stage.order, marks, loop);
    if (serial.empty()) continue;
    return {"schedule.vectorized",
            cannot(e.directive) + ": " + name_of(e.stage, serial[0]) + " would run inside " + ticked(l.name) + ", which is vectorized (" +
                at_line("vectorize", l.marked) + ")",
            "only unrolled loops may be inside a vectorized one", loop};
  }
  return {};
}

// A recurrence that reads itself at other places of an axis needs them all done: its time runs outside that axis.
ORDO_INLINE Refusal recurrence_broken(const Edit& e) {
  const ir::Definition& definition = definition_of(e.nest, e.stage);
  int last_time = -1;
  for (std::size_t k = 0; k < e.stage.order.size(); ++k) {
    const Loop& l = e.stage.loop(e.stage.order[k]);
    if (l.kind == Kind::ordered && !l.reduction) last_time = static_cast<int>(k);
  }
  if (last_time < 0) return {};
  for (std::size_t k = 0; k < definition.axes.size(); ++k) {
    if (!recurs_across(definition, k)) continue;
    for (const int loop : loops_of(e.stage, definition.axes[k])) {
      if (e.stage.place(loop) > last_time) continue;
      const int time = e.stage.order[static_cast<std::size_t>(last_time)];
      return {"reorder.recurrence",
              cannot(e.directive) + ": " + ticked(e.stage.name) + " reads itself at other places of " + ticked(definition.axes[k]->name) +
                  ", so " + name_of(e.stage, loop) + " cannot run outside " + name_of(e.stage, time) + " (" + kind_of(e.stage, time) + ")",
              "keep " + name_of(e.stage, time) + " outside " + name_of(e.stage, loop), loop};
    }
  }
  return {};
}
}  // namespace ordo::nest
