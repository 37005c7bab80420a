#include <cmath>
#include <doctest/doctest.h>
#include "lang/everywhere.hpp"

namespace {
using namespace ordo;

// Lanes<L>: element e goes to lane e mod L; the lanes are joined by halves. A lane without elements is absent.
template <int L, class Term> float lanes(int n, Term step) {
  float lane[L] = {};
  for (int e = 0; e < n; ++e) lane[e % L] = step(e, lane[e % L]);
  int live[L];
  for (int l = 0; l < L; ++l) live[l] = l < n;
  for (int h = L / 2; h > 0; h /= 2)
    for (int l = 0; l < h; ++l)
      if (live[l + h]) lane[l] = lane[l] + lane[l + h];
  return lane[0];
}

TEST_CASE("softmax's shape: a row maximum and a sum in lanes are stages of their own") {
  Tensor<float, 2> X{"X"}, E{"E"}, Y{"Y"};
  Index i{"i"}, j{"j"};
  Lanes<16> l{"l"};
  E(i, j) = abs(X(i, j) - max(l, X(i, l)));
  Y(i, j) = E(i, j) / sum(l, E(i, l));
  Array<float, 2> x(2, 37), y(2, 37), expected(2, 37);
  everywhere::run(Program(inputs(X), outputs(Y)), 1, x.fill(3), y);
  for (int r = 0; r < 2; ++r) {
    float m = -INFINITY, e[37];
    for (int c = 0; c < 37; ++c) m = std::fmax(m, x(r, c));
    for (int c = 0; c < 37; ++c) e[c] = std::fabs(x(r, c) - m);
    const float total = lanes<16>(37, [&](int c, float acc) { return acc + e[c]; });
    for (int c = 0; c < 37; ++c) expected(r, c) = e[c] / total;
  }
  CHECK(y == expected);
}

TEST_CASE("layer norm in two passes: rsqrt is 1 / sqrt, and d * d is fused") {
  Tensor<float, 2> X{"X"}, Y{"Y"};
  Tensor<float, 1> g{"g"}, b{"b"}, mu{"mean"}, var{"var"};
  Scalar<float> eps{"eps"};
  Index i{"i"}, j{"j"};
  Lanes<8> l{"l"};
  mu(i) = sum(l, X(i, l)) / cast<float>(X.extent(1));
  auto d = X(i, l) - mu(i);
  var(i) = sum(l, d * d) / cast<float>(X.extent(1));
  Y(i, j) = (X(i, j) - mu(i)) * rsqrt(var(i) + eps) * g(j) + b(j);
  Array<float, 2> x(3, 21), y(3, 21), expected(3, 21);
  Array<float, 1> gain(21), bias(21);
  float e = 1e-5f;
  everywhere::run(Program(inputs(X, g, b, eps), outputs(Y)), 1, x.fill(1), gain.fill(2), bias.fill(3), scalar(e), y);
  for (int r = 0; r < 3; ++r) {
    const float m = lanes<8>(21, [&](int c, float acc) { return acc + x(r, c); }) / 21;
    const float v = lanes<8>(21, [&](int c, float acc) { return std::fma(x(r, c) - m, x(r, c) - m, acc); }) / 21;
    const float s = 1 / std::sqrt(v + e);
    for (int c = 0; c < 21; ++c) {
      const float scaled = (x(r, c) - m) * s * gain(c);
      expected(r, c) = scaled + bias(c);
    }
  }
  CHECK(y == expected);
}

struct Moments { Expr<float> mean, m2, n; };
struct Plain { float mean, m2, n; };

TEST_CASE("Welford: a state of three, stepped in lanes and merged by halves") {
  Tensor<float, 2> X{"X"};
  Tensor<float, 1> mu{"mu"}, m2{"m2"};
  Index i{"i"};
  Lanes<4> l{"l"};
  auto w = reduce(l, Moments{0, 0, 0},
    [&](Moments a) { auto n = a.n + 1, e = X(i, l) - a.mean, m = a.mean + e / n; return Moments{m, fma(e, X(i, l) - m, a.m2), n}; },
    [](Moments a, Moments c) { auto n = a.n + c.n, e = c.mean - a.mean, f = select(n > 0, c.n / n, 0);
                               return Moments{fma(e, f, a.mean), a.m2 + c.m2 + e * e * a.n * f, n}; });
  mu(i) = w.mean;
  m2(i) = w.m2 / w.n;
  Array<float, 2> x(2, 11);
  Array<float, 1> mean(2), second(2), expected_mean(2), expected_second(2);
  everywhere::run(Program(inputs(X), outputs(mu, m2)), 2, x.fill(5), mean, second);
  for (int r = 0; r < 2; ++r) {
    Plain s[4] = {};
    for (int c = 0; c < 11; ++c) {
      Plain& a = s[c % 4];
      const float n = a.n + 1, e = x(r, c) - a.mean, m = a.mean + e / n;
      a = {m, std::fma(e, x(r, c) - m, a.m2), n};
    }
    for (int h = 2; h > 0; h /= 2)
      for (int q = 0; q < h; ++q) {
        const Plain a = s[q], c = s[q + h];
        const float n = a.n + c.n, e = c.mean - a.mean, f = c.n / n, ee = e * e * a.n * f;
        s[q] = {std::fma(e, f, a.mean), a.m2 + c.m2 + ee, n};
      }
    expected_mean(r) = s[0].mean;
    expected_second(r) = s[0].m2 / s[0].n;
  }
  CHECK(mean == expected_mean);
  CHECK(second == expected_second);
}

TEST_CASE("RMS norm: an axis's extent reads as a value; mean divides by it") {
  Tensor<float, 2> X{"X"}, Y{"Y"}, Z{"Z"};
  Index i{"i"}, j{"j"};
  Lanes<8> l{"l"};
  Y(i, j) = X(i, j) * rsqrt(sum(l, X(i, l) * X(i, l)) / cast<float>(l.extent()) + 1e-6);
  Z(i, j) = X(i, j) * rsqrt(mean(l, X(i, l) * X(i, l)) + 1e-6);
  Array<float, 2> x(2, 13), y(2, 13), z(2, 13), expected(2, 13);
  everywhere::run(Program(inputs(X), outputs(Y, Z)), 2, x.fill(1), y, z);
  for (int r = 0; r < 2; ++r) {
    const float s = lanes<8>(13, [&](int c, float acc) { return std::fma(x(r, c), x(r, c), acc); });
    for (int c = 0; c < 13; ++c) expected(r, c) = x(r, c) * (1 / std::sqrt(s / 13 + 1e-6f));
  }
  CHECK(y == expected);
  CHECK(z == expected);
}

TEST_CASE("Blocks with lanes: lanes of each block first, then blocks pairwise") {
  Tensor<float, 2> X{"X"};
  Tensor<float, 1> Y{"Y"};
  Index i{"i"};
  Blocks<4, Lanes<2>> b{"b"};
  Y(i) = sum(b, X(i, b));
  Array<float, 2> x(1, 11);
  Array<float, 1> y(1);
  everywhere::run(Program(inputs(X), outputs(Y)), 1, x.fill(8), y);
  float block[3];
  for (int q = 0; q < 3; ++q) block[q] = lanes<2>(q < 2 ? 4 : 3, [&](int c, float acc) { return acc + x(0, 4 * q + c); });
  CHECK(y(0) == (block[0] + block[1]) + block[2]);
}
}  // namespace
