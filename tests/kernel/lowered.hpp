// One stage, scheduled by directives, lowered; and its passes one at a time.
#pragma once
#include <string>
#include <vector>
#include "ir/made.hpp"
#include "ordo/kernel/lower.hpp"
#include "ordo/kernel/lowering.hpp"
#include "ordo/kernel/passes.hpp"
#include "ordo/kernel/walk.hpp"
#include "ordo/nest/nest.hpp"
#include "ordo/plan/plan.hpp"

namespace lowered {
using namespace ordo;

inline nest::Directive directive(const char* name, std::vector<std::string> loops, std::vector<std::string> factors = {},
                                 Tail tail = Tail::mask) {
  nest::Directive d;
  d.name = name;
  d.stage = "C";
  d.loops = std::move(loops);
  d.factors = std::move(factors);
  d.tail = tail;
  return d;
}

// C(i, j) = sum(k, A(i, k) * B(k, j)), sizes symbolic or given.
inline ir::Program matmul(i64 m = -1, i64 n = -1, i64 k = -1) {
  made::Front f;
  const auto size = [&](const char* name, i64 v) { return v < 0 ? f.dim(name) : f.number(v); };
  const ir::Ref M = size("M", m), N = size("N", n), K = size("K", k);
  const ir::Ref A = f.tensor("A", {M, K}), B = f.tensor("B", {K, N}), C = f.tensor("C", {M, N});
  const ir::Ref i = f.index("i"), j = f.index("j"), c = f.chain("k");
  f.define(C, {i, j}, f.sum({c}, f.mul(f.at(A, {i, c}), f.at(B, {c, j}))));
  return f.program({A, B}, {C});
}

inline plan::Plan planned(const ir::Program& program, const nest::Trace& trace) {
  nest::Nest nest = nest::make(ir::stages(program));
  nest::apply(nest, trace);
  return plan::make(std::move(nest));
}

inline Target four_lanes() {
  Target t;
  t.vector_bits = 128;
  return t;
}

// Runs `walk` on a product of small whole numbers and gives back the bytes of C.
inline std::string walked(const kernel::Kernel& kernel, i64 m, i64 n, i64 k) {
  std::vector<float> a(static_cast<std::size_t>(m * k)), b(static_cast<std::size_t>(k * n)), c(static_cast<std::size_t>(m * n), -1);
  for (std::size_t x = 0; x < a.size(); ++x) a[x] = static_cast<float>(x % 7) / 3 - 1;
  for (std::size_t x = 0; x < b.size(); ++x) b[x] = static_cast<float>(x % 5) / 3 - 1;
  void* const data[] = {a.data(), b.data(), c.data()};
  const i64 dims[] = {m, k, n};
  std::vector<i64> strides(3 * max_rank, 0);
  const i64 rows[] = {k, n, n};
  for (std::size_t t = 0; t < 3; ++t) {
    strides[t * max_rank] = rows[t];
    strides[t * max_rank + 1] = 1;
  }
  const kernel::Hooks hooks = {
      [](const kernel::Frame*, i64 count, kernel::Chunk chunk, void* closure) { for (i64 x = 0; x < count; ++x) chunk(closure, x); },
      [](const kernel::Frame*, i64 bytes) { return static_cast<void*>(new char[static_cast<std::size_t>(bytes) + 1]); },
      [](const kernel::Frame*, void* block, i64) { delete[] static_cast<char*>(block); },
      [](const kernel::Frame*, i64, i64) {},
  };
  const kernel::Frame frame{data, dims, strides.data(), &hooks, nullptr};
  CHECK(kernel::walk(kernel, &frame) == 0);
  return std::string(reinterpret_cast<const char*>(c.data()), c.size() * sizeof(float));
}
}  // namespace lowered
