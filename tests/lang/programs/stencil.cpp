#include <cmath>
#include <doctest/doctest.h>
#include "lang/everywhere.hpp"

namespace {
using namespace ordo;

TEST_CASE("blur in two stages") {
  Dim H{"H"}, W{"W"};
  Tensor<float, 2> I{"I", {H, W}}, bx{"bx"}, by{"by"};
  Index y{"y"}, x{"x", W - 2}, v{"v", H - 2};
  bx(y, x) = (I(y, x) + I(y, x + 1) + I(y, x + 2)) / 3;
  by(v, x) = (bx(v, x) + bx(v + 1, x) + bx(v + 2, x)) / 3;
  Array<float, 2> in(6, 7), out(4, 5), expected(4, 5);
  everywhere::run(Program(inputs(I), outputs(by)), 1, in.fill(3), out);
  auto row = [&](int r, int c) { return ((in(r, c) + in(r, c + 1)) + in(r, c + 2)) / 3; };
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 5; ++c) expected(r, c) = ((row(r, c) + row(r + 1, c)) + row(r + 2, c)) / 3;
  CHECK(out == expected);
}

TEST_CASE("a 25-point stencil written by a loop of C++") {
  Dim D{"D"}, H{"H"}, W{"W"};
  Tensor<float, 3> P{"P", {D, H, W}}, N{"N"};
  Tensor<float, 1> w{"w", {5}};
  Index a{"a", D - 8}, b{"b", H - 8}, c{"c", W - 8};
  auto at = [&](i64 dz, i64 dy, i64 dx) { return P(a + 4 + dz, b + 4 + dy, c + 4 + dx); };
  Expr<float> acc = w(0) * at(0, 0, 0);
  for (int r = 1; r <= 4; ++r) acc = acc + w(r) * (at(r, 0, 0) + at(-r, 0, 0) + at(0, r, 0) + at(0, -r, 0) + at(0, 0, r) + at(0, 0, -r));
  N(a, b, c) = acc;
  Array<float, 3> p(9, 10, 9), n(1, 2, 1);
  Array<float, 1> k(5);
  everywhere::run(Program(inputs(P, w), outputs(N)), 1, p.fill(1), k.fill(2), n);
  float s = k(0) * p(4, 5, 4);
  for (int r = 1; r <= 4; ++r) {
    const float ring = p(4 + r, 5, 4) + p(4 - r, 5, 4) + p(4, 5 + r, 4) + p(4, 5 - r, 4) + p(4, 5, 4 + r) + p(4, 5, 4 - r);
    const float term = k(r) * ring;
    s = s + term;
  }
  CHECK(n(0, 1, 0) == s);
}

TEST_CASE("bilinear resize: positions in floating point, reads clipped") {
  Dim H{"H"}, C{"C"}, OH{"OH"};
  Tensor<float, 2> X{"X", {H, C}}, Y{"Y", {OH, C}};
  Index y{"y"}, c{"c"};
  auto sy = (cast<float>(y) + 0.5) * (cast<float>(H) / cast<float>(OH)) - 0.5;
  auto at = cast<i64>(floor(sy));
  Y(y, c) = X(clip(at, 0, H - 1), c) + (sy - floor(sy)) * (X(clip(at + 1, 0, H - 1), c) - X(clip(at, 0, H - 1), c));
  Array<float, 2> x(3, 2), out(7, 2), expected(7, 2);
  everywhere::run(Program(inputs(X), outputs(Y)), 1, x.fill(8), out);
  for (int r = 0; r < 7; ++r) {
    const float scaled = (static_cast<float>(r) + 0.5f) * (3.0f / 7.0f), p = scaled - 0.5f, low = std::floor(p);
    auto clipped = [](int v) { return v < 0 ? 0 : v > 2 ? 2 : v; };
    const int a = clipped(static_cast<int>(low)), b = clipped(static_cast<int>(low) + 1);
    for (int q = 0; q < 2; ++q) {
      const float add = (p - low) * (x(b, q) - x(a, q));
      expected(r, q) = x(a, q) + add;
    }
  }
  CHECK(out == expected);
}

