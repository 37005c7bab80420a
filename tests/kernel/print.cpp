#include <doctest/doctest.h>
#include <string>
#include "ordo/kernel/kernel.hpp"

using namespace ordo;
using ir::Op;
using ir::Ref;
using kernel::Space;

namespace {
kernel::Kernel two_buffers() {
  kernel::Kernel k;
  k.name = "row";
  k.arguments = 2;
  kernel::Buffer a;
  a.name = "A";
  a.type = Type::f16;
  a.space = Space::argument;
  a.slot = 0;
  a.rank = 2;
  kernel::Buffer c = a;
  c.name = "C";
  c.type = Type::f32;
  c.slot = 1;
  c.canonical = true;
  k.buffers = {a, c};
  return k;
}
}  // namespace

TEST_CASE("print: loops, strides, vectors with lanes, masks and modes") {
  kernel::Kernel k = two_buffers();
  ir::Arena& a = k.arena;
  const Ref n = a.make(Op::Dim, Type::i64, nullptr, 0, 0, "N"), i = a.make(Op::Var, Type::i64, nullptr, 0, 0, "i"),
            j = a.make(Op::Var, Type::i64, nullptr, 0, 1, "i");
  const Ref row = a.make(Op::Mul, Type::i64, {i, a.make(Op::Stride, Type::i64, nullptr, 0, 0 << 8 | 0)});
  const Ref at = a.make(Op::Ramp, Type::i64, {a.make(Op::Add, Type::i64, {row, j}), a.integer(1)}, 0, "", {}, 8);
  const Ref mask = a.make(Op::Lt, Type::boolean, {at, a.make(Op::Broadcast, Type::i64, {n}, 0, "", {}, 8)}, 0, "", {}, 8);
  const Ref read = a.make(Op::Read, Type::f32, {at, mask}, 0, "", {}, 8);
  const Ref half = a.constant(Type::f32, 0x3f000000, 8);
  const Ref sum = a.make(Op::Mul, Type::f32, {a.make(Op::Add, Type::f32, {read, half}, 0, "", {}, 8), read}, 0, "", {}, 8);
  const Ref write = a.make(Op::Write, Type::none, {at, sum, mask}, 1, "", {}, 8);
  const Ref inner = a.make(Op::For, Type::none, {j, a.integer(0), a.integer(4), write}, static_cast<u64>(ir::LoopMode::unrolled));
  k.body = a.make(Op::For, Type::none, {i, a.integer(0), n, inner}, static_cast<u64>(ir::LoopMode::parallel));
  kernel::verify(k);
  CHECK(kernel::print(k) ==
        "kernel row\n"
        "argument A: f16\n"
        "argument C: f32, canonical\n"
        "for i in 0..N parallel\n"
        "  for i_2 in 0..4 unrolled\n"
        "    %0 = A[ramp(i * A.stride0 + i_2, 1) x8 where ramp(i * A.stride0 + i_2, 1) x8 < N x8]\n"
        "    C[ramp(i * A.stride0 + i_2, 1) x8 where ramp(i * A.stride0 + i_2, 1) x8 < N x8] = (%0 + 0.5 x8) * %0\n");
}

TEST_CASE("print: conditions, lets, allocations, failures and constants of every kind") {
  kernel::Kernel k = two_buffers();
  ir::Arena& a = k.arena;
  k.failures.push_back({"index %lld"});
  kernel::Buffer acc;
  acc.name = "acc";
  acc.type = Type::f64;
  acc.space = Space::registers;
  acc.elements = a.integer(2);
  k.buffers.push_back(acc);
  const Ref v = a.make(Op::Var, Type::u32, nullptr, 0, 0, "v");
  const Ref seven = a.constant(Type::u32, 7), minus = a.constant(Type::f64, 0xbff8000000000000);
  const Ref test = a.make(Op::Not, Type::boolean, {a.make(Op::Ge, Type::boolean, {v, seven})});
  const Ref yes = a.make(Op::Write, Type::none, {a.integer(1), minus}, 2), no = a.make(Op::Fail, Type::none, {a.integer(-1)}, 0);
  const Ref branch = a.make(Op::If, Type::none, {test, yes, no});
  k.body = a.make(Op::Alloc, Type::none, {a.make(Op::Let, Type::none, {v, a.make(Op::BitAnd, Type::u32, {seven, seven}), branch})}, 2);
  kernel::verify(k);
  CHECK(kernel::print_statement(k, k.body) ==
        "alloc acc: f64[2] registers\n"
        "  let v = 7u32 & 7u32\n"
        "  if !(v >= 7u32)\n"
        "    acc[1] = -1.5f64\n"
        "  else\n"
        "    fail \"index %lld\": -1\n");
}

TEST_CASE("print: a value that doubles sixty times stays short") {
  kernel::Kernel k = two_buffers();
  ir::Arena& a = k.arena;
  Ref e = a.make(Op::Read, Type::f32, {a.integer(0)}, 0);
  for (int n = 0; n < 60; ++n) e = a.make(Op::Add, Type::f32, {e, e});
  k.body = a.make(Op::Write, Type::none, {a.integer(0), e}, 1);
  kernel::verify(k);
  CHECK(kernel::print(k).size() < 4000);
}
