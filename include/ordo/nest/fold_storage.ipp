// A stage whose window slides keeps its last elements only: index modulo a size that holds the window.
//   before: bx stored in by/v.0: rows v.0 * 32 + 0..34        after: 4 rows, row v at v mod 4          fold_storage(y, 4) of bx
// Keeps: what a turn computes takes the place of what lies as far back as the ring is long: before all that is still read.
#pragma once
#include "ordo/nest/body.hpp"

namespace ordo::nest {
ORDO_INLINE Refusal directive::fold_storage(Edit& e) {
  constexpr i64 most_ring = i64{1} << 40;
  const auto no = [&](const char* code, const std::string& why, const std::string& help, int arrow = -1) {
    return Refusal{code, cannot(e.directive) + ": " + why, help, arrow};
  };
  Storage& stored = e.stage.placed.stored;
  if (stored.loop == Storage::turn)
    return no("fold_storage.stage", "it is not stored longer than it is computed", "compute_at() and store_at() it first");
  if (stored.folded >= 0)
    return no("fold_storage.twice", "it is folded already (" + at_line("fold_storage", stored.fold_line) + ")", "fold once");
  int loop = -1;
  if (Refusal r = find_loop(e, e.directive.loops[0], loop)) return r;
  const ir::Definition& d = definition_of(e.nest, e.stage);
  const ir::Ref axis = whole_axis(e.stage, loop);
  for (std::size_t k = 0; k < d.axes.size(); ++k)
    if (d.axes[k] == axis) stored.folded = static_cast<int>(k);
  if (stored.folded < 0)
    return no("fold_storage.loop", name_of(e.stage, loop) + " does not run over a dimension of it", "fold before its loops are split and fused", loop);
  i64 ring = 1;
  if (e.directive.factors.empty()) {     // a power of two: its remainders cost nothing
    const Region& r = e.stage.placed.regions[static_cast<std::size_t>(stored.folded)];
    const i64 window = r.window == nullptr ? 1 : static_cast<i64>(r.window_extent->arg);
    while (ring < window) ring *= 2;
  } else {
    std::string wrong;
    const ir::Ref size = e.directive.factors.size() == 1 ? parse_size(e.nest, e.directive.factors[0], wrong) : nullptr;
    if (size == nullptr || size->op != ir::Op::Const)
      return no("fold_storage.size", wrong.empty() ? "its size is not an integer" : wrong, "give one integer, or none", loop);
    ring = static_cast<i64>(size->arg);
    if (ring > most_ring) return no("fold_storage.size", "no memory holds " + std::to_string(ring) + " of it", "fold to what a turn reads, or a little more", loop);
  }
  stored.ring = ring;
  stored.fold_line = e.directive.at;
  return derive_regions(e.nest, e, e.number, e.stage.placed);
}

ORDO_INLINE void fold_storage(const StageHandle* s, ir::Ref loop, i64 ring, Where at) {
  Call call(s, "fold_storage", at);
  call.loop(loop);
  if (ring != 0) call.directive.factors.push_back(std::to_string(ring));
  call.apply();
}
}  // namespace ordo::nest
