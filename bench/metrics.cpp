// Metrics beside the clock: schedules of one product, by the bytes that they are said to move past each cache and by their time.
//   build/release/bench/metrics [--samples N]
// A line a schedule, then Kendall's tau of each figure against the time: 1 when they order the schedules alike, ties left out.
#include <cstdio>
#include "bench/measure.hpp"
#include "ordo/cpu.hpp"
#include "ordo/explain.hpp"
#include "ordo/ordo.hpp"

namespace bench {
namespace {
using namespace ordo;
constexpr i64 n = 960;
struct Tile {
  i64 mr, nr, kc;
  bool rows_outside;
};
struct Outcome {
  double ms;
  std::vector<double> figures;
  Tile tile;
};

Outcome outcome_of(const Tile& t, int samples, const std::vector<float>& a, const std::vector<float>& b, std::vector<float>& c) {
  Tensor<float, 2> A{"A", {n, n}}, B{"B", {n, n}}, C{"C"};
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  C(i, j) = sum(k, A(i, k) * B(k, j));
  Schedule s{C};
  auto [i0, i1] = s.split(i, t.mr);
  auto [j0, j1] = s.split(j, t.nr);
  auto [k0, k1] = s.split(k, t.kc);
  if (t.rows_outside) s.reorder(k0, i0, j0, k1, i1, j1);
  else s.reorder(j0, k0, i0, k1, i1, j1);
  s.unroll(i1).vectorize(j1);
  const auto kernel = compile(s, inputs(A, B), outputs(C), cpu::host(), {.executor = cpu::threads(1)});
  const auto run = [&] { kernel(view(a, {n, n}), view(b, {n, n}), view(c, {n, n})); };
  const metrics::Metrics m = metrics::measure(nest::nest_of(s.body()), detect(cpu::host()));
  Outcome o{measure({{"ours", run}}, samples, 1)[0] * 1e3, {}, t};
  for (const metrics::Cache& cache : m.caches) o.figures.push_back(static_cast<double>(cache.moved->arg));
  // In cycles: multiply-adds that wait for each other, then lines from the second cache and the third.
  const metrics::StageMetrics& stage = m.stages[0];
  const double chains = static_cast<double>(std::min(stage.wanted, static_cast<i64>(stage.accumulators->arg)));
  const double waits =
      static_cast<double>(m.operations->arg) / 2 / static_cast<double>(stage.lanes) * detect(cpu::host()).fma_latency / chains;
  o.figures.push_back(waits);
  o.figures.push_back(waits + o.figures[0] / 64 + o.figures[1] / 32);
  return o;
}
// Of all pairs, or of those whose tiles in registers are the same.
double tau(const std::vector<Outcome>& all, std::size_t figure, bool same_tile = false) {
  double same = 0, pairs = 0;
  for (std::size_t x = 0; x < all.size(); ++x)
    for (std::size_t y = 0; y < x; ++y) {
      const double a = all[x].figures[figure] - all[y].figures[figure], b = all[x].ms - all[y].ms;
      if (a == 0 || (same_tile && (all[x].tile.mr != all[y].tile.mr || all[x].tile.nr != all[y].tile.nr))) continue;
      ++pairs;
      same += (a > 0) == (b > 0) ? 1 : -1;
    }
  return pairs == 0 ? 1 : same / pairs;
}
}  // namespace

int program(int argc, char** argv) {
  const Options options = parse(argc, argv);
  const std::vector<float> a(n * n, 0.5f), b(n * n, 0.25f);
  std::vector<float> c(n * n);
  std::vector<Outcome> all;
  for (const auto& [mr, nr] : {std::pair<i64, i64>{1, 16}, {2, 16}, {4, 16}, {4, 32}, {8, 32}, {12, 32}})
    for (const i64 kc : {i64{96}, n})
      for (const bool rows : {false, true}) {
        const Tile t{mr, nr, kc, rows};
        const Outcome o = outcome_of(t, options.samples, a, b, c);
        std::printf(
            "case=tile_%lldx%lld_k%lld_%s ms=%.2f past_l1_mb=%.1f past_l2_mb=%.1f past_l3_mb=%.1f waits_mcycles=%.1f mcycles=%.1f\n",
            static_cast<long long>(mr), static_cast<long long>(nr), static_cast<long long>(kc), rows ? "rows" : "columns", o.ms,
            o.figures[0] / 1e6, o.figures[1] / 1e6, o.figures[2] / 1e6, o.figures[3] / 1e6, o.figures[4] / 1e6);
        all.push_back(o);
      }
  std::printf("kendall_tau_waits=%.2f kendall_tau_cycles=%.2f kendall_tau_cycles_same_tile=%.2f cases=%zu\n", tau(all, 3), tau(all, 4),
              tau(all, 4, true), all.size());
  return 0;
}
}  // namespace bench
