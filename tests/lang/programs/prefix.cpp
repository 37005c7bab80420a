#include <cmath>
#include <doctest/doctest.h>
#include "lang/everywhere.hpp"

namespace {
using namespace ordo;
constexpr float T = 16777216;

template <class A> std::vector<float> cumulative(std::vector<float> v, bool exclusive = false) {
  Tensor<float, 1> X{"X"}, Y{"Y"};
  Index t{"t"};
  A k{"k"};
  const auto c = cumsum(k, X(k));
  if (exclusive) Y(t) = c.exclusive(t);
  else Y(t) = c.at(t);
  Array<float, 1> x(v.size()), y(v.size());
  x.data = v;
  everywhere::run(Program(inputs(X), outputs(Y)), 1, x, y);
  return y.data;
}
using F = std::vector<float>;

TEST_CASE("contract: cumsum over a Chain and over Blocks") {
  CHECK(cumulative<Chain>({T, 1, 1, 1}) == F{T, T, T, T});
  CHECK(cumulative<Blocks<2>>({T, 1, 1, 1}) == F{T, T, T, T + 2});
  CHECK(cumulative<Blocks<2>>({T, 1, 1, 1}, true) == F{0, T, T, T});
  CHECK(cumulative<Chain>({1, 2, 3}, true) == F{0, 1, 3});
  CHECK(cumulative<Chain>({}) == F{});
  CHECK(cumulative<Blocks<4>>({}) == F{});
}

TEST_CASE("contract: cumsum stored as f16 is not narrowed between its steps") {
  Tensor<f16, 1> X{"X"}, Y{"Y"};
  Index t{"t"};
  Chain k{"k"};
  Y(t) = cumsum(k, X(k)).at(t);
  Array<f16, 1> x(3), y(3);
  x(0) = narrow(2048), x(1) = x(2) = narrow(1);
  everywhere::run(Program(inputs(X), outputs(Y)), 1, x, y);
  const u16 expected[] = {0x6800, 0x6800, 0x6801};
  CHECK(std::memcmp(y.data.data(), expected, 6) == 0);
}

struct Line { Expr<float> a, b; };        // x -> a * x + b
Line after(Line f, Line g) { return {f.a * g.a, fma(f.b, g.a, g.b)}; }

TEST_CASE("prefix: a state of two over blocks of rows, by the contract's pseudo-code") {
  Tensor<float, 2> A{"A"}, B{"B"}, Y{"Y"}, Z{"Z"};
  Index i{"i"}, t{"t"};
  Blocks<4> k{"k"};
  const auto p = prefix(k, Line{1, 0}, [&](Line s) { return after(s, {A(i, k), B(i, k)}); }, [](Line x, Line y) { return after(x, y); });
  Y(i, t) = p.at(t).b;
  Z(i, t) = p.exclusive(t).a;
  for (const int n : {1, 4, 5, 11}) {
    Array<float, 2> a(3, n), b(3, n), y(3, n), z(3, n), yy(3, n), zz(3, n);
    a.fill(1), b.fill(2);
    for (float& e : a.data) e /= 32;
    everywhere::run(Program(inputs(A, B), outputs(Y, Z)), 2, a, b, y, z);
    struct Plain { float a, b; };
    const auto join = [](Plain f, Plain g) { return Plain{f.a * g.a, std::fma(f.b, g.a, g.b)}; };
    for (int r = 0; r < 3; ++r) {
      Plain carry{1, 0}, before{1, 0};
      for (int first = 0; first < n; first += 4) {
        Plain local{1, 0};
        for (int e = first; e < n && e < first + 4; ++e) {
          local = join(local, {a(r, e), b(r, e)});
          const Plain state = first == 0 ? local : join(carry, local);
          zz(r, e) = before.a;
          yy(r, e) = state.b;
          before = state;
        }
        carry = first == 0 ? local : join(carry, local);
      }
    }
    CHECK(y == yy);
    CHECK(z == zz);
  }
}

TEST_CASE("prefix: exponential smoothing over a Chain that starts from a value of its row; a product steps by fma") {
  Tensor<float, 2> X{"X"}, Y{"Y"}, Z{"Z"};
  Tensor<float, 1> S{"S"};
  Index i{"i"}, t{"t"};
  Chain k{"k"};
  struct One { Expr<float> s; };
  Y(i, t) = prefix(k, One{S(i)}, [&](One a) { return One{a.s * 0.75 + X(i, k) * 0.25}; }).at(t).s;
  Z(i, t) = cumsum(k, X(i, k) * X(i, k)).at(t);
  Array<float, 2> x(2, 6), y(2, 6), z(2, 6), yy(2, 6), zz(2, 6);
  Array<float, 1> s(2);
  everywhere::run(Program(inputs(X, S), outputs(Y, Z)), 2, x.fill(1), s.fill(2), y, z);
  for (int r = 0; r < 2; ++r) {
    float state = s(r), squares = 0;
    for (int e = 0; e < 6; ++e) {
      const float kept = state * 0.75f, added = x(r, e) * 0.25f;
      yy(r, e) = state = kept + added;
      zz(r, e) = squares = std::fma(x(r, e), x(r, e), squares);
    }
  }
  CHECK(y == yy);
  CHECK(z == zz);
}

TEST_CASE("cumsum<T>: products of i32 in i64, of f32 in f64") {
  Tensor<i32, 1> I{"I"};
  Tensor<i64, 1> J{"J"};
  Tensor<float, 1> X{"X"};
  Tensor<double, 1> D{"D"};
  Index t{"t"};
  Blocks<2> b{"b"};
  Chain k{"k"};
  J(t) = cumsum<i64>(b, I(b) * I(b)).at(t);
  D(t) = cumsum<double>(k, X(k) * X(k)).at(t);
  Array<i32, 1> i(4);
  Array<i64, 1> j(4);
  Array<float, 1> x(3);
  Array<double, 1> d(3);
  i.data = {65537, 3, -65537, 1}, x.data = {16777215, 1, 16777213};
  everywhere::run(Program(inputs(I, X), outputs(J, D)), 2, i, x, j, d);
  CHECK(j.data == std::vector<i64>{4295098369, 4295098378, 8590196747, 8590196748});
  CHECK(d.data == std::vector<double>{0x1p48 - 0x1p25 + 1, 0x1p48 - 0x1p25 + 2, 2 * 0x1p48 - 0x1p27 + 11});
}

TEST_CASE("named: a product by name is no product to the sum around it") {
  Tensor<float, 1> X{"X"};
  Tensor<float, 0> Y{"Y"}, Z{"Z"};
  Index i{"i"};
  Chain k{"k"};
  Tensor<float, 1> P{"P"};
  P(i) = named("square", X(i) * X(i));
  Y() = sum(k, P(k));
  Z() = sum(k, X(k) * X(k));
  Array<float, 1> x(20);
  Array<float, 0> y, z;
  everywhere::run(Program(inputs(X), outputs(Y, Z)), 2, x.fill(4), y, z);
  float plain = 0, fused = 0;
  for (float e : x.data) {
    const float square = e * e;
    plain += square;
    fused = std::fma(e, e, fused);
  }
  CHECK(y() == plain);
  CHECK(z() == fused);
  CHECK(y() != z());
}
}  // namespace
