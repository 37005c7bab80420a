#include <doctest/doctest.h>
#include <initializer_list>
#include <string>
#include "ordo/kernel/walk.hpp"

using namespace ordo;
using ir::LoopMode;
using ir::Op;
using ir::Ref;
using kernel::Space;

namespace {
struct Made {
  kernel::Kernel k;
  Ref i64s(i64 v) { return k.arena.integer(v); }
  Ref var(const char* name) { return k.arena.make(Op::Var, Type::i64, nullptr, 0, k.next_var++, name); }
  Ref dim(u64 number) { return k.arena.make(Op::Dim, Type::i64, nullptr, 0, number, "N"); }
  Ref op(Op o, Ref a, Ref b) {
    const bool compares = ir::class_of(o) == ir::OpClass::compare;
    return k.arena.make(o, compares ? Type::boolean : a->type, {a, b}, 0, "", {}, a->lanes);
  }
  Ref ramp(Ref base, u16 lanes) { return k.arena.make(Op::Ramp, Type::i64, {base, i64s(1)}, 0, "", {}, lanes); }
  Ref broadcast(Ref a, u16 lanes) { return k.arena.make(Op::Broadcast, a->type, {a}, 0, "", {}, lanes); }
  Ref read(u64 b, Ref offset) { return k.arena.make(Op::Read, compute_type(k.buffers[b].type), {offset}, b, "", {}, offset->lanes); }
  Ref read(u64 b, Ref offset, Ref mask) {
    return k.arena.make(Op::Read, compute_type(k.buffers[b].type), {offset, mask}, b, "", {}, offset->lanes);
  }
  Ref write(u64 b, Ref offset, Ref value) { return k.arena.make(Op::Write, Type::none, {offset, value}, b, "", {}, value->lanes); }
  Ref write(u64 b, Ref offset, Ref value, Ref mask) {
    return k.arena.make(Op::Write, Type::none, {offset, value, mask}, b, "", {}, value->lanes);
  }
  Ref loop(LoopMode m, Ref v, Ref begin, Ref end, Ref body) {
    return k.arena.make(Op::For, Type::none, {v, begin, end, body}, static_cast<u64>(m));
  }
  Ref block(std::initializer_list<Ref> s) { return k.arena.make(Op::Block, Type::none, s); }
  u64 buffer(const char* name, Type type, Space space, Ref elements, bool canonical = true) {
    kernel::Buffer b;
    b.name = name;
    b.type = type;
    b.space = space;
    b.elements = elements;
    b.canonical = canonical;
    if (space == Space::argument) b.slot = k.arguments++, b.rank = 1;
    if (space == Space::workspace) b.slot = 0;
    k.buffers.push_back(b);
    return k.buffers.size() - 1;
  }
};

struct Failed { i64 number = -9, value = 0; };
i32 run(const kernel::Kernel& k, std::initializer_list<void*> data, std::initializer_list<i64> dims, Failed* failed = nullptr) {
  kernel::verify(k);
  i64 strides[8 * max_rank];
  for (i64& s : strides) s = 1;
  kernel::Hooks hooks{};
  hooks.fail = [](const kernel::Frame* f, i64 number, i64 value) { *static_cast<Failed*>(f->context) = {number, value}; };
  const kernel::Frame frame{data.begin(), dims.begin(), strides, &hooks, failed};
  return kernel::walk(k, &frame);
}
}  // namespace

TEST_CASE("walk: loops, reads and writes of arguments through their strides") {
  Made m;
  const u64 x = m.buffer("X", Type::f32, Space::argument, nullptr), y = m.buffer("Y", Type::f32, Space::argument, nullptr);
  const Ref i = m.var("i"), stride = m.k.arena.make(Op::Stride, Type::i64, nullptr, 0, y << 8);
  const Ref twice = m.op(Op::Add, m.read(x, i), m.read(x, i));
  m.k.body = m.loop(LoopMode::parallel, i, m.i64s(0), m.dim(0), m.write(y, m.op(Op::Mul, i, stride), twice));
  float in[] = {1, 2, 3}, out[] = {9, 9, 9, 9};
  CHECK(run(m.k, {in, out}, {3}) == 0);
  CHECK(out[0] == 2);
  CHECK(out[2] == 6);
  CHECK(out[3] == 9);
}

TEST_CASE("walk: masked-off lanes are zero and touch no memory") {
  Made m;
  const u64 x = m.buffer("X", Type::i32, Space::argument, nullptr), y = m.buffer("Y", Type::i32, Space::argument, nullptr);
  const Ref at = m.ramp(m.i64s(0), 4), mask = m.op(Op::Lt, at, m.broadcast(m.dim(0), 4));
  const Ref read = m.read(x, at, mask), one = m.k.arena.constant(Type::i32, 1, 4);
  m.k.body = m.block({m.write(y, at, m.op(Op::Add, read, one))});
  i32 in[] = {5, 6}, out[4] = {};
  CHECK(run(m.k, {in, out}, {2}) == 0);
  CHECK(out[1] == 7);
  CHECK(out[3] == 1);
  m.k.body = m.write(y, at, one, mask);
  i32 tail[] = {7, 7, 7, 7};
  CHECK(run(m.k, {in, tail}, {2}) == 0);
  CHECK(tail[1] == 1);
  CHECK(tail[2] == 7);
}

