#include <string>
#include <doctest/doctest.h>
#include "lang/array.hpp"
#include "ordo/nest/schedule.hpp"

namespace {
using namespace ordo;

template <class T> constexpr bool one_pointer = sizeof(T) == sizeof(void*) && std::is_trivially_copyable_v<T>;
static_assert(one_pointer<Expr<float>> && one_pointer<Expr<bool>> && one_pointer<Dim> &&
              one_pointer<Tensor<f16, 3>> && one_pointer<Scalar<i8>>);
static_assert(one_pointer<Index> && one_pointer<Scan> && one_pointer<Chain> && one_pointer<Lanes<8>> && one_pointer<Blocks<32, Lanes<4>>> &&
              one_pointer<AnyOrder> && one_pointer<Stage> && one_pointer<Loop<Free>>);
template <class T, class V> constexpr bool reads_as = std::is_base_of_v<Expr<V>, decltype(Tensor<T, 0>("T")())>;
static_assert(reads_as<i8, i32> && reads_as<u8, i32> && reads_as<i16, i32> && reads_as<u16, i32> &&
              reads_as<f16, float> && reads_as<bf16, float>);
static_assert(reads_as<bool, bool> && reads_as<i32, i32> && reads_as<u32, u32> && reads_as<i64, i64> && reads_as<u64, u64> &&
              reads_as<float, float> && reads_as<double, double>);
static_assert(std::is_same_v<decltype(inputs(Tensor<float, 2>("A"), Scalar<f16>("s"))), Signature<In<float, 2>, In<f16, 0>>>);
template <class A, class Kind> constexpr bool is_loop = std::is_convertible_v<A, Loop<Kind>>;
static_assert(is_loop<AnyOrder, Free> && is_loop<Index, Free> && is_loop<Chain, Ordered> && is_loop<Scan, Ordered>);
static_assert(!is_loop<Chain, Free> && !is_loop<Lanes<4>, Ordered> && !is_loop<Blocks<4>, Free>);

TEST_CASE("handles: two with one name are two things") {
  Index i{"i"}, j{"i"};
  Tensor<float, 1> A{"A"}, B{"A"};
  CHECK(i.node != j.node);
  CHECK(A.node != B.node);
}

TEST_CASE("handles: copies are the same thing and can be rebound") {
  Tensor<float, 2> X{"X"};
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  Index same = i;
  CHECK(same.node == i.node);
  auto h = X;
  Tensor<float, 2> Y{"Y"};
  h = Y;
  CHECK(h.node == Y.node);
  auto total = sum(k, X(i, k));
  const auto first = total;
  total = total + 1;
  total = sum(k, X(i, k)) * total;
  CHECK(total.node->op == ir::Op::Mul);
  CHECK(total.node->src[1]->src[0] == first.node);
  Expr<float> kept = X(i, j);
  kept = kept + 1;
  CHECK(kept.node->op == ir::Op::Add);
}

TEST_CASE("handles: an access, an axis and a tensor carry the line of the caller") {
  Tensor<float, 2> X{"X"}; const int tensor = __LINE__;
  Index i{"i"}, j{"j", 4}; const int axis = __LINE__;
  CHECK(X.node->at.line == tensor);
  CHECK(i.node->at.line == axis);
  CHECK(j.node->at.line == axis);
  auto read = X(i,
                j + 1);
  CHECK(read.node->at.line >= __LINE__ - 2);
  CHECK(read.node->at.line <= __LINE__ - 1);
  CHECK(std::strstr(read.node->at.file, "handles.cpp") != nullptr);
  Chain k{"k"};
  auto folded = sum(k, X(i, k)); const int line = __LINE__;
  CHECK(folded.node->src[0]->at.line == line);
  Tensor<float, 1> Y{"Y"};
  Y(i) = X(i, 0); const int defined = __LINE__;
  REQUIRE(ir::definition_of(Y.node) != nullptr);
  CHECK(ir::definition_of(Y.node)->at.line == defined);
}

TEST_CASE("handles: components of an axis are the same loop each time they are asked for") {
  Lanes<8> w{"w"};
  Blocks<64, Lanes<16>> b{"b"};
  CHECK(w.lane().node->src[0] == w.node);
  CHECK(w.lane().node->arg == w.lane().node->arg);
  CHECK(w.lane().node->arg != w.step().node->arg);
  CHECK(b.block().node->arg != b.step().node->arg);
  CHECK(ir::axis_facts(b.node).lanes == 16);
  CHECK(ir::axis_facts(b.node).block == 64);
}

TEST_CASE("programs: copies share one snapshot, which later definitions do not change") {
  Tensor<float, 1> X{"X"}, Y{"Y"}, Z{"Z"};
  Index i{"i"};
  Y(i) = X(i) * 2;
  Program p(inputs(X), outputs(Y)), q = p;
  const std::string before = p.text();
  Z(i) = Y(i) + 1;
  CHECK(&p.snapshot() == &q.snapshot());
  CHECK(q.text() == before);
  Program r(inputs(X), outputs(Z));
  CHECK(std::string(r.digest()) != p.digest());
  CHECK(std::string(p.digest()).size() == 32);
  q = r;
  CHECK(&q.snapshot() == &r.snapshot());
}
}  // namespace
