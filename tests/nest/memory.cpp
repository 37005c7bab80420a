// Directives about memory: what is asked for ahead, what goes past the caches, how many turns a thread takes.
#include <doctest/doctest.h>
#include "nest/golden.hpp"
#include "nest/made.hpp"
#include "ordo/nest/schedule.hpp"
#include "ordo/trace.hpp"

namespace {
using namespace ordo;
using golden::refused;
using made::Sketch;

Sketch matmul() { return Sketch(made::matmul()); }
Sketch epilogue() { return Sketch(made::epilogue()); }
Sketch rows() { return Sketch(made::rows()); }
ir::Program gather() {
  Tensor<float, 2> T{"T", {100, 16}}, Y{"Y"};
  Tensor<i32, 1> id{"id", {10}};
  Index n{"n"}, d{"d"};
  Y(n, d) = T(cast<i64>(id(n)), d);
  return made::staged({Y});
}
ir::Program scan() {
  Tensor<float, 2> X{"X", {10, 64}}, Y{"Y"};
  Scan t{"t"};
  Index i{"i"};
  Y(t, i) = scan(t, 0, Y(t - 1, i) * 2 + X(t, i));
  return made::staged({Y});
}
// C in vectors along its last index
Sketch vectors() {
  Sketch s = matmul();
  s.split("C", "j", {"16"}).reorder("C", {"i", "j.0", "k", "j.1"}).vectorize("C", "j.1");
  return s;
}
}  // namespace

TEST_CASE("prefetch: is shown at the loop that it runs ahead of") {
  Sketch s = matmul();
  s.split("C", "j", {"16"}).prefetch("C", "B", "k", "8").prefetch("C", "A", "i");
  CHECK(s.text() ==
        "C:\n  for i 0..64\n    prefetch A, 1 ahead\n    for j.0 0..(N + 15) / 16\n      for j.1 0..16, tail mask\n"
        "        for k 0..K, ordered\n          prefetch B, 8 ahead\n");
  CHECK(nest::print(s.trace) == "auto [j0, j1] = s[C].split(j, 16);\ns[C].prefetch(B, k, 8);\ns[C].prefetch(A, i, 1);\n");
}
TEST_CASE("prefetch: in the turns of another stage") {
  Sketch s = rows();
  s.compute_at("S", "Y", "i").compute_at("E", "Y", "i").compute_at("m", "Y", "i").prefetch("E", "X", "i");
  CHECK(s.text().find("E: in each turn of Y/i, [i, 0..N]\n  for i 0..1\n    prefetch X, 1 ahead\n    for j 0..N\n") != std::string::npos);
}
TEST_CASE("prefetch: a copy of a nest keeps nothing of the one it was made of") {
  Sketch s = matmul();
  s.prefetch("C", "B", "k", "N + 8");
  const nest::Nest copy = nest::copy(s.nest);
  const ir::Ref distance = copy.stages[0].prefetches.at(0).distance;
  CHECK(distance != s.nest.stages[0].prefetches.at(0).distance);
}
TEST_CASE("store_nontemporal: is shown beside the stage") {
  CHECK(vectors().store_nontemporal("C").text().rfind("C: stored past the caches\n  for i 0..64\n", 0) == 0);
}
TEST_CASE("parallel: shows how many turns a thread takes") {
  CHECK(matmul().parallel("C", "i", "4").text().rfind("C:\n  for i 0..64, parallel by 4\n", 0) == 0);
  CHECK(matmul().parallel("C", "i", "1").text().rfind("C:\n  for i 0..64, parallel\n", 0) == 0);
}
TEST_CASE("prefetch, store_nontemporal and grains: typed, printed, through JSON and replayed") {
  Dim N{"N"}, K{"K"};
  Tensor<float, 2> A{"A", {64, K}}, B{"B", {K, N}}, C{"C"};
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  C(i, j) = sum(k, A(i, k) * B(k, j));
  Schedule s{C};
  auto [j0, j1] = s.split(j, 16);
  s.reorder(i, j0, k, j1).vectorize(j1).prefetch(B, k, 8).prefetch(A, i).store_nontemporal().parallel(i, 4);
  CHECK(std::string(s.trace()) ==
        "auto [j0, j1] = s[C].split(j, 16);\ns[C].reorder(i, j0, k, j1);\ns[C].vectorize(j1);\ns[C].prefetch(B, k, 8);\n"
        "s[C].prefetch(A, i, 1);\ns[C].store_nontemporal();\ns[C].parallel(i, 4);\n");
  Schedule again{C};
  replay(again, trace_json(s).c_str());
  CHECK(std::string(again.text()) == s.text());
  CHECK(trace_json(again) == trace_json(s));
}

