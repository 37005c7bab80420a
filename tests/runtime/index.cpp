// Data-dependent accesses: what is out of range ends the call with run.index, whatever the schedule; what is not, does not.
#include <doctest/doctest.h>
#include "ordo/cpu.hpp"
#include "runtime/walk_target.hpp"

namespace {
using namespace ordo;

// "" or the code of the error that the call ends with.
template <class K, class... A> std::string code_of(const K& kernel, A&&... argument) {
  try {
    kernel(argument...);
  } catch (const Error& e) {
    return e.code();
  }
  return "";
}
std::vector<Target> targets() { return {walk_target::target(), cpu::host()}; }

struct Row {                     // Y(i) = an expression over X(i, k), an index and a table
  Dim M{"M"}, K{"K"}, V{"V"};
  Tensor<i32, 2> X{"X", {M, K}};
  Tensor<i32, 1> id{"id", {M}};
  Tensor<float, 1> A{"A", {V}}, Y{"Y", {M}};
  Index i{"i"};
  Chain k{"k"};

  // Plain, tiled with a vectorized tail, and with the reduction outside the tile.
  std::vector<Schedule> schedules() {
    std::vector<Schedule> all{Schedule(Y), Schedule(Y), Schedule(Y)};
    auto [a0, a1] = all[1].split(i, 4);
    all[1].reorder(a0, k, a1).vectorize(a1);
    auto [b0, b1] = all[2].split(i, 4, Tail::guard);
    all[2].reorder(k, b0, b1).unroll(b1);
    return all;
  }
  void all_end_with(const char* code, i64 depth, std::vector<i32> x, std::vector<i32> at, std::vector<float> expected) {
    const std::vector<float> table{10, 20, 30, 40};
    std::vector<float> y(at.size());
    const i64 rows = static_cast<i64>(at.size());
    for (const Target& t : targets())
      for (const Schedule& s : schedules()) {
        const auto kernel = compile(s, inputs(X, id, A), outputs(Y), t, walk_target::no_disk());
        CHECK(code_of(kernel, view(x, {rows, depth}), view(at, {rows}), view(table, {4}), view(y, {rows})) == code);
        if (!expected.empty()) CHECK(y == expected);
      }
  }
};
}  // namespace

TEST_CASE("index: an epilogue is tested also where the reduction has no element") {
  Row r;
  r.Y(r.i) = cast<float>(sum(r.k, r.X(r.i, r.k))) + r.A(r.id(r.i));
  r.all_end_with("", 0, {}, {3, 0, 1, 2, 0}, {40, 10, 20, 30, 10});
  r.all_end_with("run.index", 0, {}, {3, 0, 1, 2, 4}, {});
}

TEST_CASE("index: one that a reduction computes is tested when it is finished") {
  Row r;
  r.Y(r.i) = r.A(sum(r.k, r.X(r.i, r.k))) + cast<float>(r.id(r.i));
  r.all_end_with("", 2, {1, 2, 0, 0, 5, -3, 1, 0, 9, -8}, {0, 0, 0, 0, 0}, {40, 10, 30, 20, 20});
  r.all_end_with("run.index", 2, {1, 2, 0, 0, 5, -3, 1, 0, 9, -5}, {0, 0, 0, 0, 0}, {});
  r.all_end_with("run.index", 1, {1, 2, 0, -1, 0}, {0, 0, 0, 0, 0}, {});
}

TEST_CASE("index: a guard that a reduction computes is asked when it is finished") {
  Row r;
  r.Y(r.i) = select(sum(r.k, r.X(r.i, r.k)) > 3, r.A(r.id(r.i)), 1.5f);
  r.all_end_with("", 2, {1, 2, 2, 2, 3, 0, 9, 0, 0, 3}, {99, 1, -7, 2, 4}, {1.5f, 20, 1.5f, 30, 1.5f});
  r.all_end_with("run.index", 2, {1, 2, 2, 2, 3, 0, 9, 0, 0, 4}, {99, 1, -7, 2, 4}, {});
}

TEST_CASE("index: a step may read where its own state says") {
  struct Walk { Expr<i32> at, sum; };
  Row r;
  Chain step{"step", r.K};
  r.k = step;
  const Walk w = reduce(r.k, Walk{0, 0}, [&](Walk s) { return Walk{r.X(r.i, s.at), s.sum + r.X(r.i, s.at)}; });
  r.Y(r.i) = cast<float>(w.sum) + r.A(0) + cast<float>(r.id(r.i));
  r.all_end_with("", 3, {1, 2, 0, 2, 0, 1, 0, 0, 0}, {0, 0, 0}, {13, 13, 10});
  r.all_end_with("run.index", 3, {1, 3, 0, 2, 0, 1, 0, 0, 0}, {0, 0, 0}, {});
}

TEST_CASE("index: a reduction over nothing reads nothing, wherever its loop stands") {
  Row r;
  r.Y(r.i) = sum(r.k, r.A(r.X(r.i, r.k))) + cast<float>(r.id(r.i));
  r.all_end_with("", 0, {}, {3, 0, 1, 2, 0}, {3, 0, 1, 2, 0});
}

