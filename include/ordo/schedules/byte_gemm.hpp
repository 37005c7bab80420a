// Products of matrices of bytes, summed in i32: B is packed four values of k together, as instructions that add four products
// at once read it.
//   C(i, j) = sum(k, A(i, k) * B(k, j));   AnyOrder k;   schedules::byte_gemm(s, i, j, k, B, target.vector_bits / 32);
//   B.pack[k.1, j.1, j.2, k.2 0..4]:   acc[i, j.2] += A[i, 4 k.1 + k.2] * B.pack[k.1, j.1, j.2, k.2]
#pragma once
#include "ordo/nest/schedule.hpp"

namespace ordo::schedules {
// `lanes`: words in a vector. 6 x 4 vectors of accumulators live in registers. What is left of k behind the last `depth` of it
// goes one product at a time: a size that is known is its own depth. Errors: those of the directives, when a loop or B is not as above.
inline void byte_gemm(Stage s, Loop<Free> i, Loop<Free> j, Loop<Free> k, AnyTensor B, int lanes, int depth = 512) {
  auto [k_block, k_step, k_four] = s.split(k, {depth, 4}, Tail::peel);
  auto [i_tile, i_row] = s.split(i, 6);
  auto [j_panel, j_vector, j_lane] = s.split(j, {4 * lanes, lanes});
  s.reorder(k_block, j_panel, i_tile, k_step, k_four, i_row, j_vector, j_lane);
  s.unroll(i_row).unroll(j_vector).vectorize(j_lane);
  s.pack(B, j_panel).reorder(k_step, j_vector, j_lane, k_four).unroll(k_four).vectorize(j_lane);
}
}  // namespace ordo::schedules
