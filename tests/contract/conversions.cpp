// Casts, and what a definition narrows.
#include "contract/example.hpp"

namespace contract {
namespace {
// Of an element that is read, and of a constant.
void cast(Examples& to, const std::string& row, Type type, Type from, u64 pattern, u64 want) {
  Maker b;
  Ref x = b.input("X", from, 0);
  add(to, row, b, {{x, patterns(from, {}, {pattern})}}, b.cast(type, b.at(x, {})), want, type);
  add(to, row + ", a constant", b, {}, b.cast(type, b.bits(from, pattern)), want, type);
}
u64 single(double x) { return soft::from_double(Type::f32, x); }
}  // namespace

void add_conversions(Examples& to) {
  for (const bool tensor : {false, true}) {
    Maker b;
    Ref x = b.input("X", Type::f16, 0), p = b.mul(b.at(x, {}), b.at(x, {}));
    if (tensor) p = b.at(b.named("P", Type::f16, {}, p), {});
    add(to, tensor ? "f16: (300*300)*0.25 through an f16 tensor" : "f16: (300*300)*0.25", b, {{x, numbers(Type::f16, {}, {300})}},
        b.mul(p, b.f32s(0.25)), tensor ? 0x7c00 : 0x757e, Type::f16);
  }
  cast(to, "f16 from f64 3ff0020000001000", Type::f16, Type::f64, 0x3ff0020000001000, 0x3c01);
  cast(to, "f32 from i64 2^60+2^36+1", Type::f32, Type::i64, (u64{1} << 60) + (u64{1} << 36) + 1, 0x5d800001);
  cast(to, "bf16 from i32 40400001", Type::bf16, Type::i32, 0x40400001, 0x4e81);
  cast(to, "bf16 from f32 00400000", Type::bf16, Type::f32, 0x00400000, 0x0040);
  cast(to, "bf16 from f32 3f808000", Type::bf16, Type::f32, 0x3f808000, 0x3f80);
  cast(to, "bf16 from f32 3f818000", Type::bf16, Type::f32, 0x3f818000, 0x3f82);
  cast(to, "bf16 from f32 7f7fffff", Type::bf16, Type::f32, 0x7f7fffff, 0x7f80);
  cast(to, "f16 from f32 477fefff", Type::f16, Type::f32, 0x477fefff, 0x7bff);
  cast(to, "f16 from f32 477ff000", Type::f16, Type::f32, 0x477ff000, 0x7c00);
  cast(to, "f16 from f32 33000000", Type::f16, Type::f32, 0x33000000, 0x0000);
  cast(to, "f16 from f32 33000001", Type::f16, Type::f32, 0x33000001, 0x0001);
  cast(to, "i32 from 3e9", Type::i32, Type::f32, single(3e9), 2147483647);
  cast(to, "i32 from NaN", Type::i32, Type::f32, 0x7fc00000, 0);
  cast(to, "i32 from -0.9", Type::i32, Type::f32, single(-0.9), 0);
  cast(to, "u8 from -1", Type::u8, Type::f32, single(-1), 0);
  cast(to, "u8 from 300", Type::u8, Type::f32, single(300), 255);
  for (const Type stored : {Type::i32, Type::i8}) {
    Maker b;
    Ref x = b.input("X", Type::i8, 0);
    add(to, stored == Type::i8 ? "i8 100*100 stored as i8" : "i8 100*100 stored as i32", b, {{x, numbers(Type::i8, {}, {100})}},
        b.mul(b.at(x, {}), b.at(x, {})), stored == Type::i8 ? 16 : 10000, stored);
  }
}
}  // namespace contract
