#pragma once
#include <algorithm>
#include <limits>
#include "ordo/ir/form.hpp"
#include "ordo/ir/simplify.hpp"

namespace ordo::ir {
namespace detail_interval {
inline constexpr Interval unknown{std::numeric_limits<i64>::min(), std::numeric_limits<i64>::max(), false};
inline constexpr i64 size_limit = (i64{1} << 40) - 1;  // of Dims, axes and loop variables

inline Interval hull(Interval a, Interval b) {
  if (!a.known || !b.known) return unknown;
  return {std::min(a.low, b.low), std::max(a.high, b.high), true};
}
inline Interval scaled(Interval a, i64 c) {
  i64 x = 0, y = 0;
  if (!a.known || __builtin_mul_overflow(a.low, c, &x) || __builtin_mul_overflow(a.high, c, &y)) return unknown;
  return {std::min(x, y), std::max(x, y), true};
}
inline Interval sum(Interval a, Interval b) {
  i64 x = 0, y = 0;
  if (!a.known || !b.known || __builtin_add_overflow(a.low, b.low, &x) || __builtin_add_overflow(a.high, b.high, &y)) return unknown;
  return {x, y, true};
}
inline Interval of_type(Type t) {
  switch (t) {
    case Type::boolean: return {0, 1, true};
    case Type::i32: return {std::numeric_limits<i32>::min(), std::numeric_limits<i32>::max(), true};
    case Type::u32: return {0, std::numeric_limits<u32>::max(), true};
    default: return unknown;
  }
}
}  // namespace detail_interval

ORDO_INLINE Interval Ranges::leaf(Ref e) const {
  using namespace detail_interval;
  if (given_ != nullptr)
    for (const AtomRange& r : *given_) if (r.atom == e) return {r.low, r.high, true};
  if (e->op == Op::Dim) return {0, size_limit, true};
  if (e->op == Op::Var) return (e->arg & any_value) != 0 ? unknown : Interval{0, size_limit, true};
  if (e->op != Op::Axis) return unknown;
  const Ref extent = extent_of(e);
  if (extent != nullptr && is_const(extent)) return {0, std::max<i64>(const_value(extent) - 1, 0), true};
  return {0, size_limit, true};
}

ORDO_INLINE Interval Ranges::quotient(Ref e) {
  using namespace detail_interval;
  const Interval a = of(e->src[0]), b = of(e->src[1]);
  if (!a.known || !b.known || b.low < 0) return unknown;
  if (b.low == 0 || b.low != b.high) return a.low >= 0 ? Interval{0, a.high, true} : unknown;
  if (e->op == Op::Div) return {a.low / b.low, a.high / b.low, true};
  return {floor_quotient(a.low, b.low), floor_quotient(a.high, b.low), true};
}

ORDO_INLINE Interval Ranges::remainder(Ref e) {
  using namespace detail_interval;
  const Interval a = of(e->src[0]), b = of(e->src[1]);
  if (!b.known || b.low < 0) return unknown;
  if (b.low == 0) return a.known && a.low >= 0 ? Interval{0, a.high, true} : unknown;  // x % 0 is x
  const i64 most = b.high - 1;
  if (a.known && a.low >= 0) return {0, std::min(most, a.high), true};
  if (e->op == Op::FloorMod) return {0, most, true};
  return {-most, most, true};
}

ORDO_INLINE Interval Ranges::product(Ref e) {
  using namespace detail_interval;
  const Interval a = of(e->src[0]), b = of(e->src[1]);
  if (!b.known) return unknown;
  const Interval low = scaled(a, b.low), high = scaled(a, b.high);
  return hull(low, high);
}

ORDO_INLINE Interval Ranges::atom(Ref e) {
  using namespace detail_interval;
  switch (e->op) {
    case Op::Dim: case Op::Var: case Op::Axis: return leaf(e);
    case Op::Div: case Op::FloorDiv: return quotient(e);
    case Op::Mod: case Op::FloorMod: return remainder(e);
    case Op::Mul: return product(e);
    case Op::Select: return hull(of(e->src[1]), of(e->src[2]));
    case Op::Max: case Op::Min: {
      const Interval a = of(e->src[0]), b = of(e->src[1]);
      const bool max = e->op == Op::Max;
      if (a.known && b.known) {
        if (max) return {std::max(a.low, b.low), std::max(a.high, b.high), true};
        return {std::min(a.low, b.low), std::min(a.high, b.high), true};
      }
      return unknown;
    }
    case Op::Abs: {
      const Interval a = of(e->src[0]);
      if (!a.known || a.low == unknown.low) return unknown;
      if (a.low >= 0) return a;
      return {0, std::max(-a.low, a.high), true};
    }
    case Op::Cast: return of_type(e->src[0]->type);
    default: return given_ != nullptr ? leaf(e) : unknown;
  }
}

ORDO_INLINE Interval Ranges::of(const Form& form) {
  Interval total{form.constant, form.constant, !form.wrapped};
  for (u32 k = 0; k < form.terms.size() && total.known; ++k)
    if (form.terms[k].value != 0) total = detail_interval::sum(total, detail_interval::scaled(of(form.terms[k].key), form.terms[k].value));
  return total;
}

ORDO_INLINE Interval Ranges::of(Ref e) {
  if (!is_index(e)) return detail_interval::unknown;
  if (is_const(e)) return {const_value(e), const_value(e), true};
  if (e->count == 0) return leaf(e);
  if (const Interval* known = memo_.find(e)) return *known;
  if (depth_ > 200) return detail_interval::unknown;   // sound, and bounds the stack
  ++depth_;
  Interval result;
  if (is_linear(e)) {
    Form form;
    collect(e, 1, form);
    result = of(form);
  } else {
    result = atom(e);
  }
  --depth_;
  memo_.insert(e, result);
  return result;
}

ORDO_INLINE Interval interval(Ref expression, const std::vector<AtomRange>& ranges) { return Ranges(&ranges).of(expression); }
}  // namespace ordo::ir
