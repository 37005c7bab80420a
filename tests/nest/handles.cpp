// Handles of the typed front on the directives: what they name, and what is said when they are stale or strange.
#include <doctest/doctest.h>
#include "nest/golden.hpp"
#include "nest/made.hpp"
#include "ordo/nest/schedule.hpp"

using namespace ordo;

namespace {
struct Product {
  Dim N{"N"}, K{"K"};
  Tensor<float, 2> A{"A", {64, K}}, B{"B", {K, N}}, C{"C"};
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  Product() { C(i, j) = sum(k, A(i, k) * B(k, j)); }
};
Where line(int n) { return {"user.cpp", n}; }
}  // namespace

TEST_CASE("handles: a schedule through typed handles") {
  Product p;
  Schedule s{p.C};
  auto [io, ii] = s.split(p.i, 8);
  auto [j0, j1, j2] = s.split(p.j, {384, 48}, Tail::peel);
  s.reorder(j0, io, j1, p.k, ii, j2).vectorize(j2).unroll(ii).parallel(io);
  Stage b = s.pack(p.B, j0, {.memory = Memory::heap, .pad = 1});
  nest::parallel(b.handle(), p.k.node, 1, {});
  CHECK(std::string(s.text()) ==
        "C:\n"
        "  for j.0 0..(N + 383) / 384\n"
        "    B.pack[j.1 0..8, k 0..K parallel, j.2 0..48 vectorized] = B, heap, pad 1\n"
        "    for i.0 0..8, parallel\n"
        "      for j.1 0..8, tail peel\n"
        "        for k 0..K, ordered\n"
        "          for i.1 0..8, unrolled\n"
        "            for j.2 0..48, vectorized, tail peel\n");
  CHECK(std::string(s.trace()) ==
        "auto [i0, i1] = s[C].split(i, 8);\n"
        "auto [j0, j1, j2] = s[C].split(j, {384, 48}, Tail::peel);\n"
        "s[C].reorder(j0, i0, j1, k, i1, j2);\n"
        "s[C].vectorize(j2);\n"
        "s[C].unroll(i1);\n"
        "s[C].parallel(i0);\n"
        "auto C_B_pack = s[C].pack(B, j0, {.memory = Memory::heap, .pad = 1});\n"
        "C_B_pack.parallel(k);\n");
  nest::verify(nest::nest_of(s.body()));
}

TEST_CASE("handles: components, fusions and symbolic factors") {
  Dim N{"N"};
  Tensor<float, 2> X{"X", {N, 1000}};
  Tensor<float, 1> Y{"Y"};
  Index i{"i"};
  Lanes<16> l{"l"};
  Y(i) = sum(l, X(i, l));
  Schedule s{Y};
  auto [l0, l1] = s.split(l.step(), 4);
  (void)l0;
  s.unroll(l1);
  auto [i0, i1] = s.split(i, N / 8 + 1);
  auto both = s.fuse(i0, i1);
  s.parallel(both);
  s.unroll(l.lane());
  CHECK(std::string(s.text()) ==
        "Y:\n"
        "  for i.0*i.1 0..N / 8 * floor_div(N + N / 8, N / 8 + 1) + floor_div(N + N / 8, N / 8 + 1), parallel, tail mask\n"
        "    for l.step.0 0..16, ordered\n"
        "      for l.step.1 0..4, ordered, unrolled, tail mask\n"
        "        for l.lane 0..16, reduction, unrolled\n");
}

TEST_CASE("handles: the extent of an axis is a factor where it is known to be at least one") {
  Product p;
  Schedule s{p.C};
  auto [i0, i1] = s.split(p.i, p.j.extent() + 1);
  (void)i0;
  (void)i1;
  CHECK(std::string(s.trace()) == "auto [i0, i1] = s[C].split(i, N + 1);\n");
}

