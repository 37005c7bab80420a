#include <doctest/doctest.h>
#include <string>
#include "ordo/kernel/kernel.hpp"

using namespace ordo;
using ir::Op;
using ir::Ref;
using kernel::Space;

namespace {
struct Made {
  kernel::Kernel k;
  Ref zero = k.arena.integer(0);
  Made() {
    add("Y", Space::argument, nullptr);
    k.buffers[0].slot = 0;
    k.buffers[0].rank = 1;
    k.buffers[0].canonical = true;
    k.arguments = 1;
    add("acc", Space::registers, k.arena.integer(4));
  }
  void add(const char* name, Space space, Ref elements) {
    kernel::Buffer b;
    b.name = name;
    b.type = Type::f32;
    b.space = space;
    b.elements = elements;
    k.buffers.push_back(b);
  }
  Ref var(u64 number) { return k.arena.make(Op::Var, Type::i64, nullptr, 0, number, "i"); }
  Ref f32s(u64 bits, u16 lanes = 1) { return k.arena.constant(Type::f32, bits, lanes); }
  Ref write(u64 b, Ref offset, Ref value) { return k.arena.make(Op::Write, Type::none, {offset, value}, b, "", {}, value->lanes); }
  Ref loop(Ref v, Ref body, ir::LoopMode mode = ir::LoopMode::serial) {
    return k.arena.make(Op::For, Type::none, {v, zero, k.arena.integer(4), body}, static_cast<u64>(mode));
  }
  Ref alloc(Ref body) { return k.arena.make(Op::Alloc, Type::none, {body}, 1); }
  std::string refusal(Ref body) {
    k.body = body;
    try {
      kernel::verify(k);
    } catch (const Error& e) {
      return e.code();
    }
    return "";
  }
};
}  // namespace

TEST_CASE("verify: every variable is bound once, around its use") {
  Made m;
  const Ref i = m.var(0);
  CHECK(m.refusal(m.loop(i, m.write(0, i, m.f32s(0)))) == "");
  CHECK(m.refusal(m.write(0, i, m.f32s(0))) == "kernel.value");
  CHECK(m.refusal(m.loop(i, m.loop(i, m.write(0, i, m.f32s(0))))) == "kernel.var");
  const Ref two[] = {m.loop(i, m.write(0, i, m.f32s(0))), m.loop(i, m.write(0, i, m.f32s(1)))};
  CHECK(m.refusal(m.k.arena.make(Op::Block, Type::none, two, 2)) == "kernel.var");
}

TEST_CASE("verify: lanes and types of operands agree") {
  Made m;
  const Ref one = m.f32s(1), four = m.f32s(1, 4), ramp = m.k.arena.make(Op::Ramp, Type::i64, {m.zero, m.k.arena.integer(1)}, 0, "", {}, 4);
  CHECK(m.refusal(m.write(0, ramp, four)) == "");
  CHECK(m.refusal(m.write(0, m.zero, four)) == "kernel.write");
  CHECK(m.refusal(m.write(0, ramp, m.k.arena.make(Op::Add, Type::f32, {four, one}, 0, "", {}, 4))) == "kernel.value");
  CHECK(m.refusal(m.write(0, m.zero, m.k.arena.make(Op::Add, Type::f32, {one, m.zero}))) == "kernel.value");
  CHECK(m.refusal(m.write(0, m.zero, m.zero)) == "kernel.write");
  CHECK(m.refusal(m.write(0, one, one)) == "kernel.value");
  CHECK(m.refusal(m.write(0, m.zero, m.k.arena.make(Op::Field, Type::f32, {one}))) == "kernel.value");
}

TEST_CASE("verify: buffers are used where they are alive") {
  Made m;
  CHECK(m.refusal(m.alloc(m.write(1, m.zero, m.f32s(0)))) == "");
  CHECK(m.refusal(m.write(1, m.zero, m.f32s(0))) == "kernel.buffer");
  CHECK(m.refusal(m.write(7, m.zero, m.f32s(0))) == "kernel.value");
  CHECK(m.refusal(m.alloc(m.alloc(m.write(1, m.zero, m.f32s(0))))) == "kernel.alloc");
}

TEST_CASE("verify: registers have constant offsets once loops are unrolled") {
  Made m;
  const Ref i = m.var(0), body = m.alloc(m.loop(i, m.write(1, i, m.f32s(0))));
  CHECK(m.refusal(body) == "kernel.registers");
  CHECK(m.refusal(m.alloc(m.loop(i, m.write(1, i, m.f32s(0)), ir::LoopMode::unrolled))) == "");
  CHECK(m.refusal(m.alloc(m.write(1, m.k.arena.integer(4), m.f32s(0)))) == "kernel.registers");
}

TEST_CASE("verify: an output is marked for canonical NaN, and failures exist") {
  Made m;
  m.k.buffers[0].canonical = false;
  CHECK(m.refusal(m.write(0, m.zero, m.f32s(0))) == "kernel.canonical");
  CHECK(m.refusal(m.k.arena.make(Op::Fail, Type::none, {m.zero}, 3)) == "kernel.fail");
}
