#pragma once
#include "ordo/ir/form.hpp"
#include "ordo/ir/simplify.hpp"

namespace ordo::ir {
namespace detail_linear {
// Has the linear region at most `budget` nodes, counted as a tree?
inline bool fits(Ref e, int& budget) {
  if (--budget < 0) return false;
  if (e->op == Op::Const || !is_linear(e)) return true;
  return fits(e->src[0], budget) && (e->count == 1 || fits(e->src[1], budget));
}
inline void collect_small(Ref e, i64 scale, Form& into) {
  if (!is_linear(e)) return into.add(e, scale);
  switch (e->op) {
    case Op::Const: return into.add(const_value(e), scale);
    case Op::Neg: return collect_small(e->src[0], into.product(scale, -1), into);
    case Op::Mul: {
      const bool right = is_const(e->src[1]);
      return collect_small(e->src[right ? 0 : 1], into.product(scale, const_value(e->src[right ? 1 : 0])), into);
    }
    default:
      collect_small(e->src[0], scale, into);
      collect_small(e->src[1], e->op == Op::Add ? scale : into.product(scale, -1), into);
  }
}

// Inner nodes of the linear region in post-order; atoms enter `into` in the order in which they are met.
inline void walk_region(Ref root, Form& into, RefMap<i64>& seen, std::vector<Ref>& order) {
  struct Frame { Ref node; u32 next; };
  std::vector<Frame> stack{{root, 0}};
  seen.insert(root, 0);
  while (!stack.empty()) {
    Frame& top = stack.back();
    if (top.next == top.node->count) {
      order.push_back(top.node);
      stack.pop_back();
      continue;
    }
    const Ref child = top.node->src[top.next++];
    if (!is_linear(child)) {
      into.add(child, 0);
    } else if (seen.find(child) == nullptr) {
      seen.insert(child, 0);
      stack.push_back({child, 0});
    }
  }
}

inline void collect_large(Ref root, i64 scale, Form& into) {
  RefMap<i64> weight;
  std::vector<Ref> order;
  walk_region(root, into, weight, order);
  *weight.find(root) = scale;
  const auto give = [&](Ref to, i64 amount) {
    if (i64* w = weight.find(to)) *w = into.sum(*w, amount); else into.add(to, amount);
  };
  for (std::size_t k = order.size(); k-- > 0;) {       // parents before children
    const Ref e = order[k];
    const i64 w = *weight.find(e);
    switch (e->op) {
      case Op::Const: into.add(const_value(e), w); break;
      case Op::Neg: give(e->src[0], into.product(w, -1)); break;
      case Op::Mul: {
        const bool right = is_const(e->src[1]);
        give(e->src[right ? 0 : 1], into.product(w, const_value(e->src[right ? 1 : 0])));
        break;
      }
      default: give(e->src[0], w); give(e->src[1], e->op == Op::Add ? w : into.product(w, -1));
    }
  }
}

inline Ref scaled(Arena& arena, Ref atom, i64 coefficient) {
  return coefficient == 1 ? atom : arena.make(Op::Mul, Type::i64, {atom, arena.integer(coefficient)});
}
}  // namespace detail_linear

ORDO_INLINE void collect(Ref expression, i64 scale, Form& into) {
  if (!is_linear(expression)) return into.add(expression, scale);
  int budget = 24;
  if (detail_linear::fits(expression, budget)) return detail_linear::collect_small(expression, scale, into);
  detail_linear::collect_large(expression, scale, into);
}

ORDO_INLINE Linear linear(Ref expression) {
  Form form;
  collect(expression, 1, form);
  Linear out;
  out.constant = form.constant;
  for (u32 k = 0; k < form.terms.size(); ++k)
    if (form.terms[k].value != 0) out.terms.push_back({form.terms[k].key, form.terms[k].value});
  return out;
}

// Positive terms first, so that `b - a` is not (-1) * a + b; then the others, the constant last.
ORDO_INLINE Ref build(Arena& arena, const Form& form) {
  using detail_linear::scaled;
  Ref sum = nullptr;
  for (u32 k = 0; k < form.terms.size(); ++k) {
    const auto [atom, c] = form.terms[k];
    if (c <= 0) continue;
    const Ref term = scaled(arena, atom, c);
    sum = sum == nullptr ? term : arena.make(Op::Add, Type::i64, {sum, term});
  }
  bool constant_done = form.constant == 0;
  for (u32 k = 0; k < form.terms.size(); ++k) {
    const auto [atom, c] = form.terms[k];
    if (c >= 0) continue;
    if (sum == nullptr && !constant_done) {
      sum = arena.integer(form.constant);
      constant_done = true;
    }
    const Ref term = scaled(arena, atom, wrap_sub(0, c));
    sum = sum == nullptr ? (c == -1 ? arena.make(Op::Neg, Type::i64, {atom}) : scaled(arena, atom, c))
                         : arena.make(Op::Sub, Type::i64, {sum, term});
  }
  if (sum == nullptr) return arena.integer(form.constant);
  if (constant_done) return sum;
  if (form.constant > 0) return arena.make(Op::Add, Type::i64, {sum, arena.integer(form.constant)});
  return arena.make(Op::Sub, Type::i64, {sum, arena.integer(wrap_sub(0, form.constant))});
}

namespace detail_linear {
inline bool is_term(Ref e, Ref atom, i64 coefficient) {
  return coefficient == 1 ? e == atom
                          : e->op == Op::Mul && e->src[0] == atom && is_const(e->src[1]) && const_value(e->src[1]) == coefficient;
}
// Steps over `rest + last` or `rest - last`.
inline bool step_over(Ref& e, Ref atom, i64 coefficient) {
  if (e->op != (coefficient > 0 ? Op::Add : Op::Sub)) return false;
  const Ref last = e->src[1];
  const i64 magnitude = coefficient > 0 ? coefficient : wrap_sub(0, coefficient);
  if (atom == nullptr ? !is_const(last) || const_value(last) != magnitude : !is_term(last, atom, magnitude)) return false;
  e = e->src[0];
  return true;
}
}  // namespace detail_linear

ORDO_INLINE bool is_built(Ref e, const Form& form) {
  u32 positive = 0, left = form.live();
  for (u32 k = 0; k < form.terms.size(); ++k) positive += form.terms[k].value > 0;
  if (left == 0) return is_const(e);
  if (positive == 0) return false;                     // rare: built anew
  if (form.constant != 0 && !detail_linear::step_over(e, nullptr, form.constant)) return false;
  for (const bool negative : {true, false})
    for (u32 k = form.terms.size(); k-- > 0;) {
      const auto [atom, c] = form.terms[k];
      if (c == 0 || (c < 0) != negative) continue;
      if (--left == 0) return detail_linear::is_term(e, atom, c);
      if (!detail_linear::step_over(e, atom, c)) return false;
    }
  return false;
}

ORDO_INLINE Ref build(Arena& arena, const Linear& form) {
  Form f;
  f.constant = form.constant;
  for (const Linear::Term& t : form.terms) f.add(t.atom, t.coefficient);
  return build(arena, f);
}

namespace detail_linear {
// The divisor-scaled quotient that belongs to the remainder `mod`, as an index into the terms, or size().
inline u32 partner(const Form& form, Ref mod, i64 coefficient) {
  const Op quotient = mod->op == Op::Mod ? Op::Div : Op::FloorDiv;
  const Ref x = mod->src[0], n = mod->src[1];
  for (u32 k = 0; k < form.terms.size(); ++k) {
    const auto [atom, c] = form.terms[k];
    if (c == 0) continue;
    const auto fits = [&](Ref e) { return e->op == quotient && e->src[0] == x && e->src[1] == n; };
    if (is_const(n)) {
      if (fits(atom) && c == wrap_mul(coefficient, const_value(n))) return k;
    } else if (c == coefficient && atom->op == Op::Mul) {
      if ((fits(atom->src[0]) && atom->src[1] == n) || (fits(atom->src[1]) && atom->src[0] == n)) return k;
    }
  }
  return form.terms.size();
}
}  // namespace detail_linear

ORDO_INLINE void recombine(Form& form) {
  for (u32 k = 0; k < form.terms.size(); ++k) {        // collect() appends: what it adds is looked at too
    const auto [atom, c] = form.terms[k];
    if (c == 0 || !is_index(atom) || (atom->op != Op::Mod && atom->op != Op::FloorMod)) continue;
    const u32 other = detail_linear::partner(form, atom, c);
    if (other == form.terms.size()) continue;
    form.terms[k].value = 0;
    form.terms[other].value = 0;
    collect(atom->src[0], c, form);
    k = static_cast<u32>(-1);
  }
}
}  // namespace ordo::ir
