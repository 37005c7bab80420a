#pragma once
#include "ordo/runtime/environment.hpp"
#include "ordo/runtime/hooks.hpp"
#include "ordo/runtime/pool.hpp"

namespace ordo::runtime {
namespace detail_hooks {
inline Launch& of(const kernel::Frame* frame) { return *static_cast<Launch*>(frame->context); }
inline void fail(const kernel::Frame* frame, i64 failure, i64 value) {
  Launch& l = of(frame);
  const u64 rank = current_rank();
  const std::lock_guard<std::mutex> hold(l.lock);
  if (l.failed && rank >= l.rank) return;        // one chunk reports in the order in which it runs
  l.failed = true;
  l.rank = rank;
  l.failure = failure;
  l.value = value;
}
inline void* allocate(const kernel::Frame*, i64 bytes) { return Pool::mine().allocate(bytes); }
inline void release(const kernel::Frame*, void* block, i64 bytes) { Pool::mine().release(block, bytes); }

struct Turns {                   // what an executor is given
  kernel::Chunk chunk;
  void* closure;
  i64 count;
  u64 first_rank;
  i64 done;
  i64 stray;
};
inline void turn(void* turns, i64 index) {
  Turns& t = *static_cast<Turns*>(turns);
  if (index < 0 || index >= t.count) {
    __atomic_fetch_add(&t.stray, 1, __ATOMIC_RELAXED);
    return;
  }
  {
    const EnvironmentScope environment;
    const RankScope rank;
    current_rank() = t.first_rank + static_cast<u64>(index);
    t.chunk(t.closure, index);
  }
  __atomic_fetch_add(&t.done, 1, __ATOMIC_RELEASE);
}
inline void parallel_for(const kernel::Frame* frame, i64 count, kernel::Chunk chunk, void* closure) {
  const Launch& l = of(frame);
  const RankScope rank;
  const u64 first = rank.before * static_cast<u64>(count);
  if (l.executor.parallel_for == nullptr || count <= 1) {
    for (i64 k = 0; k < count; ++k) {
      current_rank() = first + static_cast<u64>(k);
      chunk(closure, k);
    }
    return;
  }
  Turns turns{chunk, closure, count, first, 0, 0};
  bool threw = false;
  try {
    l.executor.parallel_for(l.executor.context, count, turn, &turns);
  } catch (...) {
    threw = true;
  }
  const bool sound = __atomic_load_n(&turns.done, __ATOMIC_ACQUIRE) == count && __atomic_load_n(&turns.stray, __ATOMIC_RELAXED) == 0;
  if (threw || !sound) fail(frame, executor_broken, 0);
}
inline constexpr kernel::Hooks table = {parallel_for, allocate, release, fail};
}  // namespace detail_hooks

ORDO_INLINE const kernel::Hooks& hooks() { return detail_hooks::table; }
}  // namespace ordo::runtime
