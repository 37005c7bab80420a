// select(x < y, x, y) for every comparison and arrangement, beside values and constants, and clamps of two of them.
#pragma once
#include <doctest/doctest.h>
#include <cstdio>
#include "codegen/made.hpp"

namespace made {
class Selects {
 public:
  Selects(Type t, int lanes) : type_(t), lanes_(lanes) {
    Random random;
    columns_ = operands({t, t}, 100, random);
    make();
  }
  const kernel::Kernel& kernel() const { return maker_.kernel; }
  i64 turns() const { return static_cast<i64>(size()) / lanes_; }
  std::vector<std::vector<u8>> memory() const {
    std::vector<std::vector<u8>> all = {in_memory(type_, columns_[0]), in_memory(type_, columns_[1])};
    all.resize(2 + forms_.size(), std::vector<u8>(size() * static_cast<std::size_t>(bytes_of(type_))));
    return all;
  }
  void compare(const char* target, const std::vector<std::vector<u8>>& memory) const {
    for (std::size_t f = 0; f < forms_.size(); ++f) {
      int wrong = 0;
      for (std::size_t k = 0; k < size() && wrong < 2; ++k) {
        const u64 x = columns_[0][k], y = columns_[1][k], have = element(type_, memory[2 + f], k);
        u64 want = 0;
        soft::store(type_, &want, value(forms_[f], x, y));
        if (want == have) continue;
        ++wrong;
        char text[200];
        std::snprintf(text, sizeof text, "%s %s lanes %d, form %zu: (%llx, %llx) gives %llx, not %llx", target, name_of(type_), lanes_, f,
                      static_cast<unsigned long long>(x), static_cast<unsigned long long>(y), static_cast<unsigned long long>(have),
                      static_cast<unsigned long long>(want));
        FAIL_CHECK(text);
      }
    }
  }

 private:
  struct Form { Op op; bool swapped, clamp; int constant; };     // constant: -1 none
  std::size_t size() const { return columns_[0].size(); }
  std::vector<u64> constants() const {
    if (type_ == Type::f32) return {0, 0x80000000, 0x40a00000, 0x7fc00000};
    if (type_ == Type::f64) return {0, u64{1} << 63, 0x4014000000000000, 0x7ff8000000000000};
    return {0, 5, mask_of(type_)};
  }
  u64 top() const { return type_ == Type::f32 ? 0x437f0000 : type_ == Type::f64 ? 0x406fe00000000000 : 255; }
  bool holds(Op op, u64 x, u64 y) const {
    switch (op) {
      case Op::Lt: return soft::less(type_, x, y);
      case Op::Gt: return soft::less(type_, y, x);
      case Op::Le: return soft::less(type_, x, y) || soft::equal(type_, x, y);
      case Op::Ge: return soft::less(type_, y, x) || soft::equal(type_, x, y);
      case Op::Eq: return soft::equal(type_, x, y);
      default: return !soft::equal(type_, x, y);
    }
  }
  u64 value(const Form& f, u64 x, u64 y) const {
    if (f.constant >= 0) y = constants()[static_cast<std::size_t>(f.constant)];
    const u64 one = holds(f.op, x, y) != f.swapped ? x : y;
    return !f.clamp || holds(Op::Lt, one, top()) ? one : top();
  }
  void make() {
    Maker& m = maker_;
    const u64 a = m.argument("a", type_), b = m.argument("b", type_);
    Ref i = m.var("i"), at = m.ramp(m.mul(i, m.i(lanes_)), lanes_), x = m.read(a, at), y = m.read(b, at);
    const auto constant = [&](u64 bits) { return m.a.constant(type_, bits, static_cast<u16>(lanes_)); };
    std::vector<Ref> statements;
    for (Op op : {Op::Lt, Op::Le, Op::Gt, Op::Ge, Op::Eq, Op::Ne})
      for (bool swapped : {false, true})
        for (bool clamp : {false, true})
          for (int c = -1; c < static_cast<int>(constants().size()); ++c) {
            forms_.push_back({op, swapped, clamp, c});
            Ref other = c < 0 ? y : constant(constants()[static_cast<std::size_t>(c)]);
            Ref one = m.select(m.two(op, x, other), swapped ? other : x, swapped ? x : other);
            if (clamp) one = m.select(m.two(Op::Lt, one, constant(top())), one, constant(top()));
            statements.push_back(m.write(m.argument("out", type_, true), at, one));
          }
    m.kernel.body = m.loop(i, m.i(0), m.dim(0), m.block(statements));
  }
  Type type_;
  int lanes_;
  Maker maker_{"selects"};
  std::vector<std::vector<u64>> columns_;
  std::vector<Form> forms_;
};
}  // namespace made
