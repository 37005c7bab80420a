// One element: its values brought up to date, in order.
#pragma once
#include "ordo/base/soft.hpp"
#include "ordo/interp/machine.hpp"
#include "ordo/ir/scalar.hpp"
#include "ordo/ir/simplify.hpp"

namespace ordo::interp {
namespace detail_evaluate {
inline void shape_of(Array& a, const ir::TensorInfo& t, const i64* dims, Where at) {
  a.type = t.type;
  a.definition = t.definition;
  a.rank = static_cast<int>(t.shape.size());
  a.elements = 1;
  for (int d = a.rank; d-- > 0;) {
    const i64 extent = ir::evaluate(t.shape[static_cast<std::size_t>(d)], dims);
    a.shape[d] = extent < 0 ? 0 : extent;
    a.stride[d] = a.elements;
    if (__builtin_mul_overflow(a.elements, a.shape[d], &a.elements) || a.elements > i64{1} << 40)
      ordo::fail("run.large", at, (std::string("`") + t.name + "` has too many elements").c_str());
  }
}
// The next index in lexicographic order: the first dimension that changed, or -1 after the last.
inline int advance(const Array& a, i64* index) {
  for (int d = a.rank; d-- > 0;) {
    if (++index[d] < a.shape[d]) return d;
    index[d] = 0;
  }
  return -1;
}
inline i64 place(const Array& a, const i64* index) {
  i64 offset = 0;
  for (int d = 0; d < a.rank; ++d) offset += index[d] * a.stride[d];
  return offset;
}
}  // namespace detail_evaluate

ORDO_INLINE Machine::Machine(const ir::Program& program, const Argument* arguments, const i64* dims, Where at)
    : program_(program),
      dims_(dims),
      at_(at),
      arrays_(program.tensors.size()),
      codes_(program.definitions.size()),
      inits_(program.definitions.size()) {
  for (std::size_t k = 0; k < program.inputs.size(); ++k) {
    Array& a = arrays_[static_cast<std::size_t>(program.inputs[k])];
    a.data = static_cast<const u8*>(arguments[k].data);
    a.type = arguments[k].type;
    a.rank = arguments[k].rank;
    for (int d = 0; d < a.rank; ++d) a.shape[d] = arguments[k].shape[d], a.stride[d] = arguments[k].stride[d];
  }
}

ORDO_INLINE void Machine::prepare(u32 definition) {
  const ir::Definition& d = program_.definitions[definition];
  const std::size_t tensor = static_cast<std::size_t>(d.tensor);
  Array& a = arrays_[tensor];
  detail_evaluate::shape_of(a, program_.tensors[tensor], dims_, at_);
  a.own.assign(static_cast<std::size_t>(a.elements) * static_cast<std::size_t>(bytes_of(a.type)), 0);
  a.data = a.own.data();
  const bool scan = d.value->op == Op::Scan;
  codes_[definition] = compile(program_, d.axes, scan ? d.value->src[2] : d.value, dims_);
  if (scan) inits_[definition] = compile(program_, d.axes, d.value->src[1], dims_);
}

ORDO_INLINE void Machine::evaluate_all(u32 definition) {
  const Array& a = arrays_[static_cast<std::size_t>(program_.definitions[definition].tensor)];
  Code& code = codes_[definition];
  i64 index[max_rank] = {};
  if (a.elements == 0) return;
  move_to(code, index);
  int changed = 0;
  do {
    element(definition, index);
    changed = detail_evaluate::advance(a, index);
    for (int d = changed < 0 ? a.rank : changed; d < a.rank; ++d) {
      code.bits[code.axes[static_cast<std::size_t>(d)]] = static_cast<u64>(index[d]);
      code.renew(static_cast<u32>(d) + 1);
    }
  } while (changed >= 0);
}
ORDO_INLINE void Machine::move_to(Code& code, const i64* index) {
  for (u32 d = 0; d < code.axes.size(); ++d) {
    code.bits[code.axes[d]] = static_cast<u64>(index[d]);
    code.renew(d + 1);
  }
}
// The code's axes are at `index`.
ORDO_INLINE void Machine::element(u32 definition, const i64* index) {
  Array& a = arrays_[static_cast<std::size_t>(program_.definitions[definition].tensor)];
  Code& code = codes_[definition];
  code.busy = true;
  run_region(code, code.root_region);
  code.busy = false;
  const i64 at = detail_evaluate::place(a, index);
  if (failed_ == 0) {
    soft::store(a.type, a.own.data() + at * bytes_of(a.type), code.bits[code.root]);
  } else {
    if (a.failed.empty()) a.failed.assign(static_cast<std::size_t>(a.elements), 0);
    a.failed[static_cast<std::size_t>(at)] = failed_;
    failed_ = 0;
    code.stamp.assign(code.stamp.size(), 0);
  }
  if (!a.done.empty()) a.done[static_cast<std::size_t>(at)] = 1;
}

ORDO_INLINE void Machine::run_region(Code& code, u32 region) {
  const std::vector<u32>& list = code.regions[region];
  for (const u32 v : list)
    if (code.stamp[v] != code.now[code.values[v].scope]) compute(code, v);
}
ORDO_INLINE void Machine::compute(Code& code, u32 v) {
  const Value& x = code.values[v];
  u64* bits = code.bits.data();
  switch (x.op) {
    case Op::Load: bits[v] = failed_ != 0 ? 0 : read(code, code.reads[x.src[0]]); break;
    case Op::Reduce: reduce(code, code.reductions[x.src[0]]); break;
    case Op::Field: bits[v] = code.reductions[code.values[x.src[0]].src[0]].result[x.arg]; break;
    case Op::Select: {
      const u32 side = bits[x.src[0]] != 0 ? 0 : 1;
      run_region(code, x.lazy[side]);
      bits[v] = bits[x.src[1 + side]];
      break;
    }
    case Op::And: case Op::Or: {
      const bool decided = (bits[x.src[0]] != 0) == (x.op == Op::Or);
      if (!decided) run_region(code, x.lazy[0]);
      bits[v] = decided ? bits[x.src[0]] : bits[x.src[1]];
      break;
    }
    default: {
      const u64 operand[3] = {bits[x.src[0]], x.src[1] == none ? 0 : bits[x.src[1]], x.src[2] == none ? 0 : bits[x.src[2]]};
      bits[v] = ir::scalar(x.op, x.from, x.arg, operand);
    }
  }
  code.stamp[v] = code.now[x.scope];
}

ORDO_INLINE u64 Machine::read(Code& code, const Read& read) {
  const Array& a = arrays_[read.tensor];
  i64 index[max_rank], offset = 0;
  bool back = false;
  for (int d = 0; d < a.rank; ++d) {
    const i64 i = static_cast<i64>(code.bits[read.index[static_cast<std::size_t>(d)]]);
    index[d] = i;
    if (static_cast<u64>(i) < static_cast<u64>(a.shape[d])) {
      offset += i * a.stride[d];
    } else if (d == read.back && i < 0) {
      back = true;
    } else {
      failures_.push_back({read.tensor, d, i, read.at});
      return fail(static_cast<u32>(failures_.size()));
    }
  }
  if (back) return before_first(static_cast<u32>(a.definition), index);
  const std::size_t at = static_cast<std::size_t>(offset);
  if (!a.done.empty() && a.done[at] == 0) demand(static_cast<u32>(a.definition), index);
  if (!a.failed.empty() && a.failed[at] != 0) return fail(a.failed[at]);
  return soft::load(a.type, a.data + offset * bytes_of(a.type));
}
}  // namespace ordo::interp
