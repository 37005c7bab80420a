#include <cmath>
#include <doctest/doctest.h>
#include "lang/everywhere.hpp"

namespace {
using namespace ordo;

TEST_CASE("convolution NHWC: stride, dilation, groups, and padding that is skipped") {
  Dim N{"N"}, H{"H"}, W{"W"}, G{"G"}, Cg{"Cg"}, Fg{"Fg"}, R{"R"}, S{"S"};
  const i64 stride = 2, dil = 2, pad = 1;
  Tensor<float, 5> X{"X", {N, H, W, G, Cg}}, F{"F", {R, S, G, Cg, Fg}}, Y{"Y"};
  Index n{"n"}, g{"g"}, f{"f"};
  Index y{"y", (H + 2 * pad - dil * (R - 1) - 1) / stride + 1}, x{"x", (W + 2 * pad - dil * (S - 1) - 1) / stride + 1};
  Chain r{"r", R}, s{"s", S}, c{"c"};
  auto at = X(n, y * stride + r * dil - pad, x * stride + s * dil - pad, g, c);
  Y(n, y, x, g, f) = sum({r, s, c}, at * F(r, s, g, c, f), inside(at));
  Array<float, 5> in(1, 6, 7, 2, 3), w(3, 2, 2, 3, 4), out(1, 2, 4, 2, 4), expected(1, 2, 4, 2, 4);
  everywhere::run(Program(inputs(X, F), outputs(Y)), 1, in.fill(1), w.fill(2), out);
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 4; ++b)
      for (int q = 0; q < 2; ++q)
        for (int o = 0; o < 4; ++o) {
          float acc = 0;
          for (int u = 0; u < 3; ++u)
            for (int v = 0; v < 2; ++v)
              for (int e = 0; e < 3; ++e) {
                const int h = a * 2 + u * 2 - 1, z = b * 2 + v * 2 - 1;
                if (h >= 0 && h < 6 && z >= 0 && z < 7) acc = std::fma(in(0, h, z, q, e), w(u, v, q, e, o), acc);
              }
          expected(0, a, b, q, o) = acc;
        }
  CHECK(out == expected);
}

TEST_CASE("convolution NCHWc: blocking the channels is another order, and cut gives it to NHWC") {
  Dim CB{"CB"}, H{"H"};
  const i64 b4 = 4;
  Tensor<float, 3> X{"X", {CB, H, b4}}, K{"K", {CB, 3, b4}};
  Tensor<float, 1> Y{"Y"}, Z{"Z"};
  Index y{"y", H - 2};
  Chain cb{"cb"}, r{"r"}, c{"c"}, t{"t", 3}, d{"d", CB * 4};
  Y(y) = sum({cb, r, c}, X(cb, y + r, c) * K(cb, r, c));
  auto [co, ci] = cut(d, 4);
  Z(y) = sum({co, t, ci}, X(d / 4, y + t, d % 4) * K(d / 4, t, d % 4));
  Array<float, 3> x(2, 6, 4), k(2, 3, 4);
  Array<float, 1> out(4), same(4), expected(4);
  everywhere::run(Program(inputs(X, K), outputs(Y, Z)), 2, x.fill(1), k.fill(2), out, same);
  for (int q = 0; q < 4; ++q) {
    float acc = 0;
    for (int a = 0; a < 2; ++a)
      for (int u = 0; u < 3; ++u)
        for (int e = 0; e < 4; ++e) acc = std::fma(x(a, q + u, e), k(a, u, e), acc);
    expected(q) = acc;
  }
  CHECK(out == expected);
  CHECK(same == expected);
}

TEST_CASE("depthwise convolution: extents of the window come from the filter") {
  Dim H{"H"}, W{"W"}, C{"C"};
  Tensor<float, 3> X{"X", {H, W, C}}, F{"F", {3, 3, C}}, Z{"Z"};
  Index y{"y", H - 2}, x{"x", W - 2}, c{"c"};
  Chain r{"r"}, s{"s"};
  Z(y, x, c) = sum({r, s}, X(y + r, x + s, c) * F(r, s, c));
  Array<float, 3> in(4, 5, 2), w(3, 3, 2), out(2, 3, 2), expected(2, 3, 2);
  everywhere::run(Program(inputs(X, F), outputs(Z)), 1, in.fill(1), w.fill(2), out);
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 3; ++b)
      for (int e = 0; e < 2; ++e) {
        float acc = 0;
        for (int u = 0; u < 3; ++u)
          for (int v = 0; v < 3; ++v) acc = std::fma(in(a + u, b + v, e), w(u, v, e), acc);
        expected(a, b, e) = acc;
      }
  CHECK(out == expected);
}

TEST_CASE("max-pool: padding does not exist, and the order is free") {
  Dim H{"H"}, W{"W"};
  Tensor<float, 2> X{"X", {H, W}}, Y{"Y"};
  Index y{"y", (H - 1) / 2 + 1}, x{"x", (W - 1) / 2 + 1};
  AnyOrder p{"p", 3}, q{"q", 3};
  auto at = X(2 * y + p - 1, 2 * x + q - 1);
  Y(y, x) = max({p, q}, at, inside(at));
  Array<float, 2> in(5, 5), out(3, 3), expected(3, 3);
  in.fill(9);
  for (float& e : in.data) e = -std::fabs(e);
  everywhere::run(Program(inputs(X), outputs(Y)), 1, in, out);
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) {
      float m = -INFINITY;
      for (int h = 2 * a - 1; h <= 2 * a + 1; ++h)
        for (int w = 2 * b - 1; w <= 2 * b + 1; ++w)
          if (h >= 0 && h < 5 && w >= 0 && w < 5) m = std::fmax(m, in(h, w));
      expected(a, b) = m;
    }
  CHECK(out == expected);
}

TEST_CASE("convex upsampling: a reduction axis taken apart by / and %") {
  Dim H{"H"}, W{"W"};
  Tensor<float, 2> F{"F", {H, W}};
  Tensor<float, 3> M{"M"}, U{"U"};      // mask: H, 9, upsampled
  Index a{"a", H}, b{"b", W}, u{"u"};
  Chain k{"k", 9};
  auto nb = F(a + k / 3 - 1, b + k % 3 - 1);
  U(a, b, u) = sum(k, M(a, k, u) * (8 * nb), inside(nb));
  Array<float, 3> m(3, 9, 2), out(3, 4, 2), expected(3, 4, 2);
  Array<float, 2> f(3, 4);
  everywhere::run(Program(inputs(M, F), outputs(U)), 1, m.fill(1), f.fill(2), out);
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 4; ++x)
      for (int z = 0; z < 2; ++z) {
        float acc = 0;
        for (int e = 0; e < 9; ++e) {
          const int h = y + e / 3 - 1, w = x + e % 3 - 1;
          if (h >= 0 && h < 3 && w >= 0 && w < 4) acc = std::fma(m(y, e, z), 8 * f(h, w), acc);
        }
        expected(y, x, z) = acc;
      }
  CHECK(out == expected);
}
}  // namespace
