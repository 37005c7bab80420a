#include "ordo/auto/schedule.hpp"
#include "auto/wide.hpp"
#include "kernel/lowered.hpp"
#include "ordo/auto/gemm_tile.hpp"
#include "ordo/ir/text.hpp"

using namespace ordo;

namespace {
using made::wide;
using made::written;
}  // namespace

TEST_CASE("default schedule: a product gets panels, a register tile, vectors and tasks") {
  CHECK(nest::print(written(lowered::matmul(1024, 1024, 1024), wide())) == nest::print(written(lowered::matmul(1024, 1024, 1024), wide())));
  const std::string text = nest::print(written(lowered::matmul(1024, 1024, 1024), wide()));
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
          CHECK_NOTHROW(nest::apply(nest, written(p, m)));
        }
  }
}

TEST_CASE("default schedule: its directives apply on every machine that check accepts") {
  const std::string product =
      "input A: f32[M, K]\ninput B: f32[K, N]\nC[i, j]: f32[M, N] = sum(chain k < K, A[i, k] * B[k, j])\noutput C\n";
  const std::vector<std::string> programs{product, "input X: u8[M, N]\nY[i, j]: u8[M, N] = X[i, j]\noutput Y\n",
                                          "input X: u8[4096, 4096]\nY[j, i]: u8[4096, 4096] = X[i, j]\noutput Y\n",
                                          "input X: f32[M, 8192]\nY[i, j]: f32[M, 8192] = X[i, j] + 1.0\noutput Y\n",
                                          "input X: f32[M, N]\nY[i]: f32[M] = sum(lanes<32> k < N, X[i, k])\noutput Y\n"};
  std::vector<Machine> machines;
  const Machine first = wide();
  int n = 0;
  each_fact(first, [&](const char*, auto, i64 least, i64 most) {
    for (const i64 value : {least, most}) {
      Machine m = wide();
      m.l3_bytes = i64{1} << 40;
      int k = 0;
      each_fact(m, [&](const char*, auto& fact, i64, i64) {
        if (k++ == n) fact = static_cast<std::remove_reference_t<decltype(fact)>>(value);
      });
      m.l1_ways = std::min(m.l1_ways, m.l1_bytes / 64);
      m.l2_bytes = std::max(m.l1_bytes, m.l2_bytes);
      m.l3_bytes = std::max(m.l2_bytes, m.l3_bytes);
      machines.push_back(m);
    }
    ++n;
  });
  for (const int bits : {1024, 2048, 4096, 8192, 16384}) {
    machines.push_back(wide());
    machines.back().vector_bits = bits;
    machines.push_back(machines.back());
    machines.back().l1_bytes = machines.back().l2_bytes = 512;
    machines.back().l1_ways = 1;
  }
  for (const Machine& m : machines)
    for (const std::string& program : programs) {
      INFO(print(m), program);
      CHECK_NOTHROW(check(m, {}));
      nest::Nest nest = nest::make(ir::stages(ir::parse(program.c_str())));
      const nest::Trace trace = default_schedule(nest, m);
      CHECK_NOTHROW(nest::apply(nest, trace));
      CHECK((m.vector_bits == 32 || nest::print(trace).find("vectorize(") != std::string::npos));
    }
}
TEST_CASE("default schedule: what no directive takes is left out") {
  const ir::Program p =
      ir::parse("input X: f32[N]\nT[t, u]: f32[4294967296, 1073741824] = X[t] * 2.0 + X[u]\nY[i]: f32[N] = T[i, i]\noutput Y\n");
  nest::Nest nest = nest::make(ir::stages(p));
  CHECK_NOTHROW(nest::apply(nest, default_schedule(nest, wide())));
}

TEST_CASE("default schedule: an operand of a product that is an output too is not packed") {
  const ir::Program p = ir::parse(
      "input A: f32[200, 300]\nB[k, j]: f32[300, 100] = A[j, k] + 1.0\n"
      "C[i, j]: f32[200, 100] = sum(chain k < 300, A[i, k] * B[k, j])\noutput B, C\n");
  nest::Nest nest = nest::make(ir::stages(p));
  CHECK_NOTHROW(nest::apply(nest, written(p, wide())));
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

namespace {
std::string traced_text(const char* program) { return nest::print(written(ir::parse(program), wide())); }
bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }
}  // namespace

