#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include "lang/everywhere.hpp"

namespace {
using namespace ordo;
using F = std::vector<float>;
using I = std::vector<i64>;
u32 bits(float x) { return __builtin_bit_cast(u32, x); }

TEST_CASE("contract: sort is stable, -0 equals +0, NaN stands after all numbers ascending and before them descending") {
  Tensor<float, 1> X{"X"}, V{"V"}, D{"D"};
  Tensor<i64, 1> A{"A"}, B{"B"};
  Index r{"r", X.extent(0)};
  AnyOrder a{"a"};
  const auto up = sort(a, X(a)).at(r), down = top_k(a, X(a)).at(r);
  V(r) = up.value, A(r) = up.index, D(r) = down.value, B(r) = down.index;
  Array<float, 1> x(8), v(8), d(8);
  Array<i64, 1> at(8), back(8);
  x.data = {0.0f, NAN, -0.0f, 2, -INFINITY, 0.0f, INFINITY, NAN};
  everywhere::run(Program(inputs(X), outputs(V, A, D, B)), 4, x, v, at, d, back);
  CHECK(at.data == I{4, 0, 2, 5, 3, 6, 1, 7});
  CHECK(back.data == I{1, 7, 6, 3, 0, 2, 5, 4});
  CHECK(bits(v(2)) == 0x80000000);
  CHECK(bits(v(1)) == 0);
  CHECK(bits(v(7)) == 0x7fc00000);
  CHECK(bits(d(0)) == 0x7fc00000);
}

TEST_CASE("top_k: the first of each row, of any length") {
  Tensor<i32, 2> X{"X"}, V{"V"};
  Tensor<i64, 2> At{"At"};
  Index i{"i"}, r{"r", 3};
  AnyOrder a{"a"};
  const auto best = top_k(a, X(i, a) * 2).at(r);
  V(i, r) = best.value;
  At(i, r) = best.index;
  const Program program(inputs(X), outputs(V, At));
  for (const int n : {3, 4, 30}) {
    Array<i32, 2> x(4, n), v(4, 3);
    Array<i64, 2> at(4, 3);
    everywhere::run(program, 2, x.fill(static_cast<unsigned>(n)), v, at);
    for (int row = 0; row < 4; ++row) {
      I order(static_cast<std::size_t>(n));
      for (int e = 0; e < n; ++e) order[static_cast<std::size_t>(e)] = e;
      std::stable_sort(order.begin(), order.end(), [&](i64 p, i64 q) { return x(row, p) > x(row, q); });
      for (int k = 0; k < 3; ++k) {
        CHECK(at(row, k) == order[static_cast<std::size_t>(k)]);
        CHECK(v(row, k) == 2 * x(row, at(row, k)));
      }
    }
  }
  Array<i32, 2> few(4, 2), v(4, 3);
  Array<i64, 2> at(4, 3);
  CHECK_THROWS_AS(run(program, few.fill(1), v, at), Error);      // a value past the end is a read out of range
}

TEST_CASE("sort: a rank past the end has no element") {
  Tensor<float, 1> X{"X"};
  Tensor<i64, 1> At{"At"};
  Index r{"r", 4};
  AnyOrder a{"a"};
  At(r) = sort(a, X(a)).at(r).index;
  Array<float, 1> x(2);
  Array<i64, 1> at(4);
  x.data = {5, 3};
  everywhere::run(Program(inputs(X), outputs(At)), 1, x, at);
  CHECK(at.data == I{1, 0, -1, -1});
}

TEST_CASE("sort: read by place, a median") {
  Tensor<double, 2> X{"X"};
  Tensor<double, 1> M{"M"};
  Index i{"i"};
  AnyOrder a{"a"};
  M(i) = sort(a, X(i, a)).at(X.extent(1) / 2).value;
  Array<double, 2> x(3, 9);
  Array<double, 1> m(3);
  everywhere::run(Program(inputs(X), outputs(M)), 1, x.fill(5), m);
  for (int r = 0; r < 3; ++r) {
    std::vector<double> row(x.data.begin() + r * 9, x.data.begin() + r * 9 + 9);
    std::sort(row.begin(), row.end());
    CHECK(m(r) == row[4]);
  }
}

TEST_CASE("contract: argmax and argmin: -0 equals +0, NaN beats every number, the first of equals") {
  Tensor<float, 1> X{"X"};
  Tensor<i64, 0> A{"A"}, B{"B"};
  Lanes<4> l{"l"};
  A() = argmax(l, X(l)).index;
  B() = argmin(l, X(l)).index;
  const Program program(inputs(X), outputs(A, B));
  const auto both = [&](F v) {
    Array<float, 1> x(v.size());
    Array<i64, 0> a, b;
    x.data = v;
    everywhere::run(program, 2, x, a, b);
    return I{a(), b()};
  };
  CHECK(both({-0.0f, 0.0f}) == I{0, 0});
  CHECK(both({1, NAN, NAN}) == I{1, 1});
  CHECK(both({3, 1, 4, 1, 5, 9, 2, 6, 5, 9}) == I{5, 1});
  CHECK(both({-INFINITY, -INFINITY}) == I{0, 0});
  CHECK(both({}) == I{-1, -1});
}
}  // namespace
