#include <doctest/doctest.h>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <vector>
#include "ordo/cpu.hpp"
#include "ordo/ordo.hpp"
#include "refused.hpp"
#include "walk_target.hpp"
using namespace ordo;

namespace {
struct Case {
  Dim N{"N"};
  Tensor<float, 2> A{"A"}, T{"T"}, C{"C"};
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  Case() {
    T(i, j) = A(j, i) + 1;
    C(i, j) = sum(k, A(i, k) * T(k, j));
  }
  static std::vector<float> input(int m, int seed) {
    std::vector<float> a(static_cast<std::size_t>(m * m));
    for (std::size_t n = 0; n < a.size(); ++n) a[n] = static_cast<float>((n * 7 + static_cast<std::size_t>(seed)) % 13) / 3;
    return a;
  }
  template <class K> static std::vector<float> run(const K& kernel, int m, int seed) {
    const std::vector<float> a = input(m, seed);
    std::vector<float> c(a.size());
    kernel(view(a, {m, m}), view(c, {m, m}));
    return c;
  }
};
template <class K> void call_from_many_threads(const K& kernel, const Kernel<In<float, 2>, Out<float, 2>>& oracle) {
  std::vector<std::vector<float>> want;
  for (int t = 0; t < 4; ++t) want.push_back(Case::run(oracle, 5 + t * 7, t));
  std::vector<std::thread> threads;
  std::vector<char> good(4, 1);
  for (std::size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      const int m = 5 + static_cast<int>(t) * 7;
      for (int round = 0; round < 25; ++round)
        if (Case::run(kernel, m, static_cast<int>(t)) != want[t]) good[t] = 0;
    });
  for (std::thread& t : threads) t.join();
  for (const char g : good) CHECK(g == 1);
}
Schedule schedule_of(const Case& c) {
  Schedule s{c.C};
  auto [io, ii] = s.split(c.i, 3);
  s.reorder(io, c.j, c.k, ii).parallel(io);
  s[c.T].parallel(c.i);
  return s;
}
}  // namespace

TEST_CASE("threads: one kernel called from many threads at once, with shapes in turn") {
  Case c;
  const auto oracle = compile(inputs(c.A), outputs(c.C), interpreter());
  const auto kernel = compile(schedule_of(c), inputs(c.A), outputs(c.C), cpu::host(), walk_target::no_disk());
  call_from_many_threads(kernel, oracle);
}
TEST_CASE("threads: any number of them gives the same bits") {
  Case c;
  const std::vector<float> want = Case::run(compile(inputs(c.A), outputs(c.C), interpreter()), 40, 1);
  for (const Executor e : {serial(), cpu::threads(), cpu::threads(1), cpu::threads(2), cpu::threads(3), cpu::threads(7)}) {
    CompileOptions options = walk_target::no_disk();
    options.executor = e;
    CHECK(Case::run(compile(schedule_of(c), inputs(c.A), outputs(c.C), cpu::host(), options), 40, 1) == want);
  }
  CHECK(refused([] { cpu::threads(0); }) == "error[run.threads]: an executor of 0 threads: it needs at least 1\n  at threads.cpp:*");
}
TEST_CASE("threads: new layouts met by many threads at once are compiled once") {
  Case c;
  const auto kernel = compile(inputs(c.A), outputs(c.C), cpu::host(), walk_target::no_disk());
  const std::vector<float> a = Case::input(6, 2);
  std::vector<float> want(36);
  kernel(view(a, {6, 6}), view(want, {6, 6}));
  std::vector<std::thread> threads;
  std::vector<char> good(4, 0);
  for (std::size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      std::vector<float> transposed(36), spread(72), got(36);
      for (std::size_t n = 0; n < 36; ++n) transposed[n % 6 * 6 + n / 6] = a[n];
      kernel(view(transposed, {6, 6}, {1, 6}), view(spread, {6, 6}, {12, 2}));
      for (std::size_t n = 0; n < 36; ++n) got[n] = spread[n * 2];
      good[t] = got == want;
    });
  for (std::thread& t : threads) t.join();
  for (const char g : good) CHECK(g == 1);
}
TEST_CASE("threads: kernels are copied and dropped in any thread") {
  Case c;
  std::vector<std::thread> threads;
  {
    const auto kernel = compile(inputs(c.A), outputs(c.C), interpreter());
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([kernel] {
        for (int round = 0; round < 100; ++round) {
          auto copy = kernel;
          const auto other = copy;
          copy = other;
        }
      });
  }
  for (std::thread& t : threads) t.join();
}
TEST_CASE("executor: one that throws, loses a chunk or runs one twice ends the call with an error") {
  Case c;
  void (*const throws)(void*, i64, void (*)(void*, i64), void*) = [](void*, i64, void (*)(void*, i64), void*) {
    throw std::runtime_error("no");
  };
  void (*const loses)(void*, i64, void (*)(void*, i64), void*) = [](void*, i64 n, void (*chunk)(void*, i64), void* closure) {
    for (i64 k = 1; k < n; ++k) chunk(closure, k);
  };
  void (*const repeats)(void*, i64, void (*)(void*, i64), void*) = [](void*, i64 n, void (*chunk)(void*, i64), void* closure) {
    for (i64 k = 0; k < n + 1; ++k) chunk(closure, k % n);
  };
  void (*const strays)(void*, i64, void (*)(void*, i64), void*) = [](void*, i64 n, void (*chunk)(void*, i64), void* closure) {
    for (i64 k = 0; k < n; ++k) chunk(closure, k);
    chunk(closure, n);
  };
  for (const auto bad : {throws, loses, repeats, strays}) {
    const auto kernel = [&] {            // one group: the executor is not asked to compile
      CompileOptions options = walk_target::no_disk();
      options.executor = {bad, nullptr};
      Tensor<float, 2> Y{"Y"};
      Y(c.i, c.j) = c.A(c.i, c.j) * 2;
      Schedule one{Y};
      one.parallel(c.i);
      return compile(one, inputs(c.A), outputs(Y), cpu::host(), options);
    }();
    CHECK(refused([&] { Case::run(kernel, 9, 0); }) ==
          "error[run.executor]: the executor threw, or did not run each chunk of a parallel loop once\n  at threads.cpp:*");
  }
}
