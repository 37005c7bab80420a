// Expr<T>: one pointer to a raw node. T is checked here and nowhere below; operators return Expr<T>, never a nested type.
#pragma once
#include "ordo/lang/literal.hpp"

#define ORDO_MIX "ordo: the operands have different element types; convert one with cast<T>(x)"
#define ORDO_ARITHMETIC(op, O)                                                                        \
  friend Expr operator op(Expr a, Expr b) {                                                           \
    static_assert(!std::is_same_v<T, bool>, "ordo: arithmetic on bool; use select or cast<T>(x)");    \
    return wrap(lang::front().binary(ir::Op::O, a.node, b.node));                                     \
  }
#define ORDO_INTEGER(op, O, sentence)                                                                 \
  friend Expr operator op(Expr a, Expr b) {                                                           \
    static_assert(Integral<T>, sentence);                                                             \
    return wrap(lang::front().binary(ir::Op::O, a.node, b.node));                                     \
  }
#define ORDO_BITS(op, O) ORDO_INTEGER(op, O, "ordo: bit operators need integers; && and || join conditions")
#define ORDO_COMPARE(op, O) \
  friend Expr<bool> operator op(Expr a, Expr b) { return Expr<bool>::wrap(lang::front().binary(ir::Op::O, a.node, b.node)); }
#define ORDO_ORDER(op, O)                                                                             \
  friend Expr<bool> operator op(Expr a, Expr b) {                                                     \
    static_assert(!std::is_same_v<T, bool>, "ordo: conditions have no order; compare them with == and !="); \
    return Expr<bool>::wrap(lang::front().binary(ir::Op::O, a.node, b.node));                         \
  }

namespace ordo {
template <class T> class Expr : public AnyExpr {
  static_assert(Value<T>, "ordo: an expression is of bool, i32, u32, i64, u64, f32 or f64; a narrow tensor reads as i32 or f32");

 public:
  static Expr wrap(ir::Ref raw) {
    Expr e;
    e.node = raw;
    return e;
  }
  template <class V> requires std::is_arithmetic_v<V>
  Expr(V v, Where at = Where::current()) : AnyExpr{lang::literal<T>(v, at)} {}
  template <class V = void> explicit operator bool() const {
    static_assert(lang::never<V>, "ordo: an expression has no value while the program is built; use select(condition, a, b)");
    return false;
  }
  // clang-format off
  ORDO_ARITHMETIC(+, Add) ORDO_ARITHMETIC(-, Sub) ORDO_ARITHMETIC(*, Mul) ORDO_ARITHMETIC(/, Div)
  ORDO_INTEGER(%, Mod, "ordo: % needs integers; use fmod(a, b)")
  ORDO_BITS(&, BitAnd) ORDO_BITS(|, BitOr) ORDO_BITS(^, BitXor) ORDO_BITS(<<, Shl) ORDO_BITS(>>, Shr)
  ORDO_ORDER(<, Lt) ORDO_ORDER(<=, Le) ORDO_ORDER(>, Gt) ORDO_ORDER(>=, Ge) ORDO_COMPARE(==, Eq) ORDO_COMPARE(!=, Ne)
  // clang-format on
  friend Expr operator-(Expr a) {
    static_assert(!std::is_same_v<T, bool>, "ordo: arithmetic on bool; use select or cast<T>(x)");
    return wrap(lang::front().unary(ir::Op::Neg, a.node));
  }
  friend Expr operator+(Expr a) { return a; }

 protected:
  Expr() = default;
};

// These exist for their sentence only: every other operator is a friend of one Expr<T>.
#define ORDO_MIXED(op)                                                        \
  template <class A, class B> requires(!std::is_same_v<A, B>)                 \
  Expr<A> operator op(Expr<A> a, Expr<B>) {                                   \
    static_assert(lang::never<A, B>, ORDO_MIX);                               \
    return a;                                                                 \
  }
// clang-format off
ORDO_MIXED(+) ORDO_MIXED(-) ORDO_MIXED(*) ORDO_MIXED(/) ORDO_MIXED(%) ORDO_MIXED(&) ORDO_MIXED(|) ORDO_MIXED(^)
ORDO_MIXED(<<) ORDO_MIXED(>>) ORDO_MIXED(<) ORDO_MIXED(<=) ORDO_MIXED(>) ORDO_MIXED(>=) ORDO_MIXED(==) ORDO_MIXED(!=)
// clang-format on
#undef ORDO_MIXED
#undef ORDO_ARITHMETIC
#undef ORDO_INTEGER
#undef ORDO_BITS
#undef ORDO_COMPARE
#undef ORDO_ORDER

namespace lang {
template <class T> T element_of(const Expr<T>*);
template <class A> struct element { using type = void; };
template <IsExpr A> struct element<A> { using type = decltype(element_of(static_cast<const A*>(nullptr))); };
template <class... A> struct first { using type = void; };
template <class A, class... Rest> struct first<A, Rest...> : std::conditional_t<IsExpr<A>, element<A>, first<Rest...>> {};
template <class A> using element_t = typename element<A>::type;           // void: a literal or no expression at all
template <class... A> using common_t = typename first<A...>::type;       // of the first expression among them

// An operand that must be of type T: an expression of it, or a literal that becomes one.
template <class T, class A> Expr<T> as(A a, Where at) {
  if constexpr (IsExpr<A>) {
    static_assert(std::is_same_v<element_t<A>, T>, ORDO_MIX);
    return Expr<T>::wrap(a.node);
  } else {
    return Expr<T>(a, at);
  }
}
inline Expr<bool> always() { return Expr<bool>::wrap(nullptr); }          // the absent `where`

template <class A> concept Condition = std::is_same_v<A, bool> || std::is_same_v<element_t<A>, bool>;
template <class A, class B> Expr<bool> join(ir::Op op, A a, B b) {
  static_assert(Condition<A> && Condition<B>, "ordo: && || ! take conditions, expressions of bool; compare a number with != 0");
  if constexpr (Condition<A> && Condition<B>) return Expr<bool>::wrap(front().binary(op, as<bool>(a, {}).node, as<bool>(b, {}).node));
  else return always();
}
}  // namespace lang

template <class A, class B> requires(lang::IsExpr<A> || lang::IsExpr<B>)
Expr<bool> operator&&(A a, B b) { return lang::join(ir::Op::And, a, b); }
template <class A, class B> requires(lang::IsExpr<A> || lang::IsExpr<B>)
Expr<bool> operator||(A a, B b) { return lang::join(ir::Op::Or, a, b); }
template <lang::IsExpr A> Expr<bool> operator!(A a) {
  static_assert(lang::Condition<A>, "ordo: && || ! take conditions, expressions of bool; compare a number with != 0");
  return Expr<bool>::wrap(lang::front().unary(ir::Op::Not, a.node));
}
}  // namespace ordo
