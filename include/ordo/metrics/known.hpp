// Sizes with the numbers that are given, and arithmetic on them.
#pragma once
#include "ordo/ir/simplify.hpp"
#include "ordo/metrics/metrics.hpp"

namespace ordo::metrics {
class Known {
 public:
  Known(const nest::Nest& nest, const std::vector<ir::KnownSize>& sizes, Where at);
  Ref operator()(Ref size);
  Ref number(i64 n) { return arena_.integer(n); }
  Ref add(Ref a, Ref b) { return op(ir::Op::Add, a, b); }  // code metrics.size: a figure of 2^63 or more, here and in mul
  Ref sub(Ref a, Ref b) { return op(ir::Op::Sub, a, b); }
  Ref mul(Ref a, Ref b) { return op(ir::Op::Mul, a, b); }
  Ref mul(Ref a, i64 b) { return b == 1 ? a : mul(a, number(b)); }
  Ref less_one(Ref a) { return sub(a, number(1)); }
  Ref floor_div(Ref a, Ref b) { return op(ir::Op::FloorDiv, a, b); }
  Ref ceil_div(Ref a, Ref b) { return floor_div(add(a, less_one(b)), b); }
  Ref mod(Ref a, Ref b) { return op(ir::Op::FloorMod, a, b); }
  Ref least(Ref a, Ref b);  // the smaller where it is known which is; else a
  const nest::Nest& nest;

 private:
  Ref op(ir::Op o, Ref a, Ref b) {
    check(o, a, b);
    return simple_(arena_.make(o, Type::i64, {a, b}));
  }
  void check(ir::Op o, Ref a, Ref b) const;
  ir::Arena& arena_;  // it only grows
  ir::Simplifier simple_;
  std::vector<ir::Replacement> given_;
  Where at_;
};
inline i64 constant(Ref e) { return e != nullptr && e->op == ir::Op::Const ? static_cast<i64>(e->arg) : -1; }
}  // namespace ordo::metrics
