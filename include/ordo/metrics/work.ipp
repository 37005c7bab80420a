#pragma once
#include <map>
#include <unordered_set>
#include "ordo/functions/expand.hpp"
#include "ordo/ir/visit.hpp"
#include "ordo/metrics/work.hpp"
#include "ordo/nest/edit.hpp"

namespace ordo::metrics {
namespace detail_work {
using ir::Op;
// Operations of the recipe of a function: those of the target alone are not counted on.
inline i64 of_function(Op op, Type type) {
  ir::Arena scratch;
  const Ref x[2] = {scratch.make(Op::Var, type, {}, 0, "x"), scratch.make(Op::Var, type, {}, 1, "y")};
  i64 n = 0;
  ir::visit_once(functions::expand(scratch, op, x, {true, false}), [&](Ref e) { n += e->count > 0 ? 1 : 0; });
  return n;
}
struct Count {
  const nest::Nest& nest;
  Operations all = {};
  std::map<std::pair<Op, Type>, i64> functions = {};
  int budget = 4096;  // definitions met

  i64 of(Ref e) {
    if (!ir::is_function(e->op)) return 1;
    const auto [it, added] = functions.try_emplace({e->op, e->src[0]->type}, 0);
    if (added) it->second = of_function(e->op, e->src[0]->type);
    return it->second;
  }
  void add(Ref e, bool inside) {
    const ir::OpClass c = ir::class_of(e->op);
    if (c == ir::OpClass::leaf || c == ir::OpClass::order || e->op == Op::Unfused || e->op == Op::Bitcast) return;
    const i64 n = of(e);
    (inside ? all.steps : all.elements) += e->op == Op::Fma ? 2 : n;
    (inside ? all.step_instructions : all.element_instructions) += n;
  }
  void visit(Ref value, bool around) {
    if (--budget < 0) return;
    std::unordered_set<Ref> seen[2];
    std::vector<std::pair<Ref, bool>> work{{value, around}};
    while (!work.empty()) {
      const auto [e, inside] = work.back();
      work.pop_back();
      if (!seen[inside ? 1 : 0].insert(e).second) continue;
      add(e, inside);
      if (e->op == Op::Load) {
        const int producer = nest.program.tensors[static_cast<std::size_t>(e->src[0]->arg)].definition;
        if (producer >= 0 && nest.stages[static_cast<std::size_t>(producer)].inlined)
          visit(nest.program.definitions[static_cast<std::size_t>(producer)].value, inside);
      } else if (e->op == Op::Reduce) {
        const ir::ReduceView view(e);
        all.fields = static_cast<int>(view.facts.fields);
        work.push_back({view.where(), true});
        for (u32 k = 0; k < view.facts.fields; ++k) work.push_back({view.step(k), true});
      } else {
        for (u32 k = 0; k < e->count; ++k) work.push_back({e->src[k], inside});
      }
    }
  }
};
}  // namespace detail_work

ORDO_INLINE Operations operations_of(const nest::Nest& nest, int stage) {
  detail_work::Count count{nest};
  count.visit(nest::definition_of(nest, nest.stages[static_cast<std::size_t>(stage)]).value, false);
  return count.all;
}
ORDO_INLINE Ref elements_of(Known& known, int number) {
  const nest::Nest& nest = known.nest;
  const nest::Stage& stage = nest.stages[static_cast<std::size_t>(number)];
  Ref all = known.number(1);
  const ir::Definition& d = nest::definition_of(nest, stage);
  for (std::size_t k = 0; k < d.axes.size(); ++k)
    all = known.mul(all, known(stage.placed.stage < 0 ? ir::extent_of(d.axes[k]) : stage.placed.regions[k].extent));
  for (int s = number; nest.stages[static_cast<std::size_t>(s)].placed.stage >= 0;
       s = nest.stages[static_cast<std::size_t>(s)].placed.stage) {
    const nest::Placement& placed = nest.stages[static_cast<std::size_t>(s)].placed;
    const nest::Stage& host = nest.stages[static_cast<std::size_t>(placed.stage)];
    for (int place = 0; place <= host.place(placed.turn); ++place)
      all = known.mul(all, known(host.loop(host.order[static_cast<std::size_t>(place)]).extent));
  }
  return all;
}
ORDO_INLINE Ref steps_of(Known& known, int number) {
  const nest::Stage& stage = known.nest.stages[static_cast<std::size_t>(number)];
  Ref all = known.number(1);
  std::unordered_set<Ref> seen;
  for (const nest::Root& root : stage.roots) {
    const nest::Loop& l = stage.loop(root.loop);
    if (l.reduction && l.consumed_by != nest::Loop::given_back && seen.insert(root.axis).second)
      all = known.mul(all, known(ir::extent_of(root.axis)));
  }
  return all;
}
}  // namespace ordo::metrics
