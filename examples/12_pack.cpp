// Packing: what a tile reads again and again is copied once, in the order in which it is read.
#include <cstdio>
#include <vector>
#include "ordo/cpu.hpp"
#include "ordo/ordo.hpp"

int main() {
  using namespace ordo;
  constexpr i64 n = 480;
  Tensor<float, 2> A{"A", {n, n}}, B{"B", {n, n}}, C{"C"};
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  C(i, j) = sum(k, A(i, k) * B(j, k));     // B lies the wrong way round: neighbours in j are a row apart

  Schedule s{C};
  auto [i0, i1] = s.split(i, 8);
  auto [j0, j1] = s.split(j, 48);
  s.reorder(j0, i0, k, i1, j1).unroll(i1).vectorize(j1);
  std::printf("before\n%s\n", s.text());
  const auto strided = compile(s, inputs(A, B), outputs(C), cpu::host());

  s.pack(B, j0);                           // anew for each j0: all of k, 48 neighbours side by side
  std::printf("after\n%s\n", s.text());
  const auto packed = compile(s, inputs(A, B), outputs(C), cpu::host());

  std::vector<float> a(n * n), b(n * n, 0.25f), c(n * n), d(n * n);
  for (std::size_t e = 0; e < a.size(); ++e) a[e] = 1 / static_cast<float>(e + 1);
  strided(view(a, {n, n}), view(b, {n, n}), view(c, {n, n}));
  packed(view(a, {n, n}), view(b, {n, n}), view(d, {n, n}));
  std::puts(c == d ? "the same bits" : "other bits");
  return c == d ? 0 : 1;
}
