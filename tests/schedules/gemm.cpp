#include "ordo/schedules/gemm.hpp"
#include <doctest/doctest.h>
#include <vector>
#include "ordo/cpu.hpp"
#include "ordo/ordo.hpp"

using namespace ordo;

namespace {
std::vector<float> product(i64 m, i64 n, i64 k, const GemmTile& tile, Tail tail, const Target& target) {
  Dim M{"M"}, N{"N"}, K{"K"};
  Tensor<float, 2> A{"A", {M, K}}, B{"B", {K, N}}, C{"C"};
  Index i{"i"}, j{"j"};
  Chain c{"k"};
  C(i, j) = sum(c, A(i, c) * B(c, j));
  std::vector<float> a(static_cast<std::size_t>(m * k)), b(static_cast<std::size_t>(k * n)), out(static_cast<std::size_t>(m * n));
  for (std::size_t x = 0; x < a.size(); ++x) a[x] = static_cast<float>(x % 13) / 7 - 1;
  for (std::size_t x = 0; x < b.size(); ++x) b[x] = static_cast<float>(x % 11) / 7 - 1;
  CompileOptions options;
  options.cache = "";
  Schedule s{C};
  schedules::gemm(s, i, j, c, B, tile, tail);
  const auto kernel = compile(s, inputs(A, B), outputs(C), target, options);
  kernel(View<const float, 2>(a.data(), {m, k}), View<const float, 2>(b.data(), {k, n}), View<float, 2>(out.data(), {m, n}));
  return out;
}
}  // namespace

TEST_CASE("gemm schedule: every form of it gives the interpreter's bytes") {
  GemmTile panels, rows, stream, columns, plain;
  panels.kc = rows.kc = columns.kc = plain.kc = 7;
  rows.rows_outside = true;
  stream.stream = true;
  stream.mr = 2;
  stream.nr = 16;
  stream.kc = 4;
  stream.nc = columns.nc = 64;
  plain.pack = plain.tasks = false;
  for (const GemmTile& t : {panels, rows, stream, columns, plain})
    for (const Tail tail : {Tail::mask, Tail::peel}) CHECK(product(11, 75, 23, t, tail, cpu::host()) == product(11, 75, 23, t, tail, interpreter()));
}
