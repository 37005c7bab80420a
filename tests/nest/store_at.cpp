#include <doctest/doctest.h>
#include "nest/golden.hpp"
#include "nest/made.hpp"
#include "ordo/trace.hpp"

namespace {
using namespace ordo;
using golden::refused;
using made::Sketch;

// by in strips of 8 rows, bx in each row of a strip.
Sketch strips() {
  Sketch s(made::stencil());
  s.split("by", "v", {"8"}).compute_at("bx", "by", "v.1");
  return s;
}
// Y(i) = T(2i) + T(2i + 1) + T(2i + 2), and Z reads rows of T that lie apart.
ir::Program strided(i64 by, i64 apart) {
  Dim N{"N"};
  Tensor<float, 1> X{"X", {N * by + 2 * apart}}, T{"T"}, Y{"Y"};
  Index t{"t", N * by + 2 * apart}, i{"i", N};
  T(t) = X(t) * 2;
  Y(i) = T(by * i) + T(by * i + apart) + T(by * i + 2 * apart);
  return made::staged({Y});
}
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }
// Y(i) = T(i, i) + T(i, i + 1)
ir::Program diagonal() {
  Dim N{"N"};
  Tensor<float, 2> X{"X", {N, N + 1}}, T{"T"};
  Tensor<float, 1> Y{"Y"};
  Index a{"a", N}, b{"b", N + 1}, i{"i", N};
  T(a, b) = X(a, b) * 2;
  Y(i) = T(i, i) + T(i, i + 1);
  return made::staged({Y});
}
}  // namespace

