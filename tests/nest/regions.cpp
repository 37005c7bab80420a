#include <stdexcept>
#include "nest/golden.hpp"
#include "nest/made.hpp"
#include "nest/round.hpp"
#include "ordo/nest/schedule.hpp"
#include "ordo/trace.hpp"

using namespace ordo;
using golden::refused;
using made::Sketch;

namespace {
struct Scaled {
  Dim N{"N"}, M{"M"};
  Tensor<float, 2> X{"X", {M, N}}, Y{"Y"};
  Index i{"i"}, j{"j"};
  Scaled() { Y(i, j) = X(i, j) * 2; }
};
nest::Directive cut(const char* loop, std::vector<std::string> places, int line = 20) {
  nest::Directive d = made::directive("regions", "C", {loop}, line);
  d.factors = std::move(places);
  return d;
}
nest::Directive in_region(int region, nest::Directive d) {
  d.region = region;
  return d;
}
}  // namespace

TEST_CASE("regions: each has loops of its own, written with the handles of the stage") {
  Scaled p;
  Schedule s{p.Y};
  s.parallel(p.i);
  s.regions(p.j, {1, p.N - 1}, [&](int region) {
    if (region != 1) return;
    auto [jo, ji] = s.split(p.j, 16, Tail::shift_in);
    s.vectorize(ji);
  });
  CHECK(std::string(s.text()) ==
        "Y:\n"
        "  j from 0:\n"
        "    for i 0..M, parallel\n"
        "      for j 0..minimum(N, 1)\n"
        "  j from minimum(N, 1):\n"
        "    for i 0..M, parallel\n"
        "      for j.0 0..(maximum(minimum(N, 1), N - 1) - minimum(N, 1) + 15) / 16\n"
        "        for j.1 0..16, vectorized, tail shift_in\n"
        "  j from maximum(minimum(N, 1), N - 1):\n"
        "    for i 0..M, parallel\n"
        "      for j 0..N - maximum(minimum(N, 1), N - 1)\n");
  CHECK(std::string(s.trace()) ==
        "s[Y].parallel(i);\n"
        "s[Y].regions(j, {1, N - 1}, [&](int region) {});\n"
        "/* region 1 */ auto [j0, j1] = s[Y].split(j, 16, Tail::shift_in);\n"
        "/* region 1 */ s[Y].vectorize(j1);\n");
  made::goes_round(s, Schedule{p.Y});
}

TEST_CASE("regions: in a copy for certain sizes") {
  Scaled p;
  Schedule s{p.Y};
  s.specialize(p.M == 10, [&] {
    s.regions(p.i, {4}, [&](int region) {
      if (region == 0) s.unroll(p.i);
    });
  });
  CHECK(std::string(s.text()) ==
        "Y:\n"
        "  for i 0..M\n"
        "    for j 0..N\n"
        "when M == 10:\n"
        "  Y:\n"
        "    i from 0:\n"
        "      for i 0..4, unrolled\n"
        "        for j 0..N\n"
        "    i from 4:\n"
        "      for i 0..6\n"
        "        for j 0..N\n");
}

TEST_CASE("regions: a throw in the lambda leaves the stage whole") {
  Scaled p;
  Schedule s{p.Y};
  const std::string text = s.text();
  CHECK_THROWS_AS(s.regions(p.j, {1},
                            [&](int) {
                              s.split(p.j, 4);
                              throw std::runtime_error("no");
                            }),
                  std::runtime_error);
  CHECK(s.text() == text);
  CHECK(std::string(s.trace()) == "");
  s.split(p.j, 4);
}

TEST_CASE("refusals: regions") {
  refused("regions.loop", [] { Sketch(made::matmul()).add(cut("k", {"4"})); });
  refused("regions.loop.split", [] { Sketch(made::matmul()).split("C", "i", {"8"}).add(cut("i.0", {"4"})); });
  refused("regions.loop.constant", [] {
    Sketch(made::matmul()).pack("C", "B", nullptr, {Memory::automatic, 0, true}).add(cut("i", {"4"}));
  });
  refused("regions.loop.recurrence", [] {
    Tensor<float, 2> X{"X", {100, 20}}, C{"C"};
    Scan t{"t"};
    Index r{"r"};
    C(t, r) = scan(t, 0, C(t - 1, r) + X(t, r));
    Sketch(made::staged({C})).add(cut("r", {"4"}));
  });
  refused("regions.place", [] { Sketch(made::matmul()).add(cut("i", {"Q"})); });
  refused("regions.cut", [] { Sketch(made::matmul()).add(cut("i", {"8"})).unroll("C", "i"); });
  refused("regions.cut.inline", [] { Sketch(made::epilogue()).add(cut("i", {"8"})).inline_("E"); });
  refused("regions.cut.constant", [] {
    nest::Directive pack = made::directive("pack", "C", {}, 21);
    pack.tensor = "B";
    pack.pack.constant = true;
    Sketch(made::matmul()).add(cut("i", {"8"})).add(in_region(1, pack));
  });
  refused("regions.cut.align", [] {
    nest::Directive align = made::directive("align", "C", {}, 21);
    align.tensor = "A";
    align.factors = {"64"};
    Sketch(made::matmul()).add(cut("i", {"8"})).add(in_region(1, align));
  });
  refused("regions.region",
          [] { Sketch(made::matmul()).add(cut("i", {"8"})).add(in_region(2, made::directive("unroll", "C", {"i"}, 21))); });
  refused("regions.open", [] {
    Scaled p;
    Schedule s{p.Y, {"gemm.cpp", 9}};
    s.regions(p.j, {1}, [&](int) { s.specialize(p.M == 3, [] {}, {"gemm.cpp", 11}); }, {"gemm.cpp", 10});
  });
}
