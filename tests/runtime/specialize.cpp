#include <doctest/doctest.h>
#include <string>
#include <vector>
#include "ordo/ordo.hpp"
#include "refused.hpp"
#include "walk_target.hpp"
using namespace ordo;

namespace {
struct Sums {
  Dim N{"N"}, K{"K"};
  Tensor<float, 2> X{"X", {K, N}};
  Tensor<float, 1> Y{"Y"};
  Index j{"j"};
  Chain k{"k"};
  Sums() { Y(j) = sum(k, X(k, j)); }
};
template <class Kernel>
std::vector<float> of(const Kernel& kernel, i64 n) {
  std::vector<float> x(static_cast<std::size_t>(3 * n)), y(static_cast<std::size_t>(n), -1);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = static_cast<float>(k % 7) / 3;
  kernel(view(x.data(), {3, n}), view(y.data(), {n}));
  return y;
}
}  // namespace

TEST_CASE("specialize: a call takes the first schedule that fits its sizes, and all give the same bits") {
  Sums p;
  Schedule s{p.Y};
  auto [jo, ji] = s.split(p.j, 4);
  s.reorder(jo, p.k, ji);
  s.specialize(p.N == 8, [&] { s.vectorize(ji).unroll(jo); });
  s.specialize(p.N % 4 == 0, [&] { s.vectorize(ji); });
  const auto kernel = compile(s, inputs(p.X), outputs(p.Y), walk_target::target(), walk_target::no_disk());
  const auto plain = compile(inputs(p.X), outputs(p.Y), interpreter());
  for (const i64 n : {0, 1, 4, 7, 8, 12, 13}) CHECK(of(kernel, n) == of(plain, n));
  const std::string text = kernel.explain();
  const std::size_t first = text.find("\nwhen N == 8\n"), second = text.find("\nwhen N % 4 == 0\n");
  REQUIRE(first < second);
  REQUIRE(second != std::string::npos);
  CHECK(text.substr(first, second - first).find("if ") == std::string::npos);
  CHECK(text.substr(second).find("if ") == std::string::npos);
  CHECK(text.substr(second).find("minimum") == std::string::npos);
  CHECK(text.substr(0, first).find("minimum") != std::string::npos);
}

TEST_CASE("specialize: what takes an input's place is asked of the schedule that is taken") {
  Dim N{"N"};
  Tensor<float, 1> A{"A", {N}}, Y{"Y"};
  Index i{"i"};
  Y(i) = A(i) + 1;
  Schedule s{Y};
  s.specialize(N >= 4, [&] { s.split(i, 4, Tail::shift_in); });
  const auto kernel = compile(s, inputs(A), outputs(Y), walk_target::target(), walk_target::no_disk());
  float a[6] = {1, 2, 3, 4, 5, 6};
  kernel(view(a, {3}), view(a, {3}));
  CHECK(a[2] == 4);
  CHECK(refused([&] { kernel(view(a, {6}), view(a, {6})); }).find("Tail::shift_in") != std::string::npos);
  CHECK(a[5] == 6);
}

TEST_CASE("regions: one launch, the bits of the whole stage, and an output in an input's place") {
  Dim N{"N"};
  Tensor<float, 1> A{"A", {N}}, Y{"Y"};
  Index i{"i"};
  Y(i) = A(i) + 1;
  Schedule s{Y};
  s.regions(i, {2, N - 3}, [&](int region) {
    if (region == 1) s.vectorize(s.split(i, 4).b);
  });
  const auto kernel = compile(s, inputs(A), outputs(Y), walk_target::target(), walk_target::no_disk());
  for (const i64 n : {0, 1, 4, 5, 17}) {
    std::vector<float> a(static_cast<std::size_t>(n)), y(a.size());
    for (std::size_t k = 0; k < a.size(); ++k) a[k] = static_cast<float>(k);
    kernel(view(a.data(), {n}), view(y.data(), {n}));
    kernel(view(a.data(), {n}), view(a.data(), {n}));
    for (std::size_t k = 0; k < a.size(); ++k) CHECK(y[k] == static_cast<float>(k) + 1);
    CHECK(a == y);
  }
}
