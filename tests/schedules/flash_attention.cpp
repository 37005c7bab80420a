#include "ordo/schedules/flash_attention.hpp"
#include <doctest/doctest.h>
#include <string>
#include <vector>
#include "ordo/cpu.hpp"
#include "ordo/ordo.hpp"

using namespace ordo;

namespace {
struct Shape {
  i64 heads, queries, keys, width;
};
std::vector<float> filled(i64 n, int by) {
  std::vector<float> x(static_cast<std::size_t>(n));
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = static_cast<float>((k * static_cast<std::size_t>(by)) % 23) / 11 - 1;
  return x;
}

// Attention in blocks of 16 keys, causal or not; sizes of the call.
struct Attention {
  Tensor<float, 3> Q{"Q"}, K{"K"}, V{"V"}, O{"O"}, turned{"turned"};
  Index h{"h"}, q{"q"}, d{"d"}, column{"column"};
  Chain e{"e"}, k{"k"};
  nn::FlashAttention<float> f;
  explicit Attention(bool causal) : f(made(causal)) { O(h, q, d) = f.value; }
  nn::FlashAttention<float> made(bool causal) {
    turned(h, q, column) = Q(h, q, column) * 0.25f;
    const Expr<float> score = sum(e, turned(h, q, e) * K(h, k, e));
    return causal ? nn::flash_attention_to<nn::Exact, 16>(q, k, score, V(h, k, d))
                  : nn::flash_attention<nn::Exact, 16>(k, score, V(h, k, d));
  }
  std::vector<float> run(const Shape& s, const AnyKernel& kernel) {
    std::vector<float> a = filled(s.heads * s.queries * s.width, 7), b = filled(s.heads * s.keys * s.width, 5),
                       c = filled(s.heads * s.keys * s.width, 3), o(a.size());
    kernel({View<const float, 3>(a.data(), {s.heads, s.queries, s.width}), View<const float, 3>(b.data(), {s.heads, s.keys, s.width}),
            View<const float, 3>(c.data(), {s.heads, s.keys, s.width}), View<float, 3>(o.data(), {s.heads, s.queries, s.width})});
    return o;
  }
};
}  // namespace

TEST_CASE("flash attention schedule: the interpreter's bytes for all sizes, with tails and without") {
  CompileOptions options;
  options.cache = "";
  for (const bool causal : {false, true}) {
    Attention a(causal);
    const Program program(inputs(a.Q, a.K, a.V), outputs(a.O));
    const AnyKernel reference = compile(program, interpreter(), options);
    for (const schedules::FlashTile& tile :
         {schedules::FlashTile{.queries = 32, .rows = 4, .lanes = 8}, {.queries = 24, .rows = 3, .lanes = 4}}) {
      Schedule s{a.O};
      const Loop<Free> tiles = schedules::flash_attention(s, a.f, a.q, a.d, a.e, s[a.turned], a.column, tile);
      s.parallel(tiles);
      const AnyKernel kernel = compile(s, program, cpu::host(), options);
      for (const Shape& shape : {Shape{1, 32, 32, 8}, Shape{2, 70, 70, 10}, Shape{1, 1, 1, 1}, Shape{1, 5, 17, 3}, Shape{2, 33, 100, 8}}) {
        INFO("causal ", causal, ", queries ", shape.queries, ", keys ", shape.keys);
        CHECK(a.run(shape, kernel) == a.run(shape, reference));
      }
    }
  }
}
TEST_CASE("flash attention schedule: one tile of queries goes through the blocks") {
  Attention a(true);
  Schedule s{a.O};
  schedules::flash_attention(s, a.f, a.q, a.d, a.e, s[a.turned], a.column);
  const std::string text = s.text();
  const auto shows = [&](const char* line) { CHECK_MESSAGE(text.find(line) != std::string::npos, text); };
  shows("flash.sum: in each turn of O/q.0, [h, q.0 * 64 + 0..64, 0..V.2, 0..q.0 * 4 + 4 (4 kept)]\n");
  shows("flash.score: in each turn of flash.sum/block, [h, q.0 * 64 + 0..64, block * 16 + 0..16]\n");
  shows("flash.max: in each turn of flash.sum/block, [h, q.0 * 64 + 0..64, block (2 kept)]\n");
  shows("flash.total: in each turn of flash.sum/block, [h, q.0 * 64 + 0..64, block (4 kept)]\n");
}
