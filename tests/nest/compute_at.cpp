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
// C(i, j) = sum(k, T(i, k) * B(k, j)), T a scaled input.
Sketch scaled_product() {
  Dim M{"M"}, N{"N"}, K{"K"};
  Tensor<float, 2> A{"A", {M, K}}, B{"B", {K, N}}, T{"T"}, C{"C"};
  Index i{"i"}, j{"j"}, c{"c"};
  Chain k{"k"};
  T(i, c) = A(i, c) * 2;
  C(i, j) = sum(k, T(i, k) * B(k, j));
  return Sketch(made::staged({C}));
}
// m goes along time, Y reads its last two steps; Z goes on from Y and ends with its last step.
Sketch in_time() {
  Dim N{"N"}, T{"T"};
  Tensor<float, 2> X{"X", {N, T}}, m{"m"}, l{"l"}, Y{"Y"};
  Tensor<float, 1> Z{"Z"};
  Index i{"i"};
  Scan t{"t", T};
  m(i, t) = scan(t, 0, maximum(m(i, t - 1), X(i, t)));
  l(i, t) = scan(t, 0, l(i, t - 1) + X(i, t));
  Y(i, t) = scan(t, 0, Y(i, t - 1) + select(t > 0, m(i, t - 1), 0) * m(i, t));
  Z(i) = Y(i, t.extent() - 1) / l(i, t.extent() - 1);
  return Sketch(made::staged({Z}));
}
}  // namespace

