// What generated code calls: parallel loops, memory of the thread, failures. One Launch a call of a kernel.
#pragma once
#include <mutex>
#include "ordo/kernel/abi.hpp"
#include "ordo/runtime/executor.hpp"

namespace ordo::runtime {
inline constexpr i64 out_of_memory = -1;         // failures, as in kernel/abi.hpp
inline constexpr i64 executor_broken = -2;

struct Launch {                  // Frame::context
  Executor executor;
  std::mutex lock;               // of what follows: the failure of the first chunk in order of the loops
  bool failed = false;
  u64 rank = 0;                  // of that chunk
  i64 failure = 0;
  i64 value = 0;
};

// Number of the chunk that this thread runs, counted through nested parallel loops in their order.
inline u64& current_rank() {
  static thread_local u64 rank = 0;
  return rank;
}
struct RankScope {               // gives the thread its number back
  u64 before = current_rank();
  RankScope() = default;
  RankScope(const RankScope&) = delete;
  RankScope& operator=(const RankScope&) = delete;
  ~RankScope() { current_rank() = before; }
};

const kernel::Hooks& hooks();
}  // namespace ordo::runtime
#if !defined(ORDO_COMPILED)
#include "ordo/runtime/hooks.ipp"
#endif
