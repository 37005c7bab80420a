#include "ordo/explain.hpp"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <doctest/doctest.h>
#include "ordo/lang/lang.hpp"

using namespace ordo;

namespace {
struct Product {
  Dim N{"N"}, K{"K"};
  Tensor<float, 2> A{"A", {64, K}}, B{"B", {K, N}}, C{"C"};
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  Machine machine;
  Product() {
    C(i, j) = sum(k, A(i, k) * B(k, j));
    machine.vector_bits = 512;
    machine.vector_registers = 32;
    machine.cores = 4;
  }
  Schedule schedule() const {
    Schedule s{C};
    auto [i0, i1] = s.split(i, 8);
    auto [j0, j1] = s.split(j, 48);
    s.reorder(j0, i0, k, i1, j1).unroll(i1).vectorize(j1).parallel(j0).pack(B, j0);
    return s;
  }
};
void golden_text(const char* name, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(ORDO_TEST_SOURCES) / "metrics" / "goldens" / name;
  if (std::getenv("ORDO_UPDATE_GOLDENS") != nullptr) std::ofstream(path, std::ios::binary) << text;
  std::ifstream file(path, std::ios::binary);
  CHECK(text == std::string(std::istreambuf_iterator<char>(file), {}));
}
void refused(const char* name, const std::function<void()>& action) {
  try {
    action();
    CHECK(false);
  } catch (const Error& error) { golden_text(name, std::string(error.what()) + "\n"); }
}
}  // namespace

TEST_CASE("explain: expressions, and numbers once sizes are given") {
  const Product p;
  golden_text("explain.txt", explain(p.schedule(), p.machine));
  golden_text("explain_sizes.txt", explain(p.schedule(), p.machine, {{p.N, 1000}, {"K", 1024}}));
}
TEST_CASE("explain: a size that is none is refused") {
  const Product p;
  refused("metrics.size.txt", [&] { (void)explain(p.schedule(), p.machine, {{"M", 1000}}, {"gemm.cpp", 12}); });
  refused("metrics.size.negative.txt", [&] { (void)explain(p.schedule(), p.machine, {{"N", -1}}, {"gemm.cpp", 12}); });
  refused("metrics.size.large.txt", [&] { (void)explain(p.schedule(), p.machine, {{"N", i64{1} << 40}}, {"gemm.cpp", 12}); });
  refused("metrics.size.twice.txt", [&] { (void)explain(p.schedule(), p.machine, {{"N", 3}, {p.N, 4}}, {"gemm.cpp", 12}); });
  const Sizes huge{{p.N, i64{1} << 39}, {p.K, i64{1} << 39}};
  refused("metrics.size.count.txt", [&] { (void)explain(p.schedule(), p.machine, huge, {"gemm.cpp", 12}); });
  CHECK_THROWS_AS((void)svg(p.schedule(), huge), Error);
  CHECK_NOTHROW((void)explain(p.schedule(), p.machine, {{p.N, i64{1} << 25}, {p.K, i64{1} << 25}}));
}
TEST_CASE("explain: the default schedule is one to look at") {
  const Product p;
  Schedule s{p.C};
  apply(s, default_recipe(s, p.machine));
  const std::string text = explain(s, p.machine, {{p.N, 1000}, {p.K, 1024}});
  CHECK(text.find("vectorized") != std::string::npos);
  CHECK(text.find("l2") != std::string::npos);
}