TEST_CASE("walk: an accumulator in registers sums in the order of the loop") {
  Made m;
  const u64 x = m.buffer("X", Type::f32, Space::argument, nullptr), y = m.buffer("Y", Type::f32, Space::argument, nullptr);
  const u64 acc = m.buffer("acc", Type::f32, Space::registers, m.i64s(1), false);
  const Ref k = m.var("k"), zero = m.i64s(0);
  const Ref step = m.write(acc, zero, m.op(Op::Add, m.read(acc, zero), m.read(x, k)));
  const Ref body = m.block({m.write(acc, zero, m.k.arena.constant(Type::f32, 0)), m.loop(LoopMode::serial, k, zero, m.dim(0), step),
                            m.write(y, zero, m.read(acc, zero))});
  m.k.body = m.k.arena.make(Op::Alloc, Type::none, {body}, acc);
  float in[] = {16777216, 1, 1, -16777216}, out = 9;
  CHECK(run(m.k, {in, &out}, {4}) == 0);
  CHECK(out == 0);
}

TEST_CASE("walk: a let keeps its value when memory changes") {
  Made m;
  const u64 x = m.buffer("X", Type::i64, Space::argument, nullptr);
  const Ref zero = m.i64s(0), v = m.var("old");
  const Ref body = m.block(
      {m.write(x, zero, m.op(Op::Add, m.read(x, zero), m.i64s(1))), m.write(x, m.i64s(1), v), m.write(x, m.i64s(2), m.read(x, zero))});
  m.k.body = m.k.arena.make(Op::Let, Type::none, {v, m.read(x, zero), body});
  i64 data[] = {10, 0, 0};
  CHECK(run(m.k, {data}, {}) == 0);
  CHECK(data[0] == 11);
  CHECK(data[1] == 10);
  CHECK(data[2] == 11);
}

TEST_CASE("walk: a failure stops the kernel and is reported") {
  Made m;
  const u64 x = m.buffer("X", Type::i32, Space::argument, nullptr);
  m.k.failures.push_back({"index %lld is out of range"});
  const Ref i = m.var("i"), bad = m.op(Op::Eq, i, m.i64s(2));
  const Ref fails = m.k.arena.make(Op::Fail, Type::none, {i}, 0), one = m.k.arena.constant(Type::i32, 1);
  const Ref test = m.k.arena.make(Op::If, Type::none, {bad, fails, m.write(x, i, one)});
  m.k.body = m.loop(LoopMode::serial, i, m.i64s(0), m.dim(0), test);
  i32 data[5] = {};
  Failed failed;
  CHECK(run(m.k, {data}, {5}, &failed) == 1);
  CHECK(failed.number == 0);
  CHECK(failed.value == 2);
  CHECK(data[1] == 1);
  CHECK(data[3] == 0);
}

TEST_CASE("walk: an element outside of its buffer is an internal error that shows the statement") {
  Made m;
  const u64 w = m.buffer("W", Type::f32, Space::workspace, m.dim(0));
  const Ref i = m.var("i");
  m.k.body = m.loop(LoopMode::serial, i, m.i64s(0), m.i64s(4), m.write(w, i, m.k.arena.constant(Type::f32, 0)));
  float data[4];
  std::string text;
  try {
    run(m.k, {data}, {3});
  } catch (const Error& e) {
    CHECK(e.kind() == Error::Kind::internal);
    text = e.what();
  }
  CHECK(text.find("buffer `W`: element 3 of 3") != std::string::npos);
  CHECK(text.find("W[i] = 0.0") != std::string::npos);
}

TEST_CASE("walk: fresh memory and unmarked NaN show") {
  Made m;
  const u64 y = m.buffer("Y", Type::f32, Space::argument, nullptr);
  const u64 heap = m.buffer("h", Type::f32, Space::heap, m.i64s(2), false);
  const Ref zero = m.i64s(0), one = m.i64s(1);
  const Ref nan = m.k.arena.constant(Type::f32, 0x7fc00000);
  const Ref body = m.block({m.write(heap, zero, nan), m.write(y, zero, m.read(heap, zero)), m.write(y, one, m.read(heap, one))});
  m.k.body = m.k.arena.make(Op::Alloc, Type::none, {body}, heap);
  u32 out[2] = {};
  CHECK(run(m.k, {out}, {}) == 0);
  CHECK(out[0] == 0x7fc00000);
  CHECK(out[1] == 0xfbfbfbfb);
}
