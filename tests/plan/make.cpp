#include "kernel/lowered.hpp"

using namespace ordo;
using namespace lowered;

namespace {
// D(i) = sum(k, A(i, k)); C(i) = D(i) * D(i)
ir::Program square_of_sums() {
  made::Front f;
  const ir::Ref M = f.dim("M"), K = f.dim("K"), A = f.tensor("A", {M, K}), D = f.tensor("D", 1), C = f.tensor("C", 1);
  const ir::Ref i = f.index("i"), k = f.chain("k");
  f.define(D, {i}, f.sum({k}, f.at(A, {i, k})));
  f.define(C, {i}, f.mul(f.at(D, {i}), f.at(D, {i})));
  return f.program({A}, {C});
}
}  // namespace

TEST_CASE("plan: a stage that is stored gets a workspace that lives until its last reader") {
  const plan::Plan p = planned(square_of_sums(), {});
  CHECK(plan::print(p) ==
        "workspace D: f32 x M, launches 0..1\n"
        "launch 0: D\n"
        "for i 0..M\n"
        "  for k 0..K, ordered\n"
        "launch 1: C\n"
        "for i 0..M\n");
}

TEST_CASE("plan: an inlined stage is written into its reader and takes no memory") {
  nest::Directive d;
  d.name = "inline_";
  d.stage = "D";
  const plan::Plan p = planned(square_of_sums(), {d});
  CHECK(p.workspaces.empty());
  CHECK(p.groups.size() == 1);
  CHECK(made::definitions(p.nest.program).find("C[i]: f32[M] = (t1 := sum(chain k < K, A[i, k])) * t1") != std::string::npos);
}

TEST_CASE("plan: an inlined narrow stage still rounds") {
  made::Front f;
  const ir::Ref M = f.dim("M"), A = f.tensor("A", {M}), H = f.tensor("H", 1, Type::f16), C = f.tensor("C", 1), i = f.index("i");
  f.define(H, {i}, f.at(A, {i}));
  f.define(C, {i}, f.at(H, {i}));
  nest::Directive d;
  d.name = "inline_";
  d.stage = "H";
  const plan::Plan p = planned(f.program({A}, {C}), {d});
  CHECK(made::definitions(p.nest.program).find("cast<f16>(A[i])") != std::string::npos);
}

TEST_CASE("plan: accesses that sizes alone decide are checked once a call, the rest not at all") {
  made::Front f;
  const ir::Ref N = f.dim("N"), X = f.tensor("X", {f.add(N, f.number(1))}), Z = f.tensor("Z", {N}), C = f.tensor("C", {N}),
                i = f.index("i");
  f.define(C, {i}, f.add(f.at(X, {f.add(i, f.number(1))}), f.at(Z, {f.mul(i, f.number(2))})));
  const plan::Plan p = planned(f.program({X, Z}, {C}), {});
  REQUIRE(p.ranges.size() == 1);
  CHECK(p.nest.program.tensors[static_cast<std::size_t>(p.ranges[0].tensor)].name == std::string("Z"));
  CHECK(ir::print(p.ranges[0].high) == "N * 2 - 2");
}
TEST_CASE("plan: an access is not checked in a call in which an axis around it is empty") {
  made::Front f;
  const ir::Ref N = f.dim("N"), K = f.dim("K"), X = f.tensor("X", {N}), W = f.tensor("W", {K}), C = f.tensor("C", {N}), i = f.index("i"),
                k = f.chain("k");
  f.define(C, {i}, f.add(f.sum({k}, f.mul(f.mul(f.at(W, {k}), f.at(X, {i})), f.at(X, {f.number(5)}))), f.at(X, {f.number(3)})));
  const plan::Plan p = planned(f.program({X, W}, {C}), {});
  REQUIRE(p.ranges.size() == 2);
  CHECK(ir::print(p.ranges[0].turns) == "minimum(N, K)");
  CHECK(ir::print(p.ranges[1].turns) == "N");
}

TEST_CASE("plan: a value nested too deep for a compiler's stack is refused by name") {
  made::Front f;
  const ir::Ref M = f.dim("M"), A = f.tensor("A", {M}), C = f.tensor("C", 1), i = f.index("i");
  ir::Ref deep = f.at(A, {i});
  for (int k = 0; k < 50000; ++k) deep = f.mul(deep, f.at(A, {i}));
  f.define(C, {i}, deep);
  try {
    planned(f.program({A}, {C}), {});
    FAIL("not refused");
  } catch (const Error& e) {
    CHECK(
        std::string(e.what()) ==
        "error[codegen.deep]: the value of `C`, with what is inlined into it, is nested more than 2000 levels deep, which compiled targets "
        "do not lower\n"
        "  at model.cpp:7\n"
        "  help: define parts of it as tensors of their own, or compile for interpreter()");
  }
}

TEST_CASE("plan: the stages of a recurrence are one launch, and read their start below the first step") {
  const plan::Plan p = planned(ir::parse("input X: f32[N, M]\ninput S: f32[M]\n"
                                         "G[scan t, i]: f32[N, M] = H[t - 1, i] * X[t, i]\n"
                                         "H[scan t, i]: f32[N, M] = scan(t, S[i], G[t, i] + H[t - 2, M - 1 - i])\noutput H\n"),
                               {});
  CHECK(plan::print(p) ==
        "workspace G: f32 x N * M, launches 0..0\n"
        "launch 0: G\n"
        "for t 0..N, ordered\n"
        "  for i 0..M\n"
        "in step with it: H\n"
        "for t 0..N, ordered\n"
        "  for i 0..M\n");
  CHECK(made::definitions(p.nest.program) ==
        "G[scan t, i]: f32[N, M] = select(t - 1 < 0, S[i], H[t - 1, i]) * X[t, i]\n"
        "H[scan t, i]: f32[N, M] = G[t, i] + select(t - 2 < 0, S[M - 1 - i], H[t - 2, M - 1 - i])\n");
}
