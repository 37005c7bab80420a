// Tile sizes of a contraction C[i, j] = sum(k, A[i, k] * B[k, j]) from a machine description.
#pragma once
#include "ordo/auto/machine.hpp"

namespace ordo {
struct GemmTile {
  i64 mr = 8, nr = 32;           // accumulators in registers: mr rows of nr elements
  i64 kc = 256;                  // reduction steps between visits of an accumulator to memory
  i64 nc = 0;                    // columns of one task, when tasks are runs of columns; else 0
  bool stream = false;           // few rows: B is read once, row by row, kc unrolled; accumulators wait in the cache
  bool rows_outside = false;     // tiles of rows are the outer loop, and the tasks; else panels of columns are
  bool pack = true;              // copy kc x N of B into panels of nr columns
  bool tasks = true;             // enough work to share
};
// Sizes below 0 are not known. `bytes`: of an element.
GemmTile gemm_tile(const Machine& machine, int bytes, i64 m, i64 n, i64 k);
}  // namespace ordo
#if !defined(ORDO_COMPILED)
#include "ordo/auto/gemm_tile.ipp"
#endif
