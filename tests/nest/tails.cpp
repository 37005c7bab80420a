#include <numeric>
#include "nest/golden.hpp"
#include "nest/made.hpp"
#include "ordo/ir/simplify.hpp"
#include "ordo/nest/schedule.hpp"
#include "ordo/trace.hpp"

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

TEST_CASE("cover: so many tiles of both factors") {
  CHECK(Sketch(made::fixed_matmul()).split("C", "i", {"6", "5"}, Tail::cover).split("C", "k", {"9", "7"}, Tail::cover).text() ==
        "C:\n"
        "  for i.0 0..11\n"
        "    for i.1 0..6, tail cover of 6 and 5\n"
        "      for j 0..48\n"
        "        for k.0 0..4, ordered\n"
        "          for k.1 0..9, ordered, tail cover of 9 and 7\n");
}
TEST_CASE("cover: tiles fill the extent where it can be, with as few of the second factor as that takes") {
  ir::Arena arena;
  const ir::Ref n = arena.make(ir::Op::Dim, Type::i64, nullptr, 0, 0, "N");
  for (const auto& [f, s] : {std::pair<i64, i64>{6, 5}, {2, 1}, {48, 32}, {8, 3}, {16, 4}, {15, 10}}) {
    const nest::Tiles parametric = nest::tiles(arena, n, f, s);
    for (i64 e = 0; e < 300; ++e) {
      const nest::Tiles fixed = nest::tiles(arena, arena.integer(e), f, s);
      const i64 a = static_cast<i64>(fixed.first->arg), b = static_cast<i64>(fixed.second->arg);
      CHECK(ir::evaluate(parametric.first, &e) == a);
      CHECK(ir::evaluate(parametric.second, &e) == b);
      i64 fewest = -1;
      const i64 g = std::gcd(f, s), whole = (e + g - 1) / g * g;
      for (i64 k = 0; k * s <= whole && fewest < 0; ++k)
        if ((whole - k * s) % f == 0) fewest = k;
      CHECK(a * f + b * s >= e);
      if (fewest >= 0) CHECK(b == fewest);
      if (fewest >= 0) CHECK(a * f + b * s == whole);
      else CHECK(a * f + b * s < e + s);
    }
  }
}
TEST_CASE("cover: typed, and in a trace") {
  Tensor<float, 1> X{"X", {127}}, Y{"Y"};
  Index i{"i"};
  Y(i) = X(i) * 2;
  Schedule s{Y};
  auto [io, ii] = s.split(i, Cover{6, 5});
  s.unroll(ii).parallel(io);
  CHECK(std::string(s.text()) == "Y:\n  for i.0 0..22, parallel\n    for i.1 0..6, unrolled, tail cover of 6 and 5\n");
  CHECK(std::string(s.trace()) == "auto [i0, i1] = s[Y].split(i, Cover{6, 5});\ns[Y].unroll(i1);\ns[Y].parallel(i0);\n");
  const std::string json = trace_json(s);
  CHECK(json.find("\"tail\": \"cover\"") != std::string::npos);
  CHECK(print(trace_from_json(json.c_str())) == s.trace());
}

TEST_CASE("refusals: cover") {
  refused("split.cover", [] { Sketch(made::matmul()).split("C", "i", {"5", "6"}, Tail::cover); });
  refused("split.cover.one", [] { Sketch(made::matmul()).split("C", "i", {"6"}, Tail::cover); });
  refused("split.cover.dim", [] { Sketch(made::matmul()).split("C", "i", {"N + 1", "1"}, Tail::cover); });
  refused("split.cover.time", [] { Sketch(running()).split("S", "t", {"7", "6"}, Tail::cover); });
  refused("split.cover.part", [] { Sketch(made::rows()).split("S", "l.lane", {"7", "6"}, Tail::cover); });
  refused("split.cover.loops", [] {
    Tensor<float, 1> X{"X", {127}}, Y{"Y"};
    Index i{"i"};
    Y(i) = X(i) * 2;
    Schedule s{Y, {"gemm.cpp", 9}};
    s.split(i, {6, 5}, Tail::cover, {"gemm.cpp", 10});
  });
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
