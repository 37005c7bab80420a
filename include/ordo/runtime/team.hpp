// Fork and join for chunks of a microsecond and up. The caller shares its chunks with helpers that linger: they look out for the
// next job for a while before they go, so that loops which follow each other closely wake nobody. (A worker that sleeps between
// calls may be woken on the caller's own core again and again: products of 0.3 ms then ran at the speed of one thread.)
// Whoever starts helpers gives them a thread; a job never waits for one that has not come.
#pragma once
#include <sched.h>
#include <time.h>
#include <algorithm>
#include <atomic>
#include "ordo/runtime/seat.hpp"

namespace ordo::cpu::detail_tbb {
inline constexpr i64 linger_ns = 1'000'000;      // as long as a network's serial parts are short
inline constexpr int most_ranges = 64;

inline i64 now_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<i64>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}
inline void rest() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// One parallel loop. Chunks are dealt out in as many ranges as there are threads, so that the same thread tends to meet the same
// chunks in the next call; who has finished a range goes through the others.
struct Job {
  i64 count;
  void (*chunk)(void*, i64);
  void* closure;
  int ranges;
  std::atomic<int> newcomers{0};
  struct alignas(64) Range { std::atomic<i64> next; i64 end; } range[most_ranges];

  Job(i64 n, void (*c)(void*, i64), void* with, int threads) : count(n), chunk(c), closure(with) {
    ranges = static_cast<int>(std::min<i64>({n, threads, most_ranges}));
    for (int r = 0; r < ranges; ++r) {
      range[r].next.store(n / ranges * r + std::min<i64>(r, n % ranges), std::memory_order_relaxed);
      range[r].end = n / ranges * (r + 1) + std::min<i64>(r + 1, n % ranges);
    }
  }
  void work() {
    const int mine = newcomers.fetch_add(1, std::memory_order_relaxed) % ranges;
    for (int r = 0; r < ranges; ++r) {
      Range& from = range[(mine + r) % ranges];
      while (from.next.load(std::memory_order_relaxed) < from.end) {
        const i64 k = from.next.fetch_add(1, std::memory_order_relaxed);
        if (k < from.end) chunk(closure, k);
      }
    }
  }
};

class Team {
 public:
  explicit Team(int threads) : threads_(threads) {}

  // start(): give a helper a thread, on which it calls help().
  template <class Start> void run(i64 count, void (*chunk)(void*, i64), void* closure, const Start& start) {
    if (count == 1) return chunk(closure, 0);
    if (count <= 0) return;
    Job job(count, chunk, closure, threads_);
    spread();
    Slot* const slot = publish(job);
    if (slot != nullptr) {
      const int wanted = static_cast<int>(std::min<i64>(threads_, count)) - 1;
      for (int here = helpers_.load(); here < wanted;)
        if (helpers_.compare_exchange_weak(here, here + 1) && !started(start)) break;
    }
    job.work();
    if (slot == nullptr) return;
    slot->job.store(nullptr);
    for (int tries = 0; slot->users.load() != 0; ++tries) tries < 2000 ? rest() : static_cast<void>(sched_yield());
    slot->taken.store(false);
  }

  void help() {
    Seat* const seat = take_seat();
    i64 idle_since = now_ns();
    for (int tries = 0;; ++tries) {
      if (take_part(seat)) {
        idle_since = now_ns();
        tries = 0;
      } else if (tries % 64 != 63) {
        rest();
      } else {
        if (now_ns() - idle_since > linger_ns) break;
        if (seat != nullptr) seat->sits_here();
        if (tries > 2000) sched_yield();
      }
    }
    helpers_.fetch_sub(1);
  }

 private:
  struct alignas(64) Slot {
    std::atomic<bool> taken{false};
    std::atomic<Job*> job{nullptr};
    std::atomic<int> users{0};         // helpers that may be looking at `job`; it lives until none is
  };
  template <class Start> bool started(const Start& start) {      // the job is on offer: nothing may throw past it
    try {
      start();
      return true;
    } catch (...) {
      helpers_.fetch_sub(1);
      return false;
    }
  }
  Slot* publish(Job& job) {            // nullptr: too many callers at once, this one works alone
    for (Slot& s : slots_) {
      bool free = false;
      if (!s.taken.compare_exchange_strong(free, true)) continue;
      s.job.store(&job);
      return &s;
    }
    return nullptr;
  }
  Seat* take_seat() {
    Seat* const mine = Seat::mine();
    if (mine == nullptr) return nullptr;
    for (std::atomic<Seat*>& s : seats_) {
      Seat* there = s.load();
      if (there == nullptr && s.compare_exchange_strong(there, mine)) there = mine;
      if (there == mine) break;
    }
    mine->sits_here();
    return mine;
  }
  void spread() {                      // helpers off this thread's core and each other's, also those that are being woken
    Cores taken;
    taken.add(Cores::mine());
    for (const std::atomic<Seat*>& s : seats_) {
      Seat* const seat = s.load(std::memory_order_acquire);
      if (seat == nullptr) return;
      seat->move(taken);
    }
  }
  bool take_part(Seat* seat) {
    bool worked = false;
    for (Slot& s : slots_) {
      if (s.job.load(std::memory_order_relaxed) == nullptr) continue;
      s.users.fetch_add(1);
      if (seat != nullptr) seat->sits_here();
      if (Job* const job = s.job.load(); job != nullptr) {
        job->work();
        worked = true;
      }
      s.users.fetch_sub(1);
    }
    return worked;
  }

  const int threads_;
  std::atomic<int> helpers_{0};
  std::atomic<Seat*> seats_[most_ranges] = {};
  Slot slots_[8];
};
}  // namespace ordo::cpu::detail_tbb
