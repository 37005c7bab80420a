// The schedule of nn::flash_attention: a tile of queries goes through the blocks of keys, and what it needs on the way stays in the
// cache. All that belongs to a query lies in one lane of a vector; scores and sums are tiles of registers.
//   Q1(h, q, c) = Q(h, q, c) * scale;
//   auto f = nn::flash_attention(k, sum(e, Q1(h, q, e) * K(h, k, e)), V(h, k, d));   O(h, q, d) = f.value;
//   Schedule s{O};   schedules::flash_attention(s, f, q, d, e, s[Q1], c);
#pragma once
#include "ordo/nest/schedule.hpp"
#include "ordo/nn/flash_attention.hpp"

namespace ordo::schedules {
struct FlashTile {
  i64 queries = 64;  // side by side, in vectors
  i64 rows = 4;      // keys, then columns of values, that accumulate at once: rows x queries in registers
  i64 lanes = 16;    // columns of the output stored at once
};
// `s`: the stage that reads f.value, over queries `q` and columns `d`, and what is left of its loops outside; `e`: what scores sum
// over; `queries`: what they read along `q`, turned by the way, over `q` and `column`.
// Gives the loop over tiles of queries: free to run in parallel. Errors: those of the directives.
template <class T>
Loop<Free> flash_attention(Schedule s, const nn::FlashAttention<T>& f, Loop<Free> q, Loop<Free> d, Loop<Ordered> e, Stage queries,
                           Loop<Free> column, FlashTile t = {}) {
  auto [q_tile, q_step] = s.split(q, t.queries);
  auto [d_tile, d_lane] = s.split(d, t.lanes);
  s.reorder(q_tile, q_step, d_tile, d_lane).vectorize(d_lane);
  Stage sums = s[f.sum];
  sums.compute_at(s, q_tile).reorder(f.block, d, q);
  for (const AnyTensor tensor : {f.total, f.weight, f.keep, f.largest, f.score}) s[tensor].compute_at(sums, f.block);
  queries.compute_at(s, q_tile).reorder(column, q).vectorize(q);
  auto [key_tile, key] = s[f.score].split(f.score_key, t.rows);
  s[f.score].reorder(key_tile, e, key, q).unroll(key).vectorize(q);
  s[f.largest].reorder(f.block, f.largest_key, q).vectorize(q);
  s[f.keep].reorder(f.keep_block, q).vectorize(q);
  s[f.weight].reorder(f.weight_block, f.weight_key, q).vectorize(q);
  s[f.total].reorder(f.block, f.total_key, q).vectorize(q);
  auto [row_tile, row] = sums.split(d, t.rows);
  sums.reorder(f.block, row_tile, f.sum_key, row, q).unroll(row).vectorize(q);
  return q_tile;
}
}  // namespace ordo::schedules
