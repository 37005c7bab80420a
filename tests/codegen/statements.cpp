// Loops, conditions, lets, allocations, failures, parallel loops: order of effects and lifetime of values.
#include <doctest/doctest.h>
#include "codegen/made.hpp"
#include "ordo/codegen/llvm/llvm.hpp"

namespace {
using namespace made;
using kernel::Space;

struct Ran { i32 status; Call call; };
Ran run(const Maker& m, const Target& t, std::vector<void*> data, std::vector<i64> dims = {}, bool out_of_memory = false) {
  const Linked linked(m.kernel, t);
  Ran r;
  r.call.data = std::move(data);
  r.call.dims = std::move(dims);
  r.call.strides.resize((r.call.data.size() + 1) * max_rank, 1);
  r.call.out_of_memory = out_of_memory;
  r.status = r.call.run(linked.entry());
  return r;
}
const Target& host() {
  static const Target t = cpu::host();
  return t;
}
}  // namespace

TEST_CASE("loops: no turn, one turn, any begin, bounds of the call") {
  Maker m;
  const u64 out = m.argument("out", Type::i64);
  const auto count = [&](Ref begin, Ref end, i64 place) {
    Ref i = m.var("i");
    return m.loop(i, begin, end, m.write(out, m.i(place), m.add(m.read(out, m.i(place)), m.add(i, m.i(1000)))));
  };
  m.kernel.body = m.block({count(m.i(5), m.i(5), 0), count(m.i(5), m.i(3), 1), count(m.i(7), m.i(8), 2), count(m.i(-3), m.i(2), 3),
                           count(m.dim(0), m.dim(1), 4), count(m.dim(1), m.dim(0), 5), count(m.i(0), m.dim(1), 6)});
  std::vector<i64> result(7);
  CHECK(run(m, host(), {result.data()}, {-2, 3}).status == 0);
  CHECK(result == std::vector<i64>{0, 0, 1007, 5 * 1000 - 5, 5000, 0, 3003});
}
TEST_CASE("reads: the same node is read again by the next statement, and not within one") {
  Maker m;
  const u64 x = m.argument("x", Type::i32), y = m.argument("y", Type::i32);
  Ref r = m.read(x, m.i(0));
  Ref i = m.var("i");
  m.kernel.body = m.block({m.write(x, m.i(0), m.add(r, r)), m.write(y, m.i(0), r),
                           m.loop(i, m.i(0), m.i(4), m.write(x, m.i(0), m.add(r, r))), m.write(y, m.i(1), r)});
  int memory = 3, result[2] = {};
  run(m, host(), {&memory, result});
  CHECK(result[0] == 6);
  CHECK(result[1] == 96);
}
TEST_CASE("let: keeps what it read when memory changes later") {
  Maker m;
  const u64 x = m.argument("x", Type::f32), y = m.argument("y", Type::f32);
  Ref before = m.var("before", Type::f32, 4), at = m.ramp(m.i(0), 4);
  Ref nine = m.a.constant(Type::f32, 0x41100000, 4);
  m.kernel.body = m.let(before, m.read(x, at), m.block({m.write(x, at, nine), m.write(y, at, m.add(before, m.read(x, at)))}));
  float memory[4] = {1, 2, 3, 4}, result[4] = {};
  run(m, host(), {memory, result});
  for (int k = 0; k < 4; ++k) CHECK(result[k] == static_cast<float>(k + 10));
}
TEST_CASE("hoisting: a value made in one arm or in a loop without turns is made again where it is needed next") {
  for (i64 n : {0, 1, 3}) {
    Maker m;
    const u64 out = m.argument("out", Type::i64);
    Ref shared = m.mul(m.add(m.dim(0), m.i(5)), m.dim(1));
    Ref i = m.var("i"), j = m.var("j");
    Ref inner = m.loop(j, m.i(0), m.dim(0), m.write(out, j, m.add(shared, m.mul(i, m.dim(1)))));
    Ref arm = m.choose(m.two(Op::Eq, m.two(Op::Mod, i, m.i(2)), m.i(0)), m.write(out, m.i(10), m.add(shared, i)),
                       m.block({m.write(out, m.i(11), shared), inner}));
    m.kernel.body = m.block({m.loop(i, m.i(0), m.dim(0), arm), m.write(out, m.i(12), m.add(shared, m.mul(m.i(7), m.dim(1))))});
    std::vector<i64> result(13, -1), want(13, -1);
    const i64 d1 = 11, s = (n + 5) * d1;
    for (i64 a = 0; a < n; ++a) {
      if (a % 2 == 0) want[10] = s + a;
      else {
        want[11] = s;
        for (i64 b = 0; b < n; ++b) want[static_cast<std::size_t>(b)] = s + a * d1;
      }
    }
    want[12] = s + 7 * d1;
    run(m, host(), {result.data()}, {n, d1});
    CHECK(result == want);
  }
}
TEST_CASE("arguments: an input and an output may be the same memory, element by element") {
  for (const Target& t : targets()) {
    Maker m;
    const u64 x = m.argument("x", Type::f32), y = m.argument("y", Type::f32);
    Ref i = m.var("i"), at = m.ramp(m.mul(i, m.i(4)), 4);
    m.kernel.body =
        m.loop(i, m.i(0), m.i(4),
               m.block({m.write(y, at, m.add(m.read(x, at), m.read(x, at))), m.write(y, at, m.add(m.read(y, at), m.read(x, at)))}));
    std::vector<float> memory(16, 1.0f);
    run(m, t, {memory.data(), memory.data()});
    CHECK(memory == std::vector<float>(16, 4.0f));       // y = 2x is x for the second statement
  }
}
TEST_CASE("workspaces: come after the arguments of the call") {
  Maker m;
  const u64 x = m.argument("x", Type::i32), w = m.buffer("w", Type::i32, Space::workspace, 4);
  m.kernel.buffers[w].slot = 1;
  m.kernel.arguments = 2;
  m.kernel.body = m.write(x, m.i(0), m.read(w, m.i(2)));
  int memory[4] = {}, space[4] = {1, 2, 3, 4};
  run(m, host(), {memory, nullptr, nullptr, space});
  CHECK(memory[0] == 3);
}
TEST_CASE("buffers of a kernel: heap, stack and registers hold what was written") {
  for (const Target& t : targets())
    for (Space space : {Space::heap, Space::stack, Space::registers})
      for (Type s : {Type::boolean, Type::u8, Type::bf16, Type::f32, Type::i64}) {
        Maker m;
        const u64 in = m.argument("in", s), out = m.argument("out", s, true), b = m.buffer("b", s, space, 16);
        const auto at = [&](i64 k) { return m.ramp(m.i(4 * k), 4); };
        std::vector<Ref> all;
        for (i64 k = 0; k < 4; ++k) all.push_back(m.write(b, at(k), m.read(in, at(k))));
        for (i64 k = 0; k < 4; ++k) all.push_back(m.write(out, at(3 - k), m.read(b, at(k))));
        m.kernel.body = m.alloc(b, m.block(all));
        std::vector<u64> values;
        for (u64 k = 0; k < 16; ++k) values.push_back(s == Type::boolean ? k & 1 : k + 1);
        auto source = in_memory(s, values);
        std::vector<u8> result(source.size());
        const Ran r = run(m, t, {source.data(), result.data()});
        CHECK(r.status == 0);
        CHECK(r.call.allocated == (space == Space::heap ? 16 * bytes_of(s) : 0));
        CHECK(r.call.allocated == r.call.released);
        for (std::size_t k = 0; k < 16; ++k) CHECK(element(s, result, k) == values[(3 - k / 4) * 4 + k % 4]);
      }
}
TEST_CASE("registers: masked writes keep the other lanes, masked reads give 0") {
  for (const Target& t : targets()) {
    Maker m;
    const u64 out = m.argument("out", Type::f32), b = m.buffer("b", Type::f32, Space::registers, 4);
    Ref at = m.ramp(m.i(0), 4), low = m.two(Op::Lt, at, m.broadcast(m.dim(0), 4));
    m.kernel.body = m.alloc(
        b, m.block({m.write(b, at, m.a.constant(Type::f32, 0x3f800000, 4)), m.write(b, at, m.a.constant(Type::f32, 0x40000000, 4), low),
                    m.write(out, at, m.read(b, at)), m.write(out, m.ramp(m.i(4), 4), m.read(b, at, low))}));
    std::vector<float> result(8);
    run(m, t, {result.data()}, {3});
    CHECK(result == std::vector<float>{2, 2, 2, 1, 2, 2, 2, 0});
  }
}
TEST_CASE("registers: pieces that overlap, or a place that is no constant, fall back to one array") {
  for (const Target& t : targets()) {
    Maker m;
    const u64 out = m.argument("out", Type::i32), b = m.buffer("b", Type::i32, Space::registers, 8),
              c = m.buffer("c", Type::i32, Space::registers, 4);
    Ref i = m.var("i");
    m.kernel.body = m.alloc(b, m.alloc(c, m.block({m.write(b, m.ramp(m.i(0), 8), m.cast(Type::i32, m.ramp(m.i(0), 8))),
                                                   m.write(b, m.i(3), m.a.constant(Type::i32, 50)),
                                                   m.loop(i, m.i(0), m.i(4), m.write(c, i, m.read(b, m.add(i, m.i(2))))),
                                                   m.write(out, m.ramp(m.i(0), 4), m.read(c, m.ramp(m.i(0), 4)))})));
    std::vector<int> result(4);
    run(m, t, {result.data()});
    CHECK(result == std::vector<int>{2, 50, 4, 5});
  }
}
TEST_CASE("heap: out of memory is reported, its body skipped, and the rest goes on") {
  Maker m;
  const u64 out = m.argument("out", Type::i32), b = m.buffer("b", Type::i32, Space::heap, 0);
  m.kernel.buffers[b].elements = m.dim(0);
  m.kernel.body = m.block({m.alloc(b, m.write(out, m.i(0), m.a.constant(Type::i32, 1))), m.write(out, m.i(1), m.a.constant(Type::i32, 2))});
  int result[2] = {};
  const Ran r = run(m, host(), {result}, {100}, true);
  CHECK(r.status == 1);
  CHECK(result[0] == 0);
  CHECK(result[1] == 2);
  CHECK(r.call.failures == std::vector<std::pair<i64, i64>>{{-1, 400}});
}
TEST_CASE("fail: reports number and value, the status is 1, the rest goes on") {
  Maker m;
  const u64 out = m.argument("out", Type::i32);
  m.kernel.failures.resize(8);
  Ref i = m.var("i");
  m.kernel.body =
      m.block({m.loop(i, m.i(0), m.dim(0), m.choose(m.two(Op::Eq, m.two(Op::Mod, i, m.i(3)), m.i(2)), m.fail(7, m.mul(i, m.i(10))))),
               m.write(out, m.i(0), m.a.constant(Type::i32, 4))});
  int result = 0;
  const Ran good = run(m, host(), {&result}, {2});
  CHECK(good.status == 0);
  const Ran bad = run(m, host(), {&result}, {7});
  CHECK(bad.status == 1);
  CHECK(bad.call.failures == std::vector<std::pair<i64, i64>>{{7, 20}, {7, 50}});
  CHECK(result == 4);
}
TEST_CASE("parallel: the body sees loop variables, lets, buffers of the kernel; nested loops too") {
  for (const Target& t : targets())
    for (Space space : {Space::heap, Space::stack, Space::registers}) {
      Maker m;
      const u64 in = m.argument("in", Type::f32), out = m.argument("out", Type::f32, true), b = m.buffer("b", Type::f32, space, 4);
      Ref s = m.var("s"), i = m.var("i"), j = m.var("j"), scale = m.var("scale", Type::f32, 4), at4 = m.ramp(m.i(0), 4);
      Ref place = m.ramp(m.mul(m.add(m.mul(s, m.dim(0)), m.add(m.mul(i, m.i(2)), j)), m.i(4)), 4);
      Ref inner =
          m.loop(j, m.i(0), m.i(2), m.write(out, place, m.mul(m.add(m.read(in, place), scale), m.read(b, at4))), ir::LoopMode::parallel);
      Ref outer = m.loop(i, m.i(1), m.two(Op::Div, m.dim(0), m.i(2)), inner, ir::LoopMode::parallel);
      m.kernel.body = m.loop(s, m.i(0), m.i(2),
                             m.let(scale, m.read(in, m.ramp(m.mul(s, m.i(4)), 4)),
                                   m.alloc(b, m.block({m.write(b, at4, m.a.constant(Type::f32, 0x40000000, 4)), outer}))));
      std::vector<float> source(80), result(80, -1.0f);
      for (std::size_t k = 0; k < source.size(); ++k) source[k] = static_cast<float>(k);
      const Ran r = run(m, t, {source.data(), result.data()}, {10});
      CHECK(r.status == 0);
      CHECK(r.call.chunks == 2 * (4 + 4 * 2));
      for (std::size_t k = 0; k < 80; ++k) {
        const std::size_t step = k / 40, lane = k % 4;
        CHECK(result[k] == (k % 40 < 8 ? -1.0f : 2 * (source[k] + source[step * 4 + lane])));
      }
    }
}
TEST_CASE("parallel: a failure inside of it is the kernel's; no chunk runs when there is no turn") {
  Maker m;
  const u64 out = m.argument("out", Type::i32);
  m.kernel.failures.resize(1);
  Ref i = m.var("i");
  m.kernel.body =
      m.loop(i, m.i(0), m.dim(0), m.block({m.write(out, i, m.a.constant(Type::i32, 1)), m.choose(m.two(Op::Gt, i, m.i(2)), m.fail(0, i))}),
             ir::LoopMode::parallel);
  std::vector<int> result(5);
  CHECK(run(m, host(), {result.data()}, {3}).status == 0);
  const Ran bad = run(m, host(), {result.data()}, {5});
  CHECK(bad.status == 1);
  CHECK(bad.call.failures.size() == 2);
  const Ran none = run(m, host(), {result.data()}, {-4});
  CHECK(none.status == 0);
  CHECK(none.call.chunks == 0);
}
