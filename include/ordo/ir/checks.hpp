// What the builder asks of operands: which types each element-wise operation takes, and the errors.
#pragma once
#include <string>
#include "ordo/ir/builder.hpp"

namespace ordo::ir {
namespace detail_checks {
inline std::string quoted(const char* name) { return std::string("`") + name + "`"; }

// As a user writes it.
inline const char* symbol(Op op) {
  struct Symbol {
    Op op;
    const char* text;
  };
  constexpr Symbol symbols[] = {
      {Op::Add, "+"},  {Op::Neg, "-"}, {Op::Sub, "-"},    {Op::Mul, "*"},   {Op::Div, "/"},    {Op::Mod, "%"},  {Op::Not, "!"},
      {Op::And, "&&"}, {Op::Or, "||"}, {Op::BitAnd, "&"}, {Op::BitOr, "|"}, {Op::BitXor, "^"}, {Op::Shl, "<<"}, {Op::Shr, ">>"},
      {Op::Lt, "<"},   {Op::Le, "<="}, {Op::Gt, ">"},     {Op::Ge, ">="},   {Op::Eq, "=="},    {Op::Ne, "!="},
  };
  for (const Symbol& s : symbols)
    if (s.op == op) return s.text;
  return name_of(op);
}

enum class Takes : u8 { nothing, boolean, integer, floating, single, number, any };
constexpr Takes takes(Op op) {
  if (is_function(op)) return is_approx(op) ? Takes::single : Takes::floating;
  switch (op) {
    case Op::Not:
    case Op::And:
    case Op::Or:
      return Takes::boolean;
    case Op::Mod:
    case Op::FloorDiv:
    case Op::FloorMod:
    case Op::BitAnd:
    case Op::BitOr:
    case Op::BitXor:
    case Op::Shl:
    case Op::Shr:
      return Takes::integer;
    case Op::Sqrt:
    case Op::Floor:
    case Op::Ceil:
    case Op::Trunc:
    case Op::Round:
    case Op::IsNan:
    case Op::Fmod:
    case Op::Fmax:
    case Op::Fmin:
    case Op::Copysign:
    case Op::Fma:
      return Takes::floating;
    case Op::Neg:
    case Op::Abs:
    case Op::Unfused:
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Div:
    case Op::Max:
    case Op::Min:
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge:
      return Takes::number;
    case Op::Eq:
    case Op::Ne:
    case Op::Select:
      return Takes::any;
    default:
      return Takes::nothing;
  }
}
constexpr bool fits(Takes takes, Type type) {
  switch (takes) {
    case Takes::nothing:
      return false;
    case Takes::boolean:
      return type == Type::boolean;
    case Takes::integer:
      return is_integer(type);
    case Takes::floating:
      return is_float(type);
    case Takes::single:
      return type == Type::f32;
    case Takes::number:
      return is_integer(type) || is_float(type);
    case Takes::any:
      return true;
  }
  return false;
}
constexpr const char* name_of(Takes takes) {
  constexpr const char* name[] = {"no operands", "bool", "integers", "floating-point numbers", "f32", "numbers", "values"};
  return name[static_cast<int>(takes)];
}
constexpr int operands_of(Op op) {
  switch (class_of(op)) {
    case OpClass::unary:
      return 1;
    case OpClass::binary:
    case OpClass::compare:
      return 2;
    case OpClass::ternary:
      return 3;
    case OpClass::leaf:
    case OpClass::order:
    case OpClass::memory:
    case OpClass::statement:
      return -1;
  }
  return -1;
}

// `what` names the place of the operand: "`+`", "index 1 of `A`".
inline void check_value(Ref value, const std::string& what, Where at) {
  if (value == nullptr)
    fail("lang.empty", at, ("an operand of " + what + " is an expression without a value").c_str(),
         "  help: give the C++ variable a value before its use");
  if (value->op == Op::Scan)
    fail("lang.recurrence", at, ("`scan` is an operand of " + what + ": it is the whole right side of a definition, or nothing").c_str(),
         "  help: define a tensor by the scan, and read that tensor here");
  if (!is_compute(value->type))
    fail("lang.type", at, ("an operand of " + what + " is no value: it is a " + ir::name_of(value->op)).c_str());
}
inline void check_integer(Ref value, const std::string& what, const char* code, Where at) {
  check_value(value, what, at);
  if (!is_integer(value->type))
    fail(code, at, (what + " is of type " + ordo::name_of(value->type) + ": an integer stands there").c_str(), "  help: cast<i64>(...)");
}

inline void check_same(Op op, Ref a, Ref b, Where at) {
  if (a->type == b->type) return;
  const std::string from = ordo::name_of(b->type), to = ordo::name_of(a->type);
  fail("lang.type", at, ("the operands of " + quoted(symbol(op)) + " have the types " + to + " and " + from).c_str(),
       ("  help: cast<" + to + ">(...) on the second, or cast<" + from + ">(...) on the first").c_str());
}
inline void check_operands(Op op, const Ref* sources, int count, Where at) {
  if (count != operands_of(op) || takes(op) == Takes::nothing)
    fail("lang.type", at, (quoted(symbol(op)) + " is no element-wise operation on " + std::to_string(count) + " operands").c_str());
  for (int k = 0; k < count; ++k) check_value(sources[k], quoted(symbol(op)), at);
  const int first = op == Op::Select ? 1 : 0;
  if (first == 1 && sources[0]->type != Type::boolean)
    fail("lang.type", at,
         ("the condition of `select` has type " + std::string(ordo::name_of(sources[0]->type)) + ": it must be bool").c_str());
  for (int k = first + 1; k < count; ++k) check_same(op, sources[first], sources[k], at);
  if (!fits(takes(op), sources[first]->type))
    fail("lang.type", at, (quoted(symbol(op)) + " takes " + name_of(takes(op)) + ", not " + ordo::name_of(sources[first]->type)).c_str());
}

// Is the integer with these bits (of i64, or of u64 when !negative_possible) exactly a value of the type?
inline bool holds_exactly(Type type, Type from, u64 bits) {
  const bool negative = from == Type::i64 && static_cast<i64>(bits) < 0;
  u64 magnitude = negative ? 0 - bits : bits;
  if (type == Type::boolean) return !negative && magnitude <= 1;
  if (is_float(type)) {
    while (magnitude != 0 && (magnitude & 1) == 0) magnitude >>= 1;
    return magnitude >> (type == Type::f64 ? 53 : 24) == 0;
  }
  const int width = bits_of(type);
  if (negative) return is_signed(type) && magnitude <= u64{1} << (width - 1);
  return is_signed(type) ? magnitude >> (width - 1) == 0 : width == 64 || magnitude >> width == 0;
}
inline void check_constant_type(Type type, Where at) {
  if (!is_compute(type))
    fail("lang.type", at, ("an expression has no type " + std::string(ordo::name_of(type)) + ": it is for storage").c_str(),
         ("  help: a constant of type " + std::string(ordo::name_of(compute_type(type)))).c_str());
}
[[noreturn]] inline void fail_literal(const std::string& value, Type type, Where at) {
  fail("lang.literal", at, ("the literal " + value + " is not a value of " + ordo::name_of(type)).c_str(),
       is_float(type) ? "  help: write it as a floating-point number, which is rounded once"
                      : "  help: another type, by cast<T>(...) on the operand beside it");
}
}  // namespace detail_checks
}  // namespace ordo::ir
