#include <doctest/doctest.h>
#include <cstring>
#include "ordo/ordo.hpp"
#include "ordo/runtime/in_place.hpp"
#include "refused.hpp"
#include "walk_target.hpp"
using namespace ordo;

namespace {
template <class F> void on_both(F f) {
  SUBCASE("interpreter") { f(interpreter()); }
  SUBCASE("lowered") { f(walk_target::target()); }
}
}  // namespace

TEST_CASE("in place: allowed where each element of the input is read for the same element of the output only") {
  Tensor<float, 2> A{"A"}, B{"B"}, T{"T"}, Y{"Y"}, Z{"Z"};
  Tensor<float, 1> r{"r"};
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  const auto allowed = [&](auto in, auto out, int input, int output) {
    return runtime::InPlace(Program(in, out).snapshot()).allows(input, output);
  };
  SUBCASE("element by element") {
    Y(i, j) = A(i, j) + B(i, j);
    CHECK(allowed(inputs(A, B), outputs(Y), 0, 0));
    CHECK(allowed(inputs(A, B), outputs(Y), 1, 0));
  }
  SUBCASE("through a definition that is read in place") {
    T(i, j) = 2 * A(i, j);
    Y(i, j) = T(i, j) + A(i, j);
    CHECK(allowed(inputs(A), outputs(Y), 0, 0));
  }
  SUBCASE("not through one that is read elsewhere") {
    T(i, j) = 2 * A(i, j);
    Y(i, j) = T(j, i);
    CHECK_FALSE(allowed(inputs(A), outputs(Y), 0, 0));
  }
  SUBCASE("not transposed, shifted or of lower rank") {
    Y(i, j) = A(j, i) + B(i, j) * r(j);
    CHECK_FALSE(allowed(inputs(A, B, r), outputs(Y), 0, 0));
    CHECK(allowed(inputs(A, B, r), outputs(Y), 1, 0));
    CHECK_FALSE(allowed(inputs(A, B, r), outputs(Y), 2, 0));
  }
  SUBCASE("not when a reduction reads other elements") {
    Y(i, j) = A(i, j) / sum(k, A(i, k)) + B(i, j);
    CHECK_FALSE(allowed(inputs(A, B), outputs(Y), 0, 0));
    CHECK(allowed(inputs(A, B), outputs(Y), 1, 0));
  }
  SUBCASE("not when another output reads it") {
    Y(i, j) = A(i, j) + 1;
    Z(i, j) = A(i, j) + 2;
    CHECK_FALSE(allowed(inputs(A), outputs(Y, Z), 0, 0));
    CHECK_FALSE(allowed(inputs(A), outputs(Y, Z), 0, 1));
  }
  SUBCASE("also when an output is read on") {
    Y(i, j) = A(i, j) + 1;
    Z(i, j) = Y(j, i) + B(i, j);
    CHECK(allowed(inputs(A, B), outputs(Y, Z), 0, 0));
    CHECK_FALSE(allowed(inputs(A, B), outputs(Y, Z), 0, 1));
    CHECK(allowed(inputs(A, B), outputs(Y, Z), 1, 1));
  }
}
TEST_CASE("in place: gives the bits of separate memory") {
  on_both([](const Target& target) {
    Tensor<float, 2> A{"A"}, B{"B"}, Y{"Y"};
    Index i{"i"}, j{"j"};
    Chain k{"k"};
    Y(i, j) = A(i, j) + sum(k, B(i, k) * B(k, j));
    const auto kernel = compile(inputs(A, B), outputs(Y), target, walk_target::no_disk());
    float a[25], b[25], y[25];
    for (int n = 0; n < 25; ++n) {
      a[n] = static_cast<float>(n * n % 7);
      b[n] = static_cast<float>(n * 5 % 11) - 4;
    }
    kernel(view(a, {5, 5}), view(b, {5, 5}), view(y, {5, 5}));
    kernel(view(a, {5, 5}), view(b, {5, 5}), view(a, {5, 5}));
    CHECK(std::memcmp(a, y, sizeof a) == 0);
  });
}
TEST_CASE("in place: only with equal data, shape and strides") {
  on_both([](const Target& target) {
    Tensor<float, 1> A{"A"}, Y{"Y"};
    Index i{"i"};
    Y(i) = A(i) + 1;
    const auto kernel = compile(inputs(A), outputs(Y), target, walk_target::no_disk());
    float a[8] = {};
    kernel(view(a, {8}), view(a, {8}));
    kernel(view(a, {4}, {2}), view(a, {4}, {2}));
    CHECK(a[0] == 2);
    CHECK(a[1] == 1);
    CHECK(refused([&] { kernel(view(a, {4}), view(a, {4}, {2})); }) ==
          "error[run.alias]: output `Y` shares memory with input `A`\n"
          "  at in_place.cpp:*\n"
          "  `A` is f32[4], strides [1]\n"
          "  `Y` is f32[4], strides [2]\n"
          "  help: these two may share memory when data, shape and strides are equal");
    CHECK(refused([&] { kernel(view(a, {4}), view(a + 1, {4})); }).find("error[run.alias]") == 0);
    CHECK(refused([&] { kernel(view(a, {4}), view(a + 4, {4})); }) == "no error");
  });
}
TEST_CASE("in place: refused when the schedule keeps unfinished sums in the output") {
  Tensor<float, 2> A{"A"}, B{"B"}, Y{"Y"};
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  Y(i, j) = A(i, j) + sum(k, B(i, k) * B(k, j));
  Schedule s{Y};
  s.reorder(k, i, j);
  const auto kernel = compile(s, inputs(A, B), outputs(Y), walk_target::target(), walk_target::no_disk());
  float a[4] = {1, 2, 3, 4}, b[4] = {1, 1, 1, 2}, y[4];
  kernel(view(a, {2, 2}), view(b, {2, 2}), view(y, {2, 2}));
  CHECK(y[3] == 9);
  const std::string text = refused([&] { kernel(view(a, {2, 2}), view(b, {2, 2}), view(a, {2, 2})); });
  if (text == "no error") {
    CHECK(std::memcmp(a, y, sizeof a) == 0);     // the lowering found another place for them
  } else {
    CHECK(text ==
          "error[run.alias]: output `Y` cannot take the place of input `A` under this schedule: it keeps unfinished values there\n"
          "  at in_place.cpp:*\n"
          "  help: pass another array, or let the loops of the reduction run inside those of the output's tile");
    CHECK(a[3] == 4);
  }
}

