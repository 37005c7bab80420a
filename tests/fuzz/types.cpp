// Types of random programs: which are drawn, casts and bit casts between them, integer operations with their special cases.
#include "fuzz/program.hpp"

namespace fuzz {
using namespace ordo;
using namespace ordo::ir;

Type Generator::compute() {
  return random_.of(
      std::vector<Type>{Type::f32, Type::f32, Type::f32, Type::f32, Type::f64, Type::i32, Type::i32, Type::i64, Type::u32, Type::u64});
}
Type Generator::storage(Type t) {
  if (!random_.chance(30)) return t;
  if (t == Type::f32) return random_.chance(50) ? Type::f16 : Type::bf16;
  if (t == Type::i32) return random_.of(std::vector<Type>{Type::i8, Type::u8, Type::i16, Type::u16});
  return t;
}

Ref Generator::special(Type t) {
  const u64 top = u64{1} << (bits_of(t) - 1), all = top | (top - 1);
  if (t == Type::f32)
    return b_.bits(t, random_.of(std::vector<u64>{0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 1, 0x00800000, 0x4f000000}));
  if (t == Type::f64)
    return b_.bits(
        t, random_.of(std::vector<u64>{u64{1} << 63, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 1, 0x43e0000000000000}));
  return b_.bits(t, random_.of(std::vector<u64>{top, top - 1, all, all - 1, 0}));
}
Ref Generator::number(Type t) {
  if (random_.chance(6)) return special(t);
  if (is_float(t))
    return random_.chance(80) ? b_.constant(t, static_cast<double>(random_.between(-8, 8)) / 4, {}) : b_.constant(t, 0.1, {});
  return b_.constant(t, random_.between(is_signed(t) ? -3 : 0, 5), {});
}

// From any type to any other, also through a narrow one.
Ref Generator::converted(Type t, const std::vector<Axis>& axes, int depth) {
  if (random_.chance(15)) return reinterpreted(t, axes, depth);
  if (random_.chance(15)) return b_.cast(t, condition(axes, depth));
  std::vector<Type> to{t};
  if (t == Type::i32) to = {Type::i8, Type::u8, Type::i16, Type::u16, Type::i32};
  if (t == Type::f32) to = {Type::f16, Type::bf16, Type::f32};
  const Type narrow = random_.of(to);
  Type from = compute();
  if (from == t && narrow == t) from = t == Type::f64 ? Type::i64 : Type::f64;
  Ref x = expression(from, axes, depth);
  if (is_float(from) && random_.chance(30))
    x = b_.binary(Op::Mul, x, b_.constant(from, random_.of(std::vector<double>{1e3, 7e4, 3e9, -1e19}), {}));
  return b_.cast(narrow, x);
}
// The bits of a value of the same width.
Ref Generator::reinterpreted(Type t, const std::vector<Axis>& axes, int depth) {
  std::vector<Type> from;
  for (const Type f : {Type::i32, Type::u32, Type::f32, Type::i64, Type::u64, Type::f64})
    if (f != t && bits_of(f) == bits_of(t)) from.push_back(f);
  return b_.bitcast(t, expression(random_.of(from), axes, depth));
}

// A shift count, also past the width.
Ref Generator::count(Type t, const std::vector<Axis>& axes) {
  if (random_.chance(50)) return number(t);
  return random_.chance(50) ? b_.constant(t, random_.between(28, 70), {}) : leaf(t, axes);
}
Ref Generator::integers(Type t, const std::vector<Axis>& axes, int depth) {
  const auto sub = [&] { return expression(t, axes, depth); };
  switch (random_.below(8)) {
    case 0: return b_.binary(random_.of(std::vector<Op>{Op::Div, Op::Mod, Op::FloorDiv, Op::FloorMod}), sub(), sub());
    case 1: return b_.binary(random_.of(std::vector<Op>{Op::BitAnd, Op::BitOr, Op::BitXor}), sub(), sub());
    case 2: return b_.binary(random_.chance(50) ? Op::Shl : Op::Shr, sub(), count(t, axes));
    case 3: return b_.binary(random_.chance(50) ? Op::Max : Op::Min, sub(), sub());
    case 4: return b_.unary(random_.chance(50) ? Op::Neg : Op::Abs, sub());
    default: return b_.binary(random_.of(std::vector<Op>{Op::Add, Op::Sub, Op::Mul}), sub(), sub());
  }
}
}  // namespace fuzz
