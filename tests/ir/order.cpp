// The whole text of explain_order for each kind of order, and of its refusals.
#include <doctest/doctest.h>
#include "ordo/ir/order.hpp"
#include "ordo/ir/text.hpp"

using namespace ordo;

namespace {
const std::string inputs = "input A: f32[4, K]\ninput B: f32[K, 6]\ninput X: f32[4, N]\n";
std::string said(const std::string& definition, const std::vector<i64>& index, std::vector<ir::KnownSize> sizes,
                 ir::TensorAsked tensor = {}) {
  const ir::Program p = ir::parse((inputs + definition + "\n").c_str());
  return ir::explain_order(p, {tensor, index.data(), index.size(), sizes.data(), sizes.size()}, {"model.cpp", 7});
}
std::string row_sum(const std::string& axis, i64 n, i64 row = 2) {
  return said("y[i]: f32[4] = sum(" + axis + " < N, X[i, k])", {row}, {{"N", n}});
}
std::string refused(const std::vector<i64>& index, std::vector<ir::KnownSize> sizes, ir::TensorAsked tensor = {}) {
  try {
    return said("y[i]: f32[4] = sum(chain k < N, X[i, k])", index, std::move(sizes), tensor);
  } catch (const Error& e) { return e.what(); }
}
}  // namespace

