// Every element-wise operation on every type as kernels over chosen operands, with the bits that soft:: gives.
#pragma once
#include <doctest/doctest.h>
#include <cstdio>
#include "codegen/made.hpp"
#include "ordo/ir/scalar.hpp"

namespace made {
struct Case { Op op; u64 arg; Type result; };
struct Set {                       // operations on the same operands
  std::vector<Type> types;
  std::vector<Case> cases;
  std::size_t random_count;
};
inline std::vector<Case> same(std::initializer_list<Op> ops, Type t) {
  std::vector<Case> all;
  for (Op op : ops) all.push_back({op, 0, class_of(op) == ir::OpClass::compare || op == Op::IsNan ? Type::boolean : t});
  return all;
}
inline std::vector<Set> float_sets(Type t) {
  return {{{t}, same({Op::Neg, Op::Abs, Op::Sqrt, Op::Floor, Op::Ceil, Op::Trunc, Op::Round, Op::IsNan, Op::Unfused}, t), 1000},
          {{t, t},
           same({Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Fmod, Op::Max, Op::Min, Op::Fmax, Op::Fmin, Op::Copysign, Op::Lt, Op::Le, Op::Gt,
                 Op::Ge, Op::Eq, Op::Ne},
                t),
           1000},
          {{t, t, t}, same({Op::Fma}, t), 4000},
          {{Type::boolean, t, t}, same({Op::Select}, t), 100}};
}
inline std::vector<Set> integer_sets(Type t) {
  return {{{t}, same({Op::Neg, Op::Abs, Op::Unfused}, t), 100},
          {{t, t},
           same({Op::Add,   Op::Sub,    Op::Mul, Op::Div, Op::Mod, Op::FloorDiv, Op::FloorMod, Op::Max, Op::Min, Op::BitAnd,
                 Op::BitOr, Op::BitXor, Op::Shl, Op::Shr, Op::Lt,  Op::Le,       Op::Gt,       Op::Ge,  Op::Eq,  Op::Ne},
                t),
           500},
          {{Type::boolean, t, t}, same({Op::Select}, t), 100}};
}
inline std::vector<Set> bool_sets() {
  return {{{Type::boolean}, same({Op::Not}, Type::boolean), 16},
          {{Type::boolean, Type::boolean}, same({Op::And, Op::Or, Op::BitXor, Op::Eq, Op::Ne}, Type::boolean), 16},
          {{Type::boolean, Type::boolean, Type::boolean}, same({Op::Select}, Type::boolean), 16}};
}
inline Set cast_set(Type from) {
  std::vector<Case> cases;
  for (Type to : {Type::boolean, Type::i8, Type::u8, Type::i16, Type::u16, Type::i32, Type::u32, Type::i64, Type::u64, Type::f16,
                  Type::bf16, Type::f32, Type::f64})
    cases.push_back({Op::Cast, static_cast<u64>(to), compute_type(to)});
  return {{from}, cases, 2000};
}
inline std::vector<Set> bitcast_sets() {
  return {{{Type::f32}, {{Op::Bitcast, 0, Type::u32}, {Op::Bitcast, 0, Type::i32}}, 200},
          {{Type::f64}, {{Op::Bitcast, 0, Type::u64}}, 200},
          {{Type::u32}, {{Op::Bitcast, 0, Type::f32}}, 200},
          {{Type::i64}, {{Op::Bitcast, 0, Type::f64}}, 200}};
}

inline std::vector<Set> all_sets() {
  std::vector<Set> all = bool_sets();
  const auto add = [&](const std::vector<Set>& sets) { all.insert(all.end(), sets.begin(), sets.end()); };
  for (Type t : {Type::f32, Type::f64}) add(float_sets(t));
  for (Type t : {Type::i32, Type::u32, Type::i64, Type::u64}) add(integer_sets(t));
  for (Type from : {Type::boolean, Type::i32, Type::u32, Type::i64, Type::u64, Type::f32, Type::f64}) add({cast_set(from)});
  add(bitcast_sets());
  return all;
}
// One kernel evaluates all cases of a set over the same operands; one output a case.
class Table {
 public:
  Table(const Set& set, int lanes) : set_(set), lanes_(lanes) {
    Random random;
    columns_ = operands(set.types, set.random_count, random);
    make();
  }
  const kernel::Kernel& kernel() const { return maker_.kernel; }
  std::vector<std::vector<u8>> memory() const {    // of a call: operands, then outputs
    std::vector<std::vector<u8>> all;
    for (std::size_t c = 0; c < set_.types.size(); ++c) all.push_back(in_memory(set_.types[c], columns_[c]));
    for (const Case& c : set_.cases) all.emplace_back(size() * static_cast<std::size_t>(bytes_of(c.result)), u8{0xcc});
    return all;
  }
  i64 turns() const { return static_cast<i64>(size()) / lanes_; }
  void compare(const char* target, const std::vector<std::vector<u8>>& memory) const {
    for (std::size_t c = 0; c < set_.cases.size(); ++c) {
      int wrong = 0;
      for (std::size_t k = 0; k < size() && wrong < 3; ++k) wrong += differs(target, c, k, memory[set_.types.size() + c]);
    }
  }

 private:
  std::size_t size() const { return columns_[0].size(); }
  void make() {
    std::vector<u64> inputs, outputs;
    for (Type t : set_.types) inputs.push_back(maker_.argument("in", t));
    for (const Case& c : set_.cases) outputs.push_back(maker_.argument("out", c.result, true));
    Ref i = maker_.var("i");
    Ref at = maker_.ramp(maker_.mul(i, maker_.i(lanes_)), lanes_);
    std::vector<Ref> values, statements;
    for (u64 b : inputs) values.push_back(maker_.read(b, at));
    for (std::size_t c = 0; c < set_.cases.size(); ++c) {
      const Case& one = set_.cases[c];
      Ref v = maker_.a.make(one.op, compute_type(one.result), values.data(), static_cast<u32>(values.size()), one.arg, "", {},
                            static_cast<u16>(lanes_));
      statements.push_back(maker_.write(outputs[c], at, v));
    }
    maker_.kernel.body = maker_.loop(i, maker_.i(0), maker_.dim(0), maker_.block(statements));
  }
  bool differs(const char* target, std::size_t c, std::size_t k, const std::vector<u8>& output) const {
    const Case& one = set_.cases[c];
    const Type from = set_.types.size() == 3 && set_.types[0] == Type::boolean ? set_.types[1] : set_.types[0];
    u64 a[3] = {};
    for (std::size_t o = 0; o < set_.types.size(); ++o) a[o] = columns_[o][k];
    u64 want = 0;
    soft::store(one.result, &want, ir::scalar(one.op, from, one.arg, a));
    const u64 have = element(one.result, output, k);
    if (have == want) return false;
    char text[300];
    std::snprintf(text, sizeof text, "%s %s lanes %d: %s[%s](%llx, %llx, %llx) = %llx, not %llx", target, name_of(set_.types.back()),
                  lanes_, ir::name_of(one.op), one.op == Op::Cast ? name_of(static_cast<Type>(one.arg)) : "",
                  static_cast<unsigned long long>(a[0]), static_cast<unsigned long long>(a[1]), static_cast<unsigned long long>(a[2]),
                  static_cast<unsigned long long>(want), static_cast<unsigned long long>(have));
    FAIL_CHECK(text);
    return true;
  }
  Set set_;
  int lanes_;
  Maker maker_{"operations"};
  std::vector<std::vector<u64>> columns_;
};
}  // namespace made
