// Where the tiles of a split start.
//   cover of 6 and 5 over 0..127: for i.0 in 0..17: for i.1 in 0..6: i = i.0 * 6 + i.1
//                                 for i.0 in 17..22: for i.1 in 0..5: i = 102 + (i.0 - 17) * 5 + i.1
//   shift_in by 8 over 0..127:    for i.0 in 0..16: for i.1 in 0..8: i = min(i.0 * 8, 119) + i.1
#pragma once
#include "ordo/kernel/lowering.hpp"

namespace ordo::kernel::detail_lower {
// May its last tile be moved?
ORDO_INLINE bool Lowering::shifts(const nest::Relation& r) {
  if (r.op != nest::Relation::Op::split || r.tail != Tail::shift_in) return false;
  const Ref factor = size(r.factor), whole = extent(r.parent);
  return factor != whole && !(Make::is_constant(factor) && provably_multiple(whole, static_cast<i64>(factor->arg)));
}

ORDO_INLINE Ref Lowering::start(const nest::Relation& r, bool clamp) {
  const Ref turn = index(r.outer, clamp), plain = make_.mul(turn, size(r.factor));
  if (r.tail == Tail::cover) {
    const Covers which = covers_[static_cast<std::size_t>(stage_.loop(r.parent).consumed_by)];
    const Ref first = tiles(r).first;
    if (which == Covers::first) return plain;
    const Ref later = make_.sub(turn, first);
    if (which == Covers::second) return make_.add(make_.mul(first, size(r.factor)), make_.mul(later, size(r.second)));
    return make_.add(make_.mul(make_.min(turn, first), size(r.factor)), make_.mul(make_.max(later, make_.integer(0)), size(r.second)));
  }
  if (!shifts(r)) return plain;
  const Ref last = make_.sub(extent(r.parent), size(r.factor));
  const bool fits = provably_less_equal(size(r.factor), extent(r.parent));
  return make_.min(plain, simplify(make_.arena(), fits ? last : make_.max(last, make_.integer(0))));
}

ORDO_INLINE nest::Tiles Lowering::tiles(const nest::Relation& r) {
  return nest::tiles(make_.arena(), extent(r.parent), static_cast<i64>(r.factor->arg), static_cast<i64>(r.second->arg));
}
// The size of the tile at hand.
ORDO_INLINE Ref Lowering::width(const Guard& g) {
  const nest::Relation& r = stage_.relations[static_cast<std::size_t>(g.relation)];
  switch (covers_[static_cast<std::size_t>(g.relation)]) {
    case Covers::first: return size(r.factor);
    case Covers::second: return size(r.second);
    case Covers::any: break;
  }
  const Ref s[] = {make_.less(index(r.outer, false), tiles(r).first), size(r.factor), size(r.second)};
  return make_.op(Op::Select, s, 3, Type::i64);
}
// The relation whose outer part a loop is, when its tiles can be told apart by its turns; -1.
ORDO_INLINE int Lowering::covering(int loop) const {
  for (std::size_t k = 0; k < stage_.relations.size(); ++k)
    if (stage_.relations[k].tail == Tail::cover && stage_.relations[k].outer == loop) return static_cast<int>(k);
  return -1;
}

// Of a moved tile: is there room for one at all? nullptr for other guards.
ORDO_INLINE Ref Lowering::fits(const Guard& g) {
  if (g.relation < 0) return nullptr;
  const nest::Relation& r = stage_.relations[static_cast<std::size_t>(g.relation)];
  return shifts(r) ? make_.less_equal(size(r.factor), extent(r.parent)) : nullptr;
}
}  // namespace ordo::kernel::detail_lower
