#pragma once
#include "ordo/ir/simplify.hpp"
#include "ordo/runtime/size.hpp"

namespace ordo::runtime {
ORDO_INLINE Size::Size(ir::Ref expression) : kind_(Kind::general), expression_(expression) {
  if (expression->type != Type::i64) return;
  const ir::Linear form = ir::linear(expression);
  for (const ir::Linear::Term& t : form.terms)
    if (t.atom->op != ir::Op::Dim) return;
  constant_ = form.constant;
  for (const ir::Linear::Term& t : form.terms) terms_.push_back({static_cast<int>(t.atom->arg), t.coefficient});
  if (terms_.empty()) { kind_ = Kind::constant; return; }
  const bool alone = terms_.size() == 1 && terms_[0].coefficient == 1 && constant_ == 0;
  kind_ = alone ? Kind::dim : Kind::linear;
  dim_ = terms_[0].dim;
}
ORDO_INLINE i64 Size::general(const i64* dims) const {
  if (kind_ == Kind::general) return ir::evaluate(expression_, dims);
  u64 value = static_cast<u64>(constant_);
  for (const Term& t : terms_) value += static_cast<u64>(t.coefficient) * static_cast<u64>(dims[t.dim]);
  return static_cast<i64>(value);
}
namespace detail_size {
// Sums, differences, products, extremes and quotients at the nearest i64; what else there is as it stands.
inline i64 saturated(ir::Ref e, const i64* dims) {
  constexpr __int128 most = (static_cast<__int128>(1) << 63) - 1;
  if (e->op == ir::Op::Const || e->op == ir::Op::Dim || e->count != 2 || e->type != Type::i64) return ir::evaluate(e, dims);
  const __int128 a = saturated(e->src[0], dims), b = saturated(e->src[1], dims);
  __int128 value = 0;
  switch (e->op) {
    case ir::Op::Add: value = a + b; break;
    case ir::Op::Sub: value = a - b; break;
    case ir::Op::Mul: value = a * b; break;
    case ir::Op::Max: value = a > b ? a : b; break;
    case ir::Op::Min: value = a < b ? a : b; break;
    case ir::Op::Div: case ir::Op::FloorDiv:
      if (a < 0 || b <= 0) return ir::evaluate(e, dims);
      value = a / b;
      break;
    default: return ir::evaluate(e, dims);
  }
  return static_cast<i64>(value > most ? most : value < -most ? -most : value);
}
}  // namespace detail_size
ORDO_INLINE i64 Size::saturated(const i64* dims) const {
  if (kind_ == Kind::general) return detail_size::saturated(expression_, dims);
  if (kind_ != Kind::linear) return (*this)(dims);
  constexpr __int128 most = (static_cast<__int128>(1) << 63) - 1;
  __int128 value = constant_;
  for (const Term& t : terms_) value += static_cast<__int128>(t.coefficient) * dims[t.dim];
  return static_cast<i64>(value > most ? most : value < -most ? -most : value);
}
}  // namespace ordo::runtime
