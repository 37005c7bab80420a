// Turns of a parallel loop in groups, one a task.
//   before: for i in 0..M parallel (by 4): x        after: for task in 0..ceil(M / 4) parallel: for i in task * 4..min(M, ...): x
#pragma once
#include "ordo/kernel/lowering.hpp"

namespace ordo::kernel::detail_lower {
ORDO_INLINE Ref loop_by(Kernel& kernel, LoopMode mode, i64 grain, Ref var, Ref begin, Ref end, Ref body) {
  const Make make(kernel.arena);
  if (grain <= 1) return make.loop(mode, var, begin, end, body);
  const Ref turns = make.integer(grain), task = kernel.arena.make(Op::Var, Type::i64, nullptr, 0, kernel.next_var++, "task");
  const Ref first = make.add(begin, make.mul(task, turns)), after = make.min(make.add(first, turns), end);
  const Ref tasks = simplify(kernel.arena, make.ceil_div(make.sub(end, begin), turns));
  return make.loop(mode, task, make.integer(0), tasks, make.loop(LoopMode::serial, var, first, after, body));
}
}  // namespace ordo::kernel::detail_lower
