// Reductions of raw expressions. The step is written here and never again: NUMERICS.md, "Reductions".
#pragma once
#include <vector>
#include "ordo/ir/checks.hpp"
#include "ordo/ir/folds.hpp"
#include "ordo/ir/store.hpp"

namespace ordo::ir {
namespace detail_reductions {
using detail_checks::quoted;

using ir::name_of;
using ir::order_is_free;
using ir::step_of;
using ir::zero_of;

inline bool is_cut(Order order) { return order == Order::cut_outer || order == Order::cut_inner; }
inline Ref cut_of(Ref axis) { return is_cut(axis_facts(axis).order) ? axis->src[0] : nullptr; }

// Both parts of every cut are listed, and no axis beside its own parts.
inline void check_cut(const char* what, const Ref* axes, int count, Ref axis, Where at) {
  const Order sibling = axis_facts(axis).order == Order::cut_outer ? Order::cut_inner : Order::cut_outer;
  for (Ref above = cut_of(axis); above != nullptr; above = cut_of(above))
    for (int k = 0; k < count; ++k)
      if (axes[k] == above) fail("lang.axis", at, (quoted(what) + " runs over " + quoted(above->name) + " and over a part of it").c_str());
  if (cut_of(axis) == nullptr) return;
  for (int k = 0; k < count; ++k)
    for (Ref other = axes[k]; cut_of(other) != nullptr; other = cut_of(other))
      if (cut_of(other) == cut_of(axis) && axis_facts(other).order == sibling && other->src[1] == axis->src[1]) return;
  fail("lang.axis", at,
       (quoted(what) + " runs over " + quoted(axis->name) + ", and not over the other part of " + quoted(cut_of(axis)->name)).c_str(),
       "  help: list both parts that cut gave");
}
inline void check_axes(const char* what, const Ref* axes, int count, Where at) {
  if (count < 1) fail("lang.axis", at, (quoted(what) + " runs over no axis").c_str());
  for (int k = 0; k < count; ++k) {
    const bool is_axis = axes[k] != nullptr && axes[k]->op == Op::Axis;
    if (!is_axis) fail("lang.axis", at, (quoted(what) + " runs over something that is no axis").c_str());
    const Order order = axis_facts(axes[k]).order;
    if (order == Order::free || order == Order::scan)
      fail("lang.axis", at, (quoted(what) + " runs over " + quoted(axes[k]->name) + ", which stands on the left of definitions").c_str(),
           "  help: declare it as a Chain, Lanes<L>, Blocks<B> or AnyOrder: the order is part of the value");
    for (int j = 0; j < k; ++j)
      if (axes[j] == axes[k]) fail("lang.axis", at, (quoted(what) + " runs over " + quoted(axes[k]->name) + " twice").c_str());
  }
  for (int k = 0; k < count; ++k) check_cut(what, axes, count, axes[k], at);
}
inline bool all_chains(const Ref* axes, int count) {
  for (int k = 0; k < count; ++k) {
    const Order order = axis_facts(axes[k]).order;
    if (order != Order::chain && !is_cut(order)) return false;
  }
  return true;
}
inline Ref any_order(const Ref* axes, int count) {
  for (int k = 0; k < count; ++k)
    if (axis_facts(axes[k]).order == Order::any) return axes[k];
  return nullptr;
}
inline void check_where(const char* what, Ref where, Where at) {
  if (where == nullptr) return;
  detail_checks::check_value(where, quoted(what), at);
  if (where->type != Type::boolean)
    fail("lang.type", at, ("the condition of " + quoted(what) + " has type " + ordo::name_of(where->type) + ": it must be bool").c_str());
}
inline bool widens(Type from, Type to) {
  return from == to || (from == Type::f32 && to == Type::f64) || (from == Type::i32 && to == Type::i64) ||
         (from == Type::u32 && to == Type::u64);
}
inline void check_term(Fold f, Type accumulator, Ref term, Where at) {
  const char* what = name_of(f);
  detail_checks::check_value(term, quoted(what), at);
  const detail_checks::Takes takes = detail_checks::takes(step_of(f));
  if (!detail_checks::fits(takes, term->type))
    fail("lang.type", at, (quoted(what) + " takes " + detail_checks::name_of(takes) + ", not " + ordo::name_of(term->type)).c_str());
  if (!widens(term->type, accumulator))
    fail("lang.type", at,
         (quoted(what) + " of " + ordo::name_of(term->type) + " has no accumulator of type " + ordo::name_of(accumulator)).c_str(),
         "  help: name the same type or the wider one of its kind, f64, i64 or u64; cast changes the kind");
}
inline void check_fold_order(Fold f, Type accumulator, const Ref* axes, int count, Ref from, Where at) {
  Ref any = any_order(axes, count);
  if (any != nullptr && !order_is_free(f, accumulator))
    fail("lang.order", at,
         ("the order of a " + std::string(name_of(f)) + " of " + ordo::name_of(accumulator) + " decides its bits, and " +
          quoted(any->name) + " is AnyOrder")
             .c_str(),
         ("  help: declare " + quoted(any->name) + " as a Chain, Lanes<L> or Blocks<B>, or fold integers").c_str());
  if (from == nullptr) return;
  detail_checks::check_value(from, "from", at);
  if (!all_chains(axes, count))
    fail("lang.from", at,
         (quoted(name_of(f)) + ".from(...) runs over Chains only: with more accumulators each would start from it").c_str(),
         "  help: add the value after the reduction, or declare Chains");
  if (from->type != accumulator)
    fail("lang.type", at,
         (quoted(name_of(f)) + " accumulates " + ordo::name_of(accumulator) + " and starts from a " + ordo::name_of(from->type)).c_str());
}

// x and y of a summand that is a product; false for any other.
inline bool product_of(Ref term, Ref* x, Ref* y) {
  if (term->op != Op::Mul) return false;
  *x = term->src[0];
  *y = term->src[1];
  return true;
}
inline Ref without_unfused(Ref term) {
  while (term->op == Op::Unfused) term = term->src[0];
  return term;
}
}  // namespace detail_reductions

ORDO_INLINE Ref Builder::placeholder(Type type) {
  detail_checks::check_constant_type(type, {});
  static std::atomic<u64> last{0};
  return make(Op::State, type, nullptr, 0, last.fetch_add(1, std::memory_order_relaxed) + 1, "", {});
}
ORDO_INLINE Ref Builder::field(Ref reduce, int component) {
  if (reduce == nullptr || reduce->op != Op::Reduce || component < 0 || static_cast<u32>(component) >= reduce_facts(reduce->arg).fields)
    fail("lang.state", {}, ("no component " + std::to_string(component) + " of a reduction").c_str());
  return make(Op::Field, ReduceView(reduce).state(static_cast<u32>(component))->type, &reduce, 1, static_cast<u64>(component), "",
              reduce->at);
}

namespace detail_reductions {
// All parts of one Reduce, checked, in the layout of ReduceView.
struct Parts {
  const Ref* axes;
  int count, fields;
  const Ref *init, *state, *step, *other, *merged;
};
inline std::vector<Ref> sources_of(const Parts& p, Ref where) {
  std::vector<Ref> sources(p.axes, p.axes + p.count);
  sources.push_back(where);
  for (const Ref* part : {p.init, p.state, p.step, p.other, p.merged})
    if (part != nullptr) sources.insert(sources.end(), part, part + p.fields);
  return sources;
}
inline u64 facts_of(const Parts& p, bool free) {
  ReduceFacts facts;
  facts.axes = static_cast<u32>(p.count);
  facts.fields = static_cast<u32>(p.fields);
  facts.merge = p.merged != nullptr;
  facts.free = free;
  return pack(facts);
}
inline void check_component(const char* part, Ref value, Ref state, int k, Where at) {
  detail_checks::check_value(value, quoted("reduce"), at);
  if (value->type != state->type)
    fail("lang.type", at,
         ("component " + std::to_string(k) + " of the state has type " + ordo::name_of(state->type) + ", its " + part + " " +
          ordo::name_of(value->type))
             .c_str());
}
inline void check_parts(const Parts& p, Where at) {
  if (p.fields < 1) fail("lang.state", at, "the state of a reduction has no component");
  if ((p.other == nullptr) != (p.merged == nullptr)) fail("lang.state", at, "a merge needs the other state and the merged one");
  for (int k = 0; k < p.fields; ++k) {
    const bool states = p.state[k] != nullptr && p.state[k]->op == Op::State &&
                        (p.other == nullptr || (p.other[k] != nullptr && p.other[k]->op == Op::State));
    if (!states) fail("lang.state", at, "the state of a reduction is made by placeholder");
    check_component("initial value", p.init[k], p.state[k], k, at);
    check_component("step", p.step[k], p.state[k], k, at);
    if (p.other == nullptr) continue;
    check_component("other", p.other[k], p.state[k], k, at);
    check_component("merge", p.merged[k], p.state[k], k, at);
  }
}
}  // namespace detail_reductions

ORDO_INLINE Ref Builder::reduce(const Ref* axes, int count, int fields, const Ref* init, const Ref* state, const Ref* step,
                                const Ref* other, const Ref* merged, Ref where, Where at) {
  const detail_reductions::Parts parts{axes, count, fields, init, state, step, other, merged};
  detail_reductions::check_axes("reduce", axes, count, at);
  detail_reductions::check_where("reduce", where, at);
  detail_reductions::check_parts(parts, at);
  if (Ref any = detail_reductions::any_order(axes, count); any != nullptr)
    fail("lang.order", at,
         ("a step of `reduce` may depend on the order, and " + detail_reductions::quoted(any->name) + " is AnyOrder").c_str(),
         "  help: declare it as a Chain, Lanes<L> or Blocks<B>");
  if (merged == nullptr && !detail_reductions::all_chains(axes, count))
    fail("lang.merge", at, "`reduce` over Lanes or Blocks has several accumulators and no merge",
         "  help: reduce(axes, init, step, merge), or Chains");
  if (where == nullptr) where = bits(Type::boolean, 1);
  const std::vector<Ref> sources = detail_reductions::sources_of(parts, where);
  return make(Op::Reduce, Type::none, sources.data(), static_cast<u32>(sources.size()), detail_reductions::facts_of(parts, false), "", at);
}

ORDO_INLINE Ref Builder::sum_step(Ref state, Ref term, Where at) {
  Ref x = nullptr, y = nullptr;
  if (!detail_reductions::product_of(term, &x, &y))
    return binary(Op::Add, state, cast(state->type, detail_reductions::without_unfused(term), at), at);
  x = cast(state->type, x, at);
  y = cast(state->type, y, at);
  return is_float(state->type) ? ternary(Op::Fma, x, y, state, at) : binary(Op::Add, state, binary(Op::Mul, x, y, term->at), at);
}
ORDO_INLINE Ref Builder::fold(Fold f, Type accumulator, const Ref* axes, int count, Ref term, Ref where, Ref from, Where at) {
  if (accumulator == Type::none && term != nullptr) accumulator = term->type;
  detail_reductions::check_axes(detail_reductions::name_of(f), axes, count, at);
  detail_reductions::check_where(detail_reductions::name_of(f), where, at);
  detail_reductions::check_term(f, accumulator, term, at);
  detail_reductions::check_fold_order(f, accumulator, axes, count, from, at);
  const bool free = detail_reductions::order_is_free(f, accumulator);
  Ref state = placeholder(accumulator), other = placeholder(accumulator);
  const auto other_step = [&] {
    return binary(detail_reductions::step_of(f), state, cast(accumulator, detail_reductions::without_unfused(term), at), at);
  };
  Ref step = f == Fold::sum ? sum_step(state, term, at) : other_step();
  const bool merges = free || !detail_reductions::all_chains(axes, count);
  Ref merged = merges ? binary(detail_reductions::step_of(f), state, other, at) : nullptr;
  Ref init = from != nullptr && !free ? from : bits(accumulator, detail_reductions::zero_of(f, accumulator));
  const detail_reductions::Parts parts{axes, count, 1, &init, &state, &step, merges ? &other : nullptr, merges ? &merged : nullptr};
  const std::vector<Ref> sources = detail_reductions::sources_of(parts, where == nullptr ? bits(Type::boolean, 1) : where);
  Ref result = field(
      make(Op::Reduce, Type::none, sources.data(), static_cast<u32>(sources.size()), detail_reductions::facts_of(parts, free), "", at), 0);
  // A free order may start several accumulators, each from the identity: the value to start from is joined once.
  return from != nullptr && free ? binary(detail_reductions::step_of(f), from, result, at) : result;
}

// State (value, number). An element is taken over the best so far when it is the first, or a NaN beside a number, or
// better, or as good and earlier: a total order, so that the result is the same in every order of elements.
ORDO_INLINE Ref Builder::arg_extreme(bool max, const Ref* axes, int count, Ref value, Ref where, Where at) {
  const char* what = max ? "argmax" : "argmin";
  detail_reductions::check_axes(what, axes, count, at);
  detail_reductions::check_where(what, where, at);
  detail_checks::check_value(value, detail_reductions::quoted(what), at);
  if (value->type == Type::boolean) fail("lang.type", at, (detail_reductions::quoted(what) + " takes numbers, not bool").c_str());
  const Type type = value->type;
  Ref number = cast(Type::i64, axes[0], at);
  for (int k = 1; k < count; ++k) number = binary(Op::Add, binary(Op::Mul, number, extent(axes[k], 0), at), axes[k], at);
  Ref zero = bits(Type::i64, 0);
  auto later = [&](Ref best, Ref best_number, Ref v, Ref n) {
    Ref earlier = binary(Op::Lt, n, best_number, at);
    Ref taken = binary(Op::Or, binary(Op::Lt, best_number, zero, at), binary(max ? Op::Gt : Op::Lt, v, best, at), at);
    if (is_float(type)) {
      Ref first_nan = binary(Op::Or, unary(Op::Not, unary(Op::IsNan, best, at), at), earlier, at);
      taken = binary(Op::Or, taken, binary(Op::And, unary(Op::IsNan, v, at), first_nan, at), at);
    }
    return binary(Op::Or, taken, binary(Op::And, binary(Op::Eq, v, best, at), earlier, at), at);
  };
  const Ref init[] = {bits(type, max ? smallest(type) : largest(type)), bits(Type::i64, ~u64{0})};
  const Ref state[] = {placeholder(type), placeholder(Type::i64)}, other[] = {placeholder(type), placeholder(Type::i64)};
  Ref take = later(state[0], state[1], value, number);
  Ref join = binary(Op::And, binary(Op::Ge, other[1], zero, at), later(state[0], state[1], other[0], other[1]), at);
  const Ref step[] = {ternary(Op::Select, take, value, state[0], at), ternary(Op::Select, take, number, state[1], at)};
  const Ref merged[] = {ternary(Op::Select, join, other[0], state[0], at), ternary(Op::Select, join, other[1], state[1], at)};
  const detail_reductions::Parts parts{axes, count, 2, init, state, step, other, merged};
  const std::vector<Ref> sources = detail_reductions::sources_of(parts, where == nullptr ? bits(Type::boolean, 1) : where);
  return make(Op::Reduce, Type::none, sources.data(), static_cast<u32>(sources.size()), detail_reductions::facts_of(parts, true), "", at);
}
}  // namespace ordo::ir
