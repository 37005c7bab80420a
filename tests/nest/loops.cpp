// fuse, reorder, unroll, vectorize, parallel: the nest after each.
#include <doctest/doctest.h>
#include "nest/made.hpp"

using namespace ordo;
using made::Sketch;

TEST_CASE("fuse: joins a loop with the one directly inside") {
  CHECK(Sketch(made::matmul()).fuse("C", "i", "j").text() == "C:\n  for i*j 0..N * 64\n    for k 0..K, ordered\n");
}
TEST_CASE("fuse: parts of a split keep their tails, ordered loops stay ordered") {
  CHECK(Sketch(made::matmul())
            .split("C", "k", {"16"})
            .split("C", "j", {"48"}, Tail::peel)
            .fuse("C", "k.0", "k.1")
            .fuse("C", "i", "j.0")
            .text() ==
        "C:\n"
        "  for i*j.0 0..(N + 47) / 48 * 64\n"
        "    for j.1 0..48, tail peel\n"
        "      for k.0*k.1 0..(K + 15) / 16 * 16, ordered, tail mask\n");
}

TEST_CASE("reorder: the listed loops take the places that they hold together") {
  CHECK(Sketch(made::matmul()).split("C", "i", {"8"}).reorder("C", {"k", "i.1"}).text() ==
        "C:\n"
        "  for i.0 0..8\n"
        "    for k 0..K, ordered\n"
        "      for j 0..N\n"
        "        for i.1 0..8\n");
}
TEST_CASE("reorder: free loops move past ordered ones, in a chain of blocks too") {
  CHECK(Sketch(made::matmul()).split("C", "k", {"64"}).reorder("C", {"k.0", "j", "k.1", "i"}).text() ==
        "C:\n"
        "  for k.0 0..(K + 63) / 64, ordered\n"
        "    for j 0..N\n"
        "      for k.1 0..64, ordered, tail mask\n"
        "        for i 0..64\n");
}
TEST_CASE("reorder: loops of a reduction whose order is free move freely") {
  Tensor<i32, 3> X{"X", {8, 10, 20}};
  Tensor<i32, 1> Y{"Y"};
  Index i{"i"};
  AnyOrder a{"a"}, b{"b"};
  Y(i) = sum({a, b}, X(i, a, b));
  CHECK(Sketch(made::staged({Y})).reorder("Y", {"b", "i", "a"}).text() ==
        "Y:\n  for b 0..20, reduction\n    for i 0..8\n      for a 0..10, reduction\n");
}

TEST_CASE("marks: a register tile") {
  Sketch s(made::matmul());
  s.split("C", "i", {"8"}).split("C", "j", {"48"}).reorder("C", {"i.0", "j.0", "k", "i.1", "j.1"});
  s.unroll("C", "i.1").vectorize("C", "j.1").parallel("C", "i.0");
  CHECK(s.text() ==
        "C:\n"
        "  for i.0 0..8, parallel\n"
        "    for j.0 0..(N + 47) / 48\n"
        "      for k 0..K, ordered\n"
        "        for i.1 0..8, unrolled\n"
        "          for j.1 0..48, vectorized, tail mask\n");
}
TEST_CASE("marks: an unrolled loop of a chain, and an unrolled loop inside a vectorized one") {
  Sketch s(made::fixed_matmul());
  s.split("C", "k", {"4"}).reorder("C", {"k.0", "i", "j", "k.1"}).unroll("C", "k.1").vectorize("C", "j");
  CHECK(s.text() ==
        "C:\n"
        "  for k.0 0..8, ordered\n"
        "    for i 0..64\n"
        "      for j 0..48, vectorized\n"
        "        for k.1 0..4, ordered, unrolled\n");
}
TEST_CASE("marks: a parallel loop may run inside a reduction's") {
  CHECK(Sketch(made::matmul()).reorder("C", {"k", "i"}).parallel("C", "i").text() ==
        "C:\n  for k 0..K, ordered\n    for j 0..N\n      for i 0..64, parallel\n");
}
