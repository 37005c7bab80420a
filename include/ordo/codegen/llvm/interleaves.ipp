// Stores at a distance from lane to lane that lie densely together: their lanes are interleaved in registers and stored once.
//
//   q[m + ramp(0, 4) x16] = a; q[m + 1 + ramp(0, 4) x16] = b; ... + 3 = d          q[m + ramp(0, 1) x64] = (a0 b0 c0 d0 a1 b1 ...)
//
// Only into memory that lowering made, which no other buffer shares, and from which nothing that is stored is read.
#pragma once
#include <algorithm>
#include "ordo/codegen/llvm/access.hpp"
#include "ordo/codegen/llvm/function.hpp"
#include "ordo/ir/visit.hpp"

namespace ordo::codegen::llvm::detail_interleaves {
using ir::Op;

inline bool is_strided(const Function& f, Ref n, Offset* to) {
  constexpr i64 most = 8;
  if (n->op != Op::Write || n->count != 2 || n->src[1]->lanes < 2) return false;
  const kernel::Buffer& b = f.unit.kernel.buffers[n->arg];
  if (b.space == kernel::Space::argument || b.space == kernel::Space::registers || b.canonical || b.nontemporal) return false;
  *to = offset(n->src[0]);
  std::sort(to->terms.begin(), to->terms.end());
  return to->general == nullptr && to->steps.empty() && to->step >= 2 && to->step <= most;
}
inline bool reads(Ref value, u64 buffer) {
  bool found = false;
  ir::visit_once(value, [&](Ref e) { found = found || (e->op == Op::Read && e->arg == buffer); });
  return found;
}
// Lanes of all, one of each in turn. Pairs are joined first: what is left of a number that is no power of two goes one by one.
inline Value interleaved(Function& f, const std::vector<Value>& parts, int lanes) {
  const auto pick = [&](Value a, Value b, int count, const auto& from) {
    std::vector<Value> mask;
    for (int k = 0; k < count; ++k) mask.push_back(detail_memory::lane_number(f, from(k)));
    return LLVMBuildShuffleVector(f.at, a, b, LLVMConstVector(mask.data(), static_cast<unsigned>(count)), "");
  };
  const int n = static_cast<int>(parts.size());
  Value all = parts[0];
  for (int p = 1; p < n; ++p) {                          // `all` holds groups of p
    const int have = p * lanes, count = (p + 1) * lanes;
    Value wide = pick(parts[static_cast<std::size_t>(p)], parts[static_cast<std::size_t>(p)], have, [&](int k) { return k < lanes ? k : 0; });
    all = pick(all, wide, count, [&](int k) { return k % (p + 1) == p ? have + k / (p + 1) : k / (p + 1) * p + k % (p + 1); });
  }
  return all;
}
}  // namespace ordo::codegen::llvm::detail_interleaves

namespace ordo::codegen::llvm {
ORDO_INLINE u32 interleaves(Function& f, Ref block, u32 from) {
  using namespace detail_interleaves;
  Offset first;
  if (!is_strided(f, block->src[from], &first)) return 0;
  const Ref lead = block->src[from];
  const u32 n = static_cast<u32>(first.step);
  if (from + n > block->count) return 0;
  for (u32 k = 0; k < n; ++k) {
    const Ref w = block->src[from + k];
    Offset to;
    const bool next = is_strided(f, w, &to) && w->arg == lead->arg && to.terms == first.terms && to.step == first.step &&
                      to.constant == first.constant + static_cast<i64>(k) && w->src[1]->lanes == lead->src[1]->lanes &&
                      w->src[1]->type == lead->src[1]->type && !reads(w->src[1], lead->arg);
    if (!next) return 0;
  }
  ++f.statement;
  detail_memory::evaluate(f, first);
  std::vector<Value> parts;
  for (u32 k = 0; k < n; ++k) {
    const Ref w = block->src[from + k];
    parts.push_back(narrow(f, f.unit.kernel.buffers[w->arg].type, w->src[1]->type, value(f, w->src[1])));
  }
  const int lanes = lead->src[1]->lanes;
  detail_memory::Access to = detail_memory::access(f, lead, lanes, nullptr);
  detail_memory::store(f, to, interleaved(f, parts, lanes), address(f, to.buffer, to.where), detail_memory::alignment(f, to));
  return n;
}
}  // namespace ordo::codegen::llvm