TEST_CASE("explain_order: a Chain of products") {
  CHECK(said("C[i, j]: f32[4, 6] = sum(chain k < K, A[i, k] * B[k, j]) + 1.0", {3, 5}, {{"K", 5}}) ==
        "C[3, 5] = sum(chain k < 5, A[3, k] * B[k, 5]) + 1.0\n"
        "sum(chain k < 5, A[3, k] * B[k, 5])\n"
        "  step    s = fma(A[3, k], B[k, 5], s), from s = 0.0\n"
        "  order   t0 + t1 + t2 + t3 + t4\n");
  CHECK(said("C[i, j]: f32[4, 6] = sum(chain k < K, unfused(A[i, k] * B[k, j]))", {0, 1}, {{"K", 100}}) ==
        "C[0, 1] = sum(chain k < 100, unfused(A[0, k] * B[k, 1]))\n"
        "  step    s = s + (A[0, k] * B[k, 1]), from s = 0.0\n"
        "  order   t0 + t1 + t2 + ... + t99  (100 terms)\n");
}
TEST_CASE("explain_order: Lanes") {
  CHECK(row_sum("lanes<4> k", 10) ==
        "y[2] = sum(lanes<4> k < 10, X[2, k])\n"
        "  step    s = s + X[2, k], from s = 0.0\n"
        "  p0      t0 + t4 + t8\n"
        "  p1      t1 + t5 + t9\n"
        "  p2      t2 + t6\n"
        "  p3      t3 + t7\n"
        "  order   (p0 + p2) + (p1 + p3)\n");
  CHECK(row_sum("lanes<4> k", 3) ==
        "y[2] = sum(lanes<4> k < 3, X[2, k])\n"
        "  step    s = s + X[2, k], from s = 0.0\n"
        "  p0      t0\n"
        "  p1      t1\n"
        "  p2      t2\n"
        "  order   (p0 + p2) + p1\n");
  CHECK(row_sum("lanes<32> k", 1000) ==
        "y[2] = sum(lanes<32> k < 1000, X[2, k])\n"
        "  step    s = s + X[2, k], from s = 0.0\n"
        "  p0      t0 + t32 + t64 + ... + t992  (32 terms)\n"
        "  p1      t1 + t33 + t65 + ... + t993  (32 terms)\n"
        "  ...     32 parts\n"
        "  p31     t31 + t63 + t95 + ... + t991  (31 terms)\n"
        "  order   lanes of k: lane l meets lane l + 16, and so by halves until one is left\n");
}
TEST_CASE("explain_order: Blocks, and lanes inside") {
  CHECK(row_sum("blocks<4> k", 18) ==
        "y[2] = sum(blocks<4> k < 18, X[2, k])\n"
        "  step    s = s + X[2, k], from s = 0.0\n"
        "  p0      t0 + t1 + t2 + t3\n"
        "  p1      t4 + t5 + t6 + t7\n"
        "  p2      t8 + t9 + t10 + t11\n"
        "  p3      t12 + t13 + t14 + t15\n"
        "  p4      t16 + t17\n"
        "  order   ((p0 + p1) + (p2 + p3)) + p4\n");
  CHECK(row_sum("blocks<4, lanes<2>> k", 9) ==
        "y[2] = sum(blocks<4, lanes<2>> k < 9, X[2, k])\n"
        "  step    s = s + X[2, k], from s = 0.0\n"
        "  p[0, 0] t0 + t2\n"
        "  p[0, 1] t1 + t3\n"
        "  p[1, 0] t4 + t6\n"
        "  p[1, 1] t5 + t7\n"
        "  p[2, 0] t8\n"
        "  order   ((p[0, 0] + p[0, 1]) + (p[1, 0] + p[1, 1])) + p[2, 0]\n");
  CHECK(row_sum("blocks<64, lanes<8>> k", 100000000) ==
        "y[2] = sum(blocks<64, lanes<8>> k < 100000000, X[2, k])\n"
        "  step    s = s + X[2, k], from s = 0.0\n"
        "  terms   too many to list\n"
        "  order   lanes of k: lane l meets lane l + 4, and so by halves until one is left\n"
        "  then    1562500 blocks of k: neighbours meet in pairs, an odd last one passes; again until one is left\n");
}
TEST_CASE("explain_order: lists of axes") {
  CHECK(said("z[j]: f32[6] = sum({chain k < K, lanes<2> r < 3}, B[k, j] + A[r, k])", {0}, {{"K", 2}}) ==
        "z[0] = sum({chain k < 2, lanes<2> r < 3}, B[k, 0] + A[r, k])\n"
        "  step    s = s + (B[k, 0] + A[r, k]), from s = 0.0\n"
        "  p0      t[0, 0] + t[0, 2] + t[1, 0] + t[1, 2]\n"
        "  p1      t[0, 1] + t[1, 1]\n"
        "  order   p0 + p1\n");
}
TEST_CASE("explain_order: conditions of sizes and indices leave terms out, those of data may") {
  CHECK(said("y[i]: f32[4] = sum(lanes<2> k < N, X[i, k], where k <= i)", {2}, {{"N", 8}}) ==
        "y[2] = sum(lanes<2> k < 8, X[2, k], where k <= 2)\n"
        "  step    s = s + X[2, k], from s = 0.0\n"
        "  where   3 of 8 terms\n"
        "  p0      t0 + t2\n"
        "  p1      t1\n"
        "  order   p0 + p1\n");
  CHECK(said("y[i]: f32[4] = sum(chain k < N, X[i, k], where X[i, k] > 0.0)", {2}, {{"N", 3}}) ==
        "y[2] = sum(chain k < 3, X[2, k], where X[2, k] > 0.0)\n"
        "  step    s = s + X[2, k], from s = 0.0\n"
        "  where   a term whose condition is false makes no step\n"
        "  order   t0 + t1 + t2\n");
  CHECK(said("y[i]: f32[4] = sum(chain k < N, X[i, k], where k < i)", {0}, {{"N", 3}}) ==
        "y[0] = sum(chain k < 3, X[0, k], where k < 0)\n"
        "  step    s = s + X[0, k], from s = 0.0\n"
        "  where   0 of 3 terms\n"
        "  order   no term: the value is where s starts\n");
}
TEST_CASE("explain_order: free orders, states, recurrences, other tensors") {
  CHECK(said("y[i]: f32[4] = max(any k < N, X[i, k])", {1}, {{"N", 3}}) ==
        "y[1] = max(any k < 3, X[1, k])\n"
        "  order   any: none changes a bit\n");
  CHECK(said("y[i]: f32[4] = reduce(lanes<2> k < N, init(m = 0.0), step(maximum(m, X[i, k] * m)), merge(o: m + o))#0", {1}, {{"N", 3}}) ==
        "y[1] = reduce(lanes<2> k < 3, init(s0 = 0.0), step(maximum(s0, X[1, k] * s0)), merge(o0: s0 + o0))#0\n"
        "  step    as written, once a term t\n"
        "  p0      t0, t2\n"
        "  p1      t1\n"
        "  order   merge(p0, p1)\n");
  CHECK(said("Y[i, scan t]: f32[4, N] = scan(t, 0.0, Y[i, t - 1] + X[i, t])", {1, 3}, {}) ==
        "Y[1, 3]: a recurrence along t\n"
        "  order   t = 0, 1, ... 3\n"
        "  before  0.0\n"
        "  then    Y[1, 3 - 1] + X[1, 3]\n");
  const std::string two = "m[i]: f32[4] = sum(chain k < N, X[i, k])\ny[i, j]: f32[4, N] = X[i, j] - m[i]";
  CHECK(said(two, {1, 0}, {}) == "y[1, 0] = X[1, 0] - m[1]\nreads m: defined in the program, each to be explained by its own name\n");
  CHECK(said(two, {1}, {{"N", 2}}, "m") ==
        "m[1] = sum(chain k < 2, X[1, k])\n"
        "  step    s = s + X[1, k], from s = 0.0\n"
        "  order   t0 + t1\n");
}
TEST_CASE("refusal: explain.tensor, explain.rank, explain.index, explain.size") {
  CHECK(refused({1}, {}, "z") == "error[explain.tensor]: the program defines no tensor `z`\n  at model.cpp:7\n  help: it defines `y`");
  CHECK(refused({1, 2}, {}) ==
        "error[explain.rank]: `y` has 1 indices, not 2\n  at model.cpp:7\n  help: explain({i, j, ...}) with one number an index");
  CHECK(refused({4}, {}) ==
        "error[explain.index]: index 4 of dimension 0 of `y` is out of range\n  at model.cpp:7\n  help: its extent is 4");
  CHECK(refused({1}, {}) ==
        "error[explain.size]: the extent of `k` needs the size `N`\n  at model.cpp:7\n  help: explain({...}, {{\"N\", 100}})");
}
