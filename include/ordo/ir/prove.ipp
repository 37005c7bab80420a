#pragma once
#include <limits>
#include <numeric>
#include "ordo/ir/form.hpp"
#include "ordo/ir/simplify.hpp"

namespace ordo::ir {
namespace detail_prove {
inline bool same(Ref a, Ref b) {
  Form d;
  collect(a, 1, d);
  collect(b, -1, d);
  recombine(d);
  return d.live() == 0 && d.constant == 0;
}

// Is form + [slack, ...) >= 0? Looks into quotients (c * (x / c) = x - x % c) and extremes, a few levels deep and not
// in more than `budget` ways.
struct Search {
  Ranges ranges;
  int budget = 100;
};
inline bool never_negative(const Form& form, i64 slack, Search& search, int depth);

inline bool through_extreme(const Form& form, u32 k, i64 slack, Search& search, int depth) {
  const auto [atom, c] = form.terms[k];
  const bool either = (atom->op == Op::Max) == (c > 0);          // max(x, y) >= x and >= y; otherwise both must hold
  bool all = true;
  for (u32 side = 0; side < 2; ++side) {
    Form other = form;
    *other.terms.find(atom) = 0;
    collect(atom->src[side], c, other);
    const bool holds = never_negative(other, slack, search, depth - 1);
    if (holds && either) return true;
    all = all && holds;
  }
  return all;
}

inline bool through_quotient(const Form& form, u32 k, i64 slack, Search& search, int depth) {
  const auto [atom, c] = form.terms[k];
  if (!is_const(atom->src[1]) || const_value(atom->src[1]) < 2) return false;
  const i64 divisor = const_value(atom->src[1]);
  const Interval dividend = search.ranges.of(atom->src[0]);
  if (c % divisor != 0 || c / divisor > (1 << 20) || c / divisor < -(1 << 20) || divisor > i64{1} << 40) return false;
  if (!dividend.known || (dividend.low < 0 && atom->op == Op::Div)) return false;
  Form other = form;
  *other.terms.find(atom) = 0;
  collect(atom->src[0], c / divisor, other);
  if (c > 0) slack -= c / divisor * (divisor - 1);
  return never_negative(other, slack, search, depth - 1);
}

inline bool never_negative(const Form& form, i64 slack, Search& search, int depth) {
  const Interval range = search.ranges.of(form);
  if (!range.known || --search.budget < 0) return false;
  if (range.low > -(i64{1} << 62) && range.low + slack >= 0) return true;
  if (depth == 0 || slack < -(i64{1} << 61)) return false;
  for (u32 k = 0; k < form.terms.size(); ++k) {
    const auto [atom, c] = form.terms[k];
    if (c == 0 || !is_index(atom)) continue;
    if ((atom->op == Op::Max || atom->op == Op::Min) && through_extreme(form, k, slack, search, depth)) return true;
    if ((atom->op == Op::Div || atom->op == Op::FloorDiv) && through_quotient(form, k, slack, search, depth)) return true;
  }
  return false;
}

inline bool ordered(Ref a, Ref b) {
  Search search;
  if (!search.ranges.of(a).known || !search.ranges.of(b).known) return same(a, b);
  Form d;
  collect(b, 1, d);
  collect(a, -1, d);
  recombine(d);
  return never_negative(d, 0, search, 5);
}

inline bool multiple(Ref e, i64 of, int depth) {
  if (depth == 0 || !is_index(e)) return false;
  Form form;
  collect(e, 1, form);
  Ranges ranges;
  if (!ranges.of(form).known && (of & (of - 1)) != 0) return false;       // a wrapped sum keeps only powers of two
  if (form.constant % of != 0) return false;
  for (u32 k = 0; k < form.terms.size(); ++k) {
    const auto [atom, c] = form.terms[k];
    if (c % of == 0) continue;
    const i64 left = of / std::gcd(of, c % of);
    const bool both = atom->op == Op::Max || atom->op == Op::Min || atom->op == Op::Select;
    const u32 first = atom->op == Op::Select ? 1 : 0;
    if (both && multiple(atom->src[first], left, depth - 1) && multiple(atom->src[first + 1], left, depth - 1)) continue;
    if (atom->op == Op::Mul && (multiple(atom->src[0], left, depth - 1) || multiple(atom->src[1], left, depth - 1))) continue;
    return false;
  }
  return true;
}

// Both in one arena of their own, simplified: then equal structure is one node.
struct Scratch {
  Arena arena;
  Ref a, b;
  Scratch(Ref x, Ref y) : a(own(x)), b(own(y)) {}
  Ref own(Ref e) { return simplify(arena, copied(arena, e)); }
};
}  // namespace detail_prove

ORDO_INLINE bool provably_equal(Ref a, Ref b) {
  if (a == b || detail_prove::same(a, b)) return true;
  if (is_const(a) && is_const(b)) return false;
  const detail_prove::Scratch s(a, b);
  return s.a == s.b || detail_prove::same(s.a, s.b);
}
ORDO_INLINE bool provably_less_equal(Ref a, Ref b) {
  if (is_const(a) && is_const(b)) return const_value(a) <= const_value(b);
  if (detail_prove::ordered(a, b)) return true;
  const detail_prove::Scratch s(a, b);
  return detail_prove::ordered(s.a, s.b);
}
ORDO_INLINE bool provably_multiple(Ref a, i64 of) {
  if (of == 1 || of == -1) return true;
  if (of == 0 || of == std::numeric_limits<i64>::min()) return is_const(a) && const_value(a) == 0;
  if (of < 0) of = -of;
  if (detail_prove::multiple(a, of, 6)) return true;
  const detail_prove::Scratch s(a, a);
  return detail_prove::multiple(s.a, of, 6);
}
}  // namespace ordo::ir
