// Element-wise functions. A literal among the arguments takes the type of the first expression.
#pragma once
#include "ordo/lang/expr.hpp"
#include "ordo/lang/loop.hpp"

namespace ordo {
// To a storage type: rounded or cut to it, then widened to its value type. Float to integer truncates and saturates, NaN gives
// 0; integer to integer keeps the low bits; to bool: x != 0.
template <class To, class From> Expr<value_t<To>> cast(Expr<From> x, Where at = Where::current()) {
  static_assert(Element<To>, "ordo: cast<T>(x) names an element type: bool, i8 ... u64, f16, bf16, f32 or f64");
  return Expr<value_t<To>>::wrap(lang::front().cast(type_of<To>, x.node, at));
}
template <class To, class From> Expr<To> bitcast(Expr<From> x, Where at = Where::current()) {
  static_assert(Value<To> && sizeof(To) == sizeof(From), "ordo: bitcast<T>(x) needs two value types of one size");
  return Expr<To>::wrap(lang::front().bitcast(type_of<To>, x.node, at));
}
template <class T, class V> Expr<T> constant(V v, Where at = Where::current()) { return Expr<T>(v, at); }
template <class T> Expr<T> inf() {
  static_assert(Value<T> && Floating<T>, "ordo: inf<T>() is of f32 or f64");
  return Expr<T>::wrap(lang::infinity(type_of<T>));
}

namespace lang {
template <class T> Expr<T> ternary(ir::Op op, ir::Ref a, Expr<T> b, Expr<T> c, Where at) {
  return Expr<T>::wrap(front().ternary(op, a, b.node, c.node, at));
}
template <class T> concept Single = std::is_same_v<T, float>;
// A constant by its bits, for f32 and for f64.
template <class T> Expr<T> bits(u32 single, u64 wide) {
  return Expr<T>::wrap(front().bits(type_of<T>, std::is_same_v<T, float> ? single : wide));
}
}  // namespace lang

// The operand that is not chosen is not read: a guard for accesses.
template <class C, class A, class B> auto select(C condition, A a, B b, Where at = Where::current()) {
  using T = lang::common_t<A, B>;
  constexpr bool literals = std::is_void_v<T>, by_condition = lang::Condition<C>;
  static_assert(!literals, "ordo: select needs one expression; give a literal its type with constant<T>(v)");
  static_assert(by_condition, "ordo: select takes a condition, an expression of bool, first");
  if constexpr (literals) return Expr<float>(0);
  else if constexpr (!by_condition) return lang::as<T>(a, at);
  else return lang::ternary(ir::Op::Select, lang::as<bool>(condition, at).node, lang::as<T>(a, at), lang::as<T>(b, at), at);
}
template <class A, class B, class C> requires(!std::is_void_v<lang::common_t<A, B, C>>)
auto fma(A a, B b, C c, Where at = Where::current()) {     // a * b + c, rounded once
  using T = lang::common_t<A, B, C>;
  static_assert(Floating<T>, "ordo: fma needs a floating type; use cast<float>(x)");
  return lang::ternary(ir::Op::Fma, lang::as<T>(a, at).node, lang::as<T>(b, at), lang::as<T>(c, at), at);
}
// A product that a sum around it does not fuse: acc + (x * y), two roundings.
template <class T> Expr<T> unfused(Expr<T> x, Where at = Where::current()) {
  return Expr<T>::wrap(lang::front().unary(ir::Op::Unfused, x.node, at));
}

#define ORDO_UNARY(f, O, Class, R, sentence)                                             \
  template <class T> Expr<R> f(Expr<T> x, Where at = Where::current()) {                 \
    static_assert(Class<T>, "ordo: " #f sentence);                                       \
    return Expr<R>::wrap(lang::front().unary(ir::Op::O, x.node, at));                    \
  }
#define ORDO_FLOATING(f, O, R) ORDO_UNARY(f, O, Floating, R, " needs a floating type; use cast<float>(x)")
ORDO_UNARY(abs, Abs, Number, T, " needs numbers")
ORDO_FLOATING(sqrt, Sqrt, T)
ORDO_FLOATING(floor, Floor, T)
ORDO_FLOATING(ceil, Ceil, T)
ORDO_FLOATING(trunc, Trunc, T)
ORDO_FLOATING(round, Round, T)         // half to even
ORDO_FLOATING(isnan, IsNan, bool)
// f32: correctly rounded; f64: below 1 ulp. Special cases as in C23 Annex F.
ORDO_FLOATING(exp, Exp, T)
ORDO_FLOATING(exp2, Exp2, T)
ORDO_FLOATING(exp10, Exp10, T)
ORDO_FLOATING(expm1, Expm1, T)
ORDO_FLOATING(log, Log, T)
ORDO_FLOATING(log2, Log2, T)
ORDO_FLOATING(log10, Log10, T)
ORDO_FLOATING(log1p, Log1p, T)
ORDO_FLOATING(sin, Sin, T)
ORDO_FLOATING(cos, Cos, T)
ORDO_FLOATING(tan, Tan, T)
ORDO_FLOATING(sinpi, Sinpi, T)
ORDO_FLOATING(cospi, Cospi, T)
ORDO_FLOATING(asin, Asin, T)
ORDO_FLOATING(acos, Acos, T)
ORDO_FLOATING(atan, Atan, T)
ORDO_FLOATING(sinh, Sinh, T)
ORDO_FLOATING(cosh, Cosh, T)
ORDO_FLOATING(tanh, Tanh, T)
ORDO_FLOATING(asinh, Asinh, T)
ORDO_FLOATING(acosh, Acosh, T)
ORDO_FLOATING(atanh, Atanh, T)
ORDO_FLOATING(erf, Erf, T)
ORDO_FLOATING(erfc, Erfc, T)
ORDO_FLOATING(cbrt, Cbrt, T)
namespace approx {               // at most 2 ulp; cheap
#define ORDO_APPROX(f, O) ORDO_UNARY(f, O, lang::Single, T, " of approx:: needs f32; use ordo::" #f " or cast<float>(x)")
ORDO_APPROX(exp, ApproxExp)
ORDO_APPROX(log, ApproxLog)
ORDO_APPROX(tanh, ApproxTanh)
ORDO_APPROX(sigmoid, ApproxSigmoid)
ORDO_APPROX(erf, ApproxErf)
ORDO_APPROX(gelu, ApproxGelu)
ORDO_APPROX(sin, ApproxSin)
ORDO_APPROX(cos, ApproxCos)
#undef ORDO_APPROX
}  // namespace approx
#undef ORDO_FLOATING
#undef ORDO_UNARY

#define ORDO_BINARY(f, O, Class, Not, sentence)                                                                \
  template <class A, class B> requires(!std::is_void_v<lang::common_t<A, B>> && !Not<A>)                       \
  auto f(A a, B b, Where at = Where::current()) {                                                              \
    using T = lang::common_t<A, B>;                                                                            \
    static_assert(Class<T>, "ordo: " #f sentence);                                                             \
    return Expr<T>::wrap(lang::front().binary(ir::Op::O, lang::as<T>(a, at).node, lang::as<T>(b, at).node, at)); \
  }
// maximum, minimum: NaN if either is; fmax, fmin: the other one when one is NaN. Both: -0 < +0. x / 0 and x % 0 of integers
// are 0 and x; floor_div and floor_mod round down.
ORDO_BINARY(maximum, Max, Number, std::is_void_v, " needs numbers")
ORDO_BINARY(minimum, Min, Number, std::is_void_v, " needs numbers")
ORDO_BINARY(fmax, Fmax, Floating, lang::IsLoop, " needs a floating type; use maximum")       // fmax(k, x) reduces
ORDO_BINARY(fmin, Fmin, Floating, lang::IsLoop, " needs a floating type; use minimum")
ORDO_BINARY(fmod, Fmod, Floating, std::is_void_v, " needs a floating type; use %")
ORDO_BINARY(copysign, Copysign, Floating, std::is_void_v, " needs a floating type; use cast<float>(x)")
ORDO_BINARY(pow, Pow, Floating, std::is_void_v, " needs a floating type; use cast<float>(x)")
ORDO_BINARY(atan2, Atan2, Floating, std::is_void_v, " needs a floating type; use cast<float>(x)")
ORDO_BINARY(hypot, Hypot, Floating, std::is_void_v, " needs a floating type; use cast<float>(x)")
ORDO_BINARY(floor_div, FloorDiv, Integral, std::is_void_v, " needs integers; use floor(a / b)")
ORDO_BINARY(floor_mod, FloorMod, Integral, std::is_void_v, " needs integers; use fmod(a, b)")
#undef ORDO_BINARY

template <class T> Expr<T> relu(Expr<T> x, Where at = Where::current()) { return maximum(x, 0, at); }
template <class A, class L, class H> requires(!std::is_void_v<lang::common_t<A, L, H>>)
auto clip(A x, L low, H high, Where at = Where::current()) {
  using T = lang::common_t<A, L, H>;
  return minimum(maximum(lang::as<T>(x, at), lang::as<T>(low, at), at), lang::as<T>(high, at), at);
}

// Compositions: operations as written here, each rounded.
#define ORDO_COMPOSED(f)                                                                 \
  template <class T> Expr<T> f(Expr<T> x, Where at = Where::current()) {                 \
    static_assert(Floating<T>, "ordo: " #f " needs a floating type; use cast<float>(x)"); \
    return lang::composed_##f(x, at);                                                    \
  }
namespace lang {
template <class T> Expr<T> composed_rsqrt(Expr<T> x, Where at) { return Expr<T>(1) / sqrt(x, at); }
template <class T> Expr<T> composed_sigmoid(Expr<T> x, Where at) { return Expr<T>(1) / (Expr<T>(1) + exp(-x, at)); }
template <class T> Expr<T> composed_silu(Expr<T> x, Where at) { return x / (Expr<T>(1) + exp(-x, at)); }
template <class T> Expr<T> composed_softplus(Expr<T> x, Where at) { return maximum(x, 0, at) + log1p(exp(-abs(x, at), at), at); }
template <class T> Expr<T> composed_gelu(Expr<T> x, Where at) {
  return (Expr<T>(0.5) * x) * erfc(-x * bits<T>(0x3f3504f3, 0x3fe6a09e667f3bcd), at);                    // sqrt(1/2)
}
template <class T> Expr<T> composed_gelu_tanh(Expr<T> x, Where at) {
  const Expr<T> inner = x + bits<T>(0x3d372713, 0x3fa6e4e26d4801f7) * ((x * x) * x);                     // 0.044715
  return (Expr<T>(0.5) * x) * (Expr<T>(1) + tanh(bits<T>(0x3f4c422a, 0x3fe9884533d43651) * inner, at));  // sqrt(2/pi)
}
template <class T> Expr<T> composed_flush(Expr<T> x, Where at) {
  return select(abs(x, at) < bits<T>(0x00800000, 0x0010000000000000), copysign(0, x, at), x, at);
}
}  // namespace lang
ORDO_COMPOSED(rsqrt)
ORDO_COMPOSED(sigmoid)
ORDO_COMPOSED(silu)
ORDO_COMPOSED(softplus)
ORDO_COMPOSED(gelu)
ORDO_COMPOSED(gelu_tanh)
ORDO_COMPOSED(flush)             // subnormal numbers become zeros
#undef ORDO_COMPOSED
}  // namespace ordo
