#include <cmath>
#include <doctest/doctest.h>
#include "lang/everywhere.hpp"

namespace {
using namespace ordo;

TEST_CASE("cumulative sum: below its first element a recurrence reads its start") {
  Tensor<float, 2> X{"X"}, Y{"Y"};
  Index i{"i"};
  Scan t{"t"};
  Y(i, t) = scan(t, 0, Y(i, t - 1) + X(i, t));
  Array<float, 2> x(2, 5), y(2, 5), expected(2, 5);
  everywhere::run(Program(inputs(X), outputs(Y)), 1, x.fill(7), y);
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 5; ++c) expected(r, c) = (c == 0 ? 0 : expected(r, c - 1)) + x(r, c);
  CHECK(y == expected);
}

TEST_CASE("a recurrence in reverse time, two steps back") {
  Tensor<float, 1> X{"X"}, Y{"Y"};
  Expr<i64> n = X.extent(0);
  Scan t{"t", n};
  Y(t) = scan(t, 1, 0.5 * Y(t - 2) + X(n - 1 - t));
  Array<float, 1> x(6), y(6), expected(6);
  everywhere::run(Program(inputs(X), outputs(Y)), 1, x.fill(1), y);
  for (int c = 0; c < 6; ++c) expected(c) = 0.5f * (c < 2 ? 1 : expected(c - 2)) + x(5 - c);
  CHECK(y == expected);
}

// An LSTM with x / (1 + |x|) where the sigmoid and tanh stand.
template <class X> auto squash(X x) { using ordo::abs; using std::abs; return x / (1 + abs(x)); }

TEST_CASE("LSTM: three definitions form one recurrence") {
  Dim T{"T"}, B{"B"}, D{"D"}, H{"H"};
  Tensor<float, 3> x{"x", {T, B, D}}, W{"W", {4, H, D}}, U{"U", {4, H, H}}, h{"h"}, c{"c"};
  Tensor<float, 2> bias{"bias", {4, H}}, h0{"h0", {B, H}}, c0{"c0", {B, H}};
  Tensor<float, 4> G{"G"};
  Scan t{"t", T};
  Index b{"b"}, j{"j"}, g{"g", 4};
  Chain k{"k"}, m{"m"};
  G(t, b, g, j) = sum(k, x(t, b, k) * W(g, j, k)) + sum(m, h(t - 1, b, m) * U(g, j, m)) + bias(g, j);
  auto gate = [&](int which) { return squash(Expr<float>(G(t, b, which, j))); };
  c(t, b, j) = scan(t, c0(b, j), gate(2) * c(t - 1, b, j) + gate(0) * gate(3));
  h(t, b, j) = scan(t, h0(b, j), gate(1) * squash(Expr<float>(c(t, b, j))));
  Array<float, 3> xs(3, 2, 4), w(4, 5, 4), u(4, 5, 5), hs(3, 2, 5), cs(3, 2, 5), eh(3, 2, 5), ec(3, 2, 5);
  Array<float, 2> z(4, 5), hi(2, 5), ci(2, 5);
  everywhere::run(Program(inputs(x, W, U, bias, h0, c0), outputs(h, c)), 2, xs.fill(1), w.fill(2), u.fill(3), z.fill(4), hi.fill(5),
                  ci.fill(6), hs, cs);
  for (int s = 0; s < 3; ++s)
    for (int a = 0; a < 2; ++a)
      for (int q = 0; q < 5; ++q) {
        float gates[4];
        for (int e = 0; e < 4; ++e) {
          float from_x = 0, from_h = 0;
          for (int f = 0; f < 4; ++f) from_x = std::fma(xs(s, a, f), w(e, q, f), from_x);
          for (int f = 0; f < 5; ++f) from_h = std::fma(s == 0 ? hi(a, f) : eh(s - 1, a, f), u(e, q, f), from_h);
          gates[e] = squash(from_x + from_h + z(e, q));
        }
        const float keep = gates[2] * (s == 0 ? ci(a, q) : ec(s - 1, a, q)), add = gates[0] * gates[3];
        ec(s, a, q) = keep + add;
        eh(s, a, q) = gates[1] * squash(ec(s, a, q));
      }
  CHECK(hs == eh);
  CHECK(cs == ec);
}
}  // namespace
