// layout: how a stage is stored that others read.
#include <doctest/doctest.h>
#include "nest/golden.hpp"
#include "nest/made.hpp"
#include "ordo/nest/schedule.hpp"
#include "ordo/trace.hpp"

namespace {
using namespace ordo;
using golden::refused;
using made::Sketch;
Sketch epilogue() { return Sketch(made::epilogue()); }
}  // namespace

TEST_CASE("layout: is shown at the top of the stage, also after its loops are cut") {
  CHECK(epilogue()
            .split("E", "j", {"16"})
            .layout("E", {"j / 16", "i", "j % 16"})
            .text()
            .find("E:\n  stored as [j / 16, i, j % 16]\n  for i 0..64\n    for j.0 0..(N + 15) / 16\n") != std::string::npos);
}
TEST_CASE("layout: typed, printed, through JSON and replayed") {
  Dim N{"N"};
  Tensor<float, 2> A{"A", {64, N}}, E{"E"}, C{"C"};
  Index i{"i"}, j{"j"}, x{"x"}, y{"y"};
  E(i, j) = A(i, j) + 1;
  C(x, y) = E(x, y) * E(x, y);
  Schedule s{C};
  s[E].layout({j / 16, i, j % 16});
  CHECK(std::string(s.trace()) == "s[E].layout({j / 16, i, j % 16});\n");
  Schedule again{C};
  replay(again, trace_json(s).c_str());
  CHECK(std::string(again.text()) == s.text());
  CHECK(trace_json(again) == trace_json(s));
  refused("layout.dimension.place", [&] { s[E].layout({i + 1, j}, {"gemm.cpp", 10}); });
}
TEST_CASE("refusals: layout") {
  refused("layout.output", [] { epilogue().layout("C", {"j", "i"}); });
  refused("layout.dimension", [] { epilogue().layout("E", {"j", "k"}); });
  refused("layout.dimension.missing", [] { epilogue().layout("E", {"j"}); });
  refused("layout.dimension.twice", [] { epilogue().layout("E", {"j", "i", "j"}); });
  refused("layout.dimension.parts", [] { epilogue().layout("E", {"j / 16", "i", "j % 8"}); });
  refused("layout.block", [] { epilogue().layout("E", {"j / 1", "i", "j % 1"}); });
  refused("layout.twice", [] { epilogue().layout("E", {"j", "i"}).layout("E", {"i", "j"}); });
  refused("schedule.inlined.layout", [] { epilogue().inline_("E").layout("E", {"j", "i"}); });
  refused("inline.scheduled.layout", [] { epilogue().layout("E", {"j", "i"}).inline_("E"); });
}