TEST_CASE("default schedule: rows are summed in vectors of the declared lanes, in parallel over rows") {
  CHECK(traced_text("input X: f32[M, N]\nY[i]: f32[M] = sum(lanes<32> k < N, X[i, k])\noutput Y\n") ==
        "s[Y].reorder(i, k.step(), k.lane());\ns[Y].vectorize(k.lane());\ns[Y].parallel(i);\n");
  CHECK(has(traced_text("input X: f32[M, N]\nY[i]: f32[M] = max(any k < N, X[i, k])\noutput Y\n"), "vectorize(k1)"));
  const std::string wide = traced_text("input X: f32[N]\nY: f32 = sum(blocks<4096, lanes<512>> k < N, X[k])\noutput Y\n");
  CHECK(has(wide, "unroll("));
  CHECK(has(wide, "parallel(k.block())"));
}

TEST_CASE("default schedule: columns are summed in vectors of the output, their lanes in registers") {
  const std::string few = traced_text("input X: f32[N, M]\nY[j]: f32[M] = sum(lanes<4> k < N, X[k, j])\noutput Y\n");
  CHECK(has(few, "unroll(k.lane())"));
  CHECK(has(few, "vectorize(j1)"));
  const std::string many = traced_text("input X: f32[N, M]\nY[j]: f32[M] = sum(lanes<64> k < N, X[k, j])\noutput Y\n");
  CHECK(!has(many, "unroll"));
  CHECK(has(many, "reorder(j0, k.lane(), k.step(), j1)"));
}

