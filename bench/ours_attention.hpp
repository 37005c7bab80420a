// ordo's side of the attention benchmark: what nn.hpp defines, plain and online.
#pragma once
#include <cmath>
#include "bench/peers/attention.hpp"
#include "ordo/cpu.hpp"
#include "ordo/nn.hpp"
#include "ordo/ordo.hpp"

namespace bench {
inline ordo::CompileOptions anew() {
  ordo::CompileOptions options;
  options.cache = "";
  return options;
}

// Scores, softmax and weighted sum, one after the other.
template <class Kind> ordo::AnyKernel plain_attention(const AttentionShape& s, const ordo::Target& target) {
  using namespace ordo;
  const Expr<i64> heads = constant<i64>(s.heads), sequence = constant<i64>(s.sequence), width = constant<i64>(s.width);
  Tensor<float, 3> Q{"Q", {heads, sequence, width}}, K{"K", {heads, sequence, width}}, V{"V", {heads, sequence, width}},
      O{"O", {heads, sequence, width}};
  Index h{"h"}, q{"q"}, d{"d"};
  Chain e{"e"}, k{"k"};
  const Expr<bool> seen = s.causal ? Expr<bool>(k <= q) : lang::always();
  const Expr<float> score = sum(e, Q(h, q, e) * K(h, k, e)) * (1 / std::sqrt(static_cast<float>(s.width)));
  O(h, q, d) = nn::attention<Kind>(k, score, V(h, k, d), seen);
  return compile(Program(inputs(Q, K, V), outputs(O)), target, anew());
}

// One reduction over the keys with the state (m, l, o). Queries lie side by side in tiles: vectors of states.
inline constexpr long queries = 16;
template <class Kind> ordo::AnyKernel online_attention(const AttentionShape& s, const ordo::Target& target) {
  using namespace ordo;
  const Expr<i64> heads = constant<i64>(s.heads), sequence = constant<i64>(s.sequence), width = constant<i64>(s.width),
                  tiles = constant<i64>(s.sequence / queries), one = constant<i64>(queries);
  Tensor<float, 4> Q{"Q", {heads, tiles, one, width}}, O{"O", {heads, tiles, one, width}}, turned{"turned"}, scores{"scores"};
  Tensor<float, 3> K{"K", {heads, sequence, width}}, V{"V", {heads, sequence, width}};
  Index h{"h"}, t{"t"}, q{"q"}, d{"d"}, column{"column"}, row{"row"};
  Chain e{"e"}, k{"k"};
  const Expr<bool> seen = s.causal ? Expr<bool>(k <= t * queries + q) : lang::always();
  turned(h, t, column, q) = Q(h, t, q, column);
  scores(h, t, row, q) = sum(e, K(h, row, e) * turned(h, t, e, q)) * (1 / std::sqrt(static_cast<float>(s.width)));
  O(h, t, q, d) = nn::online_attention<Kind>(k, scores(h, t, k, q), V(h, k, d), seen);

  Schedule all{O};
  Stage copy = all[turned], score = all[scores];
  copy.vectorize(q).parallel(h);
  auto [row_tile, row_step] = score.split(row, 16, Tail::peel);
  score.reorder(h, t, row_tile, e, row_step, q).unroll(row_step).vectorize(q).parallel(h);
  all.stage("attention.score").inline_();
  auto [d_tile, d_step] = all.split(d, 64);
  all.reorder(h, t, d_tile, k, d_step, q).unroll(d_step).vectorize(q).parallel(h);
  return compile(all, Program(inputs(Q, K, V), outputs(O)), target, anew());
}

template <class Kind> Attend ours(const AttentionShape& s, bool online, const ordo::Target& target) {
  using ordo::View;
  const ordo::AnyKernel kernel = online ? online_attention<Kind>(s, target) : plain_attention<Kind>(s, target);
  const auto rows = [=](const float* x) { return View<const float, 3>(x, {s.heads, s.sequence, s.width}); };
  if (!online)
    return [=](const float* q, const float* k, const float* v, float* o) {
      kernel({rows(q), rows(k), rows(v), View<float, 3>(o, {s.heads, s.sequence, s.width})});
    };
  const long tiles = s.sequence / queries;
  return [=](const float* q, const float* k, const float* v, float* o) {
    kernel({View<const float, 4>(q, {s.heads, tiles, queries, s.width}), rows(k), rows(v),
            View<float, 4>(o, {s.heads, tiles, queries, s.width})});
  };
}
}  // namespace bench
