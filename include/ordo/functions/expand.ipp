#pragma once
#include "ordo/functions/expand.hpp"
#include "ordo/functions/quick.hpp"

namespace ordo::functions {
namespace detail_expand {
inline bool is_quick(Op f) {
  constexpr Op all[] = {Op::Exp, Op::Log, Op::Tanh, Op::Erf, Op::Sin, Op::Cos, Op::Pow};
  for (const Op one : all)
    if (f == one) return true;
  return false;
}
}  // namespace detail_expand
ORDO_INLINE ir::Ref expand(ir::Arena& arena, Op function, const Ref* operands, Instructions target) {
  // Part of an approx recipe; in f32 not seen in the result.
  const bool single = operands[0]->type == Type::f32;
  const bool fused = ir::is_approx(function) || (target.fma && single && detail_expand::is_quick(function));
  const bool lookups = target.lookups && fused && operands[0]->lanes > 1;
  const Value x{&arena, operands[0], fused}, y{&arena, operands[ir::class_of(function) == ir::OpClass::binary ? 1 : 0], fused};
  switch (function) {
    case Op::Exp: return (lookups ? looked_up_exp(x) : single ? quick_exp(x) : exp(x)).node;
    case Op::Exp2: return exp2(x).node;
    case Op::Exp10: return exp10(x).node;
    case Op::Expm1: return expm1(x).node;
    case Op::Log: return (lookups ? looked_up_log(x) : single ? quick_log(x) : log(x)).node;
    case Op::Log2: return log2(x).node;
    case Op::Log10: return log10(x).node;
    case Op::Log1p: return log1p(x).node;
    case Op::Sinh: return sinh(x).node;
    case Op::Cosh: return cosh(x).node;
    case Op::Tanh: return (single ? quick_tanh(x) : tanh(x)).node;
    case Op::Asinh: return asinh(x).node;
    case Op::Acosh: return acosh(x).node;
    case Op::Atanh: return atanh(x).node;
    case Op::Sin: return (single ? quick_sin(x) : sin(x)).node;
    case Op::Cos: return (single ? quick_cos(x) : cos(x)).node;
    case Op::Tan: return tan(x).node;
    case Op::Sinpi: return sinpi(x).node;
    case Op::Cospi: return cospi(x).node;
    case Op::Asin: return asin(x).node;
    case Op::Acos: return acos(x).node;
    case Op::Atan: return atan(x).node;
    case Op::Cbrt: return cbrt(x).node;
    case Op::Erf: return (single ? quick_erf(x) : erf(x)).node;
    case Op::Erfc: return erfc(x).node;
    case Op::Pow: return (single ? quick_pow(x, y) : pow(x, y)).node;
    case Op::Atan2: return atan2(x, y).node;
    case Op::Hypot: return hypot(x, y).node;
    case Op::ApproxExp: return approx_exp(x).node;
    case Op::ApproxLog: return approx_log(x).node;
    case Op::ApproxTanh: return approx_tanh(x).node;
    case Op::ApproxSigmoid: return approx_sigmoid(x).node;
    case Op::ApproxErf: return approx_erf(x).node;
    case Op::ApproxGelu: return approx_gelu(x).node;
    case Op::ApproxSin: return approx_sin(x).node;
    case Op::ApproxCos: return approx_cos(x).node;
    default: fail_internal("functions.none", ir::name_of(function));
  }
}
}  // namespace ordo::functions