TEST_CASE("default schedule: its directives apply to every list of orders") {
  for (const char* axes : {"lanes<8> a < P, lanes<16> b < Q", "blocks<3> a < P, lanes<512> b < Q", "chain a < P, blocks<8, lanes<4>> b < Q",
                           "blocks<6> a < P, blocks<5> b < Q", "lanes<1> a < P, chain b < Q"})
    for (const char* term : {"X[a, b]", "X[b, a]", "X[a, b] * Z[i, b]", "Z[a, j] * Z[b, j]"})
      for (const char* left : {"Y[i, j]: f32[P, Q]", "Y[j, i]: f32[Q, P]"}) {
        const std::string inputs = "input X: f32[P + 600, Q + 600]\ninput Z: f32[P + 600, Q + 600]\n";
        const std::string program = inputs + left + " = sum({" + axes + "}, " + term + " + Z[i, j])\noutput Y\n";
        INFO(program);
        const ir::Program p = ir::parse(program.c_str());
        nest::Nest nest = nest::make(ir::stages(p));
        CHECK_NOTHROW(nest::apply(nest, written(p, wide())));
      }
}
TEST_CASE("default schedule: a scatter takes each element once, its destinations in blocks for tasks") {
  const std::string inputs = "input id: i64[N]\ninput X: f32[N, D]\ninput E: f32[V, D]\n";
  CHECK(traced_text((inputs + "Y[v, d]: f32[V, D] = sum(chain n < N, X[n, d], from E[v, d], where id[n] == v)\noutput Y\n").c_str()) ==
        "auto [v0, v1] = s[Y].split(v, 16384);\nauto [d0, d1] = s[Y].split(d, 16);\ns[Y].reorder(v0, n, v1, d0, d1);\n"
        "s[Y].vectorize(d1);\ns[Y].parallel(v0);\n");
  CHECK(
      traced_text("input X: u8[N]\ninput Z: i64[256]\nY[v]: i64[256] = sum(any a < N, 1, where X[a] == cast<u8>(v)) + Z[v]\noutput Y\n") ==
      "s[Y].reorder(a, v);\n");
}
TEST_CASE("default schedule: what no cache holds is stored past them, where rows are whole vectors") {
  const auto copy = [](const char* shape) {
    return traced_text(("input X: f32" + std::string(shape) + "\nY[i, j]: f32" + shape + " = X[i, j]\noutput Y\n").c_str());
  };
  CHECK(has(copy("[16384, 1024]"), "s[Y].store_nontemporal();"));
  for (const char* shape : {"[16384, 127]", "[128, 1024]", "[M, 1024]"}) CHECK(!has(copy(shape), "store_nontemporal"));
}
TEST_CASE("default schedule: long rows and blocks from memory are summed side by side") {
  CHECK(has(traced_text("input X: f32[4096, 4096]\nY[i]: f32[4096] = sum(lanes<64> l < 4096, X[i, l])\noutput Y\n"),
            "s[Y].reorder(i0, l.step(), i1, l.lane());\ns[Y].unroll(i1);"));
  CHECK(has(traced_text("input X: f32[16777216]\nY: f32 = sum(blocks<32768, lanes<64>> k < 16777216, X[k])\noutput Y\n"),
            "split(k.block(), 4"));
  for (const char* program : {"input X: f32[65536, 256]\nY[i]: f32[65536] = sum(lanes<64> l < 256, X[i, l])\noutput Y\n",
                              "input X: f32[64, 4096]\nY[i]: f32[64] = sum(lanes<64> l < 4096, X[i, l])\noutput Y\n"})
    CHECK(!has(traced_text(program), "unroll"));
}
TEST_CASE("default schedule: short rows are handed out some at a time") {
  CHECK(has(traced_text("input X: f32[10000, 100]\nY[i]: f32[10000] = sum(lanes<32> l < 100, X[i, l])\noutput Y\n"), "parallel(i, 40)"));
}
TEST_CASE("default schedule: a transposition has tiles, whole lines to memory") {
  CHECK(traced_text("input X: f32[512, 512]\nY[j, i]: f32[512, 512] = X[i, j]\noutput Y\n") ==
        "auto [i0, i1] = s[Y].split(i, 8);\nauto [j0, j1] = s[Y].split(j, 16);\ns[Y].reorder(i0, j0, j1, i1);\n"
        "s[Y].vectorize(i1);\ns[Y].unroll(j1);\ns[Y].parallel(i0);\n");
  const std::string large = traced_text("input X: f32[4096, 4096]\nY[j, i]: f32[4096, 4096] = X[i, j] * 2.0\noutput Y\n");
  for (const char* part : {"split(i, 16)", "pack(X, j0, {.memory = Memory::stack})", "store_nontemporal"}) CHECK(has(large, part));
}
TEST_CASE("default schedule: large and small, narrow and wide, crossed and not, its directives apply") {
  for (const int bits : {128, 256, 512})
    for (const char* type : {"u8", "f16", "f32", "f64"})
      for (const char* shape : {"1, 100000000", "100000000, 1", "100000000, 3", "8192, 8192", "8191, 8191", "M, 8192", "8192, M", "40, 50"})
        for (const char* value : {"X[i, j]", "X[j, i]", "X[i, j] + Z[j, i]"}) {
          Machine m = wide();
          m.vector_bits = bits;
          const std::string t = type, s = shape, big = "[100000001, 100000001]";
          const std::string inputs = "input W: f32[M]\ninput X: " + t + big + "\ninput Z: " + t + big + "\n";
          const std::string text = inputs + "Y[i, j]: " + t + "[" + s + "] = " + value + "\noutput Y\n";
          INFO(text);
          nest::Nest nest = nest::make(ir::stages(ir::parse(text.c_str())));
          CHECK_NOTHROW(nest::apply(nest, detail_auto::written(nest, m)));
        }
}
TEST_CASE("default schedule: what is read where data says is not packed") {
  made::Front f;
  const ir::Ref M = f.dim("M"), N = f.dim("N"), K = f.dim("K"), W = f.dim("W");
  const ir::Ref A = f.tensor("A", {M, K}), B = f.tensor("B", {W, K}), id = f.tensor("id", {N}, Type::i32);
  const ir::Ref i = f.index("i"), j = f.index("j"), k = f.chain("k"), C = f.tensor("C", 2);
  const ir::Ref row = f.b.cast(Type::i64, f.at(id, {j}));
  f.define(C, {i, j}, f.sum({k}, f.mul(f.at(A, {i, k}), f.at(B, {row, k}))));
  nest::Nest nest = nest::make(ir::stages(f.program({A, B, id}, {C})));
  CHECK_NOTHROW(nest::apply(nest, detail_auto::written(nest, wide())));
}

