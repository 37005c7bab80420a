// A matrix product's schedule, written with the directives that everyone has. For any stage that reduces over `k` what it
// reads of `B` along `j` and reuses along `i`:
//   C(i, j) = sum(k, A(i, k) * B(k, j));   Schedule s{C};   schedules::gemm(s, i, j, k, B, gemm_tile(machine, 4, m, n, 512));
#pragma once
#include "ordo/auto/gemm_tile.hpp"
#include "ordo/nest/schedule.hpp"

namespace ordo::schedules {
// Panels of B of t.nr columns are packed, kc rows of them at a time; mr x nr accumulators live in registers.
// `tail`: what becomes of rows and columns that fill no tile; Tail::peel gives constant sizes remainders of their own.
// Errors: those of the directives, when a loop or B is not as above.
inline void gemm(Stage s, Loop<Free> i, Loop<Free> j, Loop<Ordered> k, AnyTensor B, GemmTile t, Tail tail = Tail::mask) {
  if (t.stream) {
    auto [j_task, j_tile, j_lane] = s.split(j, {t.nc, t.nr});
    auto [k_block, k_step] = s.split(k, t.kc);
    auto [i_tile, i_row] = s.split(i, t.mr, tail);
    s.reorder(j_task, k_block, i_tile, j_tile, k_step, i_row, j_lane);
    s.vectorize(j_lane).unroll(i_row).unroll(k_step).parallel(j_task);
    return;
  }
  if (t.nc > 0) {
    auto [j_task, j_tile, j_lane] = s.split(j, {t.nc, t.nr});
    auto [k_block, k_step] = s.split(k, t.kc);
    auto [i_tile, i_row] = s.split(i, t.mr, tail);
    s.reorder(j_task, k_block, j_tile, i_tile, k_step, i_row, j_lane);
    s.vectorize(j_lane).unroll(i_row).parallel(j_task);
    s.pack(B, k_block).reorder(k_step, j_tile, j_lane);        // rows of B are read in long runs
    return;
  }
  auto [i_tile, i_row] = s.split(i, t.mr, tail);
  auto [j_tile, j_lane] = s.split(j, t.nr, tail);
  auto [k_block, k_step] = s.split(k, t.kc);
  if (t.rows_outside) s.reorder(k_block, i_tile, j_tile, k_step, i_row, j_lane);
  else s.reorder(k_block, j_tile, i_tile, k_step, i_row, j_lane);
  s.vectorize(j_lane).unroll(i_row);
  if (t.tasks) s.parallel(t.rows_outside ? i_tile : j_tile);
  if (!t.pack) return;
  Stage copy = s.pack(B, k_block);
  if (t.tasks) copy.parallel(j_tile);
}
}  // namespace ordo::schedules