TEST_CASE("handles: what is stale or strange is named") {
  Product p, other;
  Schedule s{p.C}, t{other.C};
  ir::Ref made[2];
  const ir::Ref eight = lang::as<i64>(8, Where{}).node;
  nest::split(s.handle(), p.i.node, &eight, 1, Tail::mask, made, line(18));
  golden::refused("schedule.consumed.handle", [&] { nest::parallel(s.handle(), p.i.node, 1, line(20)); });
  nest::split(s.handle(), made[0], &eight, 1, Tail::mask, made, line(21));
  golden::refused("schedule.loop.axis", [&] { nest::unroll(s.handle(), other.i.node, line(22)); });
  golden::refused("schedule.loop.other_schedule", [&] { nest::unroll(t.handle(), made[0], line(23)); });
  golden::refused("schedule.loop.empty", [&] { nest::unroll(s.handle(), nullptr, line(24)); });
  golden::refused("schedule.stage.input", [&] { nest::stage_of(s.body(), p.A.node, line(25)); });
  golden::refused("schedule.stage.tensor", [&] { nest::stage_of(s.body(), other.C.node, line(26)); });
  golden::refused("schedule.stage.unknown", [&] { nest::stage_named(s.body(), "C.sum", line(27)); });
  golden::refused("pack.tensor.raw", [&] { nest::pack(s.handle(), other.B.node, p.j.node, {}, line(28)); });
  golden::refused("split.factor.raw", [&] { nest::split(s.handle(), p.j.node, &other.N.node, 1, Tail::mask, made, line(29)); });
  const ir::Ref data = (cast<i64>(p.A(0, 0)) + 1).node;
  golden::refused("split.factor.data", [&] { nest::split(s.handle(), p.j.node, &data, 1, Tail::mask, made, line(30)); });
  CHECK(std::string(s.trace()) == "auto [i0, i1] = s[C].split(i, 8);\nauto [i00, i01] = s[C].split(i0, 8);\n");
  nest::verify(nest::nest_of(s.body()));
}

TEST_CASE("handles: a loop of one stage is none of another, and the axis that both have names each") {
  Dim N{"N"};
  Tensor<float, 2> X{"X", {N, N}}, Y{"Y"}, Z{"Z"};
  Index i{"i"}, j{"j"}, v{"v"};
  Y(i, v) = X(i, v) * 2;
  Z(i, j) = Y(i, j) + 1;
  Schedule s{Z};
  auto [i0, i1] = s[Y].split(i, 4);
  (void)i1;
  golden::refused("schedule.loop.stage", [&, i0 = i0] { nest::parallel(s.handle(), i0.node, 1, line(10)); });
  golden::refused("schedule.loop.left", [&] { nest::parallel(s.handle(), v.node, 1, line(11)); });
  s.parallel(i);
  CHECK(std::string(s.text()) ==
        "Y:\n  for i.0 0..(N + 3) / 4\n    for i.1 0..4, tail mask\n      for v 0..N\nZ:\n  for i 0..N, parallel\n    for j 0..N\n");
}

TEST_CASE("handles: the axis of an inlined reduction is a loop of its reader") {
  Product p;
  Tensor<float, 2> R{"R"};
  R(p.i, p.j) = maximum(p.C(p.i, p.j), 0);
  Schedule s{R};
  s[p.C].inline_();
  auto [k0, k1] = s.split(p.k, 64);
  s.unroll(k1);
  (void)k0;
  CHECK(std::string(s.text()) ==
        "C: inlined\n"
        "R:\n"
        "  for i 0..64\n"
        "    for j 0..N\n"
        "      for k.0 0..(K + 63) / 64, ordered\n"
        "        for k.1 0..64, ordered, unrolled, tail mask\n");
}

TEST_CASE("handles: a schedule lives as long as its copies") {
  Product p;
  const char* text = nullptr;
  {
    Schedule outer = [&] {
      Schedule s{p.C};
      s.parallel(p.i);
      return s;
    }();
    Schedule again = outer;
    again = outer;
    text = again.text();
    CHECK(std::string(text) == "C:\n  for i 0..64, parallel\n    for j 0..N\n      for k 0..K, ordered\n");
  }
}

TEST_CASE("handles: a size that no argument of the schedule's outputs binds is one of the program's others") {
  Dim N{"N"};
  Tensor<float, 1> A{"A", {2 * N}}, Y{"Y"};
  Index i{"i"};
  Y(i) = A(i) + 1;
  Schedule s{Y};
  s.split(i, N + 1);
  CHECK(std::string(s.text()) == "Y:\n  for i.0 0..floor_div(N * 3, N + 1)\n    for i.1 0..N + 1, tail mask\n");
  nest::verify(nest::nest_of(s.body()));
}
