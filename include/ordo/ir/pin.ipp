#pragma once
#include <algorithm>
#include <limits>
#include "ordo/ir/pin.hpp"
#include "ordo/ir/visit.hpp"

namespace ordo::ir {
namespace detail_pin {
// How many whole numbers from 0 on a cast to `t` keeps apart.
inline i64 kept_apart(Type t) {
  const int bits = bits_of(t);
  if (bits == 64) return std::numeric_limits<i64>::max();
  return i64{1} << (is_signed(t) ? bits - 1 : bits);
}
inline void add(Ref side, Ref other, const std::vector<Ref>& axes, std::vector<Pin>& to) {
  Pin p;
  p.at = other;
  p.below = std::numeric_limits<i64>::max();
  if (side->op == Op::Cast) {
    const Type through = static_cast<Type>(side->arg);
    if (!is_integer(through)) return;
    p.below = kept_apart(through);
    side = side->src[0];
  }
  if (std::find(axes.begin(), axes.end(), side) == axes.end()) return;
  p.axis = side;
  bool mentioned = false;
  visit_once(other, [&](Ref e) { mentioned = mentioned || e == side; });
  if (!mentioned) to.push_back(p);
}
}  // namespace detail_pin

ORDO_INLINE std::vector<Pin> pins(Ref condition, const std::vector<Ref>& axes) {
  std::vector<Pin> all;
  std::vector<Ref> work{condition};
  while (!work.empty()) {
    const Ref e = work.back();
    work.pop_back();
    if (e->op == Op::And) work.insert(work.end(), {e->src[1], e->src[0]});
    if (e->op != Op::Eq || !is_integer(e->src[0]->type)) continue;
    detail_pin::add(e->src[0], e->src[1], axes, all);
    detail_pin::add(e->src[1], e->src[0], axes, all);
  }
  return all;
}
}  // namespace ordo::ir
