// One element-wise operation on one lane: what the interpreters run. `from` is the type of source 0 (of source 1 for a
// Select), `arg` the node's. Select, And and Or are strict here; an interpreter that must not read the other side does
// not ask.
#pragma once
#include "ordo/base/soft.hpp"
#include "ordo/ir/op.hpp"

namespace ordo::ir {
inline u64 scalar(Op op, Type from, u64 arg, const u64* a) {
  switch (op) {
    case Op::Neg: return soft::neg(from, a[0]);
    case Op::Abs: return soft::abs(from, a[0]);
    case Op::Sqrt: return soft::sqrt(from, a[0]);
    case Op::Not: return a[0] == 0;
    case Op::Floor: return soft::floor(from, a[0]);
    case Op::Ceil: return soft::ceil(from, a[0]);
    case Op::Trunc: return soft::trunc(from, a[0]);
    case Op::Round: return soft::round(from, a[0]);
    case Op::IsNan: return soft::is_nan(from, a[0]);
    case Op::Cast: return soft::cast(static_cast<Type>(arg), from, a[0]);
    case Op::Bitcast: return soft::canonical(from, a[0]);
    case Op::Unfused: return a[0];
    case Op::Add: return soft::add(from, a[0], a[1]);
    case Op::Sub: return soft::sub(from, a[0], a[1]);
    case Op::Mul: return soft::mul(from, a[0], a[1]);
    case Op::Div: return soft::div(from, a[0], a[1]);
    case Op::Mod: return soft::mod(from, a[0], a[1]);
    case Op::FloorDiv: return soft::floor_div(from, a[0], a[1]);
    case Op::FloorMod: return soft::floor_mod(from, a[0], a[1]);
    case Op::Fmod: return soft::fmod(from, a[0], a[1]);
    case Op::Max: return soft::maximum(from, a[0], a[1]);
    case Op::Min: return soft::minimum(from, a[0], a[1]);
    case Op::Fmax: return soft::fmax(from, a[0], a[1]);
    case Op::Fmin: return soft::fmin(from, a[0], a[1]);
    case Op::Copysign: return soft::copysign(from, a[0], a[1]);
    case Op::And: case Op::BitAnd: return a[0] & a[1];
    case Op::Or: case Op::BitOr: return a[0] | a[1];
    case Op::BitXor: return a[0] ^ a[1];
    case Op::Shl: return soft::shl(from, a[0], a[1]);
    case Op::Shr: return soft::shr(from, a[0], a[1]);
    case Op::Lt: return soft::less(from, a[0], a[1]);
    case Op::Le: return soft::less(from, a[0], a[1]) || soft::equal(from, a[0], a[1]);
    case Op::Gt: return soft::less(from, a[1], a[0]);
    case Op::Ge: return soft::less(from, a[1], a[0]) || soft::equal(from, a[0], a[1]);
    case Op::Eq: return soft::equal(from, a[0], a[1]);
    case Op::Ne: return !soft::equal(from, a[0], a[1]);
    case Op::Select: return a[0] != 0 ? a[1] : a[2];
    case Op::Fma: return soft::fma(from, a[0], a[1], a[2]);
#define ORDO_X(op, text, group) case Op::op:
    ORDO_FUNCTIONS(ORDO_X)       // run as what they are defined by
#undef ORDO_X
    case Op::Const: case Op::Dim: case Op::Axis: case Op::Tensor: case Op::State: case Op::Component: case Op::Extent:
    case Op::Inside: case Op::Load: case Op::Reduce: case Op::Field: case Op::Scan: case Op::Var: case Op::Stride:
    case Op::Ramp: case Op::Broadcast: case Op::Lookup: case Op::Read: case Op::Write: case Op::For: case Op::If: case Op::Let:
    case Op::Block: case Op::Alloc: case Op::Fail: case Op::Prefetch: break;
  }
  return 0;
}
}  // namespace ordo::ir
