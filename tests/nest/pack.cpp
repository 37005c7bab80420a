#include <doctest/doctest.h>
#include "nest/made.hpp"

using namespace ordo;
using made::Sketch;

TEST_CASE("pack: copies what is read inside a loop, in the order of the loops that index it") {
  Sketch s(made::matmul());
  s.split("C", "i", {"8"}).split("C", "j", {"48"}).reorder("C", {"j.0", "i.0", "k", "i.1", "j.1"});
  s.pack("C", "B", "j.0", {Memory::heap, 1, false}).pack("C", "A", nullptr, {Memory::automatic, 0, true});
  CHECK(s.text() ==
        "C:\n"
        "  A.pack[i.0 0..8, k 0..K, i.1 0..8] = A, constant\n"
        "  for j.0 0..(N + 47) / 48\n"
        "    B.pack[k 0..K, j.1 0..48] = B, heap, pad 1\n"
        "    for i.0 0..8\n"
        "      for k 0..K, ordered\n"
        "        for i.1 0..8\n"
        "          for j.1 0..48, tail mask\n");
}

TEST_CASE("pack: the copy follows splits, reorders and fusions of its stage") {
  Sketch s(made::fixed_matmul());
  s.pack("C", "B", "i");
  CHECK(s.text() == "C:\n  for i 0..64\n    B.pack[j 0..48, k 0..32] = B\n    for j 0..48\n      for k 0..32, ordered\n");
  s.split("C", "j", {"8"}).reorder("C", {"j.0", "k", "j.1"});
  CHECK(s.text() ==
        "C:\n"
        "  for i 0..64\n"
        "    B.pack[j.0 0..6, k 0..32, j.1 0..8] = B\n"
        "    for j.0 0..6\n"
        "      for k 0..32, ordered\n"
        "        for j.1 0..8\n");
  s.vectorize("C", "j.1");
  CHECK(s.text().find("B.pack[j.0 0..6, k 0..32, j.1 0..8 vectorized] = B\n") != std::string::npos);
}

TEST_CASE("pack: the loops of a copy have marks and an order of their own") {
  Sketch s(made::fixed_matmul());
  s.split("C", "j", {"8"}).reorder("C", {"j.0", "i", "k", "j.1"}).pack("C", "B", "j.0", {Memory::stack, 0, false}).pack("C", "A");
  s.reorder("C/B.pack", {"j.1", "k"}).vectorize("C/B.pack", "k").unroll("C/B.pack", "j.1").parallel("C/A.pack", "i");
  CHECK(s.text() ==
        "C:\n"
        "  A.pack[i 0..64 parallel, k 0..32] = A\n"
        "  for j.0 0..6\n"
        "    B.pack[j.1 0..8 unrolled, k 0..32 vectorized] = B, stack\n"
        "    for i 0..64\n"
        "      for k 0..32, ordered\n"
        "        for j.1 0..8\n");
}

TEST_CASE("pack: in the stage that a matrix product was inlined into") {
  Sketch s(made::epilogue());
  s.inline_("D").split("E", "j", {"48"}).reorder("E", {"j.0", "i", "k", "j.1"}).pack("E", "B", "j.0");
  CHECK(s.text() ==
        "D: inlined\n"
        "E:\n"
        "  for j.0 0..(N + 47) / 48\n"
        "    B.pack[k 0..K, j.1 0..48] = B\n"
        "    for i 0..64\n"
        "      for k 0..K, ordered\n"
        "        for j.1 0..48, tail mask\n"
        "C:\n"
        "  for i 0..64\n"
        "    for j 0..N\n");
}

TEST_CASE("pack: a guarded tensor whose reads cover it") {
  Tensor<float, 2> X{"X", {8, 8}}, F{"F", {3, 8}}, Y{"Y"};
  Index i{"i", 8}, j{"j"};
  Chain r{"r", 3};
  Y(i, j) = sum(r, X(i + r - 1, j) * F(r, j), i + r >= 1 && i + r < 9);
  Sketch s(made::staged({Y}));
  s.pack("Y", "F", "i");
  CHECK(s.text() == "Y:\n  for i 0..8\n    F.pack[j 0..8, r 0..3] = F\n    for j 0..8\n      for r 0..3, ordered\n");
}
