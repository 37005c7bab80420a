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
}  // namespace ordo::nest
