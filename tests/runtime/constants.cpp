#include <doctest/doctest.h>
#include <functional>
#include <vector>
#include "ordo/cpu.hpp"
#include "ordo/ordo.hpp"

using namespace ordo;

namespace {
struct Product {
  Dim M{"M"}, N{"N"}, K{"K"};
  Tensor<float, 2> A{"A", {M, K}}, B{"B", {K, N}}, C{"C"};
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  Product() { C(i, j) = sum(k, A(i, k) * B(k, j)); }
  auto compiled(bool constant, Executor executor = {}) {
    Schedule s{C};
    auto [j0, j1] = s.split(j, 8);
    auto [i0, i1] = s.split(i, 4);
    s.reorder(j0, i0, k, i1, j1);
    s.vectorize(j1).unroll(i1).parallel(j0);
    s.pack(B, {.constant = constant});
    CompileOptions options;
    options.cache = "";
    options.executor = executor;
    return compile(s, inputs(A, B), outputs(C), cpu::host(), options);
  }
};
View<const float, 2> seen(const std::vector<float>& v, i64 rows, i64 columns) { return {v.data(), {rows, columns}}; }
}  // namespace

TEST_CASE("constant copies: made once for an argument, and again when the user says that it changed") {
  Product p;
  const auto once = p.compiled(true), each = p.compiled(false);
  std::vector<float> a(5 * 7), b(7 * 19), c(5 * 19), d(5 * 19);
  for (std::size_t n = 0; n < a.size(); ++n) a[n] = static_cast<float>(n % 5) / 3;
  for (std::size_t n = 0; n < b.size(); ++n) b[n] = static_cast<float>(n % 7) / 3;
  const View<float, 2> vc(c.data(), {5, 19}), vd(d.data(), {5, 19});
  for (int turn = 0; turn < 2; ++turn) {
    once(seen(a, 5, 7), seen(b, 7, 19), vc);
    each(seen(a, 5, 7), seen(b, 7, 19), vd);
    CHECK(c == d);
  }
  const std::vector<float> before = c;
  for (float& x : b) x += 1;
  once(seen(a, 5, 7), seen(b, 7, 19), vc);
  CHECK(c == before);                    // the promise was broken: the copy is the old one
  once.forget_constants();
  each(seen(a, 5, 7), seen(b, 7, 19), vd);
  once(seen(a, 5, 7), seen(b, 7, 19), vc);
  CHECK(c == d);
}

TEST_CASE("constant copies: another shape, other memory and many arguments are copies of their own") {
  Product p;
  const auto once = p.compiled(true), each = p.compiled(false);
  std::vector<std::vector<float>> many(12, std::vector<float>(200));
  for (std::size_t m = 0; m < many.size(); ++m)
    for (std::size_t n = 0; n < many[m].size(); ++n) many[m][n] = static_cast<float>((n + m) % 11) / 7;
  std::vector<float> a(200, 0.5f), c(200), d(200);
  for (int turn = 0; turn < 2; ++turn)
    for (const std::vector<float>& b : many)
      for (const i64 depth : {3, 10}) {
        once(seen(a, 4, depth), seen(b, depth, 20), View<float, 2>(c.data(), {4, 20}));
        each(seen(a, 4, depth), seen(b, depth, 20), View<float, 2>(d.data(), {4, 20}));
        CHECK(c == d);
      }
}
TEST_CASE("constant copies: an executor that takes up other calls while it waits does not lock the kernel up") {
  // The chunks of a launch run in a thread that first calls the same kernel again, with another matrix: as a thread that
  // steals work does.
  Product p;
  struct Stealing {
    std::function<void()> call;
    bool inside = false;
    static void parallel_for(void* context, i64 count, void (*chunk)(void*, i64), void* closure) {
      Stealing& s = *static_cast<Stealing*>(context);
      if (!s.inside && s.call) {
        s.inside = true;
        s.call();
        s.inside = false;
      }
      for (i64 k = 0; k < count; ++k) chunk(closure, k);
    }
  } stealing;
  const auto once = p.compiled(true, {Stealing::parallel_for, &stealing}), each = p.compiled(false);
  std::vector<float> a(5 * 7, 0.5f), b(7 * 19), other(7 * 19), c(5 * 19), d(5 * 19), e(5 * 19);
  for (std::size_t n = 0; n < b.size(); ++n) b[n] = static_cast<float>(n % 7) / 3, other[n] = static_cast<float>(n % 5);
  const View<const float, 2> turned(other.data(), {7, 19}, {1, 7});       // another layout: a variant is compiled, too
  stealing.call = [&] {
    once(seen(a, 5, 7), turned, View<float, 2>(e.data(), {5, 19}));
    once(seen(a, 5, 7), seen(b, 7, 19), View<float, 2>(d.data(), {5, 19}));
  };
  once(seen(a, 5, 7), seen(b, 7, 19), View<float, 2>(c.data(), {5, 19}));
  CHECK(c == d);
  each(seen(a, 5, 7), turned, View<float, 2>(d.data(), {5, 19}));
  CHECK(e == d);
}
