// Attention with |x| where exp stands: the constructs are the same, and plain C++ has the same bits.
#include <cmath>
#include <doctest/doctest.h>
#include "lang/everywhere.hpp"

namespace {
using namespace ordo;
constexpr int rows = 5, keys = 7, depth = 3, width = 2;

struct Inputs {
  Tensor<float, 2> Q{"Q"}, K{"K"}, V{"V"}, S{"S"};
  Index q{"q"}, t{"t"}, d{"d"};
  Chain e{"e"}, k{"k"};
  Inputs() { S(q, t) = sum(e, Q(q, e) * K(t, e)); }
};
struct Data {
  Array<float, 2> q{rows, depth}, k{keys, depth}, v{keys, width}, out{rows, width}, expected{rows, width};
  Data() { q.fill(1), k.fill(2), v.fill(3); }
  float score(int a, int b) {
    float acc = 0;
    for (int c = 0; c < depth; ++c) acc = std::fma(q(a, c), k(b, c), acc);
    return acc;
  }
};

TEST_CASE("causal attention: the maximum runs where its condition holds, a guard keeps the future out") {
  Inputs in;
  auto& [Q, K, V, S, q, t, d, e, k] = in;
  Tensor<float, 2> P{"P"}, O{"O"};
  AnyOrder u{"u"};
  Chain l{"l"};
  P(q, t) = select(t <= q, abs(S(q, t) - max(u, S(q, u), u <= q)) + 1, 0);
  O(q, d) = sum(k, P(q, k) * V(k, d)) / sum(l, P(q, l));
  Data x;
  everywhere::run(Program(inputs(Q, K, V), outputs(O)), 1, x.q, x.k, x.v, x.out);
  for (int a = 0; a < rows; ++a) {
    float m = -INFINITY, p[keys] = {}, total = 0;
    for (int b = 0; b <= a; ++b) m = std::fmax(m, x.score(a, b));
    for (int b = 0; b <= a; ++b) p[b] = std::fabs(x.score(a, b) - m) + 1;
    for (float w : p) total = total + w;
    for (int c = 0; c < width; ++c) {
      float acc = 0;
      for (int b = 0; b < keys; ++b) acc = std::fma(p[b], x.v(b, c), acc);
      x.expected(a, c) = acc / total;
    }
  }
  CHECK(x.out == x.expected);
}

struct Online { Expr<float> m, l, o; };

TEST_CASE("online attention: one member of the state mentions d, the others do not") {
  Inputs in;
  auto& [Q, K, V, S, q, t, d, e, k] = in;
  auto& score = S;
  auto& value = V;
  auto &row = q, &column = d;
  auto& key = k;
  Tensor<float, 2> O{"O"};
  auto st = reduce(key, Online{-inf<float>(), 0, 0}, [&](Online a) {
    Expr<float> x = score(row, key), m = maximum(a.m, x), keep = select(a.m < 0, constant<float>(0.5), 2), p = abs(x - m) + 1;
    return Online{m, fma(a.l, keep, p), fma(p, value(key, column), a.o * keep)}; }, key <= row);
  O(q, d) = st.o / st.l;
  Data x;
  everywhere::run(Program(inputs(Q, K, V), outputs(O)), 1, x.q, x.k, x.v, x.out);
  for (int a = 0; a < rows; ++a)
    for (int c = 0; c < width; ++c) {
      float m = -INFINITY, l = 0, o = 0;
      for (int b = 0; b <= a && b < keys; ++b) {
        const float s = x.score(a, b), n = std::fmax(m, s), keep = m < 0 ? 0.5f : 2.0f, p = std::fabs(s - n) + 1, kept = o * keep;
        m = n, l = std::fma(l, keep, p), o = std::fma(p, x.v(b, c), kept);
      }
      x.expected(a, c) = o / l;
    }
  CHECK(x.out == x.expected);
}

TEST_CASE("blockwise attention: four recurrences over blocks of keys, the last block partial") {
  Inputs in;
  auto& [Q, K, V, S, q, t, d, e, k] = in;
  const i64 size = 3;
  Expr<i64> T = K.extent(0);
  Scan kb{"kb", (T + size - 1) / size};
  Chain kk{"kk", size};
  AnyOrder u{"u", size};
  Index p{"p", size};
  Tensor<float, 2> m{"m"}, L{"L"}, O{"O"};
  Tensor<float, 3> P{"P"}, A{"A"};
  auto key = [&](auto at) { return kb * size + at; };
  auto seen = [&, row = in.q](auto at) { return key(at) < T && key(at) <= row; };
  m(q, kb) = scan(kb, -inf<float>(), maximum(m(q, kb - 1), max(u, S(q, key(u)), seen(u))));
  P(q, kb, p) = select(seen(p), abs(S(q, key(p)) - m(q, kb)) + 1, 0);
  auto keep = select(m(q, kb - 1) < 0, 0.5, constant<float>(2));
  L(q, kb) = scan(kb, 0, fma(L(q, kb - 1), keep, sum(kk, P(q, kb, kk))));
  A(q, d, kb) = scan(kb, 0, fma(A(q, d, kb - 1), keep, sum(kk, P(q, kb, kk) * V(key(kk), d), key(kk) < T)));
  O(q, d) = A(q, d, kb.extent() - 1) / L(q, kb.extent() - 1);
  Data x;
  everywhere::run(Program(inputs(Q, K, V), outputs(O)), 1, x.q, x.k, x.v, x.out);
  for (int a = 0; a < rows; ++a)
    for (int c = 0; c < width; ++c) {
      float top = -INFINITY, l = 0, o = 0;
      for (int block = 0; block < 3; ++block) {
        float best = top, w[3] = {}, part = 0, dot = 0;
        const float factor = top < 0 ? 0.5f : 2.0f;
        for (int s = 0; s < 3; ++s)
          if (block * 3 + s < keys && block * 3 + s <= a) best = std::fmax(best, x.score(a, block * 3 + s));
        for (int s = 0; s < 3; ++s)
          if (block * 3 + s < keys && block * 3 + s <= a) w[s] = std::fabs(x.score(a, block * 3 + s) - best) + 1;
        for (int s = 0; s < 3; ++s) part = part + w[s];
        for (int s = 0; s < 3 && block * 3 + s < keys; ++s) dot = std::fma(w[s], x.v(block * 3 + s, c), dot);
        top = best, l = std::fma(l, factor, part), o = std::fma(o, factor, dot);
      }
      x.expected(a, c) = o / l;
    }
  CHECK(x.out == x.expected);
}
}  // namespace
