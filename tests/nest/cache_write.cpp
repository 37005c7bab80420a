// cache_write: sums that are not finished in memory of their own.
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
// i.0, j.0, k.0, i.1, k.1, j.1 in vectors
Sketch blocked() {
  Sketch s = matmul();
  s.split("C", "i", {"8"}).split("C", "j", {"16"}).split("C", "k", {"32"});
  s.reorder("C", {"i.0", "j.0", "k.0", "i.1", "k.1", "j.1"}).vectorize("C", "j.1");
  return s;
}
Sketch epilogue() { return Sketch(made::epilogue()); }
}  // namespace

TEST_CASE("cache_write: is shown in the loop whose turns it is of") {
  CHECK(blocked().cache_write("C", "i.0").text() ==
        "C:\n  for i.0 0..8\n    C.cache[j.0 0..(N + 15) / 16, i.1 0..8, j.1 0..16], until finished\n    for j.0 0..(N + 15) / 16\n"
        "      for k.0 0..(K + 31) / 32, ordered\n        for i.1 0..8\n          for k.1 0..32, ordered, tail mask\n"
        "            for j.1 0..16, vectorized, tail mask\n");
}
TEST_CASE("cache_write: typed, printed, through JSON and replayed") {
  Dim N{"N"}, K{"K"};
  Tensor<float, 2> A{"A", {64, K}}, B{"B", {K, N}}, C{"C"};
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  C(i, j) = sum(k, A(i, k) * B(k, j));
  Schedule s{C};
  auto [k0, k1] = s.split(k, 32);
  s.reorder(i, k0, j, k1).cache_write(i);
  CHECK(std::string(s.trace()) == "auto [k0, k1] = s[C].split(k, 32);\ns[C].reorder(i, k0, j, k1);\ns[C].cache_write(i);\n");
  Schedule again{C};
  replay(again, trace_json(s).c_str());
  CHECK(std::string(again.text()) == s.text());
  CHECK(trace_json(again) == trace_json(s));
}
TEST_CASE("refusals: cache_write") {
  refused("cache_write.reduction", [] { epilogue().cache_write("C", "i"); });
  refused("cache_write.loop", [] { blocked().cache_write("C", "k.0"); });
  refused("cache_write.loop.inside", [] { blocked().cache_write("C", "i.1"); });
  refused("cache_write.loop.vectorized", [] { blocked().cache_write("C", "j.1"); });
  refused("cache_write.loop.waits", [] { matmul().cache_write("C", "i"); });
  refused("cache_write.loop.tile", [] {
    matmul().split("C", "i", {"4"}).unroll("C", "i.1").reorder("C", {"j", "i.1"}).cache_write("C", "i.1");
  });
  refused("cache_write.twice", [] { blocked().cache_write("C", "i.0").cache_write("C", "j.0"); });
}
TEST_CASE("refusals: what cache_write asks of later directives") {
  refused("schedule.cache_write", [] { blocked().cache_write("C", "i.0").split("C", "i.0", {"2"}); });
  refused("schedule.cache_write.reorder", [] { blocked().cache_write("C", "j.0").reorder("C", {"k.0", "j.0"}); });
  refused("schedule.cache_write.registers", [] { blocked().cache_write("C", "j.0").unroll("C", "i.1"); });
  refused("schedule.cache_write.given_back", [] {
    epilogue().inline_("D").reorder("E", {"i", "k", "j"}).cache_write("E", "i").compute_root("D");
  });
  refused("inline.scheduled.cached", [] { epilogue().reorder("D", {"i", "k", "j"}).cache_write("D", "i").inline_("D"); });
}