TEST_CASE("compute_at: stages go into the turns of the stage that reads them, and are scheduled there") {
  Sketch s = placed();
  s.split("E", "j", {"16"}).vectorize("E", "j.1").parallel("Y", "i");
  CHECK(s.text() ==
        "m: in each turn of Y/i, [i]\n  for i 0..1\n    for q 0..N, reduction\n"
        "E: in each turn of Y/i, [i, 0..N]\n  for i 0..1\n    for j.0 0..(N + 15) / 16\n      for j.1 0..16, vectorized, tail mask\n"
        "S: in each turn of Y/i, [i]\n  for i 0..1\n    for l.step 0..(N + 15) / 16, ordered\n      for l.lane 0..16, reduction\n"
        "Y:\n  for i 0..M, parallel\n    for j 0..N\n");
}
TEST_CASE("compute_at: what a turn reads at several places is their hull, and loops that stand still go outermost") {
  Dim M{"M"}, N{"N"};
  Tensor<float, 2> X{"X", {M, N}}, T{"T"}, Y{"Y"};
  Index i{"i"}, j{"j"};
  T(j, i) = X(i, j) * 2;
  Y(i, j) = T(j, i) + T(0, i);
  Sketch s(made::staged({Y}));
  s.compute_at("T", "Y", "i");
  CHECK(s.text() == "T: in each turn of Y/i, [0..N, i]\n  for i 0..1\n    for j 0..N\nY:\n  for i 0..M\n    for j 0..N\n");
}
TEST_CASE("compute_at: a stencil's tile needs a border") {
  Sketch s(made::stencil());
  s.split("by", "v", {"8"}).split("by", "x", {"32"}).reorder("by", {"v.0", "x.0", "v.1", "x.1"}).compute_at("bx", "by", "x.0");
  CHECK(s.text() ==
        "bx: in each turn of by/x.0, [v.0 * 8 + 0..10, x.0 * 32 + 0..32]\n  for y 0..10\n    for x 0..32\n"
        "by:\n  for v.0 0..(H + 5) / 8\n    for x.0 0..(W + 29) / 32\n      for v.1 0..8, tail mask\n        for x.1 0..32, tail mask\n");
}
TEST_CASE("compute_at: recurrences go along with a loop, and are kept as long as they are read") {
  Sketch s = in_time();
  s.split("Z", "i", {"4"}).compute_at("Y", "Z", "i.0").reorder("Y", {"t", "i"}).compute_at("l", "Y", "t").compute_at("m", "Y", "t");
  CHECK(s.text() ==
        "m: in each turn of Y/t, [i.0 * 4 + 0..4, t (2 kept)]\n  for t 0..1, ordered\n    for i 0..4\n"
        "Y: in each turn of Z/i.0, [i.0 * 4 + 0..4, 0..T (1 kept)]\n  for t 0..T, ordered\n    for i 0..4\n"
        "l: in each turn of Y/t, [i.0 * 4 + 0..4, t]\n  for t 0..1, ordered\n    for i 0..4\n"
        "Z:\n  for i.0 0..(N + 3) / 4\n    for i.1 0..4, tail mask\n");
}
TEST_CASE("compute_at: a recurrence starts anew where a turn does not end with a step of its own") {
  Sketch s = in_time();
  s.compute_at("Y", "Z", "i").compute_at("m", "Y", "i");
  CHECK(s.text().find("m: in each turn of Y/i, [i, 0..T]\n  for i 0..1\n    for t 0..T, ordered\n") == 0);
}
TEST_CASE("compute_at: compute_root undoes it, outermost stages first") {
  const std::string before = rows().text();
  CHECK(placed().compute_root("m").compute_root("E").compute_root("S").text() == before);
  refused("compute_at.placed.root", [] { placed().compute_root("S"); });
  refused("compute_at.loop.root", [] {
    Sketch s = scaled_product();
    s.split("C", "i", {"8"}).compute_at("T", "C", "i.0").unroll("T", "i").compute_root("T");
  });
}
TEST_CASE("compute_at: its trace prints, goes through JSON and replays") {
  Sketch s = placed();
  CHECK(nest::print(s.trace).rfind("s[S].compute_at(s[Y], i);\n", 0) == 0);
  nest::Nest again = nest::make(made::rows());
  nest::apply(again, trace_from_json(to_json(s.trace).c_str()));
  CHECK(print(again) == s.text());
}
TEST_CASE("compute_at: what is refused later leaves all regions as they were") {
  Sketch s = in_time();
  s.split("Z", "i", {"4"}).compute_at("Y", "Z", "i.0").reorder("Y", {"t", "i"}).compute_at("m", "Y", "t");
  const std::string before = s.text();
  refused("compute_at.placed.extent", [&] { s.reorder("Y", {"i", "t"}); });
  CHECK(s.text() == before);
  verify(s.nest);
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
  CHECK(s.text().find("mean: in each turn of Y/i, [i]\n") != std::string::npos);
}
TEST_CASE("refusals: compute_at") {
  refused("compute_at.stage", [] { rows().compute_at("Y", "Y", "i"); });
  refused("compute_at.stage.placed", [] { placed().compute_at("E", "S", "i"); });
  refused("compute_at.stage.inlined", [] { Sketch(made::epilogue()).inline_("E").compute_at("D", "E", "i"); });
  refused("compute_at.stage.needs", [] { rows().compute_at("E", "m", "i"); });
  refused("compute_at.stage.host", [] { in_time().compute_at("m", "Y", "t").compute_at("Y", "Z", "i"); });
  refused("compute_at.stage.constant", [] {
    nest::PackOptions once;
    once.constant = true;
    scaled_product().pack("T", "A", nullptr, once).compute_at("T", "C", "i");
  });
  refused("compute_at.stage.together", [] {
    Dim N{"N"};
    Tensor<float, 1> X{"X", {N}}, G{"G"}, H{"H"}, Y{"Y"};
    Index i{"i"};
    Scan t{"t"};
    G(t) = H(t - 1) + X(t);
    H(t) = scan(t, 0, G(t) * 2);
    Y(i) = H(i);
    Sketch(made::staged({Y})).compute_at("H", "Y", "i");
  });
  refused("schedule.stage.host", [] { rows().compute_at("S", "Z", "i"); });
  refused("compute_at.loop", [] { scaled_product().compute_at("T", "C", "k"); });
  refused("compute_at.loop.vectorized",
          [] { Sketch(made::stencil()).split("by", "x", {"8"}).vectorize("by", "x.1").compute_at("bx", "by", "x.1"); });
  refused("compute_at.loop.own", [] { rows().parallel("S", "i").compute_at("S", "Y", "i"); });
  refused("compute_at.reads", [] { rows().compute_at("E", "Y", "i"); });
  refused("compute_at.reads.after", [] {
    Dim N{"N"};
    Tensor<float, 1> X{"X", {N}}, l{"l"}, Y{"Y"}, Z{"Z"};
    Index i{"i", 4};
    Scan t{"t", N};
    l(t) = scan(t, 0, l(t - 1) + X(t));
    Y(t) = scan(t, 0, Y(t - 1) * X(t));
    Z(i) = Y(N - 1) / l(i);
    Sketch(made::staged({Z})).compute_at("Y", "Z", "i").compute_at("l", "Y", "t");
  });
  refused("compute_at.reads.starts", [] {
    Dim N{"N"};
    Tensor<float, 1> X{"X", {N}}, S{"S"};
    Tensor<float, 2> Y{"Y"};
    Index i{"i"};
    Scan t{"t", 8};
    S(i) = X(i) * 2;
    Y(i, t) = scan(t, S(i), Y(i, t - 1) * 2);
    Sketch(made::staged({Y})).compute_at("S", "Y", "i");
  });
  refused("compute_at.placed", [] { placed().split("Y", "i", {"8"}); });
  refused("compute_at.placed.unrolled", [] { scaled_product().split("C", "i", {"8"}).compute_at("T", "C", "i.1").unroll("C", "i.1"); });
  refused("compute_at.placed.pack", [] { placed().pack("Y", "E"); });
  refused("compute_at.placed.constant", [] {
    nest::PackOptions once;
    once.constant = true;
    scaled_product().compute_at("T", "C", "i").pack("T", "A", nullptr, once);
  });
  refused("compute_at.placed.copied", [] {
    rows().reorder("Y", {"j", "i"}).split("Y", "j", {"4"}).reorder("Y", {"i", "j.0", "j.1"}).pack("Y", "S").compute_at("S", "Y", "i");
  });
  refused("compute_at.placed.inlined", [] {
    Sketch s(made::epilogue());
    s.compute_at("E", "C", "i").compute_at("D", "C", "i").compute_root("E");
  });
  refused("inline.scheduled.placed", [] { placed().inline_("E"); });
}
