// ordo's side of the GEMM benchmark: the program, its schedule, and the kernel made from both.
#pragma once
#include <string>
#include "bench/peers/peers.hpp"
#include "ordo/cpu.hpp"
#include "ordo/ordo.hpp"

namespace bench {
// fixed: sizes are numbers, hand-written schedule; symbolic: one kernel for all sizes, the same schedule;
// unscheduled: fixed sizes, `compile` without a schedule.
enum class Mode { fixed, symbolic, unscheduled };

struct Tile {                    // in elements
  ordo::i64 rows, columns;       // of the accumulators: rows x columns / lanes registers
  ordo::i64 block_k;             // of a packed panel of B
};
template <class T> Tile tile_for(Shape s, const ordo::Target& target) {
  const ordo::i64 lanes = target.vector_bits / (8 * static_cast<ordo::i64>(sizeof(T)));
  const bool wide = target.vector_registers >= 32;
  return {s.m > 0 && s.m < 8 ? s.m : (wide ? 8 : 4), 3 * lanes, 384};
}

inline void schedule_gemm(ordo::Schedule& s, ordo::Index i, ordo::Index j, ordo::Chain k, ordo::AnyTensor B, Tile t) {
  auto [i_outer, i_tile] = s.split(i, t.rows);
  auto [j_outer, j_tile] = s.split(j, t.columns);
  auto [k_outer, k_inner] = s.split(k, t.block_k);
  s.reorder(k_outer, j_outer, i_outer, k_inner, i_tile, j_tile);
  s.unroll(i_tile).vectorize(j_tile).parallel(j_outer);
  s.pack(B, j_outer);
}

template <class T> using GemmKernel = ordo::Kernel<ordo::In<T, 2>, ordo::In<T, 2>, ordo::Out<T, 2>>;

template <class T> GemmKernel<T> make_gemm(Shape shape, Mode mode, const ordo::Target& target) {
  using namespace ordo;
  Dim M{"M"}, N{"N"}, K{"K"};
  const bool symbolic = mode == Mode::symbolic;
  Expr<i64> m = M, n = N, k_extent = K;
  if (!symbolic) m = constant<i64>(shape.m), n = constant<i64>(shape.n), k_extent = constant<i64>(shape.k);
  Tensor<T, 2> A{"A", {m, k_extent}}, B{"B", {k_extent, n}}, C{"C", {m, n}};
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  C(i, j) = sum(k, A(i, k) * B(k, j));
  if (mode == Mode::unscheduled) return compile(inputs(A, B), outputs(C), target);
  Schedule s{C};
  schedule_gemm(s, i, j, k, B, tile_for<T>(symbolic ? Shape{0, 0, 0} : shape, target));
  return compile(s, inputs(A, B), outputs(C), target);
}

template <class T> Multiply<T> ours(Shape s, Mode mode) {
  GemmKernel<T> kernel = make_gemm<T>(s, mode, ordo::cpu::host());
  return [kernel, s](const T* a, const T* b, T* c) {
    kernel(ordo::View<const T, 2>(a, {s.m, s.k}), ordo::View<const T, 2>(b, {s.k, s.n}), ordo::View<T, 2>(c, {s.m, s.n}));
  };
}
}  // namespace bench
