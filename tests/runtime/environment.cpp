// Callers in any floating-point environment get the same bits and keep their own environment, flags included.
#include <doctest/doctest.h>
#include <cfenv>
#include <cstring>
#include <thread>
#include <vector>
#include "ordo/cpu.hpp"
#include "ordo/ordo.hpp"
#include "ordo/runtime/environment.hpp"
#include "walk_target.hpp"
using namespace ordo;

namespace {
struct Case {
  Tensor<float, 2> A{"A"}, B{"B"}, C{"C"};
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  std::vector<float> a, b;
  Case() : a(35 * 21), b(21 * 19) {
    C(i, j) = sum(k, A(i, k) * B(k, j)) / 3;
    u32 state = 9;
    for (std::vector<float>* v : {&a, &b})
      for (float& x : *v) {              // subnormal products, roundings, an inexact division
        state = state * 1664525u + 1013904223u;
        const u32 bits = (state & 0x807fffffu) | (0x20000000u + (state >> 5 & 0x3f) * 0x00800000u);
        std::memcpy(&x, &bits, sizeof x);
      }
  }
  template <class K> std::vector<float> run(const K& kernel) const {
    std::vector<float> c(35 * 19);
    kernel(view(a, {35, 21}), view(b, {21, 19}), view(c, {35, 19}));
    return c;
  }
};
bool same(const std::vector<float>& x, const std::vector<float>& y) {
  return std::memcmp(x.data(), y.data(), x.size() * sizeof(float)) == 0;
}

// Workers keep the environment they were given: the hostile one, in every thread.
struct Hostile {
  static void parallel_for(void* context, i64 count, void (*chunk)(void*, i64), void* closure) {
    std::vector<std::thread> all;
    int* const kept = static_cast<int*>(context);
    for (i64 k = 0; k < count; ++k)
      all.emplace_back([=] {
        std::fesetround(FE_UPWARD);
        std::feclearexcept(FE_ALL_EXCEPT);
        const auto before = runtime::environment();
        chunk(closure, k);
        const auto after = runtime::environment();
        if (std::memcmp(&before, &after, sizeof before) == 0) __atomic_fetch_add(kept, 1, __ATOMIC_RELAXED);
      });
    for (std::thread& t : all) t.join();
  }
};
template <class F> void in_each_environment(F f) {
  const auto mine = runtime::environment();
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    std::feclearexcept(FE_ALL_EXCEPT);
    f();
    CHECK(std::fegetround() == mode);
    CHECK(std::fetestexcept(FE_ALL_EXCEPT) == 0);
    std::feraiseexcept(FE_DIVBYZERO | FE_INVALID);
    f();
    CHECK(std::fetestexcept(FE_ALL_EXCEPT) == (FE_DIVBYZERO | FE_INVALID));
    runtime::set_environment(mine);
  }
#if defined(__x86_64__)
  runtime::set_environment(0x9fc0);      // FTZ and DAZ
  f();
  CHECK(runtime::environment() == 0x9fc0);
  runtime::set_environment(0x1f80 & ~(1u << 9) & ~(1u << 12));      // division by zero and inexact results trap
  f();
  CHECK(runtime::environment() == (0x1f80 & ~(1u << 9) & ~(1u << 12)));
  runtime::set_environment(mine);
#endif
}
}  // namespace

TEST_CASE("environment: machine code gives the interpreter's bits whatever the caller has set") {
  const Case c;
  const std::vector<float> want = c.run(compile(inputs(c.A, c.B), outputs(c.C), interpreter()));
  const auto kernel = compile(inputs(c.A, c.B), outputs(c.C), cpu::host(), walk_target::no_disk());
  CHECK(same(c.run(kernel), want));
  in_each_environment([&] { CHECK(same(c.run(kernel), want)); });
}
TEST_CASE("environment: compiling and interpreting do not depend on it either") {
  const Case c;
  const std::vector<float> want = c.run(compile(inputs(c.A, c.B), outputs(c.C), interpreter()));
  in_each_environment([&] {
    Case again;
    CHECK(same(again.run(compile(inputs(again.A, again.B), outputs(again.C), interpreter())), want));
    CHECK(same(again.run(compile(inputs(again.A, again.B), outputs(again.C), cpu::host(), walk_target::no_disk())), want));
  });
}
TEST_CASE("environment: each chunk on each worker sets it and gives it back") {
  const Case c;
  const std::vector<float> want = c.run(compile(inputs(c.A, c.B), outputs(c.C), interpreter()));
  int kept = 0;
  CompileOptions options = walk_target::no_disk();
  options.executor = {Hostile::parallel_for, &kept};
  Schedule s{c.C};
  auto [io, ii] = s.split(c.i, 4);
  s.reorder(io, c.j, c.k, ii).parallel(io);
  const auto kernel = compile(s, inputs(c.A, c.B), outputs(c.C), cpu::host(), options);
  CHECK(same(c.run(kernel), want));
  CHECK(kept == 9);
  in_each_environment([&] { CHECK(same(c.run(kernel), want)); });
}
