#pragma once
#include <algorithm>
#include "ordo/auto/gemm_tile.hpp"

namespace ordo {
namespace detail_gemm_tile {
// Cycles of one reduction step of a tile of `rows` x `vectors`: multiply-adds by ports, or by latency when the tile has
// too few accumulators to hide it; or loads, two a cycle, one a row and one a vector.
inline double cycles(const Machine& m, i64 rows, i64 vectors) {
  const double work = static_cast<double>(rows * vectors) / m.fma_ports, loads = static_cast<double>(rows + vectors) / 2;
  return std::max({work, loads, static_cast<double>(m.fma_latency)});
}
// The same summed over rows x columns cut into tiles of mr x vectors; remainders run at their own size when `exact`.
inline double cost(const Machine& m, i64 mr, i64 vectors, i64 rows, i64 columns, bool exact) {
  const i64 i = rows / mr, ri = rows % mr, j = columns / vectors, rj = columns % vectors;
  const i64 last_rows = exact ? ri : mr, last_columns = exact ? rj : vectors;
  double sum = static_cast<double>(i * j) * cycles(m, mr, vectors);
  if (ri > 0) sum += static_cast<double>(j) * cycles(m, last_rows, vectors);
  if (rj > 0) sum += static_cast<double>(i) * cycles(m, mr, last_columns);
  if (ri > 0 && rj > 0) sum += cycles(m, last_rows, last_columns);
  return sum + 0.5 * static_cast<double>((i + (ri > 0)) * (j + (rj > 0)));  // a tile's own entry and exit
}
// How busy the cores are on average while `extent` is done in tasks of `size`, the last one maybe smaller.
inline double balance(const Machine& m, i64 extent, i64 size) {
  const i64 whole = extent / size, rest = extent % size;
  const i64 longest = whole % m.cores == 0 ? whole / m.cores * size + rest : (whole / m.cores + 1) * size;
  return static_cast<double>(extent) / static_cast<double>(longest * m.cores);
}

// How many of `rows` places, `stride` bytes apart, fall into one set of the first cache.
inline i64 rows_in_one_set(const Machine& m, i64 rows, i64 stride) {
  const i64 way = std::max<i64>(m.l1_bytes / m.l1_ways, 1);
  i64 shared = stride < 0 ? way : 1;  // an unknown stride may be the worst
  while (stride >= 0 && shared < way && stride % (2 * shared) == 0) shared *= 2;
  return (rows * shared + way - 1) / way;
}

// Long runs of columns, so that rows of B are read in long runs too; a task for each core.
inline i64 columns_of_a_task(const Machine& machine, i64 most, i64 n, i64 nr) {
  const i64 share = (n + machine.cores - 1) / machine.cores;
  return std::max<i64>((std::min(share, most) + nr - 1) / nr, 1) * nr;
}

// Few rows: at most four of them and one vector at a time. Eight rows of B flow past in step, more would meet in the same
// sets of the cache; what waits in the second cache between turns is a strip of C.
inline GemmTile stream(const Machine& machine, i64 lanes, int bytes, i64 m, i64 n, bool meet) {
  GemmTile t;
  t.stream = true;
  t.pack = false;
  t.rows_outside = true;
  t.mr = m <= 4 ? m : meet ? 2 : 4;
  t.nr = lanes;
  t.kc = 8;
  t.nc = columns_of_a_task(machine, machine.l2_bytes / 2 / bytes / m, n, t.nr);
  return t;
}
}  // namespace detail_gemm_tile

ORDO_INLINE GemmTile gemm_tile(const Machine& machine, const Product& p) {
  using namespace detail_gemm_tile;
  const int bytes = p.bytes;
  const i64 m = p.m, n = p.n, k = p.k, lanes = std::max<i64>(machine.vector_bits / 8 / bytes, 1);
  const i64 outer_rows = std::max<i64>(p.outer_rows, 1), outer_columns = std::max<i64>(p.outer_columns, 1);
  const bool plain = outer_rows == 1 && outer_columns == 1 && !p.turned;
  const bool meet = n >= 0 && rows_in_one_set(machine, 12, n * bytes) > machine.l1_ways - 2;  // rows of B and of C
  if (plain && m > 0 && m <= (meet ? 8 : 16) && n >= 8 * lanes && k >= 64) return stream(machine, lanes, bytes, m, n, meet);
  const bool exact = m >= 0 && n >= 0;
  const i64 rows = m < 0 ? 1024 : std::max<i64>(m, 1), columns = n < 0 ? 64 : std::max<i64>((n + lanes - 1) / lanes, 1);
  const bool shared = !exact || k < 0 || m * n * k * outer_rows * outer_columns >= 1 << 19;
  GemmTile best;
  best.tasks = shared;
  double least = -1;
  for (i64 vectors = std::min({columns, i64{4}, std::max<i64>(most_lanes / lanes, 1)}); vectors >= 1;
       --vectors)  // wide first: fewer visits of A; narrower ones must be worth it
    for (i64 mr = 1; mr <= 16; ++mr) {
      if (mr * vectors + vectors + 1 >= machine.vector_registers || (n < 0 && vectors == 3)) continue;  // sizes are often multiples of 2^n
      if (rows_in_one_set(machine, mr, p.row_stride < 0 ? -1 : p.row_stride * bytes) > machine.l1_ways - 2) continue;
      const double busy = plain ? std::max(balance(machine, rows, mr), balance(machine, columns, vectors)) : 1;
      const double c = cost(machine, mr, vectors, rows, columns, exact) / (shared ? busy : 1);
      if (least >= 0 && c >= least * (vectors * lanes == best.nr ? 1 : 0.99)) continue;
      least = c;
      best.mr = mr;
      best.nr = vectors * lanes;
    }
  const i64 depth = k < 0 ? 1 << 20 : std::max<i64>(k, 1);
  const i64 fit =
      std::clamp<i64>(machine.l1_bytes / 2 / (best.mr * bytes) / 8 * 8, 64, 512);  // a tile's rows of A in half of the first cache
  const i64 pieces = (depth + fit - 1) / fit;
  best.kc = pieces == 1 ? depth : k < 0 ? fit : ((depth + pieces - 1) / pieces + 7) / 8 * 8;
  const i64 row_tiles = (rows + best.mr - 1) / best.mr * outer_rows, panels = (columns * lanes + best.nr - 1) / best.nr * outer_columns;
  best.rows_outside = row_tiles >= 2 * machine.cores || row_tiles >= panels;  // A stays near, packed panels flow by
  best.pack = p.turned || rows * outer_rows > 2 * best.mr;
  const i64 all_of_b = exact && k >= 0 ? k * n * outer_columns * bytes : -1;
  if (all_of_b >= 0 && n % lanes == 0 && all_of_b <= machine.l2_bytes && !p.turned) {  // B stays near as it is, in whole lines
    best.pack = false;
    best.rows_outside = !plain || balance(machine, rows, best.mr) > 1.05 * balance(machine, columns, best.nr / lanes);
    best.kc = depth;
  }
  // B comes from memory and is used m times only.
  if (m > 0 && m * outer_rows <= 24 && k > 128 && all_of_b > (p.turned ? machine.l2_bytes : machine.l3_bytes)) {
    best.pack = true;
    best.rows_outside = false;
    best.kc = 128;
    best.nc = columns_of_a_task(machine, machine.l1_bytes / 2 / bytes, n, best.nr);
    if (p.turned) {  // its runs are along k: few of them at a time
      best.nr = best.nc = lanes;
      best.kc = std::max<i64>(machine.l1_bytes / 2 / (best.nr * bytes), 1);
    }
  }
  return best;
}
ORDO_INLINE GemmTile gemm_tile(const Machine& machine, int bytes, i64 m, i64 n, i64 k) {
  Product p;
  p.bytes = bytes;
  p.m = m;
  p.n = n;
  p.k = k;
  p.row_stride = k;
  return gemm_tile(machine, p);
}
}  // namespace ordo