TEST_CASE("default schedule: a recurrence has its rows outside time, or its columns as vectors in each step") {
  const auto text = [](const char* program) { return nest::print(written(ir::parse(program), wide())); };
  CHECK(text("input X: f32[512, 512]\nY[i, scan t]: f32[512, 512] = scan(t, 0.0, Y[i, t - 1] + X[i, t])\noutput Y\n") ==
        "s[Y].reorder(t, i);\n"
        "auto [i0, i1] = s[Y].split(i, 8);\n"
        "s[Y].unroll(i1);\n"
        "s[Y].reorder(i0, t, i1);\n"
        "s[Y].parallel(i0);\n");
  CHECK(text("input X: f32[N, M]\nY[scan t, j]: f32[N, M] = scan(t, 0.0, Y[t - 1, j] + X[t, j])\noutput Y\n") ==
        "s[Y].reorder(t, j);\n"
        "auto [j0, j1] = s[Y].split(j, 16);\n"
        "s[Y].vectorize(j1);\n");
  CHECK(text("input X: f32[N, M]\nG[scan t, i]: f32[N, M] = H[t - 1, i] * X[t, i]\n"
             "H[scan t, i]: f32[N, M] = scan(t, 0.5, G[t, i] + H[t - 2, i])\noutput H\n") ==
        "auto [i0, i1] = s[G].split(i, 16);\n"
        "s[G].vectorize(i1);\n"
        "auto [i0, i1] = s[H].split(i, 16);\n"
        "s[H].vectorize(i1);\n");
}

TEST_CASE("default schedule: time is free where a stage reads nothing back") {
  for (const char* program : {"input X: f32[N, N]\nY[scan t, j]: f32[N, N] = X[t, j] * 2.0\noutput Y\n",
                              "input X: f32[T, M]\nh[scan t, b]: f32[T, M] = scan(t, 0.0, h[t - 1, b] + X[t, b])\n"
                              "R[scan t]: f32[T] = sum(chain q < M, h[t, q])\noutput R\n"}) {
    const ir::Program p = ir::parse(program);
    nest::Nest nest = nest::make(ir::stages(p));
    CHECK_NOTHROW(nest::apply(nest, written(p, wide())));
  }
}
TEST_CASE("default schedule: rows of any number of axes are finished one by one") {
  const char* const softmax =
      "input X: f32[2, 8, 512, 512]\nm[b, h, i]: f32[2, 8, 512] = max(any q < 512, X[b, h, i, q])\n"
      "E[b, h, i, j]: f32[2, 8, 512, 512] = exp(X[b, h, i, j] - m[b, h, i])\n"
      "Y[b, h, i, j]: f32[2, 8, 512, 512] = E[b, h, i, j] / sum(lanes<16> l < 512, E[b, h, i, l])\noutput Y\n";
  CHECK(has(traced_text(softmax), "s[E].compute_at(s[Y], i);\n"));
  CHECK(has(traced_text(softmax), "s[m].compute_at(s[Y], i);\n"));
}
TEST_CASE("default schedule: nothing is computed twice for rows") {
  const char* const shared =
      "input X: f32[512, 512]\ninput b: f32[512]\nS[j]: f32[512] = exp(b[j])\n"
      "Y[i, j]: f32[512, 512] = X[i, j] * S[j] + S[j] * sum(lanes<16> l < 512, X[i, l] * S[l])\noutput Y\n";
  const char* const window =
      "input X: f32[512, 512]\nS[i, j]: f32[512, 512] = exp(X[i, j])\n"
      "Y[i, j]: f32[510, 512] = S[i, j] + S[i + 2, j] * sum(lanes<16> l < 512, S[i + 1, l])\noutput Y\n";
  for (const char* program : {shared, window}) CHECK(!has(traced_text(program), "s[S].compute_at"));
}
