#include "kernel/lowered.hpp"
#include "ordo/ir/text.hpp"

using namespace ordo;
using namespace lowered;

namespace {
const kernel::Layout rows = {1, 1, 1};

kernel::Kernel make(const plan::Plan& plan, const kernel::Planted& planted = {}) {
  kernel::Kernel k = kernel::lower(plan, 0, rows, four_lanes(), planted);
  kernel::verify(k);
  return k;
}
const nest::Trace tiled = {
    directive("split", {"i"}, {"3"}), directive("split", {"j"}, {"8"}),
    directive("split", {"k"}, {"4"}), directive("reorder", {"k.0", "i.0", "j.0", "k.1", "i.1", "j.1"}),
    directive("vectorize", {"j.1"}),  directive("unroll", {"i.1"}),
};
nest::Trace with_tail(Tail tail) {
  nest::Trace t = tiled;
  t[0].tail = t[1].tail = tail;
  return t;
}
}  // namespace

TEST_CASE("lower: the plain nest has one accumulator a place and stores it once") {
  const kernel::Kernel k = make(planned(matmul(), {}));
  CHECK(kernel::print(k) ==
        "kernel C\n"
        "argument C: f32, canonical\n"
        "argument A: f32\n"
        "argument B: f32\n"
        "for i in 0..M\n"
        "  for j in 0..N\n"
        "    alloc acc: f32[1] registers\n"
        "      acc[0] = 0.0\n"
        "      for k in 0..K\n"
        "        acc[0] = fma(A[i * A.stride0 + k], B[k * B.stride0 + j], acc[0])\n"
        "      C[i * C.stride0 + j] = acc[0]\n");
}

TEST_CASE("lower: a free loop that a condition pins runs one turn, its initial values in a loop of their own") {
  const char* program = "input id: i64[N]\ninput X: f32[N]\ninput E: f32[V]\n"
                        "Y[v]: f32[V] = sum(chain n < N, X[n], from E[v], where id[n] == v)\noutput Y\n";
  nest::Directive order = directive("reorder", {"n", "v"});
  order.stage = "Y";
  const kernel::Kernel k = kernel::lower(planned(ir::parse(program), {order}), 0, {0, 0, 0, 0}, four_lanes());
  kernel::verify(k);
  CHECK(k.starts_first);
  CHECK(kernel::print(k) ==
        "kernel Y\n"
        "argument Y: f32, canonical\n"
        "argument E: f32\n"
        "argument id: i64\n"
        "argument X: f32\n"
        "for v in 0..V\n"
        "  alloc acc: f32[1] registers\n"
        "    acc[0] = E[v]\n"
        "    Y[v] = acc[0]\n"
        "for n in 0..N\n"
        "  for v_2 in maximum(0, id[n])..minimum(V, id[n] + 1)\n"
        "    alloc acc: f32[1] registers\n"
        "      acc[0] = Y[v_2]\n"
        "      if id[n] == v_2\n"
        "        acc[0] = acc[0] + X[n]\n"
        "      Y[v_2] = acc[0]\n");
}

TEST_CASE("lower: every tail gives the bytes of the plain nest, at sizes that fit and sizes that do not") {
  const kernel::Kernel plain = make(planned(matmul(), {}));
  for (const Tail tail : {Tail::mask, Tail::guard, Tail::peel}) {
    const kernel::Kernel k = make(planned(matmul(), with_tail(tail)));
    for (const i64 m : {0, 1, 3, 7})
      for (const i64 n : {0, 1, 8, 13})
        for (const i64 depth : {0, 1, 4, 9}) CHECK(walked(k, m, n, depth) == walked(plain, m, n, depth));
  }
}

TEST_CASE("lower: constant sizes give remainders of their own and the same bytes") {
  for (const i64 m : {1, 5, 6})
    for (const i64 n : {3, 8, 21})
      for (const i64 depth : {1, 4, 10}) {
        const std::string plain = walked(make(planned(matmul(), {})), m, n, depth);
        for (const Tail tail : {Tail::mask, Tail::guard, Tail::peel})
          CHECK(walked(make(planned(matmul(m, n, depth), with_tail(tail))), m, n, depth) == plain);
      }
}

TEST_CASE("lower: parts of a fused loop do not rise together, so a whole tile of them is not taken for granted") {
  for (const Tail tail : {Tail::mask, Tail::guard}) {
    nest::Trace t = {directive("split", {"i"}, {"7"}), directive("reorder", {"i.1", "i.0"}), directive("fuse", {"i.1", "i.0"})};
    t.push_back(directive("split", {"i.1*i.0"}, {"5"}, tail));
    t.push_back(directive("reorder", {"i.1*i.0.0", "j", "k", "i.1*i.0.1"}));
    t.push_back(directive("unroll", {"i.1*i.0.1"}));
    for (const i64 m : {1, 6, 7, 8, 9, 20, 23})
      CHECK(walked(make(planned(matmul(), t)), m, 3, 2) == walked(make(planned(matmul(), {})), m, 3, 2));
  }
}

