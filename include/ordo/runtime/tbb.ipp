#pragma once
#if defined(__SANITIZE_THREAD__)
#define ORDO_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ORDO_THREAD_SANITIZER
#endif
#endif
#if defined(ORDO_THREAD_SANITIZER)
#include <thread>
#else
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#endif
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include "ordo/runtime/executor.hpp"
#include "ordo/runtime/team.hpp"

namespace ordo::cpu {
namespace detail_tbb {
// Threads of oneTBB help a team, so that a program's kernels and its own tasks share one set of threads.
struct Threads {
  Team team;
#if defined(ORDO_THREAD_SANITIZER)
  // The sanitizer cannot see how oneTBB, which is not built for it, orders its threads: plain threads stand in.
  explicit Threads(int limit) : team(limit) {}
  void start() { std::thread([this] { team.help(); }).detach(); }
#else
  tbb::task_arena arena;
  explicit Threads(int limit) : team(limit), arena(limit) {}
  void start() { arena.enqueue([this] { team.help(); }); }
#endif
};
inline void parallel_for(void* context, i64 count, void (*chunk)(void*, i64), void* closure) {
  Threads& threads = *static_cast<Threads*>(context);
  threads.team.run(count, chunk, closure, [&] { threads.start(); });
}

struct All {
  std::mutex lock;
  std::map<int, Threads*> by_limit;              // for the life of the process
#if defined(ORDO_THREAD_SANITIZER)
  int most = 3;
#else
  int most = tbb::this_task_arena::max_concurrency();
  std::unique_ptr<tbb::global_control> allowed;  // more threads than cores, where somebody asks for them
#endif
};
inline All& all() {
  static All* const made = new All;
  return *made;
}
inline Threads* threads_of(int limit) {
  All& a = all();
  const std::lock_guard<std::mutex> hold(a.lock);
  Threads*& t = a.by_limit[limit];
  if (t != nullptr) return t;
#if !defined(ORDO_THREAD_SANITIZER)
  if (limit > a.most) {
    a.most = limit;
    a.allowed.reset();                   // the smallest of several would hold
    a.allowed = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(limit));
  }
#endif
  return t = new Threads(limit);
}
inline Executor executor(int limit) { return limit == 1 ? serial() : Executor{parallel_for, threads_of(limit), limit}; }
}  // namespace detail_tbb

ORDO_INLINE Executor threads() {
  static const int most = detail_tbb::all().most;        // what the machine gives, also when somebody asks for more later
  return detail_tbb::executor(most);
}
ORDO_INLINE Executor threads(int limit, Where at) {
  if (limit < 1) fail("run.threads", at, ("an executor of " + std::to_string(limit) + " threads: it needs at least 1").c_str());
  return detail_tbb::executor(limit);
}
}  // namespace ordo::cpu