TEST_CASE("index: outer reduction loops run once over nothing, and neither step nor copy") {
  Dim M{"M"}, N{"N"};
  Tensor<float, 2> A{"A", {M, 4 * N}}, B{"B", {4 * N, M}}, C{"C", {M, M}};
  Tensor<float, 1> x{"x", {N}}, y{"y"};
  Index i{"i"}, j{"j"}, n{"n"};
  Chain k{"k"};
  C(i, j) = sum(k, A(i, k) * B(k, j));
  y(n) = x(n) * 2;
  Schedule whole{C}, parts{outputs(C, y)};     // of C alone: only an argument of y binds N
  whole.reorder(k, i, j).pack(B, k);
  auto [k0, k1] = parts.split(k, 4);           // always exact: no guard ends k1 early
  parts.reorder(k0, i, j, k1).pack(A, k0);
  std::vector<float> c(9);
  for (const Target& t : targets())
    for (const Schedule& s : {whole, parts}) {
      c.assign(9, -1);
      const View<const float, 2> a(static_cast<const float*>(nullptr), {3, 0}), b(static_cast<const float*>(nullptr), {0, 3});
      const View<float, 1> none(static_cast<float*>(nullptr), {0});
      compile(s, inputs(A, B, x), outputs(C, y), t, walk_target::no_disk())(a, b, none, view(c, {3, 3}), none);
      CHECK(c == std::vector<float>(9, 0));
    }
}

TEST_CASE("index: a merge is tested where two parts meet, and only there") {
  for (const Target& t : targets())
    for (const bool by_data : {false, true})
      for (const bool vectorized : {false, true}) {
        Dim N{"N"}, K{"K"}, M{"M"};
        Tensor<float, 2> X{"X", {N, K}};
        Tensor<float, 1> W{"W", {M}}, Y{"Y"};
        Tensor<i32, 1> id{"id", {N}};
        Index i{"i"};
        Lanes<4> k{"k"};
        const Expr<i64> at = by_data ? Expr<i64>(cast<i64>(id(i))) : Expr<i64>(i + 1);
        struct Total { Expr<float> s; };
        Y(i) = reduce(k, Total{0.0f}, [&](Total a) { return Total{a.s + X(i, k)}; },
                      [&](Total a, Total b) { return Total{a.s + b.s * W(at)}; }).s;
        Schedule s{Y};
        if (vectorized) s.reorder(k.step(), i, k.lane()).vectorize(k.lane());
        const auto kernel = compile(s, inputs(X, W, id), outputs(Y), t, walk_target::no_disk());
        const std::vector<float> w{9, 2, 3, 4, 5};
        const auto call = [&](i64 rows, i64 depth, std::vector<float> expected) {
          const std::vector<float> x(static_cast<std::size_t>(rows * depth), 1);
          std::vector<i32> ids;
          for (i32 n = 1; n <= rows; ++n) ids.push_back(n);
          std::vector<float> y(static_cast<std::size_t>(rows));
          const std::string code = code_of(kernel, view(x, {rows, depth}), view(w, {5}), view(ids, {rows}), view(y, {rows}));
          CHECK((!code.empty() || y == expected));
          return code;
        };
        CHECK(call(5, 1, std::vector<float>(5, 1)) == "");         // one part: nothing is merged
        CHECK(call(5, 2, {}) == "run.index");
        CHECK(call(4, 2, {3, 4, 5, 6}) == "");
      }
}

TEST_CASE("index: a copy holds what is in range, and who reads it is tested") {
  Dim N{"N"}, M{"M"};
  Tensor<float, 1> A{"A", {M}}, Y{"Y", {N}};
  Index i{"i"};
  Y(i) = A(select(i > 2, i * i - 9, i)) * 2;
  Schedule whole{Y}, parts{Y}, constant{Y};
  whole.pack(A);
  auto [i0, i1] = parts.split(i, 4);
  parts.pack(A, i0).vectorize(i1);
  parts.vectorize(i1);
  constant.pack(A, {.constant = true});
  const std::vector<float> a{10, 20, 30, 40, 50, 60, 70, 80};
  for (const Target& t : targets())
    for (const Schedule& s : {whole, parts, constant}) {
      const auto kernel = compile(s, inputs(A), outputs(Y), t, walk_target::no_disk());
      std::vector<float> y(5), z(6);
      CHECK(code_of(kernel, view(a, {8}), view(y, {5})) == "");
      CHECK(y == std::vector<float>{20, 40, 60, 20, 160});
      CHECK(code_of(kernel, view(a, {8}), view(z, {6})) == "run.index");
    }
}

TEST_CASE("index: quotients, remainders and clipped ones are shown to be in range, and not tested") {
  Dim N{"N"};
  Tensor<float, 2> A{"A", {N, 4}};
  Tensor<float, 1> B{"B", {3}}, Y{"Y"};
  Index i{"i", 4 * N};
  Y(i) = A(i / 4, i % 4) + A(floor_div(i, 4), floor_mod(i, 4)) + B(clip(i, 0, 2));
  const auto kernel = compile(inputs(A, B), outputs(Y), walk_target::target(), walk_target::no_disk());
  CHECK(std::string(kernel.explain()).find("fail ") == std::string::npos);
}
