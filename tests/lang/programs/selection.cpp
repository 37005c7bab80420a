#include <algorithm>
#include <doctest/doctest.h>
#include "lang/everywhere.hpp"

namespace {
using namespace ordo;

TEST_CASE("argmax: two outputs of one reduction, the first of equals") {
  Tensor<float, 2> X{"X"};
  Tensor<float, 1> V{"V"};
  Tensor<i64, 1> At{"At"}, Low{"Low"};
  Index i{"i"};
  Lanes<8> l{"l"};
  auto best = argmax(l, X(i, l));
  V(i) = best.value;
  At(i) = best.index;
  Low(i) = argmin(l, X(i, l), X(i, l) > -3).index;
  Array<float, 2> x(1, 70);
  Array<float, 1> v(1);
  Array<i64, 1> at(1), low(1);
  x(0, 13) = x(0, 34) = 5, x(0, 50) = x(0, 20) = -2, x(0, 7) = -3;
  everywhere::run(Program(inputs(X), outputs(V, At, Low)), 3, x, v, at, low);
  CHECK(v(0) == 5);
  CHECK(at(0) == 13);
  CHECK(low(0) == 20);
}

TEST_CASE("top-k by rank: count, scatter by equality, gather") {
  Tensor<float, 1> X{"X"}, V{"V"};
  Tensor<i64, 1> R{"R"}, I{"I"};
  Index i{"i"}, r{"r", 3};
  AnyOrder a{"a"};
  R(i) = count(a, X(a) > X(i) || (X(a) == X(i) && a < i));
  I(r) = sum(a, a, R(a) == r);
  V(r) = X(I(r));
  Array<float, 1> x(6), v(3);
  Array<i64, 1> at(3);
  const float value[] = {0, 2, 3, 1, 2, 2};
  std::copy(value, value + 6, x.data.begin());
  everywhere::run(Program(inputs(X), outputs(V, I)), 2, x, v, at);
  CHECK(at.data == std::vector<i64>{2, 1, 4});
  CHECK(v.data == std::vector<float>{3, 2, 2});
}

TEST_CASE("top-k by insertion: a recurrence that reads its neighbour one step back") {
  Tensor<float, 1> X{"X"}, V{"V"};
  Tensor<float, 2> B{"B"};
  Index r{"r", 3};
  Scan t{"t", X.extent(0)};
  auto up = select(r > 0, B(t - 1, r - 1), inf<float>());
  Expr<float> x = X(t), old = B(t - 1, r);
  B(t, r) = scan(t, -inf<float>(), select(x > up, up, select(x > old, x, old)));
  V(r) = B(X.extent(0) - 1, r);
  Array<float, 1> in(9), v(3);
  everywhere::run(Program(inputs(X), outputs(V)), 1, in.fill(4), v);
  std::vector<float> sorted = in.data;
  std::sort(sorted.begin(), sorted.end(), [](float p, float q) { return p > q; });
  sorted.resize(3);
  CHECK(v.data == sorted);
}

TEST_CASE("embedding: a gather, its gradient by equality, and scatter_add from a start") {
  Dim V{"V"}, N{"N"}, D{"D"};
  Tensor<float, 2> E{"E", {V, D}}, Y{"Y"}, dY{"dY", {N, D}}, dE{"dE"}, sum_{"sum"};
  Tensor<i32, 1> id{"id", {N}};
  Index n{"n"}, d{"d"}, v{"v", V};
  Chain m{"m"};
  Y(n, d) = E(id(n), d);
  dE(v, d) = sum(m, dY(m, d), id(m) == cast<i32>(v));
  sum_(v, d) = scatter_add(E, id(m), dY(m, d));
  Array<float, 2> e(3, 2), y(4, 2), dy(4, 2), de(3, 2), se(3, 2);
  Array<i32, 1> at(4);
  at.data = {2, 0, 2, 2};
  everywhere::run(Program(inputs(E, dY, id), outputs(Y, dE, sum_)), 3, e.fill(1), dy.fill(2), at, y, de, se);
  CHECK(y(2, 1) == e(2, 1));
  CHECK(de(2, 1) == (dy(0, 1) + dy(2, 1)) + dy(3, 1));
  CHECK(de(1, 0) == 0);
  CHECK(se(2, 0) == ((e(2, 0) + dy(0, 0)) + dy(2, 0)) + dy(3, 0));
  CHECK(se(1, 1) == e(1, 1));
}

// Ones onto a destination, in the contract's table.
template <class T> T scattered(T onto, i64 ones) {
  Dim V{"V"}, N{"N"};
  Tensor<T, 1> D{"D", {V}}, Y{"Y"};
  Tensor<float, 1> X{"X", {N}};
  Tensor<i32, 1> id{"id", {N}};
  Index v{"v"};
  Chain n{"n"};
  Y(v) = scatter_add(D, id(n), X(n));
  Array<T, 1> d(2), y(2);
  Array<float, 1> x(ones);
  Array<i32, 1> at(ones);
  d(1) = onto;
  for (float& e : x.data) e = 1;
  for (i32& e : at.data) e = 1;
  everywhere::run(Program(inputs(D, X, id), outputs(Y)), 1, d, x, at, y);
  return y(1);
}
TEST_CASE("contract: scatter_add of 1, 1 onto 2^24, onto 2048 in f16; of nothing onto -0") {
  CHECK(scattered<float>(16777216, 2) == 16777216);
  CHECK(scattered<float>(16777214, 2) == 16777216);
  const f16 sum = scattered<f16>(narrow(2048), 2);
  CHECK(__builtin_bit_cast(u16, sum) == 0x6801);
  CHECK(__builtin_bit_cast(u32, scattered<float>(-0.0f, 0)) == 0x80000000);
}

TEST_CASE("histogram: a count over a condition on narrow data") {
  Tensor<u8, 1> X{"X"};
  Tensor<i64, 1> H{"H"};
  Index v{"v", 256};
  AnyOrder a{"a"};
  H(v) = count(a, X(a) == cast<u8>(v));
  Array<u8, 1> x(50);
  Array<i64, 1> h(256), expected(256);
  for (std::size_t q = 0; q < 50; ++q) x.data[q] = static_cast<u8>(q * q);
  for (u8 q : x.data) ++expected.data[q];
  everywhere::run(Program(inputs(X), outputs(H)), 1, x, h);
  CHECK(h == expected);
}
}  // namespace