TEST_CASE("store_at: a turn computes what no turn before it has, its loops run over that") {
  CHECK(strips().store_at("bx", "by", "v.0").text() ==
        "bx: in each turn of by/v.1, stored in each turn of by/v.0, [v.0 * 8 + v.1 + 0..3 (1 new), 0..W - 2]\n"
        "  for y 0..1\n    for x 0..W - 2\n"
        "by:\n  for v.0 0..(H + 5) / 8\n    for v.1 0..8, tail mask\n      for x 0..W - 2\n");
}
TEST_CASE("store_at: around all of its host, the window goes on from strip to strip") {
  CHECK(first_line(strips().store_at("bx", "by").text()) ==
        "bx: in each turn of by/v.1, stored around all of by, [v.0 * 8 + v.1 + 0..3 (1 new), 0..W - 2]");
}
TEST_CASE("fold_storage: a ring of the last rows") {
  CHECK(first_line(strips().store_at("bx", "by", "v.0").fold_storage("bx", "y").text()) ==
        "bx: in each turn of by/v.1, stored in each turn of by/v.0, [v.0 * 8 + v.1 + 0..3 (1 new, ring of 4), 0..W - 2]");
  CHECK(first_line(strips().store_at("bx", "by").fold_storage("bx", "y", "3").text()).find("(1 new, ring of 3)") != std::string::npos);
}
TEST_CASE("store_at: strided and dilated windows") {
  const auto text = [](i64 by, i64 apart) {
    return first_line(Sketch(strided(by, apart)).compute_at("T", "Y", "i").store_at("T", "Y").fold_storage("T", "t").text());
  };
  CHECK(text(1, 2) == "T: in each turn of Y/i, stored around all of Y, [i + 0..5 (1 new, ring of 8)]");
  CHECK(text(2, 1) == "T: in each turn of Y/i, stored around all of Y, [i * 2 + 0..3 (2 new, ring of 4)]");
  CHECK(text(3, 2) == "T: in each turn of Y/i, stored around all of Y, [i * 3 + 0..5 (3 new, ring of 8)]");
}
TEST_CASE("store_at: stages slide along one after the other") {
  Dim N{"N"};
  Tensor<float, 1> X{"X", {N + 8}}, A{"A"}, B{"B"}, C{"C"};
  Index a{"a", N + 8}, b{"b", N + 4}, c{"c", N};
  A(a) = X(a) * 2;
  B(b) = A(b) + A(b + 4);
  C(c) = B(c) + B(c + 2);
  Sketch s(made::staged({C}));
  s.compute_at("B", "C", "c").store_at("B", "C").compute_at("A", "C", "c").store_at("A", "C").fold_storage("A", "a").fold_storage("B", "b");
  CHECK(s.text().find("A: in each turn of C/c, stored around all of C, [c + 0..7 (1 new, ring of 8)]\n") == 0);
  CHECK(s.text().find("B: in each turn of C/c, stored around all of C, [c + 0..3 (1 new, ring of 4)]\n") != std::string::npos);
}
TEST_CASE("store_at: compute_root undoes it") {
  Sketch plain(made::stencil());
  plain.split("by", "v", {"8"});
  CHECK(strips().store_at("bx", "by", "v.0").fold_storage("bx", "y").compute_root("bx").text() == plain.text());
}
TEST_CASE("store_at: its trace prints, goes through JSON and replays") {
  Sketch s = strips();
  s.store_at("bx", "by", "v.0").fold_storage("bx", "y", "5").split("bx", "x", {"8"}).vectorize("bx", "x.1").parallel("by", "v.0");
  CHECK(nest::print(s.trace).find("s[bx].store_at(s[by], v0);\ns[bx].fold_storage(y, 5);\n") != std::string::npos);
  nest::Nest again = nest::make(made::stencil());
  nest::apply(again, trace_from_json(to_json(s.trace).c_str()));
  CHECK(print(again) == s.text());
  Sketch whole = strips();
  whole.store_at("bx", "by");
  CHECK(nest::print(whole.trace).find("s[bx].store_at(s[by]);\n") != std::string::npos);
}
TEST_CASE("refusals: store_at") {
  refused("store_at.stage", [] { Sketch(made::stencil()).store_at("bx", "by", "v"); });
  refused("store_at.stage.host", [] { strips().store_at("bx", "bx", "y"); });
  refused("store_at.stage.recurrence", [] {
    Dim N{"N"}, T{"T"};
    Tensor<float, 2> X{"X", {N, T}}, m{"m"}, Y{"Y"};
    Index i{"i"};
    Scan t{"t", T};
    Index u{"u", T};
    m(i, t) = scan(t, 0, maximum(m(i, t - 1), X(i, t)));
    Y(i, u) = m(i, u) * 2;
    Sketch(made::staged({Y})).compute_at("m", "Y", "i").store_at("m", "Y");
  });
  refused("store_at.twice", [] { strips().store_at("bx", "by", "v.0").store_at("bx", "by"); });
  refused("store_at.loop", [] { strips().store_at("bx", "by", "v.1"); });
  refused("store_at.loop.parallel", [] {
    Sketch(made::stencil()).split("by", "v", {"8"}).parallel("by", "v.0").compute_at("bx", "by", "v.1").store_at("bx", "by");
  });
  refused("store_at.window", [] { Sketch(made::epilogue()).compute_at("E", "C", "i").store_at("E", "C"); });
  refused("store_at.window.diagonal", [] { Sketch(diagonal()).compute_at("T", "Y", "i").store_at("T", "Y"); });
  refused("store_at.window.fused", [] { Sketch(made::stencil()).fuse("by", "v", "x").compute_at("bx", "by", "v*x").store_at("bx", "by"); });
  refused("store_at.placed", [] { strips().store_at("bx", "by").parallel("by", "v.0"); });
  refused("store_at.placed.order", [] { strips().store_at("bx", "by", "v.0").reorder("by", {"v.1", "v.0"}); });
  refused("compute_at.loop.stored", [] {
    Sketch s = strips();
    s.split("bx", "y", {"2"}).store_at("bx", "by", "v.0");
  });
}
TEST_CASE("refusals: fold_storage") {
  refused("fold_storage.stage", [] { strips().fold_storage("bx", "y"); });
  refused("fold_storage.twice", [] { strips().store_at("bx", "by").fold_storage("bx", "y").fold_storage("bx", "y", "8"); });
  refused("fold_storage.loop", [] { strips().store_at("bx", "by").fold_storage("bx", "x"); });
  refused("fold_storage.loop.part", [] { strips().store_at("bx", "by").split("bx", "x", {"8"}).fold_storage("bx", "x.1"); });
  refused("fold_storage.loop.between", [] {
    Sketch s(made::stencil());
    s.split("by", "v", {"8"}).split("by", "x", {"32"}).reorder("by", {"v.0", "x.0", "v.1", "x.1"});
    s.compute_at("bx", "by", "v.1").store_at("bx", "by").fold_storage("bx", "y");
  });
  refused("fold_storage.size", [] { strips().store_at("bx", "by").fold_storage("bx", "y", "2"); });
  refused("fold_storage.size.most", [] { strips().store_at("bx", "by").fold_storage("bx", "y", "72057594037927936"); });
  refused("fold_storage.size.dim", [] { strips().store_at("bx", "by").fold_storage("bx", "y", "H"); });
}
