// Where a helping thread runs. Linux may leave a woken or waiting thread on the core of the thread that it is to help, for many
// milliseconds, while another core idles; whoever needs help then moves it away. Elsewhere than on Linux nothing is moved.
#pragma once
#include <atomic>
#include <new>
#include "ordo/base/types.hpp"
#if defined(__linux__)
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace ordo::cpu::detail_tbb {
#if defined(__linux__)
class Cores {                          // a set of cores; the first 1024 of a machine
 public:
  Cores() { CPU_ZERO(&set_); }
  static int mine() { return sched_getcpu(); }
  bool has(int core) const { return core >= 0 && core < CPU_SETSIZE && CPU_ISSET(static_cast<std::size_t>(core), &set_); }
  void add(int core) {
    if (core >= 0 && core < CPU_SETSIZE) CPU_SET(static_cast<std::size_t>(core), &set_);
  }
  Cores without(const Cores& others) const {
    Cores result, common;
    CPU_AND(&common.set_, &set_, &others.set_);
    CPU_XOR(&result.set_, &set_, &common.set_);
    return result;
  }
  bool empty() const { return CPU_COUNT(&set_) == 0; }
  void allowed_here() {
    if (sched_getaffinity(0, sizeof set_, &set_) != 0) CPU_ZERO(&set_);
  }
  bool allow(int thread) const { return sched_setaffinity(thread, sizeof set_, &set_) == 0; }

 private:
  cpu_set_t set_;
};

class Seat {                           // of one thread, for the life of the process
 public:
  static Seat* mine() {                // nullptr: this thread has ended, or there is no memory
    struct Holder {
      Seat* seat = new (std::nothrow) Seat;
      ~Holder() {
        if (seat != nullptr) seat->leave();
        seat = nullptr;
      }
    };
    static thread_local Holder holder;
    return holder.seat;
  }
  void sits_here() {                   // its thread says: I am running. Takes back what move() has narrowed
    core_.store(Cores::mine(), std::memory_order_relaxed);
    if (!narrowed_.load(std::memory_order_relaxed)) return;
    lock();
    allowed_.allow(0);
    narrowed_.store(false, std::memory_order_relaxed);
    unlock();
  }
  // Another thread: go to a core that is not in `taken`, then add where this one is to `taken`.
  void move(Cores& taken) {
    const int core = core_.load(std::memory_order_relaxed);
    if (taken.has(core) && !narrowed_.load(std::memory_order_relaxed)) {
      lock();
      const Cores rest = allowed_.without(taken);
      if (thread_ != 0 && !rest.empty()) narrowed_.store(rest.allow(thread_), std::memory_order_relaxed);
      unlock();
    }
    taken.add(core);
  }

 private:
  Seat() : thread_(static_cast<int>(syscall(SYS_gettid))) { allowed_.allowed_here(); }
  void leave() {
    lock();
    thread_ = 0;                       // its number may soon be another thread's
    unlock();
  }
  void lock() {
    while (locked_.exchange(true, std::memory_order_acquire)) sched_yield();
  }
  void unlock() { locked_.store(false, std::memory_order_release); }

  std::atomic<bool> locked_{false}, narrowed_{false};
  std::atomic<int> core_{-1};
  int thread_;
  Cores allowed_;
};
#else
struct Cores {
  static int mine() { return -1; }
  void add(int) {}
};
struct Seat {
  static Seat* mine() { return nullptr; }
  void sits_here() {}
  void move(Cores&) {}
};
#endif
}  // namespace ordo::cpu::detail_tbb
