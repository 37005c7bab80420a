// Tile sizes of a contraction C[i, j] = sum(k, A[i, k] * B[k, j]) from a machine description.
#pragma once
#include "ordo/base/machine.hpp"

namespace ordo {
inline constexpr i64 most_lanes = 256;  // of what vectorize takes
struct GemmTile {
  i64 mr = 8, nr = 32;        // accumulators in registers: mr rows of nr elements
  i64 kc = 256;               // reduction steps between visits of an accumulator to memory
  i64 nc = 0;                 // columns of one task, when tasks are runs of columns; else 0
  bool stream = false;        // few rows: B is read once, row by row, kc unrolled; accumulators wait in the cache
  bool rows_outside = false;  // tiles of rows are the outer loop, and the tasks; else panels of columns are
  bool pack = true;           // copy kc x N of B into panels of nr columns
  bool tasks = true;          // enough work to share
};
// What is multiplied. Sizes below 0 are not known.
struct Product {
  int bytes = 4;  // of an element of C
  i64 m = -1, n = -1, k = -1;
  i64 row_stride = -1;  // elements from a row of A to the next
  i64 outer_rows = 1;   // so many times m rows read the same B: images of a convolution, lines of an image
  i64 outer_columns = 1;
  bool turned = false;  // B lies along k, and is read in panels or not at all
};
GemmTile gemm_tile(const Machine& machine, const Product& product);
GemmTile gemm_tile(const Machine& machine, int bytes, i64 m, i64 n, i64 k);  // A and B in rows. `bytes`: of an element
}  // namespace ordo
#if !defined(ORDO_COMPILED)
#include "ordo/auto/gemm_tile.ipp"
#endif
