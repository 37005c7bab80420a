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
nest::Directive when(const char* condition) {
  nest::Directive d;
  d.name = "specialize";
  d.when = condition;
  d.at = {"gemm.cpp", 20};
  return d;
}
nest::Directive split(const char* condition, const char* loop, const char* factor, Tail tail = Tail::mask) {
  nest::Directive d = made::directive("split", "C", {loop}, 21);
  d.factors = {factor};
  d.tail = tail;
  d.when = condition;
  return d;
}
}  // namespace

TEST_CASE("specialize: handles mean the copy inside the lambda, and the condition is a fact in it") {
  Scaled p;
  Schedule s{p.Y};
  auto [jo, ji] = s.split(p.j, 48);
  s.specialize(p.N % 48 == 0, [&] { s.vectorize(ji).parallel(p.i); });
  s.specialize(p.N == 96 && p.M >= 8, [&] {
    s.unroll(jo);
    s.split(p.i, 8, Tail::shift_in);
  });
  s.specialize(p.N == 20, [&] { s.split(ji, p.N, Tail::mask); });
  CHECK(std::string(s.text()) ==
        "Y:\n"
        "  for i 0..M\n"
        "    for j.0 0..(N + 47) / 48\n"
        "      for j.1 0..48, tail mask\n"
        "when N % 48 == 0:\n"
        "  Y:\n"
        "    for i 0..M, parallel\n"
        "      for j.0 0..N / 48\n"
        "        for j.1 0..48, vectorized\n"
        "when N == 96 && M >= 8:\n"
        "  Y:\n"
        "    for i.0 0..(maximum(M, 8) + 7) / 8\n"
        "      for i.1 0..8, tail shift_in\n"
        "        for j.0 0..2, unrolled\n"
        "          for j.1 0..48\n"
        "when N == 20:\n"
        "  Y:\n"
        "    for i 0..M\n"
        "      for j.0 0..1\n"
        "        for j.1.0 0..3, tail mask\n"
        "          for j.1.1 0..20, tail mask\n");
  CHECK(std::string(s.trace()) ==
        "auto [j0, j1] = s[Y].split(j, 48);\n"
        "s.specialize(N % 48 == 0, [&] {\n"
        "  s[Y].vectorize(j1);\n"
        "  s[Y].parallel(i);\n"
        "});\n"
        "s.specialize(N == 96 && M >= 8, [&] {\n"
        "  s[Y].unroll(j0);\n"
        "  auto [i0, i1] = s[Y].split(i, 8, Tail::shift_in);\n"
        "});\n"
        "s.specialize(N == 20, [&] {\n"
        "  auto [j10, j11] = s[Y].split(j1, N);\n"
        "});\n");
  made::goes_round(s, Schedule{p.Y});
}

TEST_CASE("specialize: a throw in the lambda leaves the schedule as it was") {
  Scaled p;
  Schedule s{p.Y};
  s.parallel(p.i);
  const std::string text = s.text(), trace = s.trace();
  CHECK_THROWS_AS(s.specialize(p.N == 4,
                               [&] {
                                 s.split(p.j, 2);
                                 throw std::runtime_error("no");
                               }),
                  std::runtime_error);
  CHECK(s.text() == text);
  CHECK(s.trace() == trace);
  s.specialize(p.N == 4, [&] { s.unroll(p.j); });
  s.vectorize(s.split(p.j, 8).b);  // the general one again
  CHECK(std::string(s.text()).find("when N == 4:\n  Y:\n    for i 0..M, parallel\n      for j 0..4, unrolled\n") != std::string::npos);
}

TEST_CASE("specialize: a trace that does not fit leaves the nest and its variants as they were") {
  nest::Nest nest = nest::make(made::matmul());
  nest::apply(nest, {when("N == 48"), split("N == 48", "j", "48", Tail::exact)});
  const std::string text = print(nest);
  CHECK_THROWS_AS(nest::apply(nest, {split("N == 48", "i", "8"), when("K >= 2"), split("K >= 2", "x", "2")}), Error);
  CHECK(print(nest) == text);
  CHECK_THROWS_AS(nest::apply(nest, {split("", "i", "8"), split("", "x", "2")}), Error);
  CHECK(print(nest) == text);
}

TEST_CASE("specialize: the first variant that fits is taken") {
  nest::Nest nest = nest::make(made::matmul());
  nest::apply(nest, {when("N == 48"), when("N % 16 == 0"), when("K > 100 && N <= 7")});
  const auto taken = [&](i64 n, i64 k) {
    i64 dims[2] = {};
    for (const ir::DimInfo& d : nest.program.dims) dims[d.node->arg] = std::string(d.name) == "N" ? n : k;
    const nest::Nest* fits = nest::fitting(nest, dims);
    return fits == nullptr ? std::string() : fits->special_for;
  };
  CHECK(taken(48, 1) == "N == 48");
  CHECK(taken(32, 1) == "N % 16 == 0");
  CHECK(taken(7, 101) == "K > 100 && N <= 7");
  CHECK(taken(7, 100) == "");
}

TEST_CASE("refusals: specialize") {
  refused("specialize.condition", [] { Sketch(made::matmul()).add(when("N 48")); });
  refused("specialize.condition.size", [] { Sketch(made::matmul()).add(when("N == Q")); });
  refused("specialize.condition.typed", [] {
    Scaled p;
    Schedule s{p.Y, {"gemm.cpp", 9}};
    s.specialize(p.N != 3, [] {}, {"gemm.cpp", 10});
  });
  refused("specialize.never", [] { Sketch(made::matmul()).add(when("N % 16 == 0 && N > 16 && N < 32")); });
  refused("specialize.twice", [] { Sketch(made::matmul()).add(when("N == 48")).add(when("N == 48")); });
  refused("specialize.nested", [] {
    Scaled p;
    Schedule s{p.Y, {"gemm.cpp", 9}};
    s.specialize(p.N == 3, [&] { s.specialize(p.M == 3, [] {}, {"gemm.cpp", 11}); }, {"gemm.cpp", 10});
  });
  refused("specialize.unknown", [] { Sketch(made::matmul()).add(when("N == 48")).add(split("N == 47", "j", "3")); });
  refused("split.tail.special", [] { Sketch(made::matmul()).add(when("N == 48")).add(split("N == 48", "j", "7", Tail::exact)); });
  refused("schedule.copy.special", [] {
    Scaled p;
    Schedule s{p.Y, {"gemm.cpp", 9}};
    const nest::StageHandle* copy = nullptr;
    s.specialize(p.N == 30, [&] { copy = s.pack(p.X, p.i, {}, {"gemm.cpp", 11}).handle(); }, {"gemm.cpp", 10});
    nest::parallel(copy, p.j.node, 1, {"gemm.cpp", 12});
  });
}
