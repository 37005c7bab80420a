#pragma once
#include "ordo/ir/simplify.hpp"
#include "ordo/runtime/check.hpp"
#include "ordo/runtime/refuse.hpp"

namespace ordo::runtime {
namespace detail_check {
inline void declare(Checks& checks, const ir::Program& program, int tensor) {
  const ir::TensorInfo& t = program.tensors[static_cast<std::size_t>(tensor)];
  const int argument = checks.count();
  checks.declared.push_back({t.type, static_cast<int>(t.shape.size()), t.name});
  for (std::size_t d = 0; d < t.shape.size(); ++d) {
    const int dimension = static_cast<int>(d);
    const ir::Ref size = t.shape[d];
    if (size->op == ir::Op::Dim) {
      const Binder& b = checks.binders[size->arg];
      if (b.argument == argument && b.dimension == dimension) continue;
    }
    checks.shapes.push_back({argument, dimension, Size(size)});
  }
}
inline bool shown(ir::Arena& scratch, const plan::Range& r) {
  const ir::Ref low = ir::copy(r.low, scratch), high = ir::copy(r.high, scratch);
  const ir::Ref extent = ir::copy(r.extent, scratch), one = scratch.integer(1);
  const ir::Ref past = scratch.make(ir::Op::Add, Type::i64, {high, one});
  return ir::provably_less_equal(scratch.integer(0), low) && ir::provably_less_equal(past, extent);
}
inline void check_declared(const Checks& checks, const Argument* arguments, int count, Where at) {
  if (count != checks.count()) refuse_count(checks, count, at);
  for (int a = 0; a < count; ++a) {
    const Declared& want = checks.declared[static_cast<std::size_t>(a)];
    if (arguments[a].rank != want.rank) refuse_rank(checks, a, arguments[a], at);
    if (arguments[a].type != want.type) refuse_type(checks, a, arguments[a], at);
    for (int d = 0; d < want.rank; ++d)
      if (static_cast<u64>(arguments[a].shape[d]) >= largest_extent) refuse_extent(checks, a, arguments[a], d, at);
  }
}
inline void check_shapes(const Checks& checks, const Argument* arguments, i64* dims, Where at) {
  for (std::size_t d = 0; d < checks.binders.size(); ++d)
    dims[d] = arguments[checks.binders[d].argument].shape[checks.binders[d].dimension];
  for (const ShapeRule& r : checks.shapes)
    if (arguments[r.argument].shape[r.dimension] != r.size(dims)) refuse_shape(checks, r, arguments, dims, at);
  for (const AgreeRule& r : checks.agree)
    if (r.left(dims) != r.right(dims)) refuse_size(checks, r, dims, at);
}
inline void check_memory(const Checks& checks, const Argument* arguments, Span* spans, Where at) {
  for (int a = 0; a < checks.count(); ++a) {
    const Argument& g = arguments[a];
    if (!span_of(g, &spans[a])) refuse_large(checks, a, g, at);
    if (g.data == nullptr && spans[a].low != spans[a].high) refuse_null(checks, a, at);
    if (reinterpret_cast<u64>(g.data) % static_cast<u64>(bytes_of(g.type)) != 0) refuse_alignment(checks, a, at);
  }
}
inline void check_promises(const Checks& checks, const Argument* arguments, const Span* spans, Where at) {
  for (const PromiseRule& r : checks.promises) {
    const Argument& g = arguments[r.argument];
    if (spans[r.argument].low == spans[r.argument].high) continue;       // no element
    if (reinterpret_cast<u64>(g.data) % static_cast<u64>(r.bytes) != 0) refuse_promise(checks, r, g, -1, at);
    for (int d = 0; d + 1 < g.rank; ++d)
      if (g.shape[d] > 1 && g.stride[d] * bytes_of(g.type) % r.bytes != 0) refuse_promise(checks, r, g, d, at);
  }
}
inline bool check_alias(const Checks& checks, const Argument* arguments, const Span* spans, Where at) {
  bool shared = false;
  for (int o = checks.inputs; o < checks.count(); ++o) {
    if (overlaps_itself(arguments[o])) refuse_self(checks, o, arguments[o], at);
    for (int a = 0; a < o; ++a) {
      if (!meet(spans[a], spans[o])) continue;
      const bool input = a < checks.inputs;
      if (input && takes_place(checks, arguments, a, o)) { shared = true; continue; }
      if (overlap(arguments[a], arguments[o]))
        refuse_alias(checks, a, o, arguments, input && checks.in_place.allows(a, o - checks.inputs), at);
    }
  }
  return shared;
}
inline void check_ranges(const Checks& checks, const i64* dims, Where at) {
  for (const RangeRule& r : checks.ranges) {
    const bool good = r.low.saturated(dims) >= 0 && r.high.saturated(dims) < r.extent(dims);
    if (!good && r.turns(dims) > 0) refuse_range(checks, r, dims, at);
  }
}
}  // namespace detail_check

ORDO_INLINE Checks make_checks(const ir::Program& program, const plan::Plan* plan) {
  Checks checks;
  checks.program = &program;
  checks.plan = plan;
  checks.inputs = static_cast<int>(program.inputs.size());
  for (const ir::DimInfo& d : program.dims) checks.binders.push_back({d.argument, d.dimension});
  for (const int tensor : program.inputs) detail_check::declare(checks, program, tensor);
  for (const int tensor : program.outputs) detail_check::declare(checks, program, tensor);
  for (std::size_t k = 0; k < program.checks.size(); ++k)
    checks.agree.push_back({Size(program.checks[k].left), Size(program.checks[k].right), k});
  checks.in_place = InPlace(program);
  if (plan == nullptr) return checks;
  ir::Arena scratch;
  for (std::size_t k = 0; k < plan->ranges.size(); ++k) {
    const plan::Range& r = plan->ranges[k];
    if (!detail_check::shown(scratch, r)) checks.ranges.push_back({Size(r.low), Size(r.high), Size(r.extent), Size(r.turns), k});
  }
  return checks;
}
ORDO_INLINE void add_promises(Checks& checks, const nest::Nest& nest) {
  for (int a = 0; a < checks.count(); ++a) {
    const std::vector<int>& list = a < checks.inputs ? nest.program.inputs : nest.program.outputs;
    const nest::Promise* p = nest::promise_of(nest, list[static_cast<std::size_t>(a < checks.inputs ? a : a - checks.inputs)]);
    if (p != nullptr) checks.promises.push_back({a, p->bytes, p->line});
  }
}
ORDO_INLINE bool check_call(const Checks& checks, const Argument* arguments, int count, i64* dims, Span* spans, Where at) {
  detail_check::check_declared(checks, arguments, count, at);
  detail_check::check_shapes(checks, arguments, dims, at);
  detail_check::check_memory(checks, arguments, spans, at);
  detail_check::check_promises(checks, arguments, spans, at);
  const bool shared = detail_check::check_alias(checks, arguments, spans, at);
  detail_check::check_ranges(checks, dims, at);
  return shared;
}
}  // namespace ordo::runtime
