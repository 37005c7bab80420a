#pragma once
#include <algorithm>
#include "ordo/ir/simplify.hpp"
#include "ordo/ir/visit.hpp"
#include "ordo/kernel/lowering.hpp"

namespace ordo::kernel::detail_lower {
namespace detail_value {
// f + by * g for linear forms.
inline Linear plus(Linear f, const Linear& g, i64 by) {
  f.constant += by * g.constant;
  for (const Linear::Term& t : g.terms) {
    bool found = false;
    for (Linear::Term& o : f.terms)
      if (o.atom == t.atom) {
        o.coefficient += by * t.coefficient;
        found = true;
      }
    if (!found) f.terms.push_back({t.atom, by * t.coefficient});
  }
  std::erase_if(f.terms, [](const Linear::Term& t) { return t.coefficient == 0; });
  return f;
}
// Is `need` >= 0 whenever `expression` is `truth`? Sound, not complete.
inline bool implies(Ref expression, bool truth, const Linear& need) {
  const bool conjunction = (expression->op == Op::And && truth) || (expression->op == Op::Or && !truth);
  if (conjunction) return implies(expression->src[0], truth, need) || implies(expression->src[1], truth, need);
  if (expression->op == Op::Not) return implies(expression->src[0], !truth, need);
  if (class_of(expression->op) != OpClass::compare || expression->src[0]->type != Type::i64) return false;
  const Linear a = linear(expression->src[0]), b = linear(expression->src[1]);
  const auto shown = [&](const Linear& x, const Linear& y, i64 less) {   // x - y - less >= 0 is known
    Linear gap = plus(plus(need, x, -1), y, 1);
    gap.constant += less;
    return gap.terms.empty() && gap.constant >= 0;
  };
  switch (expression->op) {
    case Op::Lt: return truth ? shown(b, a, 1) : shown(a, b, 0);
    case Op::Le: return truth ? shown(b, a, 0) : shown(a, b, 1);
    case Op::Gt: return truth ? shown(a, b, 1) : shown(b, a, 0);
    case Op::Ge: return truth ? shown(a, b, 0) : shown(b, a, 1);
    case Op::Eq: return truth && (shown(a, b, 0) || shown(b, a, 0));
    default: return false;
  }
}
// A sum of few axes and Dims, times numbers so small that it cannot wrap.
inline bool small(Ref e) {
  const Linear form = linear(e);
  const auto within = [](i64 v, i64 most) { return v >= -most && v <= most; };
  bool r = form.terms.size() <= 4 && within(form.constant, i64{1} << 60);
  for (const Linear::Term& t : form.terms)
    r = r && within(t.coefficient, i64{1} << 20) && (t.atom->op == Op::Axis || t.atom->op == Op::Dim);
  return r;
}
inline bool mentions_accumulator(Ref root) {
  bool found = false;
  visit_once(root, [&](Ref e) {
    found = found || e->op == Op::State || e->op == Op::Field;
    return !found;
  });
  return found;
}
}  // namespace detail_value

ORDO_INLINE u32 Lowering::buffer_of(int tensor) {
  if (const auto it = buffers_.find(tensor); it != buffers_.end()) return it->second;
  const TensorInfo& t = program_.tensors[static_cast<std::size_t>(tensor)];
  const plan::Slot slot = plan_.slots[static_cast<std::size_t>(tensor)];
  Buffer b;
  b.name = t.name;
  b.type = t.type;
  b.space = slot.in == plan::Slot::In::argument ? Space::argument : slot.in == plan::Slot::In::turn ? Space::heap : Space::workspace;
  b.slot = b.space == Space::heap ? -1 : slot.number;
  b.rank = static_cast<int>(t.shape.size());
  b.canonical = t.output;
  b.nontemporal = stage_.nontemporal && tensor == definition_.tensor;
  if (const nest::Promise* p = nest::promise_of(plan_.nest, tensor); p != nullptr && b.space == Space::argument)
    b.promised = static_cast<u32>(p->bytes);
  if (b.space == Space::workspace) b.elements = size(plan_.workspaces[static_cast<std::size_t>(slot.number)].elements);
  if (b.space == Space::heap) {
    b.elements = make_.integer(1);
    const std::vector<nest::Stored>& layout = layout_of(tensor);
    for (std::size_t d = 0; d < t.shape.size() && layout.empty(); ++d) b.elements = make_.mul(b.elements, tile_size(tensor, d));
    for (const nest::Stored& s : layout) b.elements = make_.mul(b.elements, stored_size(tensor, s));
    b.elements = simplify(make_.arena(), b.elements);
    if (!provably_less_equal(make_.integer(0), b.elements)) b.elements = make_.max(b.elements, make_.integer(0));    // loops over nothing
    constexpr i64 most_bytes = 32 << 10;                   // there may be many
    const bool small = Make::is_constant(b.elements) && static_cast<i64>(b.elements->arg) <= most_bytes / bytes_of(b.type);
    if (small) b.space = Space::stack;
  }
  kernel_.buffers.push_back(std::move(b));
  const u32 number = static_cast<u32>(kernel_.buffers.size()) - 1;
  buffers_.emplace(tensor, number);
  return number;
}

ORDO_INLINE Ref Lowering::stride(int tensor, int dimension) {
  const u32 buffer = buffer_of(tensor);
  const TensorInfo& t = program_.tensors[static_cast<std::size_t>(tensor)];
  if (kernel_.buffers[buffer].space == Space::argument) {
    if (layout_[static_cast<std::size_t>(kernel_.buffers[buffer].slot)] == dimension) return make_.integer(1);
    return make_.arena().make(Op::Stride, Type::i64, nullptr, 0, static_cast<u64>(buffer) << 8 | static_cast<u64>(dimension));
  }
  const int rank = static_cast<int>(t.shape.size());
  Ref s = make_.integer(1);
  if (plan_.slots[static_cast<std::size_t>(tensor)].in != plan::Slot::In::turn) {
    for (int d = rank - 1; d > dimension; --d) s = make_.mul(s, size(t.shape[static_cast<std::size_t>(d)]));
    return s;
  }
  const nest::Stage& of = plan_.nest.stages[static_cast<std::size_t>(t.definition)];
  const int inner = nest::innermost_dimension(of, program_.definitions[static_cast<std::size_t>(t.definition)]);
  if (dimension == inner) return s;
  s = tile_size(tensor, static_cast<std::size_t>(inner));
  for (int d = rank - 1; d > dimension; --d)
    if (d != inner) s = make_.mul(s, tile_size(tensor, static_cast<std::size_t>(d)));
  return s;
}

ORDO_INLINE Ref Lowering::element_offset(int tensor, const std::vector<Ref>& indices) {
  if (!layout_of(tensor).empty()) return stored_offset(tensor, indices);
  Ref offset = make_.integer(0);
  if (plan_.slots[static_cast<std::size_t>(tensor)].in == plan::Slot::In::turn) {
    for (std::size_t d = 0; d < indices.size(); ++d)
      offset = make_.add(offset, make_.mul(tile_index(tensor, d, indices[d]), stride(tensor, static_cast<int>(d))));
    return offset;
  }
  for (std::size_t d = 0; d < indices.size(); ++d) offset = make_.add(offset, make_.mul(indices[d], stride(tensor, static_cast<int>(d))));
  return offset;
}
ORDO_INLINE Ref Lowering::left_offset(int tensor, bool clamp) {
  std::vector<Ref> at;
  for (const Ref axis : definition_.axes) at.push_back(axis_index(axis, clamp));
  return element_offset(tensor, at);
}

// Which lanes of a vectorized access exist. Accesses that do not vary by lane need no mask.
ORDO_INLINE Ref Lowering::lane_mask(Ref offset) {
  if (mode_ != Mode::masked || all_clamped_ || vector_ < 0) return nullptr;
  if (!mentions(offset, var_[static_cast<std::size_t>(vector_)])) return nullptr;
  Ref mask = nullptr;
  for (std::size_t g = 0; g < guards_.size(); ++g)
    if (!holds_[g] && !guards_[g].reduction &&
        std::find(guards_[g].loops.begin(), guards_[g].loops.end(), vector_) != guards_[g].loops.end())
      mask = make_.both(mask, make_.less(position(guards_[g]), bound(guards_[g])));
  return mask;
}

// Does every call that passed its checks (or the guard at hand) keep this index in range? Low and high end apart.
ORDO_INLINE void Lowering::shown_in_range(Ref load, u32 dimension, bool guarded, bool& low, bool& high) {
  const Ref i = load->src[dimension + 1], whole = program_.tensor_of(load).shape[dimension];
  low = high = i->op == Op::Axis && provably_equal(extent_of(i), whole);
  if (low) return;
  Ref lowest, highest;
  if (plan::hull(make_.arena(), copy(i, make_.arena()), lowest, highest)) {
    low = high = !guarded;                               // in plan.ranges
    low = low || provably_less_equal(make_.integer(0), lowest);
    high = high || provably_less_equal(highest, make_.sub(size(whole), make_.integer(1)));
  }
  const Ref here = low && high ? nullptr : copy(i, make_.arena());        // i % 4, clip(i, 0, N - 1)
  low = low || provably_less_equal(make_.integer(0), here);
  high = high || provably_less_equal(here, make_.sub(size(whole), make_.integer(1)));
  const bool divided = (i->op == Op::Div || i->op == Op::FloorDiv) && Make::is_constant(i->src[1]);
  const i64 by = divided ? static_cast<i64>(i->src[1]->arg) : 0;
  if (!high && by > 0 && plan::hull(make_.arena(), copy(i->src[0], make_.arena()), lowest, highest))      // i / 4, i < 4 * N
    high = provably_less_equal(make_.add(highest, make_.integer(1)), make_.mul(size(whole), make_.integer(by)));
  const Linear at = linear(i);
  Linear room = detail_value::plus(linear(whole), at, -1);
  room.constant -= 1;
  for (const Condition& c : context_) {
    low = low || detail_value::implies(c.expression, c.truth, at);
    high = high || detail_value::implies(c.expression, c.truth, room);
  }
}

// Would some access in `e` need a test, were it guarded? Those of a finished reduction have been made before.
ORDO_INLINE bool Lowering::sensitive(Ref e) {
  if (e->count == 0 || e->op == Op::Field) return false;
  if (const auto it = sensitive_.find(e); it != sensitive_.end()) return it->second;
  bool r = false;
  if (e->op == Op::Load) {
    std::vector<Condition> none;
    std::swap(none, context_);
    for (u32 d = 0; d + 1 < e->count && !r; ++d) {
      bool low, high;
      shown_in_range(e, d, true, low, high);
      r = !low || !high;
    }
    std::swap(none, context_);
  }
  for (u32 k = 0; k < e->count && !r; ++k) r = sensitive(e->src[k]);
  sensitive_.emplace(e, r);
  return r;
}

// Does what an accumulator holds decide where some access in `e` that needs a test reads, or whether it does?
ORDO_INLINE bool Lowering::accumulates(Ref e) {
  if (!sensitive(e)) return false;
  if (const auto it = accumulates_.find(e); it != accumulates_.end()) return it->second;
  bool r = e->op == Op::Load && detail_value::mentions_accumulator(e);
  if (e->op == Op::Select || e->op == Op::And || e->op == Op::Or)
    r = detail_value::mentions_accumulator(e->src[0]) && (sensitive(e->src[1]) || (e->op == Op::Select && sensitive(e->src[2])));
  for (u32 k = 0; k < e->count && !r; ++k) r = accumulates(e->src[k]);
  accumulates_.emplace(e, r);
  return r;
}

ORDO_INLINE Ref Lowering::context_condition() {
  Ref all = nullptr;
  const std::vector<Condition> keep = context_;
  for (std::size_t k = 0; k < keep.size(); ++k) {
    context_.assign(keep.begin(), keep.begin() + static_cast<std::ptrdiff_t>(k));
    Ref c = value(keep[k].expression);
    all = make_.both(all, keep[k].truth ? c : make_.negate(c));
  }
  context_ = keep;
  return all;
}

ORDO_INLINE Ref Lowering::load(Ref e) {
  for (std::size_t p = stage_.packs.size(); p-- > 0;)
    if (pack_buffers_[p] != ~0u && stage_.packs[p].tensor == static_cast<int>(e->src[0]->arg)) {
      if (sensitive(e)) load_from_memory(e);             // for its tests
      return make_.read(e->type, pack_buffers_[p], pack_offset(p));
    }
  return load_from_memory(e);
}

ORDO_INLINE Ref Lowering::load_from_memory(Ref e) {
  const int tensor = static_cast<int>(e->src[0]->arg);
  const TensorInfo& t = program_.tensor_of(e);
  std::vector<Ref> at;
  Ref inside = nullptr;
  for (u32 d = 0; d + 1 < e->count; ++d) {
    at.push_back(value(e->src[d + 1]));
    bool low, high;
    shown_in_range(e, d, !context_.empty(), low, high);
    if (low && high) continue;
    Ref here = low ? nullptr : make_.less_equal(make_.integer(0), at[d]);
    if (!high) here = make_.both(here, make_.less(at[d], size(t.shape[d])));
    const Ref outside = make_.both(context_.empty() ? nullptr : context_condition(), make_.both(inside, make_.negate(here)));
    checks_.push_back(
        {outside, at[d], std::string("index %lld is out of range in dimension ") + std::to_string(d) + " of `" + t.name + "`", e->at});
    inside = make_.both(inside, here);
  }
  const Ref offset = element_offset(tensor, at);
  Ref mask = lane_mask(offset);
  if (!context_.empty() && sensitive(e) && !covered(e)) mask = make_.both(mask, context_condition());
  mask = make_.both(mask, inside);
  return make_.read(e->type, buffer_of(tensor), offset, mask);
}

// In a merge, components from the number of fields on are those of the other state.
ORDO_INLINE Ref Lowering::state(Ref e) {
  const u32 component = static_cast<u32>(e->arg & 0xffffffff), fields = ReduceView(reduce_).facts.fields;
  if (!merging_) return make_.read(e->type, accumulators_[component], tile_offset(component));
  const u32 f = component % fields;
  return make_.read(e->type, (in_memory_ ? parks_ : accumulators_)[f], pair_offset(component < fields ? low_ : high_, f));
}

ORDO_INLINE void Lowering::forget_values() { values_.clear(); }

ORDO_INLINE Ref Lowering::guarded_value(Ref e, Ref condition, bool truth) {
  if (!sensitive(e)) return value(e);
  const u32 keep = context_id_;
  context_.push_back({condition, truth});
  context_id_ = ++contexts_;
  const Ref r = value(e);
  context_.pop_back();
  context_id_ = keep;
  return r;
}

ORDO_INLINE Ref Lowering::value(Ref e) {
  std::unordered_map<u32, Ref>& memo = values_[e];
  const u32 id = context_id_ != 0 && sensitive(e) ? context_id_ : 0;
  if (const auto it = memo.find(id); it != memo.end()) return it->second;
  const Ref r = value_uncached(e);
  values_[e].emplace(id, r);
  return r;
}

// What a comparison of indices is at every element, by the extents of the axes; nullptr when they do not tell.
ORDO_INLINE Ref Lowering::decided(Ref e) {
  if (e->src[0]->type != Type::i64 || !detail_value::small(e->src[0]) || !detail_value::small(e->src[1])) return nullptr;
  const bool swapped = e->op == Op::Gt || e->op == Op::Ge, equal = e->op == Op::Le || e->op == Op::Ge;
  const Ref less = copy(e->src[swapped ? 1 : 0], make_.arena()), more = copy(e->src[swapped ? 0 : 1], make_.arena());
  Ref low, high;
  if (!plan::hull(make_.arena(), make_.sub(more, less), low, high)) return nullptr;
  const Ref needed = make_.integer(equal ? 0 : 1);
  if (provably_less_equal(needed, low)) return make_.yes();
  return provably_less_equal(high, make_.sub(needed, make_.integer(1))) ? make_.negate(make_.yes()) : nullptr;
}

ORDO_INLINE Ref Lowering::value_uncached(Ref e) {
  switch (e->op) {
    case Op::Lt: case Op::Le: case Op::Gt: case Op::Ge:
      if (const Ref known = decided(e)) return known;
      break;
    case Op::Const: return make_.arena().constant(e->type, e->arg);
    case Op::Dim: return size(e);
    case Op::Axis: return axis_index(e, mode_ == Mode::masked);
    case Op::State: return state(e);
    case Op::Field: return make_.read(e->type, accumulators_[e->arg], tile_offset(static_cast<u32>(e->arg)));
    case Op::Load: return load(e);
    case Op::Unfused: return value(e->src[0]);
    case Op::Select: {
      if (const i64 lag = started_ > 0 ? plan::started_lag(e, time_) : 0; lag > 0 && lag <= started_) {
        if (lag == 1 && carry_ != ~0u && is_carried(e->src[2])) return make_.read(e->type, carry_, left_number(tile_, false));
        return value(e->src[2]);
      }
      const Ref condition = value(e->src[0]);
      if (Make::is_constant(condition)) return condition->arg != 0 ? value(e->src[1]) : value(e->src[2]);
      const Ref s[] = {condition, guarded_value(e->src[1], e->src[0], true), guarded_value(e->src[2], e->src[0], false)};
      return make_.op(Op::Select, s, 3, e->type);
    }
    case Op::And: case Op::Or: return make_.op(e->op, value(e->src[0]), guarded_value(e->src[1], e->src[0], e->op == Op::And), e->type);
    default: break;
  }
  if (planted_.contract && e->op == Op::Add && is_float(e->type) && e->src[0]->op == Op::Mul) {
    const Ref s[] = {value(e->src[0]->src[0]), value(e->src[0]->src[1]), value(e->src[1])};
    return make_.op(Op::Fma, s, 3, e->type);
  }
  Ref s[3];
  for (u32 k = 0; k < e->count; ++k) s[k] = value(e->src[k]);
  if (e->op == Op::Cast || e->op == Op::Bitcast) return make_.arena().make(e->op, e->type, s, 1, e->arg);
  return make_.op(e->op, s, e->count, e->type);
}
}  // namespace ordo::kernel::detail_lower
