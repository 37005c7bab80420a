// Recognises the reductions with names in a Reduce: what text shows as `sum(...)` instead of its components.
#pragma once
#include "ordo/ir/folds.hpp"
#include "ordo/ir/program.hpp"

namespace ordo::ir {
struct Sugar {
  bool found = false;
  Fold fold = Fold::sum;
  Ref x = nullptr, y = nullptr;      // a sum of products: fma(x, y, state)
  Ref term = nullptr;                // any other
};
inline bool all_chains(const ReduceView& v) {
  for (u32 k = 0; k < v.facts.axes; ++k) if (axis_facts(v.axis(k)).order != Order::chain) return false;
  return true;
}
inline bool merges_by_default(Fold f, Type type, const ReduceView& v) { return order_is_free(f, type) || !all_chains(v); }
inline bool is_true(Ref e) { return e->op == Op::Const && e->type == Type::boolean && e->arg == 1; }

inline Sugar sugar_of(Ref reduce) {
  const ReduceView v(reduce);
  Sugar s;
  if (v.facts.fields != 1) return s;
  const Ref state = v.state(0), step = v.step(0);
  if (step->op == Op::Fma && is_float(step->type) && step->src[2] == state) {
    s = {true, Fold::sum, step->src[0], step->src[1], nullptr};
  } else {
    for (int k = 0; k < fold_count && !s.found; ++k)
      if (step->op == step_of(static_cast<Fold>(k)) && step->src[0] == state)
        s = {true, static_cast<Fold>(k), nullptr, nullptr, step->src[1]};
  }
  if (!s.found || v.facts.free != order_is_free(s.fold, state->type) || v.facts.merge != merges_by_default(s.fold, state->type, v))
    return {};
  if (v.facts.merge) {
    const Ref m = v.merged(0);
    if (m->op != step_of(s.fold) || m->src[0] != state || m->src[1] != v.other(0)) return {};
  }
  for (const Ref part : {s.x, s.y, s.term})
    if (part != nullptr && (mentions(part, state) || (v.facts.merge && mentions(part, v.other(0))))) return {};
  return s;
}
}  // namespace ordo::ir
