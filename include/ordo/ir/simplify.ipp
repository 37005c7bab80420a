#pragma once
#include "ordo/ir/form.hpp"
#include "ordo/ir/rules.hpp"
#include "ordo/ir/simplify.hpp"

namespace ordo::ir {
struct SimplifierBody {
  Arena& arena;
  Ranges ranges;
  RefMap<Ref> done;
  std::vector<Ref> sources;      // a stack
  int depth = 0;
  SimplifierBody(Arena& a, const std::vector<AtomRange>* given) : arena(a), ranges(given) {}

  Ref run(Ref e);
  Ref sum(Ref e);
  bool term(Ref atom, i64 coefficient, Form& out);
  Ref rebuilt(Ref e);
  Ref rewritten(Ref e);
  Ref step(Ref e);
  Ref folded(Ref e);
  Ref index_step(Ref e);
  Ref product(Ref e);
  void flatten(Ref e);
};

namespace detail_simplify {
inline constexpr int most_depth = 100;
// Axes and tensors are names: what refers to them must stay right, so their extents and shapes are left as they are.
constexpr bool opaque(Ref e) { return e->count == 0 || e->op == Op::Axis || e->op == Op::Tensor; }
constexpr bool commutes(Op op) {
  switch (op) {
    case Op::Add: case Op::Mul: case Op::Max: case Op::Min: case Op::And: case Op::Or:
    case Op::BitAnd: case Op::BitOr: case Op::BitXor: case Op::Eq: case Op::Ne: return true;
    default: return false;
  }
}
}  // namespace detail_simplify

ORDO_INLINE Ref SimplifierBody::run(Ref e) {
  if (detail_simplify::opaque(e)) return e;
  if (const Ref* known = done.find(e)) return *known;
  if (depth > detail_simplify::most_depth) {
    flatten(e);
    if (const Ref* known = done.find(e)) return *known;
  }
  ++depth;
  Ref result = is_linear(e) ? e : rebuilt(e);
  if (result->lanes == 1 && !detail_simplify::opaque(result)) result = is_linear(result) ? sum(result) : rewritten(result);
  --depth;
  if (done.find(e) == nullptr) done.insert(e, result);
  if (result != e && !detail_simplify::opaque(result) && done.find(result) == nullptr) done.insert(result, result);
  return result;
}

// Bounds the stack for deep expressions: everything below `e`, deepest first. The inside of a sum is left to the sum.
ORDO_INLINE void SimplifierBody::flatten(Ref e) {
  struct Frame { Ref node; u32 next; bool inside; };
  const int outer_depth = depth;
  RefMap<bool> seen;
  std::vector<Frame> stack{{e, 0, false}};
  while (!stack.empty()) {
    Frame& top = stack.back();
    if (top.next == top.node->count) {
      const Frame finished = top;
      stack.pop_back();
      depth = 0;
      if (!finished.inside) run(finished.node);
      continue;
    }
    const bool linear_parent = is_linear(top.node);
    const Ref child = top.node->src[top.next++];
    if (detail_simplify::opaque(child) || done.find(child) != nullptr || seen.find(child) != nullptr) continue;
    seen.insert(child, true);
    stack.push_back({child, 0, linear_parent && is_linear(child)});
  }
  depth = outer_depth;
}

// The simplified atom enters the form; a product that is known nowhere else is not built first.
ORDO_INLINE bool SimplifierBody::term(Ref atom, i64 c, Form& out) {
  if (atom->op == Op::Mul && done.find(atom) == nullptr && depth <= detail_simplify::most_depth) {
    ++depth;
    const Ref a = run(atom->src[0]), b = run(atom->src[1]);
    --depth;
    multiply(arena, a, b, c, out);
    return true;
  }
  const Ref better = run(atom);
  collect(better, c, out);
  return better != atom;
}
ORDO_INLINE Ref SimplifierBody::sum(Ref e) {
  Form form, out;
  collect(e, 1, form);
  out.constant = form.constant;
  out.wrapped = form.wrapped;
  bool changed = false;
  for (u32 k = 0; k < form.terms.size(); ++k)
    if (const auto [atom, c] = form.terms[k]; c != 0) changed |= term(atom, c, out);
  recombine(out);
  return !changed && is_built(e, out) ? e : build(arena, out);
}

ORDO_INLINE Ref SimplifierBody::rebuilt(Ref e) {
  const std::size_t base = sources.size();
  bool changed = false;
  for (u32 k = 0; k < e->count; ++k) {
    const Ref better = run(e->src[k]);
    sources.push_back(better);
    changed = changed || better != e->src[k];
  }
  if (changed) e = arena.make(e->op, e->type, sources.data() + base, e->count, e->arg, e->name, e->at, e->lanes);
  sources.resize(base);
  return e;
}

ORDO_INLINE Ref SimplifierBody::rewritten(Ref e) {
  for (int turn = 0; turn < 16; ++turn) {    // each step shrinks or normalises; the bound is for safety
    const Ref better = step(e);
    if (better == nullptr || better == e) return e;
    e = better;
    if (detail_simplify::opaque(e) || e->lanes != 1) return e;
    if (const Ref* known = done.find(e)) return *known;
    if (is_linear(e)) return sum(e);
  }
  return e;
}

ORDO_INLINE Ref SimplifierBody::folded(Ref e) {
  u64 operand[3] = {};
  for (u32 k = 0; k < e->count; ++k) {
    if (k == 3 || !is_const(e->src[k]) || e->src[k]->lanes != 1) return nullptr;
    operand[k] = e->src[k]->arg;
  }
  u64 result = 0;
  return fold(e->op, e->type, e->src[0]->type, e->arg, operand, result) ? arena.constant(e->type, result) : nullptr;
}

ORDO_INLINE Ref SimplifierBody::step(Ref e) {
  switch (class_of(e->op)) {
    case OpClass::leaf: case OpClass::order: case OpClass::memory: return nullptr;
    case OpClass::statement:
      if (e->op != Op::If || !is_const(e->src[0])) return nullptr;
      if (e->src[0]->arg != 0) return e->src[1];
      return e->count > 2 ? e->src[2] : arena.make(Op::Block, Type::none, nullptr, 0);
    case OpClass::unary: case OpClass::binary: case OpClass::ternary: case OpClass::compare: break;
  }
  if (const Ref constant = folded(e)) return constant;
  if (e->op == Op::Cast && static_cast<Type>(e->arg) == e->src[0]->type) return e->src[0];
  if (is_float(e->src[e->count - 1]->type) && e->op != Op::Select) return nullptr;
  if (detail_simplify::commutes(e->op) && is_const(e->src[0]) && !is_const(e->src[1]))
    return arena.make(e->op, e->type, {e->src[1], e->src[0]}, e->arg);
  if (const Ref better = apply_rules(arena, e)) return better;
  return is_index(e->src[e->count - 1]) ? index_step(e) : nullptr;
}

// What multiply() gives is in normal form throughout: it is known as such, not looked at again.
ORDO_INLINE Ref SimplifierBody::product(Ref e) {
  Form form;
  multiply(arena, e->src[0], e->src[1], 1, form);
  for (u32 k = 0; k < form.terms.size(); ++k)
    if (const Ref atom = form.terms[k].key; atom->op == Op::Mul && done.find(atom) == nullptr) done.insert(atom, atom);
  const Ref result = build(arena, form);
  if (result != e && is_linear(result) && done.find(result) == nullptr) done.insert(result, result);
  return result;
}

ORDO_INLINE Ref SimplifierBody::index_step(Ref e) {
  switch (e->op) {
    case Op::Mul: return product(e);
    case Op::Div: case Op::Mod: case Op::FloorDiv: case Op::FloorMod:
      if (!is_const(e->src[1]) || const_value(e->src[1]) < 2) return nullptr;
      return divide(arena, ranges, e->op, e->src[0], const_value(e->src[1]));
    case Op::Lt: case Op::Le: case Op::Eq: case Op::Ne: return compare(arena, ranges, e->op, e->src[0], e->src[1]);
    case Op::Max: case Op::Min: return extreme(arena, ranges, e->op, e->src[0], e->src[1]);
    default: return nullptr;
  }
}

ORDO_INLINE Simplifier::Simplifier(Arena& arena, const std::vector<AtomRange>* ranges) : body_(new SimplifierBody(arena, ranges)) {}
ORDO_INLINE Simplifier::~Simplifier() { delete body_; }
ORDO_INLINE Ref Simplifier::operator()(Ref expression) { return body_->run(expression); }
ORDO_INLINE Ref simplify(Arena& arena, Ref expression) { return SimplifierBody(arena, nullptr).run(expression); }
}  // namespace ordo::ir
