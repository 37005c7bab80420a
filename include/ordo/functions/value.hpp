// Expressions as C++ arithmetic: what recipes are written with. A number beside a Value takes its type and lanes.
#pragma once
#include <cstring>
#include <type_traits>
#include "ordo/base/soft.hpp"
#include "ordo/base/tables.hpp"
#include "ordo/ir/arena.hpp"

namespace ordo::functions {
using ir::Op;
using ir::Ref;

struct Value {
  ir::Arena* arena;
  Ref node;
  bool fused = false;  // the target has fma and the result does not depend on it: what polynomials may use
  Type type() const { return node->type; }

  Value constant(Type t, u64 bits) const { return {arena, arena->constant(t, bits, node->lanes), fused}; }
  // One rounding, in integer code: the caller's flags and rounding mode do not reach it.
  template <class N>
  Value number(Type t, N n) const {
    if (is_float(t)) return constant(t, soft::canonical(t, soft::from_double(t, static_cast<double>(n))));
    const u64 bits = static_cast<u64>(n);
    return constant(t, bits_of(t) == 32 ? static_cast<u32>(bits) : bits);
  }
  template <class N>
  Value number(N n) const {
    return number(type(), n);
  }
};

inline Value make(Op op, Type type, std::initializer_list<Value> sources, u64 arg = 0) {
  Ref nodes[3] = {};
  u32 count = 0;
  for (const Value& v : sources) nodes[count++] = v.node;
  const Value& first = *sources.begin();
  return {first.arena, first.arena->make(op, type, nodes, count, arg, "", {}, first.node->lanes), first.fused};
}
inline Value unary(Op op, Value a) { return make(op, a.type(), {a}); }
inline Value binary(Op op, Value a, Value b) { return make(op, a.type(), {a, b}); }
inline Value compare(Op op, Value a, Value b) { return make(op, Type::boolean, {a, b}); }

template <class N>
concept Number = std::is_arithmetic_v<N>;
#define ORDO_X(sign, make_it, O)                                                \
  inline Value operator sign(Value a, Value b) { return make_it(Op::O, a, b); } \
  template <Number N>                                                           \
  Value operator sign(Value a, N b) {                                           \
    return make_it(Op::O, a, a.number(b));                                      \
  }                                                                             \
  template <Number N>                                                           \
  Value operator sign(N a, Value b) {                                           \
    return make_it(Op::O, b.number(a), b);                                      \
  }
ORDO_X(+, binary, Add)
ORDO_X(-, binary, Sub)
ORDO_X(*, binary, Mul) ORDO_X(/, binary, Div) ORDO_X(&, binary, BitAnd) ORDO_X(|, binary, BitOr) ORDO_X(^, binary, BitXor)
    ORDO_X(<<, binary, Shl) ORDO_X(>>, binary, Shr) ORDO_X(<, compare, Lt) ORDO_X(<=, compare, Le) ORDO_X(>, compare, Gt)
        ORDO_X(>=, compare, Ge) ORDO_X(==, compare, Eq) ORDO_X(!=, compare, Ne)
#undef ORDO_X
            inline Value
            operator-(Value a) {
  return unary(Op::Neg, a);
}
inline Value both(Value a, Value b) { return make(Op::And, Type::boolean, {a, b}); }
inline Value either(Value a, Value b) { return make(Op::Or, Type::boolean, {a, b}); }
inline Value no(Value a) { return make(Op::Not, Type::boolean, {a}); }
inline Value abs(Value a) { return unary(Op::Abs, a); }
inline Value sqrt(Value a) { return unary(Op::Sqrt, a); }
inline Value is_nan(Value a) { return make(Op::IsNan, Type::boolean, {a}); }
inline Value cast(Type to, Value a) { return a.type() == to ? a : make(Op::Cast, to, {a}, static_cast<u64>(to)); }
inline Value bitcast(Type to, Value a) { return make(Op::Bitcast, to, {a}); }
inline Value lookup(Table table, Value j) { return make(Op::Lookup, Type::f32, {j}, static_cast<u64>(table)); }
inline Value select(Value c, Value a, Value b) { return make(Op::Select, a.type(), {c, a, b}); }
// The same, where few inputs need `slow`, which may take long.
inline Value seldom(Value c, Value slow, Value fast) { return make(Op::Select, fast.type(), {c, slow, fast}, ir::seldom); }
template <Number N>
Value select(Value c, N a, Value b) {
  return select(c, b.number(a), b);
}
template <Number N>
Value select(Value c, Value a, N b) {
  return select(c, a, a.number(b));
}

inline constexpr u64 nan_f64 = 0x7ff8000000000000, infinity_f64 = 0x7ff0000000000000, sign_f64 = 0x8000000000000000;
inline Value infinity(Value like) { return like.constant(like.type(), like.type() == Type::f32 ? 0x7f800000 : infinity_f64); }
inline Value nan(Value like) { return like.constant(like.type(), like.type() == Type::f32 ? 0x7fc00000 : nan_f64); }
inline Value clamped(Value x, double low, double high) { return select(x > high, high, select(x < low, low, x)); }  // NaN stays

// Where the value is known to be no NaN, or a NaN's are not used.
inline Value bits_of_number(Value a) {
  return make(Op::Bitcast, a.type() == Type::f32 ? Type::i32 : Type::i64, {a}, ir::number_only);
}
// The sign bit of `sign`, on a magnitude.
inline Value with_sign(Value magnitude, Value sign) { return make(Op::Copysign, magnitude.type(), {magnitude, sign}); }

// a * b + c, rounded once or twice: only where both give the same result in the end.
inline Value multiply_add(Value a, Value b, Value c) { return a.fused ? make(Op::Fma, a.type(), {a, b, c}) : a * b + c; }
// c[0] + x * (c[1] + ...)
template <std::size_t n>
Value polynomial(Value x, const double (&c)[n]) {
  Value sum = x.number(c[n - 1]);
  for (std::size_t k = n - 1; k-- > 0;) sum = multiply_add(sum, x, x.number(c[k]));
  return sum;
}
}  // namespace ordo::functions
