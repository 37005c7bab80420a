#pragma once
#include <algorithm>
#include <limits>
#include <numeric>
#include "ordo/ir/form.hpp"
#include "ordo/ir/simplify.hpp"

namespace ordo::ir {
namespace detail_compare {
inline Ref truth(Arena& arena, bool value) { return arena.constant(Type::boolean, value); }
struct Sides { Form left, right; };
// sum(c * t) + k  op  0 as  (negated negative terms) op (positive terms), the constant where it is positive.
inline Sides sides(const Form& difference, i64 threshold, i64 divisor) {
  Sides s;
  for (u32 k = 0; k < difference.terms.size(); ++k) {
    const auto [atom, c] = difference.terms[k];
    if (c > 0) s.right.terms.insert(atom, c / divisor);
    if (c < 0) s.left.terms.insert(atom, -(c / divisor));
  }
  if (threshold >= 0) s.left.constant = threshold; else s.right.constant = -threshold;
  return s;
}
inline i64 common(const Form& form) {        // 0 when there is no term, or one that cannot be negated
  i64 g = 0;
  for (u32 k = 0; k < form.terms.size(); ++k) {
    const i64 c = form.terms[k].value;
    if (c == std::numeric_limits<i64>::min()) return 0;
    g = std::gcd(g, c);
  }
  return g;
}
// left < right, left <= right or left == right when difference = right - left; g divides every coefficient.
inline Ref normal(Arena& arena, Ranges& ranges, Op op, const Form& difference, i64 g) {
  if (difference.constant <= -(i64{1} << 62) || difference.constant >= i64{1} << 62) return nullptr;
  const i64 needed = -difference.constant;             // sum(c * t) must exceed, reach or equal this
  i64 threshold = floor_quotient(needed, g);
  const bool divides = needed % g == 0;
  if ((op == Op::Eq || op == Op::Ne) && !divides) return truth(arena, op == Op::Ne);
  if (op == Op::Le && !divides) ++threshold;
  const Sides s = sides(difference, threshold, g);
  if (!ranges.of(s.left).known || !ranges.of(s.right).known) return nullptr;
  return arena.make(op, Type::boolean, {build(arena, s.left), build(arena, s.right)});
}
}  // namespace detail_compare

ORDO_INLINE Ref compare(Arena& arena, Ranges& ranges, Op op, Ref a, Ref b) {
  using namespace detail_compare;
  Form left, right, d;
  collect(a, 1, left);
  collect(b, 1, right);
  d.add(right, 1);
  d.add(left, -1);
  recombine(d);
  const bool equality = op == Op::Eq || op == Op::Ne;
  if (d.live() == 0) {                                 // the difference is a constant, also where it wraps
    if (equality) return truth(arena, (d.constant == 0) == (op == Op::Eq));
    if (d.constant == 0) return truth(arena, op == Op::Le);
  }
  const Interval range = ranges.of(d);
  if (equality && range.known && (range.low > 0 || range.high < 0)) return truth(arena, op == Op::Ne);
  if (!ranges.of(left).known || !ranges.of(right).known || !range.known) return nullptr;
  if (op == Op::Lt && range.low > 0) return truth(arena, true);
  if (op == Op::Lt && range.high <= 0) return truth(arena, false);
  if (op == Op::Le && range.low >= 0) return truth(arena, true);
  if (op == Op::Le && range.high < 0) return truth(arena, false);
  const i64 g = common(d);
  const bool constants = left.constant != 0 && right.constant != 0;
  if (g == 0 || (g == 1 && !constants && d.live() == left.live() + right.live())) return nullptr;
  return normal(arena, ranges, op, d, g);
}

ORDO_INLINE Ref extreme(Arena& arena, Ranges& ranges, Op op, Ref a, Ref b) {
  Form left, right, d;
  collect(a, 1, left);
  collect(b, 1, right);
  d.add(right, 1);
  d.add(left, -1);
  if (d.live() == 0 && d.constant == 0) return a;
  const Interval range = ranges.of(d);
  if (range.known && ranges.of(left).known && ranges.of(right).known) {
    if (range.low >= 0) return op == Op::Max ? b : a;
    if (range.high <= 0) return op == Op::Max ? a : b;
  }
  if (!is_const(b) || a->op != op || !is_const(a->src[1])) return nullptr;
  const i64 x = const_value(a->src[1]), y = const_value(b);
  const i64 bound = op == Op::Max ? std::max(x, y) : std::min(x, y);
  return arena.make(op, Type::i64, {a->src[0], arena.integer(bound)});
}

namespace detail_compare {
// An order of factors that depends on structure alone, as far as `depth` reaches.
inline int order(Ref a, Ref b, int depth) {
  if (a == b) return 0;
  if (a->op != b->op) return a->op < b->op ? -1 : 1;
  if (a->arg != b->arg) return a->arg < b->arg ? -1 : 1;
  if (a->count != b->count) return a->count < b->count ? -1 : 1;
  if (depth == 0) return 0;
  for (u32 k = 0; k < a->count; ++k)
    if (const int s = order(a->src[k], b->src[k], depth - 1); s != 0) return s;
  return 0;
}
inline constexpr std::size_t most_factors = 8;
inline void factors(Ref e, std::vector<Ref>& out) {
  if (out.size() < most_factors && e->op == Op::Mul && is_index(e) && !is_linear(e)) {
    factors(e->src[0], out);
    factors(e->src[1], out);
  } else {
    out.push_back(e);
  }
}
inline Ref monomial(Arena& arena, Ref a, Ref b) {
  std::vector<Ref> list;
  factors(a, list);
  factors(b, list);
  if (list.size() > most_factors) return arena.make(Op::Mul, Type::i64, {a, b});
  for (std::size_t k = 1; k < list.size(); ++k)        // stable insertion
    for (std::size_t j = k; j > 0 && order(list[j], list[j - 1], 4) < 0; --j) std::swap(list[j], list[j - 1]);
  Ref product = list[0];
  for (std::size_t k = 1; k < list.size(); ++k) product = arena.make(Op::Mul, Type::i64, {product, list[k]});
  return product;
}
inline const RefMap<i64>::Entry* only_term(const Form& form) {
  if (form.constant != 0 || form.live() != 1) return nullptr;
  for (u32 k = 0;; ++k) if (form.terms[k].value != 0) return &form.terms[k];
}
}  // namespace detail_compare

// A sum times one term is distributed; two sums stay a product.
ORDO_INLINE void multiply(Arena& arena, Ref a, Ref b, i64 scale, Form& into) {
  using namespace detail_compare;
  if (is_const(a)) std::swap(a, b);
  if (is_const(b)) return collect(a, into.product(scale, const_value(b)), into);
  Form left, right;
  collect(a, 1, left);
  collect(b, 1, right);
  const auto* one = only_term(right);
  const Form* many = &left;
  if (one == nullptr) {
    one = only_term(left);
    many = &right;
  }
  if (one == nullptr || many->terms.size() > 16) return into.add(arena.make(Op::Mul, Type::i64, {a, b}), scale);
  const i64 outer = into.product(scale, one->value);
  for (u32 k = 0; k < many->terms.size(); ++k) {
    const auto [atom, c] = many->terms[k];
    if (c != 0) into.add(monomial(arena, atom, one->key), into.product(c, outer));
  }
  if (many->constant != 0) into.add(one->key, into.product(many->constant, outer));
}
}  // namespace ordo::ir
