// ordo's side of the attention benchmark: what nn.hpp defines, plain and in blocks.
#pragma once
#include <cmath>
#include "bench/peers/attention.hpp"
#include "ordo/cpu.hpp"
#include "ordo/nn.hpp"
#include "ordo/ordo.hpp"
#include "ordo/schedules/flash_attention.hpp"

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

// In blocks of keys, a tile of queries at a time.
template <class Kind> ordo::AnyKernel flash_attention(const AttentionShape& s, const ordo::Target& target) {
  using namespace ordo;
  const Expr<i64> heads = constant<i64>(s.heads), sequence = constant<i64>(s.sequence), width = constant<i64>(s.width);
  Tensor<float, 3> Q{"Q", {heads, sequence, width}}, K{"K", {heads, sequence, width}}, V{"V", {heads, sequence, width}},
      O{"O", {heads, sequence, width}}, scaled{"scaled"};
  Index h{"h"}, q{"q"}, d{"d"}, column{"column"};
  Chain e{"e"}, k{"k"};
  scaled(h, q, column) = Q(h, q, column) * (1 / std::sqrt(static_cast<float>(s.width)));
  const Expr<float> score = sum(e, scaled(h, q, e) * K(h, k, e));
  const nn::FlashAttention<float> f = s.causal ? nn::flash_attention_to<Kind>(q, k, score, V(h, k, d))
                                               : nn::flash_attention<Kind>(k, score, V(h, k, d));
  O(h, q, d) = f.value;
  Schedule all{O};
  const Loop<Free> tiles = schedules::flash_attention(all, f, q, d, e, all[scaled], column);
  all.parallel(h).parallel(tiles);
  return compile(all, Program(inputs(Q, K, V), outputs(O)), target, anew());
}

template <class Kind> Attend ours(const AttentionShape& s, bool flash, const ordo::Target& target) {
  using ordo::View;
  const ordo::AnyKernel kernel = flash ? flash_attention<Kind>(s, target) : plain_attention<Kind>(s, target);
  const auto rows = [=](const float* x) { return View<const float, 3>(x, {s.heads, s.sequence, s.width}); };
  return [=](const float* q, const float* k, const float* v, float* o) {
    kernel({rows(q), rows(k), rows(v), View<float, 3>(o, {s.heads, s.sequence, s.width})});
  };
}
}  // namespace bench
