// Sums of products of bytes: exact for every sign, by one instruction where the target has it and never by one that saturates.
#include <doctest/doctest.h>
#include "codegen/made.hpp"
#include "ordo/codegen/llvm/llvm.hpp"

namespace {
using namespace made;

// acc[l] += sum over n of a[n] * b[4 l + n] for two rows and two turns; `step` 1 where the bytes of a lie together.
struct Dots {
  Dots(Type a_type, Type b_type, int lanes, i64 a_step, i64 b_step) : lanes_(lanes) {
    const u64 a = m.argument("a", a_type), b = m.argument("b", b_type), c = m.argument("c", Type::i32);
    const u64 acc = m.buffer("acc", Type::i32, kernel::Space::registers, 2 * lanes);
    const auto tile = [&](i64 row) { return m.ramp(m.i(row * lanes), lanes); };
    std::vector<Ref> first, steps, last;
    for (i64 row = 0; row < 2; ++row) first.push_back(m.write(acc, tile(row), m.a.constant(Type::i32, 0, static_cast<u16>(lanes))));
    Ref k = m.var("k"), n = m.var("n");
    for (i64 row = 0; row < 2; ++row) {
      Ref at = a_step == 1 ? n : m.mul(n, m.i(a_step));
      Ref x = m.broadcast(m.read(a, m.add(m.add(m.mul(k, m.i(4 * a_step)), at), m.i(row * 100))), lanes);
      Ref y = m.read(b, m.ramp(m.add(m.mul(k, m.i(4 * lanes)), n), lanes, b_step));
      steps.push_back(m.write(acc, tile(row), m.add(m.read(acc, tile(row)), row == 0 ? m.mul(x, y) : m.mul(y, x))));
    }
    Ref four = m.loop(n, m.i(0), m.i(4), m.block(steps));
    for (i64 row = 0; row < 2; ++row) last.push_back(m.write(c, tile(row), m.read(acc, tile(row))));
    m.kernel.body = m.alloc(acc, m.block({m.block(first), m.loop(k, m.i(0), m.i(20), four), m.block(last)}));
    b_step_ = b_step;
    a_step_ = a_step;
  }
  void check(const Target& target, Type a_type, Type b_type) {
    const Linked linked(m.kernel, target, true);
    const bool together = a_step_ == 1 && b_step_ == 4 && target.byte_dots && lanes_ >= 4 && lanes_ * 32 <= target.vector_bits;
    CHECK((linked.code.assembly.find("vpdpbusd\t") != std::string::npos) == together);
    for (const char* saturating : {"vpdpbusds", "pmaddubsw", "vpdpwssds"})
      CHECK(linked.code.assembly.find(saturating) == std::string::npos);
    for (const bool extreme : {false, true}) {
      Random random;
      std::vector<u8> a(1000), b(4000);
      for (std::vector<u8>* bytes : {&a, &b})
        for (u8& x : *bytes)
          x = static_cast<u8>(extreme ? (random.next() % 3 == 0 ? 0x80 : random.next() % 2 == 0 ? 0xff : 0x7f) : random.next());
      std::vector<u32> c(static_cast<std::size_t>(2 * lanes_));
      Call call;
      call.data = {a.data(), b.data(), c.data()};
      call.strides.resize(3 * max_rank);
      CHECK(call.run(linked.entry()) == 0);
      for (i64 row = 0; row < 2; ++row)
        for (i64 l = 0; l < lanes_; ++l) {
          u32 want = 0;
          for (i64 k = 0; k < 20; ++k)
            for (i64 n = 0; n < 4; ++n)
              want += number(a_type, a[static_cast<std::size_t>(4 * a_step_ * k + row * 100 + n * a_step_)]) *
                      number(b_type, b[static_cast<std::size_t>(4 * lanes_ * k + b_step_ * l + n)]);
          CHECK_MESSAGE(c[static_cast<std::size_t>(row * lanes_ + l)] == want, target.name, " ", name_of(a_type), " ", name_of(b_type));
        }
    }
  }
  static u32 number(Type t, u8 byte) { return t == Type::i8 ? static_cast<u32>(static_cast<i8>(byte)) : byte; }
  Maker m{"dots"};
  int lanes_;
  i64 a_step_ = 1, b_step_ = 4;
};
}  // namespace

TEST_CASE("sums of products of bytes: exact on each target, for every sign") {
  for (const Target& t : targets())
    for (Type a : {Type::u8, Type::i8})
      for (Type b : {Type::u8, Type::i8})
        for (int lanes : {2, 4, 8, 16}) Dots(a, b, lanes, 1, 4).check(t, a, b);
}
TEST_CASE("sums of products of bytes: bytes that do not lie together are multiplied one by one") {
  for (const Target& t : targets()) {
    Dots(Type::u8, Type::i8, 8, 2, 4).check(t, Type::u8, Type::i8);
    Dots(Type::u8, Type::i8, 8, 1, 3).check(t, Type::u8, Type::i8);
  }
}
