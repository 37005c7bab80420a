// Tails: 1003 is no multiple of 48. What becomes of the last 43 is an attribute of the split, and costs time or code, never bits.
#include <cstdio>
#include <vector>
#include "ordo/cpu.hpp"
#include "ordo/explain.hpp"
#include "ordo/ordo.hpp"

int main() {
  using namespace ordo;
  constexpr i64 n = 1003;
  Tensor<float, 1> X{"X", {n}}, Y{"Y"};
  Index i{"i"};
  Y(i) = X(i) * 3 + 1;

  std::vector<float> x(n), plain(n);
  for (std::size_t e = 0; e < x.size(); ++e) x[e] = 1 / static_cast<float>(e + 1);
  const Schedule before{Y};
  std::printf("before\n%s\n", before.text());
  compile(before, inputs(X), outputs(Y), cpu::host())(view(x, {n}), view(plain, {n}));

  for (const Tail tail : {Tail::mask, Tail::guard, Tail::peel}) {
    Schedule s{Y};
    auto [i0, i1] = s.split(i, 48, tail);
    s.vectorize(i1);
    std::vector<float> y(n);
    compile(s, inputs(X), outputs(Y), cpu::host())(view(x, {n}), view(y, {n}));
    const metrics::StageMetrics m = metrics::measure(nest::nest_of(s.body()), detect(cpu::host())).stages[0];
    std::printf("after\n%s  %.1f %% of what is computed exists, %.1f %% outside of whole tiles, about %lld bytes of code\n\n", s.text(),
                100 * m.mask.value(), 100 * m.remainder.value(), static_cast<long long>(m.code_bytes));
    if (y != plain) return 1;
  }
  std::puts("the same bits");
}
