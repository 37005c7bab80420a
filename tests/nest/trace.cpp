#include <doctest/doctest.h>
#include "nest/made.hpp"
#include "ordo/nest/schedule.hpp"

using namespace ordo;
using made::Sketch;

namespace {
Sketch gemm() {
  Sketch s(made::epilogue());
  s.inline_("D").split("E", "i", {"8"}).split("E", "j", {"384", "48"}, Tail::peel).reorder("E", {"j.0", "i.0", "j.1", "k", "i.1", "j.2"});
  s.vectorize("E", "j.2").unroll("E", "i.1").pack("E", "B", "j.0", {Memory::heap, 1, false}).parallel("E/B.pack", "k").parallel("E", "i.0");
  s.fuse("C", "i", "j").split("C", "i*j", {"maximum(K, 1)"});
  return s;
}
}  // namespace

TEST_CASE("trace: prints as source, one directive a line") {
  CHECK(print(gemm().trace) ==
        "s[D].inline_();\n"
        "auto [i0, i1] = s[E].split(i, 8);\n"
        "auto [j0, j1, j2] = s[E].split(j, {384, 48}, Tail::peel);\n"
        "s[E].reorder(j0, i0, j1, k, i1, j2);\n"
        "s[E].vectorize(j2);\n"
        "s[E].unroll(i1);\n"
        "auto E_B_pack = s[E].pack(B, j0, {.memory = Memory::heap, .pad = 1});\n"
        "E_B_pack.parallel(k);\n"
        "s[E].parallel(i0);\n"
        "auto i_j = s[C].fuse(i, j);\n"
        "auto [i_j0, i_j1] = s[C].split(i_j, maximum(K, 1));\n");
}

TEST_CASE("trace: names that are no words of C++") {
  nest::Directive d = made::directive("unroll", "Y.sum", {"l.lane"}, 1);
  CHECK(print(nest::Trace{d}) == "s.stage(\"Y.sum\").unroll(l.lane());\n");
}

TEST_CASE("trace: replays to the same nest") {
  const Sketch s = gemm();
  nest::Body* body = nest::replay(made::epilogue(), s.trace);
  CHECK(print(nest::nest_of(body)) == s.text());
  CHECK(print(nest::trace_of(body)) == print(s.trace));
  nest::verify(nest::nest_of(body));
  const nest::StageHandle* copy = nest::stage_named(body, "E/B.pack", {});
  CHECK(copy->stage == 1);
  nest::release(body);
}

TEST_CASE("trace: what a schedule did is applied to another of the same program, all or nothing") {
  Tensor<float, 2> X{"X", {64, 48}}, Y{"Y"};
  Index i{"i"}, j{"j"};
  Y(i, j) = X(i, j) * 2;
  Schedule s{Y}, t{Y};
  auto [i0, i1] = s.split(i, 8);
  s.unroll(i1);
  (void)i0;
  nest::apply(t.body(), nest::trace_of(s.body()));
  CHECK(std::string(t.text()) == s.text());
  const std::string before = t.text();
  nest::Trace more{made::directive("parallel", "Y", {"i.0"}, 1), made::directive("parallel", "Y", {"q"}, 2)};
  CHECK_THROWS_AS(nest::apply(t.body(), more), Error);
  CHECK(std::string(t.text()) == before);
  CHECK(std::string(t.trace()) == s.trace());
}

TEST_CASE("trace: a directive touches its own stage only") {
  Sketch s(made::epilogue());
  const nest::Stage* stages = s.nest.stages.data();
  const std::size_t nodes = s.nest.program.arena.size();
  s.split("E", "i", {"8"}).unroll("E", "i.1");
  CHECK(s.nest.stages.data() == stages);
  CHECK(s.nest.program.arena.size() <= nodes + 8);
}
