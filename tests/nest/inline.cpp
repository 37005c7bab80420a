#include <doctest/doctest.h>
#include "nest/made.hpp"

using namespace ordo;
using made::Sketch;

TEST_CASE("inline_: an element-wise stage goes into any reader, also at several places") {
  CHECK(Sketch(made::stencil()).inline_("bx").text() == "bx: inlined\nby:\n  for v 0..H - 2\n    for x 0..W - 2\n");
}
TEST_CASE("inline_: a reduction takes its loops to its reader, and on") {
  Sketch s(made::epilogue());
  s.inline_("D").inline_("E");
  CHECK(s.text() == "D: inlined\nE: inlined\nC:\n  for i 0..64\n    for j 0..N\n      for k 0..K, ordered\n");
  s.split("C", "k", {"64"});
  CHECK(s.text() ==
        "D: inlined\nE: inlined\nC:\n  for i 0..64\n    for j 0..N\n      for k.0 0..(K + 63) / 64, ordered\n        for k.1 0..64, "
        "ordered, tail mask\n");
}
TEST_CASE("compute_root: undoes inline_") {
  Sketch s(made::epilogue());
  const std::string before = s.text();
  s.inline_("D").compute_root("D");
  CHECK(s.text() == before);
  s.inline_("D").inline_("E").compute_root("E").compute_root("D");
  CHECK(s.text() == before);
  s.compute_root("C");
  CHECK(s.text() == before);
}
TEST_CASE("compute_root: the loops come back from a reader that was scheduled otherwise") {
  Sketch s(made::epilogue());
  s.inline_("D").split("E", "i", {"8"}).reorder("E", {"k", "i.1"}).parallel("E", "i.0").compute_root("D");
  CHECK(s.text() ==
        "D:\n"
        "  for i 0..64\n"
        "    for j 0..N\n"
        "      for k 0..K, ordered\n"
        "E:\n"
        "  for i.0 0..8, parallel\n"
        "    for j 0..N\n"
        "      for i.1 0..8\n"
        "C:\n"
        "  for i 0..64\n"
        "    for j 0..N\n");
}
