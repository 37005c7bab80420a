// Every refusal with its whole text; those of pack, inline_ and compute_root are in refusals_place.cpp, those of JSON in trace_json.cpp.
#include <algorithm>
#include <cctype>
#include <set>
#include "nest/golden.hpp"
#include "nest/made.hpp"

namespace {
using namespace ordo;
using golden::refused;
using made::Sketch;

// C is vectorized over j.1 with i.1 unrolled around it, and copies B.
Sketch gemm() {
  Sketch s(made::matmul());
  s.split("C", "i", {"8"}).split("C", "j", {"48"}).reorder("C", {"i.0", "j.0", "k", "i.1", "j.1"}).vectorize("C", "j.1").unroll("C", "i.1");
  s.pack("C", "B", "j.0");
  return s;
}
Sketch matmul() { return Sketch(made::matmul()); }
Sketch epilogue() { return Sketch(made::epilogue()); }
}  // namespace

TEST_CASE("refusals: a directive that no loop or stage fits") {
  refused("schedule.stage", [] { matmul().unroll("D", "i"); });
  refused("schedule.stage.near", [] { Sketch(made::stencil()).unroll("bz", "y"); });
  refused("schedule.stage.copy", [] { gemm().unroll("C/A.pack", "k"); });
  refused("schedule.directive", [] { matmul().add(made::directive("unrol", "C", {"i"}, 10)); });
  refused("schedule.arguments", [] { matmul().add(made::directive("split", "C", {"i", "j"}, 10)); });
  refused("schedule.arguments.factors", [] { matmul().add(made::directive("split", "C", {"i"}, 10)); });
  refused("schedule.arguments.tensor", [] { matmul().add(made::directive("pack", "C", {"i"}, 10)); });
  refused("schedule.arguments.least", [] { matmul().add(made::directive("reorder", "C", {}, 10)); });
  const auto with = [](const char* name, std::vector<std::string> loops, std::vector<std::string> factors, const char* tensor) {
    nest::Directive d = made::directive(name, "C", std::move(loops), 10);
    d.factors = std::move(factors);
    d.tensor = tensor;
    matmul().add(d);
  };
  refused("schedule.arguments.none", [&] { with("reorder", {"i", "j"}, {"4"}, ""); });
  refused("schedule.arguments.none.root", [&] { with("compute_root", {}, {"4"}, ""); });
  refused("schedule.arguments.no_tensor", [&] { with("parallel", {"i"}, {}, "A"); });
  for (const char* name : {"unroll", "vectorize", "cache_write"}) CHECK_THROWS_AS(with(name, {"i"}, {"4"}, ""), Error);
  refused("schedule.loop", [] { matmul().unroll("C", "q"); });
  refused("schedule.loop.near", [] { gemm().unroll("C", "i.11"); });
  refused("schedule.consumed", [] { gemm().parallel("C", "i"); });
  refused("schedule.consumed.again", [] { gemm().split("C", "i.0", {"2"}).split("C", "i", {"2"}); });
  refused("schedule.consumed.fused", [] { matmul().fuse("C", "i", "j").parallel("C", "j"); });
  refused("schedule.consumed.several", [] { matmul().split("C", "j", {"64", "8"}).unroll("C", "j"); });
  refused("schedule.consumed.returned", [] { epilogue().inline_("E").compute_root("E").inline_("D").compute_root("D").unroll("E", "k"); });
  refused("schedule.component", [] {
    Tensor<float, 2> X{"X", {8, 100}};
    Tensor<float, 1> Y{"Y"};
    Index i{"i"};
    Lanes<16> l{"l"};
    Y(i) = sum(l, X(i, l));
    Sketch(made::staged({Y})).unroll("Y", "l");
  });
  refused("schedule.copy", [] { gemm().split("C/B.pack", "k", {"8"}); });
  refused("schedule.copy.loop", [] { gemm().parallel("C/B.pack", "i.0"); });
  refused("schedule.inlined", [] { epilogue().inline_("E").unroll("E", "i"); });
  refused("schedule.marked", [] { gemm().split("C", "i.1", {"2"}); });
  refused("schedule.marked.twice", [] { gemm().parallel("C", "i.0").unroll("C", "i.0"); });
  refused("schedule.marked.copy", [] { gemm().parallel("C/B.pack", "k").parallel("C/B.pack", "k"); });
}

