#include "lang/everywhere.hpp"
#include "nn/ordered.hpp"
#include "ordo/nn.hpp"

namespace {
using namespace ordo;
constexpr int heads = 2, queries = 5, keys = 7, width = 3;

struct Problem {
  Tensor<float, 3> Q{"Q"}, K{"K"}, V{"V"}, O{"O"};
  Index h{"h"}, q{"q"}, d{"d"};
  Chain e{"e"};
  Array<float, 3> queries_{heads, queries, width}, keys_{heads, keys, width}, values{heads, keys, width}, o{heads, queries, width};
  Problem() { queries_.fill(1), keys_.fill(2), values.fill(3); }
  template <class A> Expr<float> score(const A& k) { return sum(e, Q(h, q, e) * K(h, k, e)) * 0.0625; }
  int run() { return everywhere::run(Program(inputs(Q, K, V), outputs(O)), 1, queries_, keys_, values, o); }
  float s(int a, int b, int c) {
    return ordered::chain(width, [&](int x, float acc) { return std::fma(queries_(a, b, x), keys_(a, c, x), acc); }) * 0.0625f;
  }
};

TEST_CASE("nn: attention, plain and causal") {
  for (const bool causal : {false, true}) {
    Problem p;
    Chain k{"k"};
    if (causal) p.O(p.h, p.q, p.d) = nn::attention(k, p.score(k), p.V(p.h, k, p.d), k <= p.q);
    else p.O(p.h, p.q, p.d) = nn::attention(k, p.score(k), p.V(p.h, k, p.d));
    CHECK(p.run() == static_cast<int>(everywhere::ways().size()));
    for (int a = 0; a < heads; ++a)
      for (int b = 0; b < queries; ++b) {
        const int n = causal ? b + 1 : keys;
        float m = -INFINITY;
        for (int c = 0; c < n; ++c) m = std::fmax(m, p.s(a, b, c));
        const auto weight = [&](int c) { return ordered::exp(p.s(a, b, c) - m); };
        const float sum = ordered::chain(n, [&](int c, float acc) { return acc + weight(c); });
        for (int x = 0; x < width; ++x)
          CHECK(p.o(a, b, x) == ordered::chain(n, [&](int c, float acc) { return std::fma(weight(c), p.values(a, c, x), acc); }) / sum);
      }
  }
}

struct Online { float m = -INFINITY, l = 0, o = 0; };
Online stepped(Online a, float s, float v) {
  const float m = std::fmax(a.m, s), keep = ordered::exp(a.m - m), p = ordered::exp(s - m), kept = a.o * keep;
  return {m, std::fma(a.l, keep, p), std::fma(p, v, kept)};
}
Online joined(Online a, Online b) {
  const float m = std::fmax(a.m, b.m), x = ordered::exp(a.m - m), y = ordered::exp(b.m - m), l = b.l * y, o = b.o * y;
  return {m, std::fma(a.l, x, l), std::fma(a.o, x, o)};
}

TEST_CASE("nn: online attention over a Chain, causal") {
  Problem p;
  Chain k{"k"};
  p.O(p.h, p.q, p.d) = nn::online_attention(k, p.score(k), p.V(p.h, k, p.d), k <= p.q);
  p.run();
  for (int a = 0; a < heads; ++a)
    for (int b = 0; b < queries; ++b)
      for (int x = 0; x < width; ++x) {
        Online st;
        for (int c = 0; c <= b; ++c) st = stepped(st, p.s(a, b, c), p.values(a, c, x));
        CHECK(p.o(a, b, x) == st.o / st.l);
      }
}

TEST_CASE("nn: online attention over blocks of keys, which are joined in pairs") {
  Problem p;
  Blocks<3> k{"k"};
  p.O(p.h, p.q, p.d) = nn::online_attention(k, p.score(k), p.V(p.h, k, p.d));
  p.run();
  for (int a = 0; a < heads; ++a)
    for (int b = 0; b < queries; ++b)
      for (int x = 0; x < width; ++x) {
        Online block[3];
        for (int c = 0; c < keys; ++c) block[c / 3] = stepped(block[c / 3], p.s(a, b, c), p.values(a, c, x));
        const Online st = joined(joined(block[0], block[1]), block[2]);
        CHECK(p.o(a, b, x) == st.o / st.l);
      }
}

// Blocks of B keys; `seen`: of query b.
template <int B, class Seen> float flash(Problem& p, int a, int b, int x, int blocks, Seen seen) {
  float m = -INFINITY, l = 0, o = 0;
  for (int block = 0; block < blocks; ++block) {
    const auto key = [&](int e) { return block * B + e; };
    const auto there = [&](int e) { return key(e) < keys && seen(key(e)); };
    float largest = -INFINITY;
    for (int e = 0; e < B; ++e)
      if (there(e)) largest = std::fmax(largest, p.s(a, b, key(e)));
    const float next = std::fmax(m, largest), keep = m < next ? (block > 0 ? ordered::exp(m - next) : 1.0f) : 1.0f;
    const auto weight = [&](int e) { return there(e) ? ordered::exp(p.s(a, b, key(e)) - next) : 0.0f; };
    l = std::fma(l, keep, ordered::chain(B, [&](int e, float acc) { return acc + weight(e); }));
    o = std::fma(o, keep, ordered::chain(B, [&](int e, float acc) {
      return key(e) < keys ? std::fma(weight(e), p.values(a, key(e), x), acc) : acc;
    }));
    m = next;
  }
  return o / l;
}
template <class Seen, class Blocks> void same_as_flash(Problem& p, Seen seen, Blocks blocks) {
  CHECK(p.run() == static_cast<int>(everywhere::ways().size()));
  for (int a = 0; a < heads; ++a)
    for (int b = 0; b < queries; ++b)
      for (int x = 0; x < width; ++x) CHECK(p.o(a, b, x) == flash<3>(p, a, b, x, blocks(b), [&](int key) { return seen(b, key); }));
}
TEST_CASE("nn: flash attention, in blocks of keys") {
  Problem p;
  Chain k{"k"};
  p.O(p.h, p.q, p.d) = nn::flash_attention<nn::Exact, 3>(k, p.score(k), p.V(p.h, k, p.d)).value;
  same_as_flash(p, [](int, int) { return true; }, [](int) { return 3; });
}
TEST_CASE("nn: flash attention of some keys; a block may have none of them") {
  Problem p;
  Chain k{"k"};
  p.O(p.h, p.q, p.d) = nn::flash_attention<nn::Exact, 3>(k, p.score(k), p.V(p.h, k, p.d), k > p.q).value;
  same_as_flash(p, [](int b, int key) { return key > b; }, [](int) { return 3; });
}
TEST_CASE("nn: flash attention up to a last key") {
  Problem p;
  Chain k{"k"};
  p.O(p.h, p.q, p.d) = nn::flash_attention_to<nn::Exact, 3>(p.q, k, p.score(k), p.V(p.h, k, p.d)).value;
  same_as_flash(p, [](int b, int key) { return key <= b; }, [](int b) { return b / 3 + 1; });
}
}  // namespace
