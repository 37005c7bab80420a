#pragma once
#include <numeric>
#include "ordo/ir/form.hpp"
#include "ordo/ir/simplify.hpp"

namespace ordo::ir {
namespace detail_divide {
struct Parts { Form quotient, rest; i64 common; };     // form = divisor * quotient + rest; common: gcd of rest's coefficients and divisor
inline void split(const Form& form, i64 divisor, Parts& out) {
  out.common = divisor;
  for (u32 k = 0; k < form.terms.size(); ++k) {
    const auto [atom, c] = form.terms[k];
    if (c == 0) continue;
    if (c % divisor == 0) {
      out.quotient.terms.insert(atom, c / divisor);
      continue;
    }
    out.rest.terms.insert(atom, c);
    out.common = std::gcd(out.common, c % divisor);    // gcd(d, c) == gcd(d, c % d), and never meets the smallest integer
  }
  out.quotient.constant = floor_quotient(form.constant, divisor);
  out.rest.constant = wrap_sub(form.constant, wrap_mul(out.quotient.constant, divisor));
}
inline bool is_quotient(Op op) { return op == Op::Div || op == Op::FloorDiv; }
inline Ref make(Arena& arena, Op op, Ref a, i64 divisor) { return arena.make(op, Type::i64, {a, arena.integer(divisor)}); }

// (x / a) / b is x / (a * b), and (x % (a * b)) % b is x % b, for a, b > 0 and either kind of rounding.
inline Ref nested(Arena& arena, Op op, Ref a, i64 divisor) {
  if (a->op != op || !is_index(a) || !is_const(a->src[1]) || const_value(a->src[1]) <= 0) return nullptr;
  const i64 inner = const_value(a->src[1]);
  i64 product = 0;
  if (!is_quotient(op)) return inner % divisor == 0 ? make(arena, op, a->src[0], divisor) : nullptr;
  return __builtin_mul_overflow(inner, divisor, &product) ? nullptr : make(arena, op, a->src[0], product);
}
// Truncating division of a value that may be negative: only what is exact.
inline Ref truncated(Arena& arena, Op op, Ref a, i64 divisor, Interval range, const Parts& parts) {
  const bool quotient = is_quotient(op);
  if (range.low > -divisor && range.high < divisor) return quotient ? arena.integer(0) : a;
  if (parts.rest.live() == 0 && parts.rest.constant == 0) return quotient ? build(arena, parts.quotient) : arena.integer(0);
  return nested(arena, op, a, divisor);
}
}  // namespace detail_divide

// a op divisor for a constant divisor >= 2, or nullptr when nothing is gained. `a` is simplified.
ORDO_INLINE Ref divide(Arena& arena, Ranges& ranges, Op op, Ref a, i64 divisor) {
  using namespace detail_divide;
  const bool quotient = is_quotient(op), truncates = op == Op::Div || op == Op::Mod;
  Form form;
  collect(a, 1, form);
  const Interval range = ranges.of(form);
  if (!range.known) return nested(arena, op, a, divisor);
  Parts parts;
  split(form, divisor, parts);
  if (truncates && range.low < 0) return truncated(arena, op, a, divisor, range, parts);
  const Interval rest = ranges.of(parts.rest);
  if (!rest.known) return nested(arena, op, a, divisor);
  if (rest.low >= 0 && rest.high < divisor) return build(arena, quotient ? parts.quotient : parts.rest);
  if (rest.low < 0 && truncates) return nested(arena, op, a, divisor);
  const Op inner_op = rest.low >= 0 ? (quotient ? Op::Div : Op::Mod) : (quotient ? Op::FloorDiv : Op::FloorMod);
  const i64 g = parts.common;
  Form inner;
  for (u32 k = 0; k < parts.rest.terms.size(); ++k) inner.terms.insert(parts.rest.terms[k].key, parts.rest.terms[k].value / g);
  inner.constant = parts.rest.constant / g;
  const Ref dividend = build(arena, inner);
  Ref leaf = nested(arena, inner_op, dividend, divisor / g);
  if (leaf == nullptr) leaf = make(arena, inner_op, dividend, divisor / g);
  else if (const Ref better = divide(arena, ranges, leaf->op, leaf->src[0], const_value(leaf->src[1]))) leaf = better;
  Form total;
  if (quotient) total.add(parts.quotient, 1); else total.constant = parts.rest.constant % g;
  total.add(leaf, quotient ? 1 : g);
  return build(arena, total);
}
}  // namespace ordo::ir
