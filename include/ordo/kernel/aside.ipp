// Finished sums that functions are taken of (exp, erf ...) leave the registers first: the functions then stand once in the code, in a
// loop over what was set aside, in place of once for each vector of the tile.
//   before: store f(acc[0]); store f(acc[16]); ...         after: aside[0] = acc[0]; ...; for v: store f(aside[v])
#pragma once
#include "ordo/ir/visit.hpp"
#include "ordo/kernel/lowering.hpp"

namespace ordo::kernel::detail_lower {
ORDO_INLINE bool Lowering::sets_aside() {
  constexpr i64 few_vectors = 4;
  if (mode_ == Mode::guarded || vector_ < 0 || carry_ != ~0u || tile_elements(0) < few_vectors * lanes()) return false;
  bool functions = false;
  visit_once(definition_.value, [&](Ref e) {
    functions = functions || is_function(e->op);
    return e->op != Op::Reduce && !functions;
  });
  return functions;
}

ORDO_INLINE Ref Lowering::finished() {
  if (!sets_aside()) return tile_nest(tile_, Phase::finish);
  for (const u32 a : accumulators_) {
    Buffer b = kernel_.buffers[a];
    b.name += ".aside";
    b.space = Space::stack;
    kernel_.buffers.push_back(std::move(b));
    aside_.push_back(static_cast<u32>(kernel_.buffers.size()) - 1);
  }
  const Ref out = tile_nest(tile_, Phase::set_aside);
  accumulators_.swap(aside_);
  in_aside_ = true;
  Ref body = make_.block({out, tile_nest(tile_, Phase::finish)});
  in_aside_ = false;
  accumulators_.swap(aside_);
  for (const u32 a : aside_) body = make_.alloc(a, body);
  aside_.clear();
  return body;
}
}  // namespace ordo::kernel::detail_lower