TEST_CASE("lower: a loop is not clipped by what the first turn of a part of a fused loop says") {
  const std::string plain = walked(make(planned(matmul(9, 7, 5), {})), 9, 7, 5);
  nest::Trace t = {directive("split", {"j"}, {"3"}), directive("fuse", {"i", "j.0"}), directive("split", {"i*j.0"}, {"2"}, Tail::guard)};
  t.push_back(directive("reorder", {"i*j.0.0", "k", "j.1", "i*j.0.1"}));
  t.push_back(directive("vectorize", {"i*j.0.1"}));
  CHECK(walked(make(planned(matmul(9, 7, 5), t)), 9, 7, 5) == plain);
}

TEST_CASE("lower: an empty reduction outside the tile still stores its initial value") {
  const nest::Trace outer = {directive("reorder", {"k", "i", "j"})};
  const kernel::Kernel k = make(planned(matmul(), outer));
  const std::string zeros(2 * 3 * sizeof(float), '\0');
  CHECK(walked(k, 2, 3, 0) == zeros);
}

TEST_CASE("lower: a packed copy holds whole tiles, with and without padding") {
  const std::string plain = walked(make(planned(matmul(), {})), 7, 13, 9);
  for (const i64 pad : {0, 3})
    for (const char* at : {"k.0", "j.0", ""}) {
      nest::Trace t = tiled;
      nest::Directive pack = directive("pack", *at == '\0' ? std::vector<std::string>{} : std::vector<std::string>{at});
      pack.tensor = "B";
      pack.pack.pad = pad;
      t.push_back(pack);
      CHECK(walked(make(planned(matmul(), t)), 7, 13, 9) == plain);
    }
}

TEST_CASE("vectorize and unroll: each pass keeps the bytes of the statements before it, and the rules of the level") {
  std::vector<nest::Trace> traces = {with_tail(Tail::mask), with_tail(Tail::guard), with_tail(Tail::peel)};
  traces.push_back({directive("split", {"j"}, {"9"}), directive("split", {"i"}, {"2"}),  // pieces of 4, 4 and 1 lanes around a loop
                    directive("reorder", {"k", "i.0", "j.0", "j.1", "i.1"}), directive("unroll", {"i.1"}),
                    directive("vectorize", {"j.1"})});
  for (const nest::Trace& trace : traces) {
    const plan::Plan plan = planned(matmul(), trace);
    const Target target = four_lanes();
    const kernel::Planted planted;
    kernel::Kernel k;
    k.arguments = 3;
    kernel::detail_lower::Buffers buffers;
    kernel::detail_lower::Lowering lowering(plan, 0, -1, rows, target, planted, k, buffers);
    lowering.run();
    kernel::verify(k);
    const std::string before = walked(k, 7, 13, 9);
    k.body = kernel::vectorize(k, k.body, lowering.lanes());
    kernel::verify(k);
    CHECK(walked(k, 7, 13, 9) == before);
    k.body = kernel::unroll(k, k.body);
    kernel::verify(k);
    CHECK(walked(k, 7, 13, 9) == before);
  }
}

TEST_CASE("vectorize: a loop becomes pieces of the register's width, the rest a shorter one") {
  made::Front f;
  const ir::Ref X = f.tensor("X", {f.number(10)}), C = f.tensor("C", {f.number(10)}), i = f.index("i");
  f.define(C, {i}, f.add(f.at(X, {i}), f.real(1)));
  const kernel::Kernel k = kernel::lower(planned(f.program({X}, {C}), {directive("vectorize", {"i"})}), 0, {0, 0}, four_lanes());
  const std::string text = kernel::print(k);
  CHECK(text.substr(text.find("C[")) ==
        "C[ramp(0, 1) x4] = X[ramp(0, 1) x4] + 1.0 x4\n"
        "C[ramp(4, 1) x4] = X[ramp(4, 1) x4] + 1.0 x4\n"
        "C[ramp(8, 1) x2] = X[ramp(8, 1) x2] + 1.0 x2\n");
}

TEST_CASE("lower: a planted wrong order or a dropped tail changes the bytes") {
  const std::string right = walked(make(planned(matmul(), tiled)), 7, 13, 9);
  CHECK(walked(make(planned(matmul(), tiled), {.reverse_chain = true}), 7, 13, 9) != right);
  CHECK(walked(make(planned(matmul(), tiled), {.drop_tail = true}), 7, 13, 9) != right);
}

TEST_CASE("lower: starts without a lowering are refused by name") {
  const auto refusal = [](const char* program) {
    try {
      const plan::Plan plan = planned(ir::parse(program), {});
      kernel::lower(plan, 0, {1, 0, 0}, four_lanes());
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("not refused");
  };
  CHECK(refusal("input X: f32[N, K]\n"
                "C[scan t]: f32[N] = scan(t, sum(chain k < K, X[t + 1, k]), C[t - 1] + X[t, 0])\noutput C\n") ==
        "error[codegen.start]: the initial value of `C` holds a reduction that depends on `t`, which compiled targets do not lower\n"
        "  help: start from a tensor, or compile for interpreter()");
}
