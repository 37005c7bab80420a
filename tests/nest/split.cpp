#include <doctest/doctest.h>
#include "nest/made.hpp"

using namespace ordo;
using made::Sketch;

TEST_CASE("split: an extent that the factor divides has no tail") {
  CHECK(Sketch(made::matmul()).split("C", "i", {"8"}).text() ==
        "C:\n"
        "  for i.0 0..8\n"
        "    for i.1 0..8\n"
        "      for j 0..N\n"
        "        for k 0..K, ordered\n");
}

TEST_CASE("split: shows the tail when the factor does not divide") {
  CHECK(Sketch(made::matmul()).split("C", "i", {"7"}, Tail::guard).split("C", "j", {"48"}, Tail::peel).split("C", "k", {"256"}).text() ==
        "C:\n"
        "  for i.0 0..10\n"
        "    for i.1 0..7, tail guard\n"
        "      for j.0 0..(N + 47) / 48\n"
        "        for j.1 0..48, tail peel\n"
        "          for k.0 0..(K + 255) / 256, ordered\n"
        "            for k.1 0..256, ordered, tail mask\n");
}

TEST_CASE("split: each further factor cuts the inner part") {
  CHECK(Sketch(made::matmul()).split("C", "j", {"384", "48", "16"}).text() ==
        "C:\n"
        "  for i 0..64\n"
        "    for j.0 0..(N + 383) / 384\n"
        "      for j.1 0..8, tail mask\n"
        "        for j.2 0..3\n"
        "          for j.3 0..16\n"
        "            for k 0..K, ordered\n");
}

TEST_CASE("split: parts are split again, by any factor") {
  CHECK(Sketch(made::fixed_matmul()).split("C", "i", {"100"}).split("C", "i.1", {"7"}).split("C", "i.0", {"1"}).text() ==
        "C:\n"
        "  for i.0.0 0..1\n"
        "    for i.0.1 0..1\n"
        "      for i.1.0 0..15, tail mask\n"
        "        for i.1.1 0..7, tail mask\n"
        "          for j 0..48\n"
        "            for k 0..32, ordered\n");
}

TEST_CASE("split: exact tails of what is known to divide") {
  Dim N{"N"};
  Tensor<float, 1> S{"S", {N}}, X{"X", {8 * N}}, Y{"Y"};
  Index i{"i"};
  Y(i) = X(i) * S(0);
  CHECK(Sketch(made::staged({Y})).split("Y", "i", {"4"}, Tail::exact).text() == "Y:\n  for i.0 0..N * 2\n    for i.1 0..4, tail exact\n");
}

TEST_CASE("split: a symbolic factor that is at least one") {
  CHECK(Sketch(made::matmul()).split("C", "j", {"maximum(K, 1)"}).split("C", "i", {"K + 3"}, Tail::guard).text() ==
        "C:\n"
        "  for i.0 0..floor_div(K + 66, K + 3)\n"
        "    for i.1 0..K + 3, tail guard\n"
        "      for j.0 0..floor_div(N + maximum(K, 1) - 1, maximum(K, 1))\n"
        "        for j.1 0..maximum(K, 1), tail mask\n"
        "          for k 0..K, ordered\n");
}
