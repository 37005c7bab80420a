#pragma once
#include <array>
#include "ordo/base/soft.hpp"
#include "ordo/kernel/fold.hpp"

namespace ordo::kernel {
using ir::Op;
using ir::Ref;

namespace detail_fold {
inline bool index_type(Ref e) { return e->lanes == 1 && (e->type == Type::i64 || e->type == Type::boolean); }
inline u64 compute(Op o, Type t, u64 a, u64 b, bool& known) {
  known = true;
  switch (o) {
    case Op::Add: return soft::add(t, a, b);
    case Op::Sub: return soft::sub(t, a, b);
    case Op::Mul: return soft::mul(t, a, b);
    case Op::Div: return soft::div(t, a, b);
    case Op::Mod: return soft::mod(t, a, b);
    case Op::FloorDiv: return soft::floor_div(t, a, b);
    case Op::FloorMod: return soft::floor_mod(t, a, b);
    case Op::Max: return soft::maximum(t, a, b);
    case Op::Min: return soft::minimum(t, a, b);
    case Op::Lt: return soft::less(t, a, b);
    case Op::Le: return !soft::less(t, b, a);
    case Op::Gt: return soft::less(t, b, a);
    case Op::Ge: return !soft::less(t, a, b);
    case Op::Eq: return soft::equal(t, a, b);
    case Op::Ne: return !soft::equal(t, a, b);
    default: known = false; return 0;
  }
}
}  // namespace detail_fold

// One rule a case: `a` and `b` are scalars of type i64 or bool. nullptr: nothing to fold.
ORDO_INLINE Ref Make::folded(Op o, Ref a, Ref b) const {
  const bool ca = is_constant(a), cb = is_constant(b);
  if (o == Op::And) {
    if (ca) return a->arg != 0 ? b : a;
    if (cb) return b->arg != 0 ? a : b;
    return a == b ? a : nullptr;
  }
  if (o == Op::Or) {
    if (ca) return a->arg != 0 ? a : b;
    if (cb) return b->arg != 0 ? b : a;
    return a == b ? a : nullptr;
  }
  if (ca && cb) {
    bool known = false;
    const u64 v = detail_fold::compute(o, a->type, a->arg, b->arg, known);
    const bool compares = ir::class_of(o) == ir::OpClass::compare;
    if (known) return arena_->constant(compares ? Type::boolean : a->type, v);
  }
  if (a->type != Type::i64) return nullptr;
  switch (o) {
    case Op::Add:
      if (is(a, 0)) return b;
      if (is(b, 0)) return a;
      if (ca) return add(b, a);
      if (cb && a->op == Op::Add && is_constant(a->src[1])) return add(a->src[0], add(a->src[1], b));     // (x + 2) + 3
      if (a->op == Op::Add && is_constant(a->src[1])) return add(add(a->src[0], b), a->src[1]);           // (x + 2) + y
      if (b->op == Op::Add && is_constant(b->src[1])) return add(add(a, b->src[0]), b->src[1]);           // x + (y + 2)
      return nullptr;
    case Op::Sub:
      if (a == b) return integer(0);
      if (cb) return add(a, integer(-static_cast<i64>(b->arg)));
      return nullptr;
    case Op::Mul:
      if (is(a, 0) || is(b, 0)) return integer(0);
      if (is(a, 1)) return b;
      if (is(b, 1)) return a;
      if (ca) return mul(b, a);
      if (cb && a->op == Op::Mul && is_constant(a->src[1])) return mul(a->src[0], mul(a->src[1], b));
      if (cb && a->op == Op::Add && is_constant(a->src[1])) return add(mul(a->src[0], b), mul(a->src[1], b));
      return nullptr;
    case Op::Div: case Op::FloorDiv: return is(b, 1) ? a : nullptr;
    case Op::Mod: case Op::FloorMod: return is(b, 1) ? integer(0) : nullptr;
    case Op::Min: case Op::Max: return a == b ? a : nullptr;
    case Op::Lt: case Op::Gt: case Op::Ne: return a == b ? arena_->constant(Type::boolean, 0) : nullptr;
    case Op::Le: case Op::Ge: case Op::Eq: return a == b ? yes() : nullptr;
    default: return nullptr;
  }
}

// ramp(base, step) < bound when all lanes agree; nullptr when they do not, or base and step are not constants.
ORDO_INLINE Ref Make::uniform_less(Ref ramp, Ref bound) const {
  if (!is_constant(ramp->src[0]) || !is_constant(ramp->src[1])) return nullptr;
  const i64 first = static_cast<i64>(ramp->src[0]->arg), last = first + static_cast<i64>(ramp->src[1]->arg) * (ramp->lanes - 1),
            b = static_cast<i64>(bound->arg);
  if ((first < b) != (last < b)) return nullptr;
  return arena_->constant(Type::boolean, first < b, ramp->lanes);
}

ORDO_INLINE Ref Make::op(Op o, const Ref* s, u32 count, Type type) const {
  if (count == 2 && detail_fold::index_type(s[0]) && detail_fold::index_type(s[1]))
    if (const Ref r = folded(o, s[0], s[1])) return r;
  if (o == Op::Lt && s[0]->op == Op::Ramp && s[1]->op == Op::Const)
    if (const Ref r = uniform_less(s[0], s[1])) return r;
  if (o == Op::And && s[0]->lanes > 1) {
    if (s[0]->op == Op::Const) return s[0]->arg != 0 ? s[1] : s[0];
    if (s[1]->op == Op::Const) return s[1]->arg != 0 ? s[0] : s[1];
  }
  if (o == Op::Not && is_constant(s[0])) return arena_->constant(Type::boolean, s[0]->arg ^ 1);
  if (o == Op::Select && s[0]->op == Op::Const && s[0]->lanes == s[1]->lanes) return s[0]->arg != 0 ? s[1] : s[2];
  u16 lanes = 1;
  for (u32 k = 0; k < count; ++k) lanes = s[k]->lanes > lanes ? s[k]->lanes : lanes;
  return arena_->make(o, type, s, count, 0, "", {}, lanes);
}

ORDO_INLINE Ref Make::again(Ref like, const Ref* s, u16 lanes) const {
  const ir::OpClass c = ir::class_of(like->op);
  if (like->arg == 0 && (c == ir::OpClass::binary || c == ir::OpClass::compare || c == ir::OpClass::ternary || like->op == Op::Not))
    return op(like->op, s, like->count, like->type);
  return arena_->make(like->op, like->type, s, like->count, like->arg, like->name, like->at, lanes);
}

ORDO_INLINE Ref Make::ceil_div(Ref a, Ref b) const {
  if (is(b, 1)) return a;
  return op(Op::Div, add(a, sub(b, integer(1))), b);
}

ORDO_INLINE Ref Make::block(const std::vector<Ref>& statements) const {
  std::vector<Ref> flat;
  for (const Ref s : statements) {
    if (s == nullptr) continue;
    if (s->op == Op::Block) flat.insert(flat.end(), s->src, s->src + s->count);
    else flat.push_back(s);
  }
  if (flat.size() == 1) return flat[0];
  return arena_->make(Op::Block, Type::none, flat.data(), static_cast<u32>(flat.size()));
}
ORDO_INLINE Ref Make::loop(ir::LoopMode mode, Ref var, Ref begin, Ref end, Ref body) const {
  if (is_constant(begin) && is_constant(end) && static_cast<i64>(end->arg) <= static_cast<i64>(begin->arg)) return block({});
  if (body->op == Op::Block && body->count == 0) return body;
  return arena_->make(Op::For, Type::none, {var, begin, end, body}, static_cast<u64>(mode));
}
ORDO_INLINE Ref Make::when(Ref condition, Ref then, Ref otherwise) const {
  if (condition == nullptr || (is_constant(condition) && condition->arg != 0)) return then;
  if (is_constant(condition)) return otherwise != nullptr ? otherwise : block({});
  const bool has_then = then->op != Op::Block || then->count > 0;
  const bool has_else = otherwise != nullptr && (otherwise->op != Op::Block || otherwise->count > 0);
  if (!has_then && !has_else) return block({});
  if (!has_else) return arena_->make(Op::If, Type::none, {condition, then});
  return arena_->make(Op::If, Type::none, {condition, then, otherwise});
}
ORDO_INLINE Ref Make::read(Type type, u32 buffer, Ref offset, Ref mask) const {
  if (mask != nullptr && mask->op == Op::Const && mask->arg != 0) mask = nullptr;
  if (mask != nullptr && mask->op == Op::Const) return arena_->constant(type, 0, offset->lanes);
  const Ref s[] = {offset, mask};
  return arena_->make(Op::Read, type, s, mask == nullptr ? 1 : 2, buffer, "", {}, offset->lanes);
}
ORDO_INLINE Ref Make::write(u32 buffer, Ref offset, Ref value, Ref mask) const {
  if (mask != nullptr && mask->op == Op::Const && mask->arg != 0) mask = nullptr;
  if (mask != nullptr && mask->op == Op::Const) return block({});
  const Ref s[] = {offset, value, mask};
  return arena_->make(Op::Write, Type::none, s, mask == nullptr ? 2 : 3, buffer, "", {}, value->lanes);
}
}  // namespace ordo::kernel