TEST_CASE("refusals: a later directive would break an earlier one") {
  refused("schedule.vectorized", [] { gemm().reorder("C", {"j.1", "k"}); });
  refused("schedule.vectorized.inline", [] { epilogue().split("E", "j", {"8"}).vectorize("E", "j.1").inline_("D"); });
  refused("schedule.vectorized.copy", [] {
    Sketch s(made::fixed_matmul());
    s.split("C", "j", {"8"}).pack("C", "B", "i").vectorize("C/B.pack", "k").reorder("C", {"k", "j.1"});
  });
  refused("schedule.pack", [] { gemm().split("C", "j.0", {"4"}); });
  refused("schedule.pack.empty", [] { matmul().pack("C", "B", "i").reorder("C", {"j", "k", "i"}); });
  refused("schedule.pack.order", [] {
    matmul().split("C", "j", {"48"}).pack("C", "B", "j.0").reorder("C/B.pack", {"k", "j.1"}).reorder("C", {"j.1", "j.0"});
  });
  refused("schedule.pack.mark", [] { matmul().pack("C", "B", "i").parallel("C/B.pack", "j").split("C", "j", {"8"}); });
  refused("schedule.pack.reduction", [] {
    Tensor<float, 2> A{"A", {64, 32}}, D{"D", {64, 48}}, B{"B", {32, 48}}, C{"C"};
    Index i{"i"}, j{"j"};
    Chain k{"k"};
    C(i, j) = sum(k, A(i, k) * B(k, j)) + D(i, j);
    Sketch(made::staged({C})).pack("C", "D", "i").reorder("C", {"k", "i", "j"});
  });
}

TEST_CASE("refusals: split") {
  refused("split.tail", [] { matmul().split("C", "i", {"7"}, Tail::exact); });
  refused("split.tail.unknown", [] { matmul().split("C", "j", {"8"}, Tail::exact); });
  refused("split.tail.inner", [] { Sketch(made::fixed_matmul()).split("C", "j", {"24", "7"}, Tail::exact); });
  refused("split.extent", [] { matmul().split("C", "i", {"1073741824"}).split("C", "j", {"1073741824"}); });
  refused("split.factor", [] { matmul().split("C", "i", {"0"}); });
  refused("split.factor.dim", [] { matmul().split("C", "i", {"N"}); });
  refused("split.factor.negative", [] { matmul().split("C", "i", {"8", "-2"}); });
  refused("split.factor.large", [] { matmul().split("C", "i", {"4294967296"}); });
  refused("split.factor.name", [] { matmul().split("C", "i", {"M + 1"}); });
  refused("split.factor.text", [] { matmul().split("C", "i", {"8 8"}); });
  refused("split.factor.ends", [] { matmul().split("C", "i", {"maximum(N, "}); });
}

