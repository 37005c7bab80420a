#pragma once
#if defined(__SANITIZE_THREAD__)
#define ORDO_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ORDO_THREAD_SANITIZER
#endif
#endif
#if defined(ORDO_THREAD_SANITIZER)
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>
#else
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#endif
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include "ordo/runtime/executor.hpp"

namespace ordo::cpu {
namespace detail_tbb {
#if defined(ORDO_THREAD_SANITIZER)
// The sanitizer cannot see how oneTBB, which is not built for it, orders its threads: plain threads stand in.
struct Shared {
  i64 count;
  void (*chunk)(void*, i64);
  void* closure;
  std::atomic<i64> next{0};
};
inline void take(Shared* s) {
  for (i64 k = s->next++; k < s->count; k = s->next++) s->chunk(s->closure, k);
}
inline void parallel_for(void* context, i64 count, void (*chunk)(void*, i64), void* closure) {
  const i64 limit = context == nullptr ? 3 : static_cast<i64>(reinterpret_cast<std::intptr_t>(context));
  Shared shared{count, chunk, closure};
  std::vector<std::thread> others;
  for (i64 t = 1; t < limit && t < count; ++t) others.emplace_back(take, &shared);
  take(&shared);
  for (std::thread& t : others) t.join();
}
inline void* arena(int limit) { return reinterpret_cast<void*>(static_cast<std::intptr_t>(limit)); }
inline int most() { return 3; }
#else
inline int most() { return tbb::this_task_arena::max_concurrency(); }
// Isolated: while it waits for chunks this thread takes up no other work of the program, which may call a kernel too.
inline void run(i64 count, void (*chunk)(void*, i64), void* closure) {
  tbb::this_task_arena::isolate([=] {
    tbb::parallel_for(i64{0}, count, [=](i64 k) { chunk(closure, k); }, tbb::auto_partitioner());
  });
}
inline void parallel_for(void* context, i64 count, void (*chunk)(void*, i64), void* closure) {
  if (context == nullptr) return run(count, chunk, closure);
  static_cast<tbb::task_arena*>(context)->execute([=] { run(count, chunk, closure); });
}
struct Arenas {
  std::mutex lock;
  std::map<int, std::unique_ptr<tbb::task_arena>> by_limit;
  std::unique_ptr<tbb::global_control> allowed;  // more threads than cores, where somebody asks for them
  int most = detail_tbb::most();
};
inline tbb::task_arena* arena(int limit) {       // one for each limit, for the life of the process
  static Arenas* const all = new Arenas;
  const std::lock_guard<std::mutex> hold(all->lock);
  std::unique_ptr<tbb::task_arena>& a = all->by_limit[limit];
  if (a != nullptr) return a.get();
  if (limit > all->most) {
    all->most = limit;
    all->allowed.reset();                // the smallest of several would hold
    all->allowed = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(limit));
  }
  a = std::make_unique<tbb::task_arena>(limit);
  return a.get();
}
#endif
}  // namespace detail_tbb

ORDO_INLINE Executor threads() { return {detail_tbb::parallel_for, nullptr, detail_tbb::most()}; }
ORDO_INLINE Executor threads(int limit, Where at) {
  if (limit < 1) fail("run.threads", at, ("an executor of " + std::to_string(limit) + " threads: it needs at least 1").c_str());
  if (limit == 1) return serial();
  return {detail_tbb::parallel_for, detail_tbb::arena(limit), limit};
}
}  // namespace ordo::cpu
