// The schedules of the language page: they compile, are accepted, and show in the printed loops. That values do not change
// is shown by random schedules elsewhere.
#include <string>
#include <doctest/doctest.h>
#include "lang/array.hpp"
#include "ordo/nest/schedule.hpp"

namespace {
using namespace ordo;
bool has(const char* text, const char* part) { return std::string(text).find(part) != std::string::npos; }
#define CHECK_HAS(text, part) CHECK_MESSAGE(has(text, part), text)

struct Gemm {
  Dim M{"M"}, N{"N"}, K{"K"};
  Tensor<float, 2> A{"A", {M, K}}, B{"B", {K, N}}, D{"D"}, C{"C"};
  Tensor<float, 1> bias{"bias", {N}};
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  Gemm() {
    D(i, j) = sum(k, A(i, k) * B(k, j));
    C(i, j) = relu(D(i, j) + bias(j));
  }
};

TEST_CASE("schedules: split, reorder, mark, pack, and the stage of another tensor") {
  Gemm g;
  Schedule s{g.D};
  auto [io, ii] = s.split(g.i, 8);
  auto [j0, j1, j2] = s.split(g.j, {384, 48}, Tail::peel);
  s.reorder(io, j0, j1, g.k, ii, j2).vectorize(j2).unroll(ii).parallel(io);
  Stage copy = s.pack(g.B, j0, {.memory = Memory::heap, .pad = 1});
  CHECK(copy.handle() != s.handle());
  CHECK_HAS(s.text(), "i.0");
  CHECK_HAS(s.text(), "B.pack");
  CHECK_HAS(s.trace(), "reorder");
  CHECK_HAS(s.trace(), "vectorize");
}

TEST_CASE("schedules: other stages by tensor or by name, inlined or at the root") {
  Gemm g;
  Schedule s{g.C};
  s[g.D].compute_root();
  CHECK(s.stage("D").handle() == s[g.D].handle());
  CHECK(s.stage("C").handle() == s.handle());
  Schedule t{outputs(g.C)}, shared = t;
  shared.parallel(g.i);
  const std::string text = t.text();
  CHECK(text == shared.text());
}

TEST_CASE("schedules: a consumer computed after an inlined producer") {
  Tensor<float, 2> X{"X"}, P{"P"}, Y{"Y"};
  Index i{"i"}, j{"j"};
  P(i, j) = X(i, j) * 2;
  Y(i, j) = P(i, j) + 1;
  Schedule s{Y};
  s[P].inline_();
  auto [jo, ji] = s.split(j, 8);
  s.parallel(i).unroll(ji);
  CHECK_HAS(s.text(), "j.0");
  (void)jo;
  CHECK_HAS(s.trace(), "inline_");
}

// A scheduling library is an ordinary function: axes, components and handles convert to loops of their kind.
struct Tile { i64 mr = 8, nr = 48, kc = 256; };
void gemm(Stage s, Loop<Free> i, Loop<Free> j, Loop<Ordered> k, AnyTensor B, Tile t = {}) {
  auto [io, ii] = s.split(i, t.mr);
  auto [jo, ji] = s.split(j, t.nr);
  auto [ko, ki] = s.split(k, t.kc);
  s.reorder(ko, jo, io, ki, ii, ji).vectorize(ji).unroll(ii).parallel(io);
  s.pack(B, jo, {.pad = 1});
}
template <class... L> requires(std::is_same_v<typename L::kind, Free> && ...)
void parallel_all(Stage s, L... loops) { (s.parallel(loops), ...); }

TEST_CASE("schedules: a library function fits any program with these kinds of axes") {
  Gemm g;
  Schedule s{g.D};
  gemm(s, g.i, g.j, g.k, g.B, {.mr = 6, .nr = 32});
  CHECK_HAS(s.text(), "k.0");
  Tensor<i64, 2> P{"P"}, Q{"Q"}, R{"R"};
  AnyOrder q{"q"};
  Index i{"i"}, j{"j"};
  R(i, j) = sum(q, P(i, q) * Q(q, j));
  Schedule free{R};
  parallel_all(free, i);
  auto fused = Schedule{R}.fuse(i, j);
  CHECK(fused.node != nullptr);
}

TEST_CASE("schedules: components of Lanes and Blocks") {
  Tensor<float, 2> X{"X"};
  Tensor<float, 1> R{"R"};
  Index i{"i"};
  Blocks<1024, Lanes<16>> b{"b"};
  R(i) = sum(b, X(i, b));
  Schedule s{R};
  s.reorder(i, b.block(), b.step(), b.lane());
  s.unroll(b.step()).parallel(i);
  CHECK_HAS(s.text(), "b.lane");
  CHECK_HAS(s.text(), "b.block");
}

TEST_CASE("schedules: factors are expressions of integers and Dims") {
  Gemm g;
  Schedule s{g.D};
  auto [jo, ji] = s.split(g.j, maximum(g.N / 4, 1));
  s.reorder(jo, g.i, g.k, ji);
  auto [one, two] = s.split(g.i, {8});
  s.parallel(one).unroll(two);
  CHECK_HAS(s.trace(), "N / 4");
}

TEST_CASE("schedules: a refusal names the line of the directive") {
  Gemm g;
  Schedule s{g.D};
  auto [io, ii] = s.split(g.i, 8);
  (void)io;
  int line = 0;
  try {
    s.unroll(ii); line = __LINE__ + 1;
    s.unroll(g.i);      // consumed by the split
    FAIL("accepted");
  } catch (const Error& e) {
    CHECK_HAS(e.what(), ("surface.cpp:" + std::to_string(line)).c_str());
  }
  try {
    line = __LINE__ + 2;
    s
        .reorder(g.k, g.k);
    FAIL("accepted");
  } catch (const Error& e) {
    CHECK_HAS(e.what(), ("surface.cpp:" + std::to_string(line)).c_str());
  }
}
}  // namespace