TEST_CASE("refusals: fuse and reorder") {
  refused("fuse.same", [] { matmul().fuse("C", "i", "i"); });
  refused("fuse.kind", [] { matmul().fuse("C", "j", "k"); });
  refused("fuse.kind.reduction", [] {
    Tensor<float, 2> X{"X", {8, 100}};
    Tensor<float, 1> Y{"Y"};
    Index i{"i"};
    AnyOrder l{"l"};
    Y(i) = max(l, X(i, l));
    Sketch(made::staged({Y})).fuse("Y", "i", "l");
  });
  refused("fuse.adjacent", [] { matmul().split("C", "i", {"8"}).fuse("C", "i.0", "j"); });
  refused("fuse.adjacent.reversed", [] { matmul().fuse("C", "j", "i"); });
  refused("fuse.extent", [] {
    Tensor<float, 2> X{"X", {i64{1} << 40, i64{1} << 40}}, Y{"Y"};
    Index i{"i"}, j{"j"};
    Y(i, j) = X(i, j) * 2;
    Sketch(made::staged({Y})).fuse("Y", "i", "j");
  });
  refused("reorder.ordered", [] { matmul().split("C", "k", {"8"}).reorder("C", {"k.1", "k.0"}); });
  refused("reorder.ordered.axes", [] {
    Tensor<float, 3> X{"X", {8, 3, 5}};
    Tensor<float, 1> Y{"Y"};
    Index i{"i"};
    Chain r{"r"}, c{"c"};
    Y(i) = sum({r, c}, X(i, r, c));
    Sketch(made::staged({Y})).reorder("Y", {"c", "r"});
  });
  refused("reorder.duplicate", [] { matmul().reorder("C", {"j", "i", "j"}); });
  refused("reorder.recurrence", [] {
    Tensor<float, 1> X{"X", {100}};
    Tensor<float, 2> B{"B"};
    Scan t{"t"};
    Index r{"r", 10};
    B(t, r) = scan(t, 0, select(r > 0, B(t - 1, r - 1), X(t)));
    Sketch(made::staged({B})).reorder("B", {"r", "t"});
  });
}

TEST_CASE("refusals: what a recurrence asks of its loops") {
  const auto sums = [] {  // Y(i, t): its elements go their own ways
    Tensor<float, 3> X{"X", {64, 100, 32}};
    Tensor<float, 2> Y{"Y"};
    Index i{"i"};
    Scan t{"t"};
    Lanes<8> k{"k"};
    Y(i, t) = scan(t, 0, Y(i, t - 1) + sum(k, X(i, t, k)));
    return Sketch(made::staged({Y}));
  };
  refused("recurrence.reduction", [&] { sums().reorder("Y", {"k.lane", "i", "t", "k.step"}); });
  refused("recurrence.vectorized", [&] {
    Tensor<float, 2> X{"X", {64, 100}}, Y{"Y"};
    Index i{"i"};
    Scan t{"t"};
    Y(i, t) = scan(t, 0, Y(i, t - 1) + X(i, t));
    Sketch(made::staged({Y}))
        .split("Y", "i", {"8"})
        .split("Y", "t", {"4"})
        .reorder("Y", {"i.0", "t.0", "i.1", "t.1"})
        .unroll("Y", "t.1")
        .vectorize("Y", "i.1");
  });
  const auto two = [] {
    Tensor<float, 2> X{"X", {100, 64}}, W{"W", {64, 64}}, G{"G"}, H{"H"};
    Index i{"i"};
    Scan t{"t"};
    Chain k{"k"};
    G(t, i) = sum(k, W(i, k) * H(t - 1, k)) + X(t, i);
    H(t, i) = scan(t, 0, maximum(Expr<float>(G(t, i)), 0));
    return Sketch(made::staged({H}));
  };
  refused("recurrence.together", [&] { two().split("G", "t", {"4"}); });
  refused("recurrence.together.order", [&] { two().reorder("H", {"i", "t"}); });
  refused("pack.tensor.recurrence", [&] { two().pack("G", "H"); });
  refused("pack.access.start", [] {
    Tensor<float, 2> Y{"Y"};
    Tensor<float, 1> S{"S", {64}};
    Index i{"i"};
    Scan t{"t", 100};
    Y(i, t) = scan(t, S(i), Y(i, t - 1) + S(i));
    Sketch(made::staged({Y})).pack("Y", "S");
  });
  refused("inline.reduction.start", [] {
    Tensor<float, 2> Y{"Y"}, D{"D"};
    Tensor<float, 3> X{"X", {64, 100, 8}};
    Index i{"i"}, j{"j"};
    Scan t{"t", 100};
    Chain k{"k"};
    D(i, j) = sum(k, X(i, j, k));
    Y(i, t) = scan(t, D(i, t), Y(i, t - 1) + 1);
    Sketch(made::staged({Y})).inline_("D");
  });
}

