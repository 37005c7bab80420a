#include "ordo/nest/recipe.hpp"
#include "nest/golden.hpp"
#include "nest/made.hpp"

using namespace ordo;

namespace {
struct Product {
  Dim N{"N"}, K{"K"};
  Tensor<float, 2> A{"A", {64, K}}, B{"B", {K, N}}, C;
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  explicit Product(const char* name = "C") : C{name} { C(i, j) = sum(k, A(i, k) * B(k, j)); }
};
// A schedule for any product, as a template: the loops by their handles, whatever they are called.
template <class I, class J, class K>
void blocked(Stage s, I i, J j, K k, i64 rows, i64 columns) {
  auto [i0, i1] = s.split(i, rows);
  auto [j0, j1] = s.split(j, columns);
  s.reorder(j0, i0, k, i1, j1).unroll(i1).vectorize(j1);
}
Schedule scheduled(const Product& p, i64 rows = 8) {
  Schedule s{p.C};
  blocked(s, p.i, p.j, p.k, rows, 48);
  return s;
}
}  // namespace

TEST_CASE("recipe: what one schedule did is done to another, after what that has") {
  const Product p, q;
  const Recipe blocks = recipe("blocks", scheduled(p));
  Schedule t{q.C}, panel{p.C};
  panel.pack(p.B);
  apply(t, blocks);
  CHECK(std::string(t.text()) == scheduled(p).text());
  Schedule both{q.C};
  const Recipe all = then(recipe("panel", panel), blocks);
  CHECK(all.name == "panel, then blocks");
  apply(both, all);
  CHECK(both.stage("C/B.pack").handle() != nullptr);
}
TEST_CASE("recipe: for a stage of another name") {
  const Product p, q("D");
  Schedule t{q.C};
  apply(t, renamed(recipe("blocks", scheduled(p)), "C", "D"));
  CHECK(std::string(t.text()) == scheduled(q).text());
}
TEST_CASE("recipe: the first directive that does not fit is named, and nothing is done") {
  Tensor<float, 2> X{"X", {64, 48}}, C{"C"};
  Index i{"i"}, j{"j"};
  C(i, j) = X(i, j) * 2;
  Schedule s{C};
  const std::string before = s.text();
  const Product p;
  golden::refused("trace.fit.recipe", [&] { apply(s, recipe("blocks", scheduled(p)), {"gemm.cpp", 40}); });
  CHECK(s.text() == before);
  CHECK(std::string(s.trace()).empty());
}
TEST_CASE("recipe: a name is a text") {
  const Product p;
  golden::refused("recipe.name", [&] { (void)recipe(nullptr, scheduled(p), {"gemm.cpp", 40}); });
  CHECK_THROWS_AS((void)renamed(Recipe{}, nullptr, "D"), Error);
  CHECK_THROWS_AS((void)renamed(Recipe{}, "C", nullptr), Error);
}
TEST_CASE("diff: added, removed and changed directives, as source") {
  const Product p;
  CHECK(diff(scheduled(p), scheduled(p)).empty());
  const Schedule a = scheduled(p), b{p.C};
  auto [i0, i1] = b.split(p.i, 6);
  auto [j0, j1] = b.split(p.j, 48);
  b.reorder(j0, i0, p.k, i1, j1).vectorize(j1).parallel(j0, 4).pack(p.B, j0, {.pad = 1});
  CHECK(diff(a, b) ==
        "~ auto [i0, i1] = s[C].split(i, 6);\n"
        "  auto [j0, j1] = s[C].split(j, 48);\n"
        "  s[C].reorder(j0, i0, k, i1, j1);\n"
        "- s[C].unroll(i1);\n"
        "  s[C].vectorize(j1);\n"
        "+ s[C].parallel(j0, 4);\n"
        "+ auto C_B_pack = s[C].pack(B, j0, {.pad = 1});\n");
  CHECK(diff(recipe("a", a), Recipe{}) == diff(nest::trace_of(a.body()), {}));
  CHECK(diff({}, nest::trace_of(a.body())).substr(0, 2) == "+ ");
}
