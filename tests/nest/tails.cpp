#include "nest/golden.hpp"
#include "nest/made.hpp"

using namespace ordo;
using golden::refused;
using made::Sketch;

namespace {
ir::Program scaled() {
  Dim N{"N"};
  Tensor<float, 1> X{"X", {N}}, Y{"Y"};
  Index i{"i"};
  Y(i) = X(i) * 2;
  return made::staged({Y});
}
ir::Program running() {
  Tensor<float, 2> X{"X", {100, 20}}, S{"S"};
  Scan t{"t"};
  Index r{"r"};
  S(t, r) = scan(t, 0, S(t - 1, r) + X(t, r));
  return made::staged({S});
}
}  // namespace

TEST_CASE("shift_in: shown at the inner part") {
  Sketch s(scaled());
  s.split("Y", "i", {"16"}, Tail::shift_in).vectorize("Y", "i.1");
  CHECK(s.text() == "Y:\n  for i.0 0..(N + 15) / 16\n    for i.1 0..16, vectorized, tail shift_in\n");
  CHECK(print(s.trace) == "auto [i0, i1] = s[Y].split(i, 16, Tail::shift_in);\ns[Y].vectorize(i1);\n");
}

TEST_CASE("shift_in: a tile of a matrix product that takes all of k") {
  CHECK(Sketch(made::fixed_matmul())
            .split("C", "i", {"6"}, Tail::shift_in)
            .reorder("C", {"i.0", "j", "k", "i.1"})
            .unroll("C", "i.1")
            .parallel("C", "i.0")
            .text() ==
        "C:\n"
        "  for i.0 0..11, parallel\n"
        "    for j 0..48\n"
        "      for k 0..32, ordered\n"
        "        for i.1 0..6, unrolled, tail shift_in\n");
}

TEST_CASE("refusals: shift_in") {
  refused("split.shift_in", [] { Sketch(made::matmul()).split("C", "k", {"7"}, Tail::shift_in); });
  refused("split.shift_in.recurrence", [] { Sketch(running()).split("S", "r", {"7"}, Tail::shift_in); });
  refused("split.shifted", [] { Sketch(made::matmul()).split("C", "i", {"7"}, Tail::shift_in).reorder("C", {"k", "i.0", "j", "i.1"}); });
  refused("split.shifted.split", [] { Sketch(made::matmul()).reorder("C", {"k", "i", "j"}).split("C", "j", {"8"}, Tail::shift_in); });
  refused("split.shifted.parallel", [] {
    Sketch(made::matmul()).split("C", "i", {"7"}, Tail::shift_in).reorder("C", {"i.0", "k", "i.1", "j"}).parallel("C", "i.0");
  });
}