TEST_CASE("refusals: unroll, vectorize, parallel") {
  refused("unroll.extent", [] { matmul().unroll("C", "j"); });
  refused("unroll.extent.long", [] { matmul().split("C", "i", {"65"}).unroll("C", "i.1"); });
  refused("unroll.size", [] { Sketch(made::fixed_matmul()).unroll("C", "i").unroll("C", "j").unroll("C", "k"); });
  refused("unroll.size.copy", [] {
    Sketch(made::fixed_matmul())
        .split("C", "i", {"65"})
        .pack("C", "A")
        .split("C", "i.1", {"60"})
        .unroll("C/A.pack", "i.1.1")
        .unroll("C/A.pack", "k")
        .unroll("C/A.pack", "i.1.0")
        .pack("C", "B")
        .unroll("C/B.pack", "j")
        .split("C", "i.0", {"64"})
        .unroll("C/A.pack", "i.0.1");
  });
  refused("vectorize.extent", [] { matmul().reorder("C", {"k", "j"}).vectorize("C", "j"); });
  refused("vectorize.extent.none", [] {
    Tensor<float, 1> X{"X", {0}}, Y{"Y"};
    Index i{"i"};
    Y(i) = X(i) * 2;
    Sketch(made::staged({Y})).vectorize("Y", "i");
  });
  refused("vectorize.extent.copy", [] { matmul().pack("C", "B").vectorize("C/B.pack", "k"); });
  refused("vectorize.ordered", [] { matmul().vectorize("C", "k"); });
  refused("vectorize.ordered.scan", [] {
    Tensor<float, 1> X{"X", {100}}, Y{"Y"};
    Scan t{"t"};
    Y(t) = scan(t, 0, Y(t - 1) + X(t));
    Sketch(made::staged({Y})).vectorize("Y", "t");
  });
  refused("vectorize.inside", [] { matmul().split("C", "j", {"8"}).vectorize("C", "j.1"); });
  refused("vectorize.inside.copy", [] { Sketch(made::fixed_matmul()).pack("C", "B", "i").vectorize("C/B.pack", "j"); });
  refused("vectorize.twice", [] { Sketch(made::fixed_matmul()).reorder("C", {"k", "i", "j"}).vectorize("C", "j").vectorize("C", "i"); });
  refused("vectorize.twice.copy",
          [] { Sketch(made::fixed_matmul()).pack("C", "B").vectorize("C/B.pack", "k").vectorize("C/B.pack", "j"); });
  refused("parallel.ordered", [] { matmul().parallel("C", "k"); });
}

// A code in the sources of nest without a golden fails.
TEST_CASE("refusals: every code has a golden of its whole text") {
  const std::filesystem::path sources = std::filesystem::path(ORDO_TEST_SOURCES).parent_path() / "include" / "ordo" / "nest";
  std::set<std::string> codes, shown;
  for (const auto& file : std::filesystem::directory_iterator(sources)) {
    if (file.path().extension() != ".ipp") continue;
    std::string text = golden::read(file.path());
    for (std::size_t at = text.find("//"); at != std::string::npos; at = text.find("//", at)) text.erase(at, text.find('\n', at) - at);
    for (std::size_t from = text.find('"'); from != std::string::npos;) {
      const std::size_t end = text.find('"', from + 1);
      const std::string literal = text.substr(from + 1, end - from - 1);
      const std::size_t dot = literal.find('.');
      const auto word = [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; };
      if (dot != std::string::npos && dot > 0 && dot + 1 < literal.size() && std::all_of(literal.begin(), literal.end(), word))
        codes.insert(literal);
      from = end == std::string::npos ? end : text.find('"', end + 1);
    }
  }
  codes.erase("nest.verify");  // internal
  CHECK(codes.size() > 30);
  for (const auto& file : std::filesystem::directory_iterator(golden::folder)) shown.insert(file.path().stem().string());
  for (const std::string& code : codes) {
    INFO(code);
    CHECK(shown.count(code) == 1);
  }
  CHECK(shown.size() >= 60);
}
