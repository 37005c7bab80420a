// Where the tiles of a split start.
//   shift_in: for i.0 in 0..16: for i.1 in 0..8 over 0..127: i = min(i.0 * 8, 119) + i.1
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
  const Ref plain = make_.mul(index(r.outer, clamp), size(r.factor));
  if (!shifts(r)) return plain;
  const Ref last = make_.sub(extent(r.parent), size(r.factor));
  const bool fits = provably_less_equal(size(r.factor), extent(r.parent));
  return make_.min(plain, simplify(make_.arena(), fits ? last : make_.max(last, make_.integer(0))));
}

// Of a moved tile: is there room for one at all? nullptr for other guards.
ORDO_INLINE Ref Lowering::fits(const Guard& g) {
  if (g.relation < 0) return nullptr;
  const nest::Relation& r = stage_.relations[static_cast<std::size_t>(g.relation)];
  return shifts(r) ? make_.less_equal(size(r.factor), extent(r.parent)) : nullptr;
}
}  // namespace ordo::kernel::detail_lower