TEST_CASE("refusals: prefetch") {
  refused("prefetch.tensor", [] { matmul().prefetch("C", "D", "k"); });
  refused("prefetch.tensor.read", [] { epilogue().prefetch("C", "A", "i"); });
  refused("prefetch.tensor.inlined", [] { epilogue().inline_("E").prefetch("C", "E", "i"); });
  refused("prefetch.tensor.placed", [] { rows().compute_at("S", "Y", "i").prefetch("Y", "S", "i"); });
  refused("prefetch.tensor.packed", [] { matmul().pack("C", "B", "i").prefetch("C", "B", "k"); });
  refused("prefetch.tensor.own", [] { Sketch(scan()).prefetch("Y", "Y", "i"); });
  refused("prefetch.loop", [] { matmul().prefetch("C", "B", "i"); });
  refused("prefetch.loop.vectorized", [] { vectors().prefetch("C", "B", "j.1"); });
  refused("prefetch.access", [] { Sketch(gather()).prefetch("Y", "T", "d"); });
  refused("prefetch.distance", [] { matmul().prefetch("C", "B", "k", "0"); });
  refused("prefetch.distance.text", [] { matmul().prefetch("C", "B", "k", "k"); });
  refused("prefetch.twice", [] { matmul().prefetch("C", "B", "k").prefetch("C", "B", "j"); });
}
TEST_CASE("refusals: what a prefetch asks of later directives") {
  refused("schedule.prefetch", [] { matmul().prefetch("C", "B", "k").split("C", "k", {"4"}); });
  refused("schedule.prefetch.vectorize", [] { matmul().split("C", "j", {"16"}).prefetch("C", "B", "j.1").vectorize("C", "j.1"); });
  refused("schedule.prefetch.pack", [] { matmul().prefetch("C", "B", "k").pack("C", "B", "i"); });
  refused("schedule.prefetch.inline", [] { epilogue().prefetch("C", "E", "i").inline_("E"); });
  refused("schedule.prefetch.compute_at", [] { rows().prefetch("Y", "S", "i").compute_at("S", "Y", "i"); });
  refused("inline.scheduled.prefetch", [] { epilogue().prefetch("E", "D", "i").inline_("E"); });
}
TEST_CASE("refusals: store_nontemporal") {
  refused("store_nontemporal.vector", [] { matmul().store_nontemporal("C"); });
  refused("store_nontemporal.vector.short", [] {
    matmul().split("C", "j", {"2"}).reorder("C", {"k", "j.1"}).vectorize("C", "j.1").store_nontemporal("C");
  });
  refused("store_nontemporal.vector.fused", [] { Sketch(made::fixed_matmul()).fuse("C", "i", "j").store_nontemporal("C"); });
  refused("store_nontemporal.twice", [] { vectors().store_nontemporal("C").store_nontemporal("C"); });
  refused("store_nontemporal.read", [] { rows().compute_at("S", "Y", "i").compute_at("E", "Y", "i").store_nontemporal("E"); });
  refused("store_nontemporal.read.later", [] {
    rows().split("E", "j", {"16"}).vectorize("E", "j.1").store_nontemporal("E").compute_at("S", "Y", "i").compute_at("E", "Y", "i");
  });
  refused("store_nontemporal.read.scan", [] { Sketch(scan()).store_nontemporal("Y"); });
  refused("inline.scheduled.vectors", [] { epilogue().split("E", "j", {"16"}).vectorize("E", "j.1").store_nontemporal("E").inline_("E"); });
}
TEST_CASE("refusals: grains") {
  refused("parallel.grain", [] { matmul().parallel("C", "i", "0"); });
  refused("parallel.grain.size", [] { matmul().parallel("C", "i", "N"); });
  refused("parallel.grain.copy", [] { matmul().pack("C", "B").parallel("C/B.pack", "k", "2"); });
}
