#include <doctest/doctest.h>
#include "nest/golden.hpp"
#include "nest/made.hpp"
#include "ordo/trace.hpp"

namespace {
using namespace ordo;
using golden::refused;
using made::Sketch;

Sketch rows() { return Sketch(made::rows()); }
Sketch placed() {
  Sketch s = rows();
  s.compute_at("S", "Y", "i").compute_at("E", "Y", "i").compute_at("m", "Y", "i");
  return s;
}
}  // namespace

TEST_CASE("compute_at: stages go into the turns of the stage that reads them, and are scheduled there") {
  Sketch s = placed();
  s.split("E", "j", {"16"}).vectorize("E", "j.1").parallel("Y", "i");
  CHECK(s.text() ==
        "m: in each turn of Y\n  for i 0..M\n    for q 0..N, reduction\n"
        "E: in each turn of Y\n  for i 0..M\n    for j.0 0..(N + 15) / 16\n      for j.1 0..16, vectorized, tail mask\n"
        "S: in each turn of Y\n  for i 0..M\n    for l.step 0..(N + 15) / 16, ordered\n      for l.lane 0..16, reduction\n"
        "Y:\n  for i 0..M, parallel\n    for j 0..N\n");
}
TEST_CASE("compute_at: brings the loop that stands at the turn outermost") {
  Dim M{"M"}, N{"N"};
  Tensor<float, 2> X{"X", {M, N}}, T{"T"}, Y{"Y"};
  Index i{"i"}, j{"j"};
  T(j, i) = X(i, j) * 2;
  Y(i, j) = T(j, i) + T(0, i);
  Sketch s(made::staged({Y}));
  s.compute_at("T", "Y", "i");
  CHECK(s.text() == "T: in each turn of Y\n  for i 0..M\n    for j 0..N\nY:\n  for i 0..M\n    for j 0..N\n");
}
TEST_CASE("compute_at: compute_root undoes it, outermost stages first") {
  const std::string before = rows().text();
  CHECK(placed().compute_root("m").compute_root("E").compute_root("S").text() == before);
  refused("compute_at.placed.root", [] { placed().compute_root("S"); });
}
TEST_CASE("compute_at: its trace prints, goes through JSON and replays") {
  Sketch s = placed();
  CHECK(nest::print(s.trace).rfind("s[S].compute_at(s[Y], i);\n", 0) == 0);
  nest::Nest again = nest::make(made::rows());
  nest::apply(again, trace_from_json(to_json(s.trace).c_str()));
  CHECK(print(again) == s.text());
}
TEST_CASE("compute_at: what an inlined stage reads at the row of its reader is computed there too") {
  Dim M{"M"}, N{"N"};
  Tensor<float, 2> X{"X", {M, N}}, Y{"Y"};
  Tensor<float, 1> mean{"mean"}, var{"var"}, scale{"scale"};
  Index i{"i"}, j{"j"};
  Lanes<16> l{"l"};
  mean(i) = sum(l, X(i, l));
  var(i) = sum(l, (X(i, l) - mean(i)) * (X(i, l) - mean(i)));
  scale(i) = 1 / sqrt(var(i));
  Y(i, j) = (X(i, j) - mean(i)) * scale(i);
  const ir::Program program = made::staged({Y});
  Sketch s(ir::copy(program));
  s.inline_("var").compute_at("scale", "Y", "i").compute_at("mean", "Y", "i");
  CHECK(s.text().find("mean: in each turn of Y\n") != std::string::npos);
  refused("compute_at.placed.inlined", [&] {
    Sketch t(ir::copy(program));
    t.inline_("var").compute_at("scale", "Y", "i").compute_at("mean", "Y", "i").compute_root("var");
  });
}
TEST_CASE("refusals: compute_at") {
  refused("compute_at.stage", [] { rows().compute_at("Y", "Y", "i"); });
  refused("compute_at.stage.placed", [] { placed().compute_at("E", "S", "i"); });
  refused("compute_at.stage.inlined", [] { Sketch(made::epilogue()).inline_("E").compute_at("D", "E", "i"); });
  refused("schedule.stage.host", [] { rows().compute_at("S", "Z", "i"); });
  refused("compute_at.loop", [] { rows().compute_at("S", "Y", "j"); });
  refused("compute_at.loop.split", [] { rows().split("Y", "i", {"8"}).compute_at("S", "Y", "i.0"); });
  refused("compute_at.loop.own", [] { rows().parallel("S", "i").compute_at("S", "Y", "i"); });
  refused("compute_at.reads", [] { rows().compute_at("E", "Y", "i"); });
  refused("compute_at.reads.elsewhere", [] { Sketch(made::stencil()).compute_at("bx", "by", "v"); });
  refused("compute_at.placed", [] { placed().split("Y", "i", {"8"}); });
  refused("compute_at.placed.reorder", [] { placed().reorder("Y", {"j", "i"}); });
  refused("compute_at.placed.guest", [] { placed().parallel("E", "i"); });
  refused("compute_at.placed.pack", [] { placed().pack("Y", "E"); });
  refused("compute_at.placed.copied", [] {
    rows().reorder("Y", {"j", "i"}).split("Y", "j", {"4"}).reorder("Y", {"i", "j.0", "j.1"}).pack("Y", "S").compute_at("S", "Y", "i");
  });
  refused("inline.scheduled.placed", [] { placed().inline_("E"); });
}
