// Pass: functions become the expressions that define them, with the lanes of their operands. Equal ones stay one node.
//   before: y[i] = exp(x[i])      after: y[i] = select(x[i] > 89, ...) ...
#pragma once
#include <unordered_map>
#include "ordo/functions/expand.hpp"
#include "ordo/ir/post_order.hpp"
#include "ordo/kernel/passes.hpp"

namespace ordo::kernel {
ORDO_INLINE ir::Ref expand_functions(Kernel& kernel, ir::Ref body, bool fma, bool lookups) {
  std::unordered_map<ir::Ref, ir::Ref> now;
  std::vector<ir::Ref> s;
  ir::post_order(
      body, [&](ir::Ref e) { return now.count(e) != 0; },
      [&](ir::Ref e) {
        bool changed = false;
        s.assign(e->src, e->src + e->count);
        for (ir::Ref& x : s) {
          const ir::Ref to = now.at(x);
          changed = changed || to != x;
          x = to;
        }
        ir::Ref to = e;
        if (ir::is_function(e->op)) to = functions::expand(kernel.arena, e->op, s.data(), {fma, lookups});
        else if (changed) to = kernel.arena.make(e->op, e->type, s.data(), e->count, e->arg, e->name, e->at, e->lanes);
        now.emplace(e, to);
      });
  return now.at(body);
}
}  // namespace ordo::kernel
