// Promises of a schedule about its arguments are checked at each call, before memory is touched.
#include <doctest/doctest.h>
#include "ordo/cpu.hpp"
#include "ordo/ordo.hpp"
#include "refused.hpp"
#include "walk_target.hpp"
using namespace ordo;

TEST_CASE("align: a call that breaks a promise is refused, one that keeps it runs") {
  for (const Target& target : {cpu::host(), interpreter()}) {
    Dim M{"M"}, N{"N"};
    Tensor<float, 2> A{"A", {M, N}}, C{"C"};
    Index i{"i"}, j{"j"};
    C(i, j) = A(i, j) * 3;
    Schedule s{C};
    auto [j0, j1] = s.split(j, 8);
    s.vectorize(j1).align(A, 64, {"scale.cpp", 7}).align(C, 32, {"scale.cpp", 8});
    const auto kernel = compile(s, inputs(A), outputs(C), target, walk_target::no_disk());
    alignas(64) float a[96] = {}, c[96] = {};
    for (int k = 0; k < 96; ++k) a[k] = static_cast<float>(k);
    const auto untouched = [&] {
      for (const float x : c)
        if (x != 0) return false;
      return true;
    };
    CHECK(refused([&] {
            kernel(view(a + 8, {2, 16}), view(c, {2, 16}));
          }) ==
          "error[run.promise]: the address of input `A` is not a multiple of 64 bytes, as the schedule promises\n"
          "  at align.cpp:*\n"
          "  promised by align at scale.cpp:*; given f32[2, 16], strides [16, 1]\n"
          "  help: memory that is aligned so, rows padded to such multiples; or a smaller promise");
    CHECK(refused([&] {
            kernel(view(a, {2, 8}, {16, 1}), view(c, {2, 8}, {12, 1}));
          }) ==
          "error[run.promise]: the distance along dimension 0 of output `C` is not a multiple of 32 bytes, as the schedule promises\n"
          "  at align.cpp:*\n"
          "  promised by align at scale.cpp:*; given f32[2, 8], strides [12, 1]\n"
          "  help: memory that is aligned so, rows padded to such multiples; or a smaller promise");
    CHECK(untouched());
    CHECK(refused([&] { kernel(view(a + 1, {0, 8}), view(c, {0, 8})); }) == "no error");
    CHECK(refused([&] { kernel(view(a, {1, 5}), view(c, {1, 5})); }) == "no error");  // one row: no distance to keep
    CHECK(c[4] == 12);
    CHECK(refused([&] { kernel(view(a, {3, 13}, {32, 1}), view(c, {3, 13}, {16, 1})); }) == "no error");
    CHECK(c[2 * 16 + 12] == 3 * (2 * 32 + 12));
  }
}
