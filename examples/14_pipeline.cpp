// Ahead and past: the caches are asked for what comes next, results go past them to memory, threads take rows in runs.
#include <cstdio>
#include <vector>
#include "ordo/cpu.hpp"
#include "ordo/ordo.hpp"

int main() {
  using namespace ordo;
  constexpr i64 rows = 512, columns = 4096;
  Tensor<float, 2> X{"X", {rows, columns}}, Y{"Y"};
  Index i{"i"}, j{"j"};
  Y(i, j) = X(i, j) * X(i, j) + 1;

  Schedule s{Y};
  std::printf("before\n%s\n", s.text());
  const auto plain = compile(s, inputs(X), outputs(Y), cpu::host());

  auto [j0, j1] = s.split(j, 64);
  s.vectorize(j1);
  s.prefetch(X, j0, 8);          // 8 turns ahead: 2 KiB
  s.store_nontemporal();         // nobody reads Y soon
  s.parallel(i, 16);             // 16 rows in a row for each thread
  std::printf("after\n%s\n", s.text());
  const auto ahead = compile(s, inputs(X), outputs(Y), cpu::host());

  std::vector<float> x(rows * columns), y(x.size()), z(x.size());
  for (std::size_t e = 0; e < x.size(); ++e) x[e] = 1 / static_cast<float>(e + 1);
  plain(view(x, {rows, columns}), view(y, {rows, columns}));
  ahead(view(x, {rows, columns}), view(z, {rows, columns}));
  std::puts(y == z ? "the same bits" : "other bits");
  return y == z ? 0 : 1;
}
