// Operations with a constant operand, which the back-end and LLVM treat apart: divisors, counts, bounds of a clip.
#pragma once
#include <doctest/doctest.h>
#include <cstdio>
#include "codegen/made.hpp"
#include "ordo/ir/scalar.hpp"

namespace made {
class BesideConstants {
 public:
  BesideConstants(Type t, const std::vector<Op>& ops, const std::vector<u64>& constants, int lanes) : type_(t), lanes_(lanes) {
    for (Op op : ops)
      for (u64 c : constants) {
        cases_.push_back({op, c, false});
        if (op == Op::Max || op == Op::Min || op == Op::Lt || op == Op::Sub) cases_.push_back({op, c, true});
      }
    Random random;
    values_ = operands({t}, 200, random)[0];
    make();
  }
  const kernel::Kernel& kernel() const { return maker_.kernel; }
  i64 turns() const { return static_cast<i64>(values_.size()) / lanes_; }
  std::vector<std::vector<u8>> memory() const {
    std::vector<std::vector<u8>> all = {in_memory(type_, values_)};
    for (Type r : results_) all.emplace_back(values_.size() * static_cast<std::size_t>(bytes_of(r)));
    return all;
  }
  void compare(const char* target, const std::vector<std::vector<u8>>& memory) const {
    for (std::size_t c = 0; c < cases_.size(); ++c) {
      int wrong = 0;
      for (std::size_t k = 0; k < values_.size() && wrong < 2; ++k) wrong += differs(target, c, k, memory[1 + c]);
    }
  }

 private:
  struct Case { Op op; u64 constant; bool left; };
  void make() {
    Maker& m = maker_;
    const u64 in = m.argument("in", type_);
    Ref i = m.var("i"), at = m.ramp(m.mul(i, m.i(lanes_)), lanes_), x = m.read(in, at);
    std::vector<Ref> statements;
    for (const Case& c : cases_) {
      Ref k = m.a.constant(type_, c.constant, static_cast<u16>(lanes_));
      Ref v = c.left ? m.two(c.op, k, x) : m.two(c.op, x, k);
      results_.push_back(v->type);
      statements.push_back(m.write(m.argument("out", v->type, true), at, v));
    }
    m.kernel.body = m.loop(i, m.i(0), m.dim(0), m.block(statements));
  }
  bool differs(const char* target, std::size_t c, std::size_t k, const std::vector<u8>& output) const {
    const Case& one = cases_[c];
    const u64 a[2] = {one.left ? one.constant : values_[k], one.left ? values_[k] : one.constant};
    u64 want = 0;
    soft::store(results_[c], &want, ir::scalar(one.op, type_, 0, a));
    const u64 have = element(results_[c], output, k);
    if (have == want) return false;
    char text[200];
    std::snprintf(text, sizeof text, "%s %s: %s(%llx, %llx) = %llx, not %llx", target, name_of(type_), ir::name_of(one.op),
                  static_cast<unsigned long long>(a[0]), static_cast<unsigned long long>(a[1]), static_cast<unsigned long long>(want),
                  static_cast<unsigned long long>(have));
    FAIL_CHECK(text);
    return true;
  }
  Type type_;
  int lanes_;
  std::vector<Case> cases_;
  std::vector<Type> results_;
  std::vector<u64> values_;
  Maker maker_{"constants"};
};
inline std::vector<BesideConstants> beside_constants_integers(int lanes) {
  std::vector<BesideConstants> all;
  const std::vector<Op> division = {Op::Div, Op::Mod, Op::FloorDiv, Op::FloorMod};
  for (Type t : {Type::i32, Type::i64, Type::u32, Type::u64}) {
    const u64 m = mask_of(t);
    if (is_signed(t)) all.emplace_back(t, division, std::vector<u64>{0, 1, m, 2, 3, 8, m - 1, m - 6, m / 2, m / 2 + 1}, lanes);
    else all.emplace_back(t, division, std::vector<u64>{0, 1, m, 2, 3, 8, m / 2 + 1}, lanes);
    all.emplace_back(t, std::vector<Op>{Op::Shl, Op::Shr, Op::Max, Op::Min, Op::Lt, Op::Sub}, std::vector<u64>{0, 1, 31, 32, 63, 64, m},
                     lanes);
  }
  return all;
}
inline std::vector<BesideConstants> beside_constants_floats(int lanes) {
  std::vector<BesideConstants> all;
  for (Type t : {Type::f32, Type::f64}) {
    const bool single = t == Type::f32;
    const u64 one = single ? 0x3f800000 : 0x3ff0000000000000, sign = single ? 0x80000000 : u64{1} << 63,
              nan = single ? 0x7fc00000 : 0x7ff8000000000000;
    const u64 inf = single ? 0x7f800000 : 0x7ff0000000000000, three = single ? 0x40400000 : 0x4008000000000000,
              half = single ? 0x3f000000 : 0x3fe0000000000000;
    all.emplace_back(t, std::vector<Op>{Op::Max, Op::Min, Op::Fmax, Op::Fmin, Op::Lt, Op::Eq, Op::Copysign},
                     std::vector<u64>{0, sign, one, one | sign, inf, inf | sign, nan, 1}, lanes);
    all.emplace_back(t, std::vector<Op>{Op::Add, Op::Sub, Op::Mul, Op::Div},
                     std::vector<u64>{0, sign, one, one | sign, three, half, inf, nan, 1}, lanes);
  }
  return all;
}
}  // namespace made
