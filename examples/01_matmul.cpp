// A matrix product: written once, scheduled, run. The loops change, the bits do not.
#include <chrono>
#include <cstdio>
#include <vector>
#include "ordo/cpu.hpp"
#include "ordo/ordo.hpp"

int main() {
  using namespace ordo;
  Dim M{"M"}, N{"N"}, K{"K"};
  Tensor<float, 2> A{"A", {M, K}}, B{"B", {K, N}}, C{"C", {M, N}};
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  C(i, j) = sum(k, A(i, k) * B(k, j));     // one chain of fused multiply-adds, k ascending: this fixes every bit

  Schedule s{C};
  auto [io, ii] = s.split(i, 8);
  auto [jo, ji] = s.split(j, 48);
  s.reorder(jo, io, k, ii, ji).unroll(ii).vectorize(ji).parallel(jo);
  s.pack(B, jo);
  std::printf("%s\n", s.text());

  const i64 n = 1024;
  std::vector<float> a(n * n, 0.5f), b(n * n, 0.25f), c(n * n), d(n * n);
  const auto plain = compile(inputs(A, B), outputs(C), interpreter());
  const auto fast = compile(s, inputs(A, B), outputs(C), cpu::host());
  const auto begin = std::chrono::steady_clock::now();
  fast(view(a, {n, n}), view(b, {n, n}), view(c, {n, n}));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::printf("%lld x %lld: %.1f GFLOP/s in the first call\n", static_cast<long long>(n), static_cast<long long>(n),
              2e-9 * n * n * n / took.count());

  const i64 few = 20;     // the interpreter is slow and right: compare a corner
  plain(view(a.data(), {few, n}), view(b.data(), {n, few}, {n, i64{1}}), view(d.data(), {few, few}, {n, i64{1}}));
  for (i64 row = 0; row < few; ++row)
    for (i64 column = 0; column < few; ++column)
      if (c[static_cast<std::size_t>(row * n + column)] != d[static_cast<std::size_t>(row * n + column)]) return 1;
  std::printf("the same bits as the interpreter\n");
}
