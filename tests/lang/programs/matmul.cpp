#include <cmath>
#include <doctest/doctest.h>
#include "lang/everywhere.hpp"

namespace {
using namespace ordo;

TEST_CASE("matmul with epilogue: one chain of fused multiply-adds, then bias and relu") {
  Dim M{"M"}, N{"N"}, K{"K"};
  Tensor<float, 2> A{"A", {M, K}}, B{"B", {K, N}}, C{"C"};
  Tensor<float, 1> bias{"bias", {N}};
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  C(i, j) = relu(sum(k, A(i, k) * B(k, j)) + bias(j));
  Array<float, 2> a(3, 37), b(37, 5), c(3, 5), expected(3, 5);
  Array<float, 1> z(5);
  everywhere::run(Program(inputs(A, B, bias), outputs(C)), 1, a.fill(1), b.fill(2), z.fill(3), c);
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 5; ++x) {
      float acc = 0;
      for (int e = 0; e < 37; ++e) acc = std::fma(a(y, e), b(e, x), acc);
      const float v = acc + z(x);
      expected(y, x) = v > 0 ? v : 0;
    }
  CHECK(c == expected);
}

TEST_CASE("batched matmul: f16 tensors, f32 sums, one narrowing at the definition") {
  Tensor<f16, 3> A{"A"}, B{"B"}, C{"C"};
  Index b{"b"}, i{"i"}, j{"j"};
  Chain k{"k"};
  C(b, i, j) = sum(k, A(b, i, k) * B(b, j, k));
  Array<f16, 3> x(2, 3, 9), y(2, 4, 9), z(2, 3, 4), expected(2, 3, 4);
  everywhere::run(Program(inputs(A, B), outputs(C)), 1, x.fill(1), y.fill(2), z);
  for (int n = 0; n < 2; ++n)
    for (int r = 0; r < 3; ++r)
      for (int s = 0; s < 4; ++s) {
        float acc = 0;
        for (int e = 0; e < 9; ++e) acc = std::fma(widen(x(n, r, e)), widen(y(n, s, e)), acc);
        expected(n, r, s) = narrow(acc);
      }
  CHECK(z == expected);
}

TEST_CASE("int8 matmul: exact in any order, dequantised in the epilogue") {
  Tensor<u8, 2> A{"A"};
  Tensor<i8, 2> B{"B"};
  Tensor<float, 2> Y{"Y"};
  Tensor<float, 1> sb{"sb"};
  Scalar<float> sa{"sa"};
  Scalar<i32> za{"za"};
  Index i{"i"}, j{"j"};
  AnyOrder a{"a"};
  Y(i, j) = cast<float>(sum(a, (A(i, a) - za) * B(a, j))) * (sa * sb(j));
  Array<u8, 2> p(2, 300);
  Array<i8, 2> q(300, 2);
  Array<float, 2> y(2, 2);
  Array<float, 1> s(2);
  s(0) = 0.5f, s(1) = 0.25f;
  for (u8& e : p.data) e = 255;
  for (i8& e : q.data) e = 127;
  float scale = 3;
  i32 zero = 5;
  everywhere::run(Program(inputs(A, B, sb, sa, za), outputs(Y)), 1, p, q, s, scalar(scale), scalar(zero), y);
  CHECK(y(0, 0) == 300.0f * 250 * 127 * 1.5f);
  CHECK(y(1, 1) == 300.0f * 250 * 127 * 0.75f);
}

TEST_CASE("sum<f64>: a product of f32 is exact before the step, and is narrowed where it is stored") {
  Tensor<float, 1> X{"X"}, Y{"Y"}, Z{"Z"};
  Tensor<double, 1> W{"W"};
  Index i{"i", 1};
  Chain k{"k"};
  W(i) = sum<double>(k, X(k) * Y(k));
  Z(i) = cast<float>(sum<double>(k, unfused(X(k) * Y(k))));
  Array<float, 1> x(2), y(2), z(1);
  Array<double, 1> w(1);
  x(0) = 1 + 0x1p-23f, y(0) = 1 + 0x1p-23f, x(1) = -1, y(1) = 1;
  everywhere::run(Program(inputs(X, Y), outputs(W, Z)), 2, x, y, w, z);
  CHECK(w(0) == 0x1p-22 + 0x1p-46);
  CHECK(z(0) == 0x1p-22f);
}

TEST_CASE("transposition and concatenation: only the chosen side of a guard is read") {
  Tensor<float, 2> A{"A"}, T{"T"};
  Tensor<float, 1> P{"P"}, Q{"Q"}, C{"C"};
  Expr<i64> n = P.extent(0), m = Q.extent(0);
  Index i{"i"}, j{"j"}, c{"c", n + m};
  T(i, j) = A(j, i);
  C(c) = select(c < n, P(c), Q(c - n));
  Array<float, 2> a(2, 3), t(3, 2);
  everywhere::run(Program(inputs(A), outputs(T)), 1, a.fill(1), t);
  CHECK(t(2, 1) == a(1, 2));
  Array<float, 1> p(3), q(4), r(7);
  everywhere::run(Program(inputs(P, Q), outputs(C)), 1, p.fill(1), q.fill(2), r);
  CHECK(r(2) == p(2));
  CHECK(r(3) == q(0));
  CHECK(r(6) == q(3));
}
}  // namespace
