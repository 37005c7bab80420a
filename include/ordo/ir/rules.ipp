#pragma once
#include <array>
#include <cstring>
#include "ordo/ir/form.hpp"
#include "ordo/ir/rules.hpp"

namespace ordo::ir {
ORDO_INLINE const std::vector<RewriteRule>& rewrite_rules() {
  using enum RewriteRule::For;
  static const std::vector<RewriteRule> list = {
      {integer, "add(x, 0)", "x"},
      {integer, "sub(x, 0)", "x"},
      {integer, "sub(x, x)", "0"},
      {integer, "mul(x, 1)", "x"},
      {integer, "mul(x, 0)", "0"},
      {integer, "neg(neg(x))", "x"},
      {integer, "abs(abs(x))", "abs(x)"},
      {integer, "div(x, 1)", "x"},
      {integer, "div(x, 0)", "0"},
      {integer, "div(0, x)", "0"},
      {integer, "mod(x, 1)", "0"},
      {integer, "mod(x, 0)", "x"},
      {integer, "mod(0, x)", "0"},
      {integer, "floor_div(x, 1)", "x"},
      {integer, "floor_div(x, 0)", "0"},
      {integer, "floor_div(0, x)", "0"},
      {integer, "floor_mod(x, 1)", "0"},
      {integer, "floor_mod(x, 0)", "x"},
      {integer, "floor_mod(0, x)", "0"},
      {integer, "maximum(x, x)", "x"},
      {integer, "minimum(x, x)", "x"},
      {integer, "maximum(minimum(x, y), x)", "x"},
      {integer, "maximum(minimum(y, x), x)", "x"},
      {integer, "minimum(maximum(x, y), x)", "x"},
      {integer, "minimum(maximum(y, x), x)", "x"},
      {integer, "bit_and(x, 0)", "0"},
      {integer, "bit_and(x, x)", "x"},
      {integer, "bit_or(x, 0)", "x"},
      {integer, "bit_or(x, x)", "x"},
      {integer, "bit_xor(x, 0)", "x"},
      {integer, "bit_xor(x, x)", "0"},
      {integer, "shl(x, 0)", "x"},
      {integer, "shr(x, 0)", "x"},
      {integer, "gt(x, y)", "lt(y, x)"},
      {integer, "ge(x, y)", "le(y, x)"},
      {integer, "lt(x, x)", "false"},
      {integer, "le(x, x)", "true"},
      {integer, "eq(x, x)", "true"},
      {integer, "ne(x, x)", "false"},
      {integer, "not(lt(x, y))", "le(y, x)"},
      {integer, "not(le(x, y))", "lt(y, x)"},
      {any, "not(eq(x, y))", "ne(x, y)"},
      {any, "not(ne(x, y))", "eq(x, y)"},
      {boolean, "not(not(x))", "x"},
      {boolean, "and(x, true)", "x"},
      {boolean, "and(x, false)", "false"},
      {boolean, "and(x, x)", "x"},
      {boolean, "and(x, not(x))", "false"},
      {boolean, "and(not(x), x)", "false"},
      {boolean, "and(x, and(x, y))", "and(x, y)"},
      {boolean, "and(and(x, y), x)", "and(x, y)"},
      {boolean, "and(and(x, y), y)", "and(x, y)"},
      {boolean, "or(x, false)", "x"},
      {boolean, "or(x, true)", "true"},
      {boolean, "or(x, x)", "x"},
      {boolean, "or(x, not(x))", "true"},
      {boolean, "or(not(x), x)", "true"},
      {boolean, "or(x, or(x, y))", "or(x, y)"},
      {boolean, "or(or(x, y), x)", "or(x, y)"},
      {boolean, "or(or(x, y), y)", "or(x, y)"},
      {boolean, "eq(x, true)", "x"},
      {boolean, "eq(x, false)", "not(x)"},
      {boolean, "ne(x, false)", "x"},
      {boolean, "ne(x, true)", "not(x)"},
      {any, "select(true, x, y)", "x"},
      {any, "select(false, x, y)", "y"},
      {any, "select(z, x, x)", "x"},
      {any, "select(not(z), x, y)", "select(z, y, x)"},
      {boolean, "select(x, true, false)", "x"},
      {boolean, "select(x, false, true)", "not(x)"},
      {boolean, "select(x, y, false)", "and(x, y)"},
      {boolean, "select(x, true, y)", "or(x, y)"},
  };
  return list;
}

namespace detail_rules {
// A pattern in prefix order. kind: operation, variable (value: 0..2), integer constant (value), bool constant (value).
struct Part { enum class Kind : u8 { op, variable, number, truth } kind; Op op; u8 count; i8 value; };
using Pattern = std::array<Part, 8>;
struct Compiled { RewriteRule::For values; Pattern from, to; };
using Buckets = std::array<std::vector<Compiled>, static_cast<std::size_t>(op_count)>;

inline Op op_named(const char* text, std::size_t n) {
  for (int k = 0; k < op_count; ++k) {
    const char* name = name_of(static_cast<Op>(k));
    if (std::strlen(name) == n && std::memcmp(name, text, n) == 0) return static_cast<Op>(k);
  }
  fail_internal("ir.rules", "a rule names no operation");
}
inline Pattern compile(const char* text) {
  Pattern out{};
  std::size_t n = 0;
  std::array<std::size_t, 8> open{};
  std::size_t depth = 0;
  for (const char* p = text; *p != '\0';) {
    if (*p == ' ' || *p == ',' || *p == ')') {
      depth -= *p == ')';
      ++p;
      continue;
    }
    std::size_t length = 0;
    while (std::strchr(" ,()", p[length]) == nullptr) ++length;
    Part part{};
    if (p[length] == '(') part = {Part::Kind::op, op_named(p, length), 0, 0};
    else if (*p >= 'x' && *p <= 'z') part = {Part::Kind::variable, Op::Const, 0, static_cast<i8>(*p - 'x')};
    else if (*p == '0' || *p == '1') part = {Part::Kind::number, Op::Const, 0, static_cast<i8>(*p - '0')};
    else part = {Part::Kind::truth, Op::Const, 0, static_cast<i8>(*p == 't')};
    if (depth > 0) ++out[open[depth - 1]].count;
    if (p[length] == '(') open[depth++] = n;
    out[n++] = part;
    p += length + (p[length] == '(');
  }
  return out;
}
inline const Buckets& buckets() {
  static const Buckets all = [] {
    Buckets b;
    for (const RewriteRule& r : rewrite_rules()) {
      const Pattern from = compile(r.from);
      b[static_cast<std::size_t>(from[0].op)].push_back({r.values, from, compile(r.to)});
    }
    return b;
  }();
  return all;
}

inline const Part* match(const Part* p, Ref e, std::array<Ref, 3>& bound) {
  switch (p->kind) {
    case Part::Kind::variable: {
      Ref& at = bound[static_cast<std::size_t>(p->value)];
      if (at != nullptr && at != e) return nullptr;
      at = e;
      return p + 1;
    }
    case Part::Kind::number:
      return is_const(e) && is_integer(e->type) && e->arg == static_cast<u64>(p->value) ? p + 1 : nullptr;
    case Part::Kind::truth:
      return is_const(e) && e->type == Type::boolean && e->arg == static_cast<u64>(p->value) ? p + 1 : nullptr;
    case Part::Kind::op: break;
  }
  if (e->op != p->op || e->count != p->count) return nullptr;
  const Part* next = p + 1;
  for (u32 k = 0; k < e->count && next != nullptr; ++k) next = match(next, e->src[k], bound);
  return next;
}
// `operand`: the type of the operands of the operation that was matched, hence of constants.
inline Ref make(Arena& arena, const Part*& p, Type operand, const std::array<Ref, 3>& bound) {
  const Part part = *p++;
  switch (part.kind) {
    case Part::Kind::variable: return bound[static_cast<std::size_t>(part.value)];
    case Part::Kind::number: return arena.constant(operand, static_cast<u64>(part.value));
    case Part::Kind::truth: return arena.constant(Type::boolean, static_cast<u64>(part.value));
    case Part::Kind::op: break;
  }
  Ref sources[3] = {};
  for (u32 k = 0; k < part.count; ++k) sources[k] = make(arena, p, operand, bound);
  const OpClass group = class_of(part.op);
  const Type type = group == OpClass::compare || part.op == Op::Not ? Type::boolean : sources[part.count - 1]->type;
  return arena.make(part.op, type, sources, part.count);
}
inline Type operand_type(Ref e) {
  const Ref last = e->src[e->count - 1];
  return e->op == Op::Not && class_of(last->op) == OpClass::compare ? last->src[0]->type : last->type;
}
}  // namespace detail_rules

ORDO_INLINE Ref apply_rules(Arena& arena, Ref e) {
  const auto& bucket = detail_rules::buckets()[static_cast<std::size_t>(e->op)];
  if (bucket.empty() || e->count == 0) return nullptr;
  const Type operand = detail_rules::operand_type(e);
  for (const detail_rules::Compiled& rule : bucket) {
    if (rule.values == RewriteRule::For::integer && !is_integer(operand)) continue;
    if (rule.values == RewriteRule::For::boolean && operand != Type::boolean) continue;
    std::array<Ref, 3> bound{};
    if (detail_rules::match(rule.from.data(), e, bound) == nullptr) continue;
    const detail_rules::Part* to = rule.to.data();
    return detail_rules::make(arena, to, operand, bound);
  }
  return nullptr;
}
}  // namespace ordo::ir
