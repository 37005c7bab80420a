// Unrolls a loop of constant extent.
//   before: for i.1 0..8                            after: for i.1 0..8, unrolled     unroll(i.1)
// Keeps: the turns come in the same order; one accumulator for each output element.
#pragma once
#include "ordo/nest/body.hpp"

namespace ordo::nest {
ORDO_INLINE Refusal directive::unroll(Edit& e) {
  int loop = -1;
  if (Refusal r = find_loop(e, e.directive.loops[0], loop)) return r;
  if (Refusal r = not_serial(e, loop)) return r;
  if (Refusal r = too_long(e, loop, 64, "unroll.extent")) return r;
  std::vector<Mark> marks;
  for (const int n : e.stage.order) marks.push_back(e.stage.loop(n).mark);
  if (Refusal r = too_many_copies(e, e.stage.order, marks, loop)) return r;
  e.stage.loop(loop).mark = Mark::unrolled;
  e.stage.loop(loop).marked = e.directive.at;
  return {};
}

ORDO_INLINE void unroll(const StageHandle* s, ir::Ref loop, Where at) {
  Call call(s, "unroll", at);
  call.loop(loop);
  call.apply();
}
}  // namespace ordo::nest
