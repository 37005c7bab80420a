// Turns a free loop of constant extent into lanes of vectors.
//   before: for j.1 0..48                           after: for j.1 0..48, vectorized  vectorize(j.1)
// Keeps: lanes are different output elements or parts of a reduction, so no accumulator's arithmetic changes; only unrolled
// loops run inside.
#pragma once
#include "ordo/nest/body.hpp"

namespace ordo::nest {
namespace detail_vectorize {
inline Refusal of_reduction(const Edit& e, int loop) {
  const Loop& l = e.stage.loop(loop);
  const std::string axis = kind_of(e.stage, loop);
  if (l.kind == Kind::ordered)
    return {
        "vectorize.ordered", cannot(e.directive) + ": it is ordered (" + axis + "), and its turns would run side by side",
        l.reduction ? "vectorize a free loop, or write the order in the algorithm: Lanes<16> instead of Chain" : "vectorize a free loop",
        loop};
  return {};
}
}  // namespace detail_vectorize

ORDO_INLINE Refusal directive::vectorize(Edit& e) {
  int loop = -1;
  if (Refusal r = find_loop(e, e.directive.loops[0], loop)) return r;
  if (Refusal r = not_serial(e, loop)) return r;
  if (Refusal r = detail_vectorize::of_reduction(e, loop)) return r;
  if (Refusal r = pinned(e, loop)) return r;
  if (Refusal r = too_long(e, loop, 256, "vectorize.extent")) return r;
  std::vector<Mark> marks;
  for (const int n : e.stage.order) {
    const Loop& l = e.stage.loop(n);
    marks.push_back(l.mark);
    if (l.mark == Mark::vectorized)
      return {"vectorize.twice",
              cannot(e.directive) + ": " + ticked(l.name) + " is vectorized already (" + at_line("vectorize", l.marked) + ")",
              "vectorize one loop of a stage; fuse loops to make it longer", loop};
  }
  if (Refusal r = not_innermost(e, e.stage.order, marks, loop)) return r;
  e.stage.loop(loop).mark = Mark::vectorized;
  e.stage.loop(loop).marked = e.directive.at;
  return {};
}

ORDO_INLINE void vectorize(const StageHandle* s, ir::Ref loop, Where at) {
  Call call(s, "vectorize", at);
  call.loop(loop);
  call.apply();
}
}  // namespace ordo::nest
