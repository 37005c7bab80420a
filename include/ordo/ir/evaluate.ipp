#pragma once
#include "ordo/base/soft.hpp"
#include "ordo/ir/form.hpp"
#include "ordo/ir/simplify.hpp"

namespace ordo::ir {
namespace detail_evaluate {
// Sizes are small trees: plain recursion with a budget, and a memory beyond it.
struct Evaluator {
  const i64* dims;
  int budget = 64;
  RefMap<u64> done{};
  int depth = 0;

  u64 of(Ref e) {
    if (e->op == Op::Const) return e->arg;
    if (e->op == Op::Dim) return static_cast<u64>(dims[e->arg]);
    if (--budget >= 0) return value(e);
    if (const u64* known = done.find(e)) return *known;
    if (++depth > 5000) fail_internal("ir.evaluate", "an expression of sizes is nested too deeply");
    const u64 v = value(e);
    --depth;
    done.insert(e, v);
    return v;
  }
  u64 value(Ref e) {
    if (e->op == Op::Select) return of(e->src[0]) != 0 ? of(e->src[1]) : of(e->src[2]);
    if (e->lanes != 1 || e->count == 0 || e->count > 2) fail_internal("ir.evaluate", "an expression of sizes holds something else");
    const u64 a = of(e->src[0]);
    if (e->op == Op::And && a == 0) return 0;
    if (e->op == Op::Or && a != 0) return 1;
    const u64 b = e->count == 2 ? of(e->src[1]) : 0;
    u64 result = 0;
    if (e->type == Type::i64 && simple(e->op, a, b, result)) return result;
    const u64 operand[3] = {a, b, 0};
    if (!fold(e->op, e->type, e->src[0]->type, e->arg, operand, result))
      fail_internal("ir.evaluate", "an expression of sizes holds something else");
    return result;
  }
  static bool simple(Op op, u64 a, u64 b, u64& r) {
    switch (op) {
      case Op::Add: r = a + b; return true;
      case Op::Sub: r = a - b; return true;
      case Op::Mul: r = a * b; return true;
      case Op::Max: r = static_cast<i64>(a) > static_cast<i64>(b) ? a : b; return true;
      case Op::Min: r = static_cast<i64>(a) < static_cast<i64>(b) ? a : b; return true;
      case Op::Div: case Op::Mod: {
        const i64 n = static_cast<i64>(a), d = static_cast<i64>(b);
        if (d <= 0) return false;
        r = static_cast<u64>(op == Op::Div ? n / d : n % d);
        return true;
      }
      default: return false;
    }
  }
};
}  // namespace detail_evaluate

ORDO_INLINE i64 evaluate(Ref expression, const i64* dims) {
  if (expression->op == Op::Const) return const_value(expression);
  if (expression->op == Op::Dim) return dims[expression->arg];
  return static_cast<i64>(detail_evaluate::Evaluator{dims}.of(expression));
}
}  // namespace ordo::ir
