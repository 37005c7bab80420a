#pragma once
#include <algorithm>
#include "ordo/runtime/workspace.hpp"

namespace ordo::runtime {
namespace detail_workspace {
struct Placed { i64 begin, end; int first, last; };
constexpr i64 most_bytes = i64{1} << 56;
[[noreturn]] inline void refuse(Where at) { fail("run.memory", at, "there is no memory for the intermediate tensors of the kernel"); }
// The lowest place that is free while `w` lives; `placed` is sorted by begin.
inline i64 lowest(const std::vector<Placed>& placed, const Workspace& w, i64 bytes) {
  i64 begin = 0;
  for (const Placed& p : placed) {
    if (p.last < w.first || w.last < p.first) continue;
    if (begin + bytes <= p.begin) break;
    begin = std::max(begin, p.end);
  }
  return begin;
}
}  // namespace detail_workspace

ORDO_INLINE i64 bytes_of(const Workspace& w, const i64* dims, Where at) {
  i64 bytes;
  const i64 elements = w.elements.saturated(dims);
  if (elements <= 0) return 64;
  if (__builtin_mul_overflow(elements, w.element_bytes, &bytes) || bytes > detail_workspace::most_bytes) detail_workspace::refuse(at);
  return (bytes + 63) / 64 * 64;
}
ORDO_INLINE std::vector<Workspace> make_workspaces(const plan::Plan& plan) {
  std::vector<Workspace> list;
  for (const plan::Workspace& w : plan.workspaces)
    list.push_back({Size(w.elements), bytes_of(w.type), w.first_launch, w.last_launch, w.argument});
  return list;
}
ORDO_INLINE std::vector<TurnMemory> make_turn_memory(const plan::Plan& plan) {
  std::vector<TurnMemory> list;
  const ir::Program& program = plan.nest.program;
  for (const nest::Stage& stage : plan.nest.stages) {
    if (stage.inlined) continue;
    const int tensor = program.definitions[static_cast<std::size_t>(stage.definition)].tensor;
    if (plan.slots[static_cast<std::size_t>(tensor)].in == plan::Slot::In::turn) {
      TurnMemory m{{}, bytes_of(program.tensors[static_cast<std::size_t>(tensor)].type)};
      for (const nest::Region& r : stage.placed.regions)
        m.extents.emplace_back(r.room != nullptr ? r.room : r.kept != nullptr ? r.kept : r.extent);
      list.push_back(std::move(m));
    }
    for (const nest::Pack& p : stage.packs) {
      TurnMemory m{{}, bytes_of(program.tensors[static_cast<std::size_t>(p.tensor)].type)};
      for (const int loop : p.order) m.extents.emplace_back(stage.loop(loop).extent);
      list.push_back(std::move(m));
    }
  }
  return list;
}
ORDO_INLINE void check_turn_memory(const std::vector<TurnMemory>& list, const i64* dims, Where at) {
  for (const TurnMemory& m : list) {
    i64 bytes = m.element_bytes;
    for (const Size& extent : m.extents)
      if (__builtin_mul_overflow(bytes, std::max<i64>(extent.saturated(dims), 1), &bytes) || bytes > detail_workspace::most_bytes)
        detail_workspace::refuse(at);
  }
}
ORDO_INLINE WorkspaceScope::WorkspaceScope(const std::vector<Workspace>& list, Pool& pool, const i64* dims, void** place, Where at)
    : pool_(pool) {
  if (list.empty()) return;
  std::vector<detail_workspace::Placed> placed;
  std::vector<i64> begins;
  for (const Workspace& w : list) {
    if (w.argument >= 0) {
      begins.push_back(0);
      continue;
    }
    const i64 bytes = bytes_of(w, dims, at);
    const i64 begin = detail_workspace::lowest(placed, w, bytes);
    const detail_workspace::Placed p{begin, begin + bytes, w.first, w.last};
    placed.insert(std::upper_bound(placed.begin(), placed.end(), p, [](const auto& a, const auto& b) { return a.begin < b.begin; }), p);
    begins.push_back(begin);
    bytes_ = std::max(bytes_, p.end);
  }
  if (bytes_ == 0) return;
  block_ = pool.allocate(bytes_);
  if (block_ == nullptr) detail_workspace::refuse(at);
  for (std::size_t k = 0; k < list.size(); ++k) place[k] = static_cast<char*>(block_) + begins[k];
}
}  // namespace ordo::runtime
