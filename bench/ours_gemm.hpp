// ordo's side of the GEMM benchmark: the program, its schedule, and the kernel made from both.
#pragma once
#include <string>
#include "bench/peers/peers.hpp"
#include "ordo/cpu.hpp"
#include "ordo/ordo.hpp"
#include "ordo/schedules/gemm.hpp"

namespace bench {
// fixed: sizes are numbers, hand-written schedule; symbolic: one kernel for all sizes, the same schedule;
// unscheduled: fixed sizes, `compile` without a schedule.
enum class Mode { fixed, symbolic, unscheduled };

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
  const Shape known = symbolic ? Shape{-1, -1, -1} : shape;
  Machine machine = detect(target);
  if (const int threads = default_executor().threads; threads > 0) machine.cores = threads;
  const GemmTile tile = gemm_tile(machine, static_cast<int>(sizeof(T)), known.m, known.n, known.k);
  schedules::gemm(s, i, j, k, B, tile, symbolic ? Tail::mask : Tail::peel);
  return compile(s, inputs(A, B), outputs(C), target);
}

template <class T> Multiply<T> ours(Shape s, Mode mode) {
  GemmKernel<T> kernel = make_gemm<T>(s, mode, ordo::cpu::host());
  return [kernel, s](const T* a, const T* b, T* c) {
    kernel(ordo::View<const T, 2>(a, {s.m, s.k}), ordo::View<const T, 2>(b, {s.k, s.n}), ordo::View<T, 2>(c, {s.m, s.n}));
  };
}
}  // namespace bench
