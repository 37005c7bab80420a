// Intermediate tensors of a call: one block, in which those that never live at once share memory.
#pragma once
#include <vector>
#include "ordo/plan/plan.hpp"
#include "ordo/runtime/pool.hpp"
#include "ordo/runtime/size.hpp"

namespace ordo::runtime {
struct Workspace {
  Size elements;
  i64 element_bytes;
  int first, last;               // launches
  int argument = -1;             // of which it is a constant copy: its memory is not a call's
};
i64 bytes_of(const Workspace& workspace, const i64* dims, Where at);     // a multiple of 64; code run.memory
std::vector<Workspace> make_workspaces(const plan::Plan& plan);
// Memory that kernels allocate while they run: placed stages, copies. Too much of it is refused before any runs.
struct TurnMemory {
  std::vector<Size> extents;
  i64 element_bytes;
};
std::vector<TurnMemory> make_turn_memory(const plan::Plan& plan);
void check_turn_memory(const std::vector<TurnMemory>& list, const i64* dims, Where at);      // code run.memory

class WorkspaceScope {
 public:
  // Fills `place` by number; code run.memory.
  WorkspaceScope(const std::vector<Workspace>& list, Pool& pool, const i64* dims, void** place, Where at);
  WorkspaceScope(const WorkspaceScope&) = delete;
  WorkspaceScope& operator=(const WorkspaceScope&) = delete;
  ~WorkspaceScope() { if (block_ != nullptr) pool_.release(block_, bytes_); }

 private:
  Pool& pool_;
  void* block_ = nullptr;
  i64 bytes_ = 0;
};
}  // namespace ordo::runtime
#if !defined(ORDO_COMPILED)
#include "ordo/runtime/workspace.ipp"
#endif
