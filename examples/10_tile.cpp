// Tiles: loops cut in two, their inner parts inside the sum, so that 8 x 48 sums stay in registers.
#include <chrono>
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
  C(i, j) = sum(k, A(i, k) * B(k, j));

  Schedule s{C};
  std::printf("before\n%s\n", s.text());
  const auto plain = compile(s, inputs(A, B), outputs(C), cpu::host());

  auto [i0, i1] = s.split(i, 8);
  auto [j0, j1] = s.split(j, 48);
  s.reorder(j0, i0, k, i1, j1).unroll(i1).vectorize(j1);
  std::printf("after\n%s\n", s.text());
  const auto tiled = compile(s, inputs(A, B), outputs(C), cpu::host());

  std::vector<float> a(n * n, 0.5f), b(n * n, 0.25f), c(n * n), d(n * n);
  const auto run = [&](const char* how, const auto& kernel, std::vector<float>& to) {
    const auto begin = std::chrono::steady_clock::now();
    kernel(view(a, {n, n}), view(b, {n, n}), view(to, {n, n}));
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    std::printf("%s: %.1f ms\n", how, took.count());
  };
  for (std::size_t e = 0; e < a.size(); ++e) a[e] = 1 / static_cast<float>(e + 1);
  run("plain", plain, c);
  run("tiled", tiled, d);
  std::puts(c == d ? "the same bits" : "other bits");
  return c == d ? 0 : 1;
}