TEST_CASE("in place: refused where a moved tile would read what another has written") {
  Tensor<float, 1> A{"A"}, Y{"Y"};
  Index i{"i"};
  Y(i) = A(i) + 1;
  Schedule s{Y};
  s.split(i, 4, Tail::shift_in);
  const auto kernel = compile(s, inputs(A), outputs(Y), walk_target::target(), walk_target::no_disk());
  float a[7] = {1, 2, 3, 4, 5, 6, 7}, y[7];
  kernel(view(a, {7}), view(y, {7}));
  CHECK(y[6] == 8);
  CHECK(refused([&] { kernel(view(a, {7}), view(a, {7})); }) ==
        "error[run.alias]: output `Y` cannot take the place of input `A` under this schedule: a tile that Tail::shift_in moves would "
        "read what another has written\n"
        "  at in_place.cpp:*\n"
        "  help: pass another array, or split with Tail::mask");
  CHECK(a[6] == 7);
}

TEST_CASE("in place: a recurrence takes the place of what each of its steps reads") {
  on_both([](Target target) {
    Tensor<float, 2> X{"X"}, Y{"Y"};
    Index i{"i", 2};
    Scan t{"t"};
    Y(i, t) = scan(t, 0, Y(1 - i, t - 1) + X(i, t));
    const auto kernel = compile(inputs(X), outputs(Y), target);
    float values[] = {1, 2, 3, 10, 20, 30};
    kernel(View<const float, 2>(values, {2, 3}), View<float, 2>(values, {2, 3}));
    const float expected[] = {1, 12, 24, 10, 21, 42};
    CHECK(std::memcmp(values, expected, sizeof expected) == 0);
  });
}