struct Complex { Expr<float> re, im; };
Complex operator*(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
struct Planes {
  Tensor<float, 3> re, im;
  Complex operator()(auto... i) const { return {re(i...), im(i...)}; }
};

TEST_CASE("FFT butterfly: a user's number type is a struct of expressions") {
  Planes X{Tensor<float, 3>{"Xre"}, Tensor<float, 3>{"Xim"}}, Y{Tensor<float, 3>{"Yre"}, Tensor<float, 3>{"Yim"}};
  Tensor<float, 1> wr{"wr"}, wi{"wi"};
  Index b{"b"}, p{"p", 2}, j{"j"};
  Complex e = X(b, 0, j), o = X(b, 1, j) * Complex{wr(j), wi(j)}, u = e + o, v = e - o;
  Y.re(b, p, j) = select(p == 0, u.re, v.re);
  Y.im(b, p, j) = select(p == 0, u.im, v.im);
  Array<float, 3> xr(1, 2, 4), xi(1, 2, 4), yr(1, 2, 4), yi(1, 2, 4);
  Array<float, 1> cr(4), ci(4);
  everywhere::run(Program(inputs(X.re, X.im, wr, wi), outputs(Y.re, Y.im)), 2, xr.fill(1), xi.fill(2), cr.fill(3), ci.fill(4), yr, yi);
  for (int q = 0; q < 4; ++q) {
    const float rr = xr(0, 1, q) * cr(q), ii = xi(0, 1, q) * ci(q), ri = xr(0, 1, q) * ci(q), ir = xi(0, 1, q) * cr(q);
    const float re = rr - ii, im = ri + ir;
    CHECK(yr(0, 0, q) == xr(0, 0, q) + re);
    CHECK(yr(0, 1, q) == xr(0, 0, q) - re);
    CHECK(yi(0, 0, q) == xi(0, 0, q) + im);
    CHECK(yi(0, 1, q) == xi(0, 0, q) - im);
  }
}

TEST_CASE("Adam: several outputs, scalars, square roots") {
  Tensor<float, 1> w{"w"}, g{"g"}, m{"m"}, v{"v"}, w2{"w2"}, m2{"m2"}, v2{"v2"};
  Scalar<float> lr{"lr"}, b1{"b1"}, b2{"b2"}, eps{"eps"};
  Index n{"n"};
  m2(n) = b1 * m(n) + (1 - b1) * g(n);
  v2(n) = b2 * v(n) + (1 - b2) * (g(n) * g(n));
  w2(n) = w(n) - lr * (m2(n) / (1 - b1)) / (sqrt(v2(n) / (1 - b2)) + eps);
  Array<float, 1> aw(5), ag(5), am(5), av(5), ow(5), om(5), ov(5), ew(5), em(5), ev(5);
  float rate = 1e-3f, beta1 = 0.9f, beta2 = 0.999f, e = 1e-8f;
  av.fill(4);
  for (float& q : av.data) q = std::fabs(q);
  everywhere::run(Program(inputs(w, g, m, v, lr, b1, b2, eps), outputs(w2, m2, v2)), 3, aw.fill(1), ag.fill(2), am.fill(3), av,
                  scalar(rate),
      scalar(beta1), scalar(beta2), scalar(e), ow, om, ov);
  for (int q = 0; q < 5; ++q) {
    const float km = beta1 * am(q), gm = (1 - beta1) * ag(q), kv = beta2 * av(q), gv = (1 - beta2) * (ag(q) * ag(q));
    em(q) = km + gm, ev(q) = kv + gv;
    const float step = rate * (em(q) / (1 - beta1)) / (std::sqrt(ev(q) / (1 - beta2)) + e);
    ew(q) = aw(q) - step;
  }
  CHECK(om == em);
  CHECK(ov == ev);
  CHECK(ow == ew);
}
}  // namespace
