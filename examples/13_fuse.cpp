// Fusion: a stage computed in the turns of its reader, as much as one turn needs, never leaves the cache.
#include <cstdio>
#include <vector>
#include "ordo/cpu.hpp"
#include "ordo/explain.hpp"
#include "ordo/ordo.hpp"

int main() {
  using namespace ordo;
  constexpr i64 h = 1026, w = 1026;
  Tensor<float, 2> I{"I", {h, w}}, across{"across"}, blur{"blur"}, sharp{"sharp"};
  Index y{"y", h}, x{"x", w - 2}, v{"v", h - 2};
  across(y, x) = (I(y, x) + I(y, x + 1) + I(y, x + 2)) / 3;
  blur(v, x) = (across(v, x) + across(v + 1, x) + across(v + 2, x)) / 3;
  sharp(v, x) = maximum(2 * I(v + 1, x + 1) - blur(v, x), 0);

  const auto megabytes = [](const Schedule& s) {
    const metrics::Metrics m = metrics::measure(nest::nest_of(s.body()), Machine{});
    return static_cast<double>(m.caches[1].moved->arg) * 1e-6;
  };
  Schedule s{sharp};
  std::printf("before: %.1f MB past a second cache of 512 KiB\n%s\n", megabytes(s), s.text());
  const auto apart = compile(s, inputs(I), outputs(sharp), cpu::host());

  auto [v0, v1] = s.split(v, 16);
  s.parallel(v0);
  s[blur].compute_at(s, v0);               // 16 rows of it for 16 of sharp
  s[across].compute_at(s, v0);             // 18 of it for 16 of blur
  for (const Stage stage : {s[across], s[blur], static_cast<Stage>(s)}) stage.vectorize(stage.split(x, 32).b);
  std::printf("after: %.1f MB\n%s\n", megabytes(s), s.text());
  const auto fused = compile(s, inputs(I), outputs(sharp), cpu::host());

  std::vector<float> in(h * w), one((h - 2) * (w - 2)), other(one.size());
  for (std::size_t e = 0; e < in.size(); ++e) in[e] = static_cast<float>(e % 251);
  apart(view(in, {h, w}), view(one, {h - 2, w - 2}));
  fused(view(in, {h, w}), view(other, {h - 2, w - 2}));
  std::puts(one == other ? "the same bits" : "other bits");
  return one == other ? 0 : 1;
}
