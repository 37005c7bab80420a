#pragma once
#include <algorithm>
#include "ordo/interp/interp.hpp"
#include "ordo/ir/visit.hpp"
#include "ordo/runtime/body.hpp"
#include "ordo/runtime/launch.hpp"
#include "ordo/runtime/pool.hpp"
#include "ordo/runtime/refuse.hpp"

namespace ordo::runtime {
namespace detail_calls {
// The dimension whose stride is 1: the last such one; else, where no element depends on it, the last of extent 0 or 1.
inline signed char unit_dimension(const Argument& a) {
  for (int d = a.rank; d-- > 0;)
    if (a.stride[d] == 1) return static_cast<signed char>(d);
  for (int d = a.rank; d-- > 0;)
    if (a.shape[d] <= 1) return static_cast<signed char>(d);
  return -1;
}
inline bool shifts_in(const nest::Stage& stage) {
  return std::any_of(stage.relations.begin(), stage.relations.end(), [](const nest::Relation& r) { return r.tail == Tail::shift_in; });
}
// May `output` take the place of an input? The code must write each element once, after it has read everything there.
inline bool find_writes_once(const KernelBody& body, const Variant& variant, int output) {
  const plan::Plan& plan = *body.plan;
  for (std::size_t g = 0; g < plan.groups.size(); ++g) {
    const std::size_t stage = static_cast<std::size_t>(plan.groups[g].stage);
    if (plan.groups[g].pack >= 0) continue;
    const int tensor = plan.nest.program.outputs[static_cast<std::size_t>(output - body.checks.inputs)];
    const int by = plan.nest.program.tensors[static_cast<std::size_t>(tensor)].definition;
    if (by < plan.groups[g].stage || by > plan.groups[g].last) continue;
    if (plan.groups[g].last > plan.groups[g].stage) return false;        // other stages of the step may read the input later
    if (shifts_in(plan.nest.stages[stage])) return false;
    const bool steps = plan.nest.stages[stage].recurrence.first >= 0;    // without a reduction it reads elements that are finished
    if (steps && ir::first_of(plan.nest.program.definitions[stage].value, ir::Op::Reduce) == nullptr) return true;
    const kernel::Kernel k = lower_group(body, g, variant.layout);
    return k.starts_first || !reads_argument(k, body.groups[g], output);
  }
  return false;
}
inline bool writes_once(const KernelBody& body, const Variant& variant, int output) {
  std::atomic<signed char>& known = variant.writes_once[static_cast<std::size_t>(output - body.checks.inputs)];
  if (known.load(std::memory_order_relaxed) == 0) known.store(find_writes_once(body, variant, output) ? 1 : -1, std::memory_order_relaxed);
  return known.load(std::memory_order_relaxed) > 0;
}
ORDO_NOINLINE inline void check_in_place(const KernelBody& body, const Variant& variant, const Argument* arguments, Where at) {
  const Checks& c = body.checks;
  for (int o = c.inputs; o < c.count(); ++o)
    for (int a = 0; a < c.inputs; ++a)
      if (takes_place(c, arguments, a, o) && !writes_once(body, variant, o)) {
        const int tensor = body.plan->nest.program.outputs[static_cast<std::size_t>(o - c.inputs)];
        const int by = body.plan->nest.program.tensors[static_cast<std::size_t>(tensor)].definition;
        if (shifts_in(body.plan->nest.stages[static_cast<std::size_t>(by)])) refuse_shifted(c, a, o, at);
        refuse_parked(c, a, o, at);
      }
}
}  // namespace detail_calls

ORDO_INLINE void retain(KernelBody* body) { body->count.fetch_add(1, std::memory_order_relaxed); }
ORDO_INLINE void release(KernelBody* body) {
  if (body->count.fetch_sub(1, std::memory_order_acq_rel) == 1) delete body;
}
ORDO_INLINE void call(KernelBody* body, const Argument* arguments, int count, Where at) {
  const Checks& c = body->checks;
  const i64 dims_bytes = static_cast<i64>(c.binders.size() * sizeof(i64));
  const i64 span_bytes = static_cast<i64>(c.declared.size() * sizeof(Span));
  const PoolScope block(Pool::mine(), dims_bytes + span_bytes + static_cast<i64>(c.declared.size()));
  if (block.data() == nullptr) fail("run.memory", at, "there is no memory for the tables of a call");
  i64* const dims = static_cast<i64*>(block.data());
  Span* const spans = reinterpret_cast<Span*>(dims + c.binders.size());
  signed char* const layout = reinterpret_cast<signed char*>(spans + c.declared.size());
  const bool in_place = check_call(c, arguments, count, dims, spans, at);
  if (body->target.backend == nullptr) return interpret(body->program, arguments, count, at);
  for (int a = 0; a < count; ++a) {
    layout[a] = detail_calls::unit_dimension(arguments[a]);
    if (body->layouts == Layouts::fixed && layout[a] != arguments[a].rank - 1) refuse_layout(c, a, arguments[a], at);
  }
  const Variant& variant = variant_for(*body, layout);
  if (in_place) detail_calls::check_in_place(*body, variant, arguments, at);
  launch(*body, variant, arguments, dims, at);
}
ORDO_INLINE void forget_constants(KernelBody* body) { body->constants.forget(); }
ORDO_INLINE void call(KernelBody* body, const AnyView* views, int count, Where at) {
  std::vector<Argument> list;
  for (int k = 0; k < count; ++k) {
    list.push_back(views[k].argument);
    if (views[k].number) list.back().data = const_cast<void*>(static_cast<const void*>(&views[k].bits));
    if (k >= body->checks.inputs && k < body->checks.count() && !views[k].writable) refuse_constant(body->checks, k, at);
  }
  call(body, list.data(), count, at);
}
}  // namespace ordo::runtime
