// Runs the turns of a free loop on different threads.
//   before: for i.0 0..8                            after: for i.0 0..8, parallel     parallel(i.0)
//           for i 0..M                                     for i 0..M, parallel by 4  parallel(i, 4)
// Keeps: which turn computes an output element, or a part of its reduction, is fixed by indices, never by arrival.
#pragma once
#include "ordo/nest/body.hpp"

namespace ordo::nest {
namespace detail_parallel {
inline Refusal of_reduction(const Edit& e, int loop) {
  const Loop& l = e.stage.loop(loop);
  const std::string axis = kind_of(e.stage, loop);
  if (l.kind == Kind::ordered)
    return {"parallel.ordered", cannot(e.directive) + ": it is ordered (" + axis + "), and its turns would run side by side",
            l.reduction ? "use a free loop, or write the order in the algorithm: Blocks<1024> instead of Chain" : "use a free loop", loop};
  return {};
}
inline Refusal read_grain(const Edit& e, int loop, i64& grain) {
  if (e.directive.factors.empty()) return {};
  std::string wrong;
  const ir::Ref size = parse_size(e.nest, e.directive.factors[0], wrong);
  const bool constant = size != nullptr && size->op == ir::Op::Const && e.directive.factors.size() == 1;
  grain = constant ? static_cast<i64>(size->arg) : 0;
  if (grain >= 1 && grain <= i64{1} << 30) return {};
  return {"parallel.grain", cannot(e.directive) + ": a grain is a number of turns from 1 to 2^30", "use a constant, as in parallel(i, 16)",
          loop};
}
}  // namespace detail_parallel

ORDO_INLINE Refusal directive::parallel(Edit& e) {
  int loop = -1;
  if (Refusal r = find_loop(e, e.directive.loops[0], loop)) return r;
  if (Refusal r = not_serial(e, loop)) return r;
  if (Refusal r = detail_parallel::of_reduction(e, loop)) return r;
  if (Refusal r = detail_parallel::read_grain(e, loop, e.stage.loop(loop).grain)) return r;
  e.stage.loop(loop).mark = Mark::parallel;
  e.stage.loop(loop).marked = e.directive.at;
  return {};
}

ORDO_INLINE void parallel(const StageHandle* s, ir::Ref loop, i64 grain, Where at) {
  Call call(s, "parallel", at);
  call.loop(loop);
  if (grain != 1) call.directive.factors = {std::to_string(grain)};
  call.apply();
}
}  // namespace ordo::nest
