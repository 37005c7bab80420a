// Runs that fail or need memory: on walk and on machine code.
#include <doctest/doctest.h>
#include <cstdlib>
#include <string>
#include <vector>
#include "ordo/cpu.hpp"
#include "ordo/ordo.hpp"
#include "refused.hpp"
#include "walk_target.hpp"
using namespace ordo;

namespace {
template <class F> void on_code(F f) {
  SUBCASE("walk") { f(walk_target::target()); }
  SUBCASE("machine code") { f(cpu::host()); }
}
}  // namespace

TEST_CASE("launch: tensors between stages live in memory of the call, with shapes in turn") {
  on_code([](const Target& target) {
    Tensor<float, 2> A{"A"}, T{"T"}, U{"U"}, V{"V"}, Y{"Y"};
    Index i{"i"}, j{"j"};
    T(i, j) = A(j, i) * 2;
    U(i, j) = T(j, i) + 1;
    V(i, j) = U(j, i) * U(i, j);
    Y(i, j) = V(j, i) + T(i, j);
    Schedule s{Y};
    s[T].compute_root();
    s[U].compute_root();
    s[V].compute_root();
    const auto kernel = compile(s, inputs(A), outputs(Y), target, walk_target::no_disk());
    for (const int m : {3, 40, 1, 0, 17}) {
      std::vector<float> a(static_cast<std::size_t>(m * m)), y(a.size(), -1.0f);
      for (std::size_t n = 0; n < a.size(); ++n) a[n] = static_cast<float>(n % 11);
      kernel(view(a, {m, m}), view(y, {m, m}));
      bool good = true;
      for (int p = 0; p < m; ++p)
        for (int q = 0; q < m; ++q) {
          const auto at = [&](int x, int z) { return a[static_cast<std::size_t>(x * m + z)]; };
          good = good && y[static_cast<std::size_t>(p * m + q)] == (at(p, q) * 2 + 1) * (at(q, p) * 2 + 1) + at(q, p) * 2;
        }
      CHECK(good);
    }
  });
}
TEST_CASE("launch: an index from data that leaves its tensor ends the call with tensor, dimension and value") {
  on_code([](const Target& target) {
    Tensor<float, 2> E{"E"}, Y{"Y"};
    Tensor<i64, 1> id{"id"};
    Index n{"n"}, d{"d"};
    Y(n, d) = E(id(n), d);
    float e[6] = {1, 2, 3, 4, 5, 6}, y[8];
    i64 good[4] = {2, 0, 1, 1}, bad[4] = {1, 7, -1, 2};
    try {
      const auto kernel = compile(inputs(E, id), outputs(Y), target, walk_target::no_disk());
      kernel(view(e, {3, 2}), view(good, {4}), view(y, {4, 2}));
      CHECK(y[0] == 5);
      CHECK(refused([&] { kernel(view(e, {3, 2}), view(bad, {4}), view(y, {4, 2})); }) ==
            "error[run.index]: index 7 is out of range in dimension 0 of `E`\n  at launch.cpp:*");
    } catch (const Error& refusal) {     // a back-end may not lower it yet, and says so
      CHECK(std::string(refusal.code()).rfind("codegen.", 0) == 0);
    }
  });
}
TEST_CASE("launch: memory that does not exist is refused") {
  on_code([](const Target& target) {
    Dim N{"N"};
    Tensor<float, 1> X{"X", {N}}, Big{"Big", {N * 100000000000000}}, Y{"Y", {N}};
    Index i{"i"}, b{"b"};
    Big(b) = cast<float>(b) + X(0);
    Y(i) = Big(2 * i) + X(i);
    Schedule s{Y};
    s[Big].compute_root();
    const auto kernel = compile(s, inputs(X), outputs(Y), target, walk_target::no_disk());
    float x[3] = {1, 2, 3}, y[3];
    CHECK(refused([&] { kernel(view(x, {3}), view(y, {3})); }) ==
          "error[run.memory]: there is no memory for the intermediate tensors of the kernel\n  at launch.cpp:*");
    CHECK(refused([&] { kernel(view(x, {0}), view(y, {0})); }) == "no error");
  });
}
TEST_CASE("launch: memory of a turn that no number of bytes counts is refused") {
  on_code([](const Target& target) {
    Dim N{"N"};
    const Expr<i64> side = N * 2147483648;
    Tensor<float, 1> X{"X", {N}}, Y{"Y", {N}};
    Tensor<float, 2> Big{"Big", {side, side}};
    Index i{"i"}, a{"a"}, b{"b"};
    Chain p{"p", side}, q{"q", side};
    Big(a, b) = cast<float>(a) + X(0);
    Y(i) = sum({p, q}, Big(p, q)) + X(i);
    Schedule s{Y};
    s.stage("Y.sum").compute_at(s, i);
    s[Big].compute_at(s, i);
    const auto kernel = compile(s, inputs(X), outputs(Y), target, walk_target::no_disk());
    float x[2] = {1, 2}, y[2];
    CHECK(refused([&] { kernel(view(x, {2}), view(y, {2})); }) ==
          "error[run.memory]: there is no memory for the intermediate tensors of the kernel\n  at launch.cpp:*");
  });
}
TEST_CASE("launch: of several failures the first in the order of the loops is told, whatever runs first") {
  Tensor<float, 1> E{"E"}, Y{"Y"};
  Tensor<i64, 1> id{"id"};
  Index n{"n"};
  Y(n) = E(id(n));
  Schedule s{Y};
  auto [no, ni] = s.split(n, 4);
  s.parallel(no);
  CompileOptions options = walk_target::no_disk();
  options.executor.parallel_for = [](void*, i64 count, void (*chunk)(void*, i64), void* closure) {
    for (i64 k = count; k-- > 0;) chunk(closure, k);
  };
  const auto kernel = compile(s, inputs(E, id), outputs(Y), cpu::host(), options);
  float e[3] = {1, 2, 3}, y[20];
  i64 at[20] = {};
  at[19] = -8;
  at[9] = 70;
  at[6] = 9;
  CHECK(refused([&] { kernel(view(e, {3}), view(at, {20}), view(y, {20})); }) ==
        "error[run.index]: index 9 is out of range in dimension 0 of `E`\n  at launch.cpp:*");
}
