#pragma once
#include <unordered_map>
#include "ordo/ir/post_order.hpp"
#include "ordo/ir/simplify.hpp"
#include "ordo/plan/recurrence.hpp"

namespace ordo::plan {
namespace detail_recurrence {
using namespace ir;

class Start {
 public:
  Start(nest::Nest& nest, const std::vector<Ref>& inits) : nest_(nest), program_(nest.program), inits_(inits) {}
  // The value of a member of a recurrence, its reads of members started.
  Ref run(const nest::Recurrence& recurrence, Ref value) {
    recurrence_ = &recurrence;
    std::unordered_map<Ref, Ref> made;
    std::vector<Ref> sources;
    post_order(
        value, [&](Ref e) { return made.count(e) != 0; },
        [&](Ref e) {
          sources.clear();
          bool changed = false;
          for (u32 k = 0; k < e->count; ++k) {
            sources.push_back(made.at(e->src[k]));
            changed = changed || sources.back() != e->src[k];
          }
          Ref r = changed ? program_.arena.make(e->op, e->type, sources.data(), e->count, e->arg, e->name, e->at, e->lanes) : e;
          if (e->op == Op::Load) r = started(e, r);
          made.emplace(e, r);
        });
    return made.at(value);
  }

 private:
  // Read as the program has it, `now` with its indices rewritten.
  Ref started(Ref load, Ref now) {
    const int read = program_.tensor_of(load).definition;
    if (read < recurrence_->first || read > recurrence_->last) return now;
    const std::size_t target = static_cast<std::size_t>(read);
    const Ref at = now->src[nest_.stages[target].recurrence.axis + 1];
    if (at->op == Op::Axis || inits_[target] == nullptr) return now;  // of this very step
    const Definition& d = program_.definitions[target];
    std::vector<Replacement> to;
    for (std::size_t k = 0; k < d.axes.size(); ++k) to.push_back({d.axes[k], now->src[k + 1]});
    Ref init = substitute(program_.arena, inits_[target], to.data(), to.size());
    if (init->type != now->type) init = program_.arena.make(Op::Cast, now->type, {init}, static_cast<u64>(now->type));
    const Ref before = program_.arena.make(Op::Lt, Type::boolean, {at, program_.arena.integer(0)});
    return program_.arena.make(Op::Select, now->type, {before, init, now});
  }
  nest::Nest& nest_;
  ir::Program& program_;
  const std::vector<Ref>& inits_;  // by definition: of a Scan
  const nest::Recurrence* recurrence_ = nullptr;
};
}  // namespace detail_recurrence

ORDO_INLINE bool start_recurrences(nest::Nest& nest) {
  std::vector<ir::Ref> inits;
  bool any = false;
  for (ir::Definition& d : nest.program.definitions) {
    const bool scan = d.value->op == ir::Op::Scan;
    inits.push_back(scan ? d.value->src[1] : nullptr);
    if (scan) d.value = d.value->src[2];
    any = any || scan;
  }
  detail_recurrence::Start start(nest, inits);
  for (nest::Stage& s : nest.stages) {
    if (s.recurrence.first < 0) continue;
    ir::Definition& d = nest.program.definitions[static_cast<std::size_t>(s.definition)];
    d.value = start.run(s.recurrence, d.value);
  }
  return any;
}

ORDO_INLINE ir::Ref time_of(const nest::Nest& nest, std::size_t stage) {
  const int axis = nest.stages[stage].recurrence.axis;
  return axis < 0 ? nullptr : nest.program.definitions[stage].axes[static_cast<std::size_t>(axis)];
}

ORDO_INLINE i64 started_lag(ir::Ref e, ir::Ref time) {
  using namespace ir;
  if (time == nullptr || e->op != Op::Select || e->src[0]->op != Op::Lt || e->src[2]->op != Op::Load) return 0;
  const Ref at = e->src[0]->src[0], zero = e->src[0]->src[1];
  if (at->type != Type::i64 || zero->op != Op::Const || zero->arg != 0) return 0;
  const Linear form = linear(at);
  if (form.terms.size() != 1 || form.terms[0].atom != time || form.terms[0].coefficient != 1 || form.constant >= 0) return 0;
  bool read = false;
  for (u32 k = 1; k < e->src[2]->count; ++k) {
    const Ref index = e->src[2]->src[k];
    if (index == at) read = true;
    else if (mentions(index, time)) return 0;
  }
  return read ? -form.constant : 0;
}
}  // namespace ordo::plan
