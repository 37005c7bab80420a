#include "ordo/auto/schedule.hpp"
#include "kernel/lowered.hpp"
#include "ordo/auto/gemm_tile.hpp"

using namespace ordo;

namespace {
Machine wide() {
  Machine m;
  m.vector_bits = 512;
  m.vector_registers = 32;
  m.fma = true;
  m.l2_bytes = 1 << 20;
  m.cores = 2;
  return m;
}
nest::Trace traced(const ir::Program& program, const Machine& machine) {
  return default_schedule(nest::make(ir::stages(program)), machine);
}
}  // namespace

TEST_CASE("default schedule: a product gets panels, a register tile, vectors and tasks") {
  CHECK(nest::print(traced(lowered::matmul(1024, 1024, 1024), wide())) == nest::print(traced(lowered::matmul(1024, 1024, 1024), wide())));
  const std::string text = nest::print(traced(lowered::matmul(1024, 1024, 1024), wide()));
  for (const char* word : {"pack(B", "vectorize(", "unroll(", "parallel("}) CHECK(text.find(word) != std::string::npos);
}

TEST_CASE("default schedule: its directives apply, for every shape and machine") {
  for (const int bits : {128, 256, 512}) {
    Machine m = wide();
    m.vector_bits = bits;
    m.vector_registers = bits == 512 ? 32 : 16;
    for (const i64 rows : {-1, 1, 4, 17, 127, 1024})
      for (const i64 columns : {-1, 1, 5, 48, 4096})
        for (const i64 depth : {-1, 1, 64, 1000}) {
          const ir::Program p = lowered::matmul(rows, columns, depth);
          nest::Nest nest = nest::make(ir::stages(p));
          CHECK_NOTHROW(nest::apply(nest, traced(p, m)));
        }
  }
}

TEST_CASE("tile of a product: accumulators, a vector of B and one of A fit the registers") {
  for (const int bytes : {4, 8})
    for (const i64 n : {-1, 7, 64, 127, 1000}) {
      const Machine m = wide();
      const GemmTile t = gemm_tile(m, bytes, 1000, n, 1000);
      const i64 vectors = t.nr / (m.vector_bits / 8 / bytes);
      CHECK(t.mr * vectors + vectors + 1 <= m.vector_registers);
    }
}

TEST_CASE("default schedule: a long run of stages is inlined as far as a compiler's stack goes") {
  made::Front f;
  const ir::Ref M = f.dim("M"), A = f.tensor("A", {M}), i = f.index("i");
  ir::Ref last = A;
  for (int k = 0; k < 3000; ++k) {
    const ir::Ref next = f.tensor(("T" + std::to_string(k)).c_str(), 1);
    f.define(next, {i}, f.mul(f.at(last, {i}), f.at(A, {i})));
    last = next;
  }
  const ir::Program staged = ir::stages(f.program({A}, {last}));
  nest::Nest nest = nest::make(ir::copy(staged));
  nest::apply(nest, default_schedule(nest, wide()));
  const plan::Plan p = plan::make(std::move(nest));
  CHECK(p.groups.size() > 1);
  CHECK(p.groups.size() < 10);
}

TEST_CASE("default schedule: what is read where data says is not packed") {
  made::Front f;
  const ir::Ref M = f.dim("M"), N = f.dim("N"), K = f.dim("K"), W = f.dim("W");
  const ir::Ref A = f.tensor("A", {M, K}), B = f.tensor("B", {W, K}), id = f.tensor("id", {N}, Type::i32);
  const ir::Ref i = f.index("i"), j = f.index("j"), k = f.chain("k"), C = f.tensor("C", 2);
  const ir::Ref row = f.b.cast(Type::i64, f.at(id, {j}));
  f.define(C, {i, j}, f.sum({k}, f.mul(f.at(A, {i, k}), f.at(B, {row, k}))));
  nest::Nest nest = nest::make(ir::stages(f.program({A, B, id}, {C})));
  CHECK_NOTHROW(nest::apply(nest, default_schedule(nest, wide())));
}
