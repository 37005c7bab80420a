// Handles made while a variant or a region is written: where they mean something, and what an exception there leaves.
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <doctest/doctest.h>
#include "nest/golden.hpp"
#include "nest/made.hpp"
#include "ordo/nest/schedule.hpp"

using namespace ordo;
using golden::refused;

namespace {
struct Two {
  Dim N{"N"}, M{"M"};
  Tensor<float, 2> X{"X", {M, N}}, W{"W", {M, N}}, T{"T"}, Y{"Y"};
  Index i{"i", M}, j{"j", N}, a{"a", M}, b{"b", N};
  Two() {
    T(i, j) = X(i, j) * 2 + W(i, j);
    Y(a, b) = T(a, b) + X(a, b) * W(a, b);
  }
};
Where line(int n) { return {"user.cpp", n}; }
struct Thrown {};
template <class F> void undone(F f) { CHECK_THROWS_AS(f(), Thrown); }
}  // namespace

TEST_CASE("scopes: a copy of a region is none of another stage's region of that number") {
  Two p;
  Schedule s{p.Y, line(1)};
  const nest::StageHandle* x = nullptr;
  s.regions(p.a, {3}, [&](int r) {
    if (r != 0) return;
    x = s.pack(p.X, p.a).handle();
    CHECK(s.stage("Y/X.pack").handle() == x);
  });
  refused("schedule.copy.region", [&] { nest::parallel(x, p.b.node, 1, line(2)); });
  s[p.T].regions(p.i, {3}, [&](int r) {
    if (r != 0) return;
    CHECK_THROWS_AS(nest::parallel(x, p.b.node, 1, line(3)), Error);
    CHECK_THROWS_AS(s.stage("Y/X.pack"), Error);
  });
}

TEST_CASE("scopes: a copy that an exception undid stays gone when the same scope is opened again") {
  Two p;
  Schedule s{p.Y, line(1)};
  const nest::StageHandle* x = nullptr;
  undone([&] {
    s.specialize(p.N > 3, [&] {
      x = s.pack(p.X, p.a).handle();
      throw Thrown{};
    });
  });
  s.specialize(p.N > 3, [&] {
    CHECK_THROWS_AS(s.stage("Y/X.pack"), Error);
    const nest::StageHandle* const w = s.pack(p.W, p.a).handle();
    refused("schedule.copy.undone", [&] { nest::parallel(x, p.b.node, 1, line(2)); });
    CHECK(s.stage("Y/W.pack").handle() == w);
  });
  undone([&] {
    s.regions(p.a, {3}, [&](int) {
      x = s.pack(p.X, p.a).handle();
      throw Thrown{};
    });
  });
  s.regions(p.a, {3}, [&](int r) {
    CHECK_THROWS_AS(nest::parallel(x, p.b.node, 1, line(3)), Error);
    if (r == 0) s.pack(p.W, p.a);
    CHECK_THROWS_AS(nest::parallel(x, p.b.node, 1, line(3)), Error);
    CHECK_THROWS_AS(s.stage("Y/X.pack"), Error);
  });
}

TEST_CASE("scopes: an exception in a region undoes directives on other stages too") {
  Two p;
  Schedule s{p.Y, line(1)};
  s[p.T].parallel(p.i);
  const std::string text = s.text(), trace = s.trace();
  Loop<Free> tile;
  const nest::StageHandle* x = nullptr;
  for (const int last : {0, 1}) {
    undone([&] {
      s.regions(p.a, {3}, [&](int r) {
        if (r != last) return;
        tile = s[p.T].split(p.j, 4).a;
        x = s[p.T].pack(p.X, p.i).handle();
        s.split(p.b, 8);
        throw Thrown{};
      });
    });
    CHECK(s.text() == text);
    CHECK(s.trace() == trace);
  }
  const auto again = s[p.T].split(p.j, 8);
  refused("schedule.loop.undone", [&] { nest::unroll(s[p.T].handle(), tile.node, line(2)); });
  CHECK_THROWS_AS(nest::parallel(x, p.j.node, 1, line(3)), Error);
  s[p.T].vectorize(again.b);
  nest::verify(nest::nest_of(s.body()));
}

TEST_CASE("scopes: what a region makes of another stage is that stage's") {
  Two p;
  Schedule s{p.Y, line(1)};
  Loop<Free> tile;
  std::optional<Stage> x;
  s.regions(p.a, {3}, [&](int r) {
    if (r != 0) return;
    tile = s[p.T].split(p.j, 8).b;
    x = s[p.T].pack(p.X, p.i);
  });
  s[p.T].vectorize(tile);
  x->unroll(tile);
}

TEST_CASE("scopes: a loop of a variant or a region is none of another that has one of its name") {
  Two p;
  Schedule s{p.Y, line(1)};
  Loop<Free> general = s[p.T].split(p.j, 8).a, special, region;
  s.specialize(p.N >= 8, [&] {
    special = s.split(p.a, {8, 4}).c;
    s[p.T].unroll(s[p.T].split(general, 2).b);
    s.regions(p.b, {16}, [&](int r) {
      if (r == 0) {
        region = s.split(p.b, {32, 4}).b;
        return;
      }
      s.split(p.b, 5);
      refused("schedule.loop.region.special", [&] { nest::vectorize(s.handle(), region.node, line(2)); });
      s.unroll(special);
    });
  });
  s.split(p.a, {3, 2});
  refused("schedule.loop.special", [&] { nest::unroll(s.handle(), special.node, line(3)); });
  s.regions(p.b, {16}, [&](int r) {
    const Loop<Free> made = s.split(p.b, {32, 4}).b;
    if (r == 0) region = made;
    else refused("schedule.loop.region", [&] { nest::unroll(s.handle(), region.node, line(4)); });
  });
}

TEST_CASE("scopes: a lambda may assign or destroy the schedule that runs it") {
  Two p, q;
  Schedule t{q.Y};
  Schedule s{p.Y};
  s.specialize(p.N > 2, [&] { s = t; });
  CHECK(s.body() == t.body());
  Schedule u{p.Y};
  u.regions(p.a, {3}, [&](int r) {
    if (r == 0) u = t;
  });
  CHECK(u.body() == t.body());
  std::optional<Schedule> o;
  o.emplace(p.Y);
  o->specialize(p.N > 2, [&] { o.reset(); });
  o.emplace(p.Y);
  o->regions(p.a, {3}, [&](int) { o.reset(); });
  o.emplace(p.Y);
  undone([&] {
    o->regions(p.a, {3}, [&](int) {
      o.reset();
      throw Thrown{};
    });
  });
}

TEST_CASE("scopes: an integer that no trace holds is named") {
  Two p;
  Schedule s{p.Y, line(1)};
  refused("specialize.condition.large", [&] { s.specialize(p.N >= INT64_MIN, [] {}, line(2)); });
  refused("regions.place.large", [&] { s.regions(p.a, {INT64_MIN}, [](int) {}, line(3)); });
  refused("prefetch.distance.large", [&] { s.prefetch(p.X, p.a, INT64_MAX, line(4)); });
  CHECK(std::string(s.trace()).empty());
}
