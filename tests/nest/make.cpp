#include <doctest/doctest.h>
#include "nest/made.hpp"

using namespace ordo;

TEST_CASE("make: left axes in order, then the axes of the reduction in list order") {
  Tensor<float, 4> X{"X", {2, 3, 4, 5}};
  Tensor<float, 2> Y{"Y"};
  Index i{"i"}, j{"j"};
  Chain r{"r"}, c{"c"};
  Y(j, i) = sum({c, r}, X(i, r, c, j));
  const nest::Nest nest = nest::make(made::staged({Y}));
  nest::verify(nest);
  CHECK(print(nest) ==
        "Y:\n"
        "  for j 0..5\n"
        "    for i 0..2\n"
        "      for c 0..4, ordered\n"
        "        for r 0..3, ordered\n");
}

TEST_CASE("make: an axis with a declared order stands as its components") {
  Tensor<float, 3> X{"X", {8, 100, 3000}};
  Tensor<float, 1> Y{"Y"};
  Index i{"i"};
  Lanes<16> l{"l"};
  Blocks<1024, Lanes<8>> b{"b"};
  Y(i) = sum({l, b}, X(i, l, b));
  const nest::Nest nest = nest::make(made::staged({Y}));
  nest::verify(nest);
  CHECK(print(nest) ==
        "Y:\n"
        "  for i 0..8\n"
        "    for l.step 0..7, ordered\n"
        "      for l.lane 0..16, reduction\n"
        "        for b.block 0..3, reduction\n"
        "          for b.step 0..128, ordered\n"
        "            for b.lane 0..8, reduction\n");
}

TEST_CASE("make: a reduction whose order is free has free loops") {
  Tensor<float, 2> X{"X", {8, 100}};
  Tensor<float, 1> Y{"Y"};
  Index i{"i"};
  Chain k{"k"};
  Y(i) = max(k, X(i, k));
  CHECK(print(nest::make(made::staged({Y}))) == "Y:\n  for i 0..8\n    for k 0..100, reduction\n");
}

TEST_CASE("make: a recurrence that reads other places runs its time outside") {
  Tensor<float, 2> X{"X", {10, 100}}, Y{"Y"}, Z{"Z"};
  Index i{"i"};
  Scan t{"t"};
  Y(i, t) = scan(t, 0, Y(i, t - 1) + X(i, t));
  CHECK(print(nest::make(made::staged({Y}))) == "Y:\n  for i 0..10\n    for t 0..100, ordered\n");
  Index p{"p", 10};
  Z(p, t) = scan(t, 0, select(p > 0, Z(p - 1, t - 1), X(p, t)));
  CHECK(print(nest::make(made::staged({Z}))) == "Z:\n  for t 0..100, ordered\n    for p 0..10\n");
}

TEST_CASE("make: loops of one name and stages of one name are told apart") {
  Tensor<float, 2> X{"X", {4, 5}}, Y{"T"}, Z{"T"};
  Index i{"i"}, j{"i"};
  Y(i, j) = X(i, j) * 2;
  Z(i, j) = Y(i, j) + 1;
  const nest::Nest nest = nest::make(made::staged({Y, Z}));
  nest::verify(nest);
  CHECK(print(nest) == "T:\n  for i 0..4\n    for i_2 0..5\nT_2:\n  for i 0..4\n    for i_2 0..5\n");
}

TEST_CASE("make: a scalar has no loops") {
  Scalar<float> a{"a"};
  Tensor<float, 0> Y{"Y"};
  Y() = a * 2;
  CHECK(print(nest::make(made::staged({Y}))) == "Y:\n  once\n");
}

TEST_CASE("make: a copy of a nest is equal and stands on its own") {
  made::Sketch s(made::epilogue());
  s.inline_("D").split("E", "j", {"48"}).reorder("E", {"i", "j.0", "k", "j.1"}).vectorize("E", "j.1").pack("E", "B", "j.0");
  nest::Nest copy = nest::copy(s.nest);
  nest::verify(copy);
  CHECK(print(copy) == s.text());
  nest::apply(copy, made::directive("parallel", "E", {"i"}, 1));
  nest::verify(copy);
  CHECK(print(copy) != s.text());
}
