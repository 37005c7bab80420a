// Which register buffers can be taken apart: those whose accesses, all in the function of their Alloc, are at constant
// offsets and pairwise equal or disjoint.
#pragma once
#include <algorithm>
#include "ordo/codegen/llvm/function.hpp"
#include "ordo/ir/visit.hpp"

namespace ordo::codegen::llvm::detail_tiles {
inline bool accesses(Ref n) { return n->op == ir::Op::Read || n->op == ir::Op::Write; }

inline void note(Tile& tile, Ref access) {
  const int lanes = access->op == ir::Op::Read ? access->lanes : access->src[1]->lanes;
  const Offset o = offset(access->src[0]);
  if (!o.terms.empty() || !(lanes == 1 ? o.uniform() : o.contiguous())) tile.pieces = false;
  else tile.accesses.emplace_back(o.constant, lanes);
}
// Tiles used inside a parallel loop but allocated outside of it live in memory that both functions see.
inline void note_parallel(Unit& u, Ref loop) {
  std::vector<bool> inside(u.tiles.size());
  ir::visit_once(loop->src[3], [&](Ref n) { if (n->op == ir::Op::Alloc) inside[n->arg] = true; });
  ir::visit_once(loop->src[3], [&](Ref n) { if (accesses(n) && !inside[n->arg]) u.tiles[n->arg].pieces = false; });
}
inline void settle(Tile& tile) {
  auto& all = tile.accesses;
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  for (std::size_t k = 1; k < all.size(); ++k)
    if (all[k - 1].first + all[k - 1].second > all[k].first) tile.pieces = false;
}
}  // namespace ordo::codegen::llvm::detail_tiles

namespace ordo::codegen::llvm {
ORDO_INLINE void make_tiles(Unit& u) {
  u.tiles.resize(u.kernel.buffers.size());
  ir::visit_once(u.kernel.body, [&u](Ref n) {
    if (detail_tiles::accesses(n) && u.kernel.buffers[n->arg].space == kernel::Space::registers) detail_tiles::note(u.tiles[n->arg], n);
    if (n->op == ir::Op::For && n->arg == static_cast<u64>(ir::LoopMode::parallel)) detail_tiles::note_parallel(u, n);
    if (n->op == ir::Op::Fail) u.can_fail = true;
    if (n->op == ir::Op::Alloc && u.kernel.buffers[n->arg].space == kernel::Space::heap) u.can_fail = true;
  });
  for (Tile& tile : u.tiles) detail_tiles::settle(tile);
}
}  // namespace ordo::codegen::llvm
