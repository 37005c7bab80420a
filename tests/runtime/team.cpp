#include <doctest/doctest.h>
#include <sched.h>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <thread>
#include <vector>
#include "ordo/cpu.hpp"
#include "ordo/ordo.hpp"
#include "ordo/runtime/team.hpp"
using namespace ordo;

namespace {
struct Count {
  std::vector<std::atomic<int>> runs;
  explicit Count(i64 n) : runs(static_cast<std::size_t>(n)) {}
  static void chunk(void* count, i64 k) { ++static_cast<Count*>(count)->runs[static_cast<std::size_t>(k)]; }
  bool once() const {
    for (const std::atomic<int>& r : runs)
      if (r != 1) return false;
    return true;
  }
};
bool each_once(const Executor& e, i64 n) {
  Count count(n);
  e.parallel_for(e.context, n, Count::chunk, &count);
  return count.once();
}
}  // namespace

TEST_CASE("team: each chunk runs once, whatever their number and that of the threads") {
  for (const int threads : {2, 3, 7, 100})
    for (i64 n = 0; n < 150; ++n) {
      INFO(threads << " threads, " << n << " chunks");
      CHECK(each_once(cpu::threads(threads), n));
    }
}
TEST_CASE("team: more callers than it can serve at once each have their chunks run once") {
  std::vector<std::thread> callers;
  std::vector<char> good(20, 0);
  for (std::size_t t = 0; t < good.size(); ++t)
    callers.emplace_back([&, t] {
      bool all = true;
      for (int round = 0; round < 100; ++round) all = each_once(cpu::threads(3), 1 + (round + static_cast<int>(t)) % 9) && all;
      good[t] = all;
    });
  for (std::thread& t : callers) t.join();
  for (const char g : good) CHECK(g == 1);
}
TEST_CASE("team: a helper that cannot be started is done without") {
  cpu::detail_tbb::Team team(3);
  for (int round = 0; round < 3; ++round) {
    Count count(9);
    team.run(9, Count::chunk, &count, [] { throw 1; });
    CHECK(count.once());
  }
}
TEST_CASE("team: loops nest") {
  struct Outer {
    Count count{6 * 5};
    struct Inner { Count* count; i64 row; };
    static void chunk(void* outer, i64 k) {
      Inner inner{&static_cast<Outer*>(outer)->count, k};
      const Executor e = cpu::threads(3);
      e.parallel_for(e.context, 5, [](void* in, i64 j) { Count::chunk(static_cast<Inner*>(in)->count, static_cast<Inner*>(in)->row * 5 + j); },
                     &inner);
    }
  };
  for (int round = 0; round < 200; ++round) {
    Outer outer;
    const Executor e = cpu::threads(3);
    e.parallel_for(e.context, 6, Outer::chunk, &outer);
    CHECK(outer.count.once());
  }
}
TEST_CASE("team: helpers come, also after they have slept, and may run on every core again") {
  struct Seen {
    std::mutex lock;
    std::map<std::thread::id, int> cores;          // the most that a thread was allowed
    static void chunk(void* seen, i64) {
      Seen& s = *static_cast<Seen*>(seen);
      {
        cpu_set_t set;
        CPU_ZERO(&set);
        sched_getaffinity(0, sizeof set, &set);
        const std::lock_guard<std::mutex> hold(s.lock);
        int& most = s.cores[std::this_thread::get_id()];
        most = std::max(most, CPU_COUNT(&set));
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  };
  cpu_set_t mine;
  CPU_ZERO(&mine);
  sched_getaffinity(0, sizeof mine, &mine);
  for (int round = 0; round < 5; ++round) {
    Seen seen;
    const Executor e = cpu::threads(2);
    for (int tries = 0; tries < 200 && seen.cores.size() < 2; ++tries) e.parallel_for(e.context, 8, Seen::chunk, &seen);
    CHECK(seen.cores.size() == 2);
    for (const auto& [thread, cores] : seen.cores) CHECK(cores == CPU_COUNT(&mine));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}
