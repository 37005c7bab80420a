// Reductions with a fixed step. The order of the axes, part of their types, belongs to the program.
#pragma once
#include <initializer_list>
#include "ordo/lang/function.hpp"
#include "ordo/lang/tensor.hpp"

namespace ordo {
namespace lang {
struct Axes {                    // one axis, or a braced list of axes of any order
  static constexpr int most = 16;
  ir::Ref node[most];
  int count = 0;
  Axes(const Reduction& axis) { add(axis); }
  Axes(std::initializer_list<Reduction> list) {
    for (const Reduction& axis : list) add(axis);
  }
  template <class X = void> Axes(const Expr<i64>&) { refuse<X>(); }
  template <class X = void> Axes(std::initializer_list<Expr<i64>>) { refuse<X>(); }

 protected:
  void add(const Reduction& axis);

 private:
  template <class X> static void refuse() {
    static_assert(never<X>, "ordo: a reduction runs over Chain, Lanes, Blocks or AnyOrder axes; an Index is a free axis");
  }
};
ir::Ref mean_divisor(const Axes& axes, Type type, Where at);

template <class Acc, class T> struct accumulator { using type = Acc; };
template <class T> struct accumulator<void, T> { using type = T; };
template <class R, class T> constexpr bool accumulates() {
  constexpr bool number = Number<T>;
  constexpr bool kind = Floating<R> ? Floating<T> : Integral<R> && is_signed(type_of<R>) == is_signed(type_of<T>);
  constexpr bool wide = !number || (Value<R> && kind && sizeof(R) >= sizeof(T));
  static_assert(number, "ordo: a sum or product takes numbers; count(k, condition) counts");
  static_assert(wide, "ordo: sum<T>(k, x) names a value type of the same kind that is as wide as x");
  return number && wide;
}
template <class T> Expr<T> fold(ir::Fold f, const Axes& k, Expr<T> x, Expr<bool> where, Where at) {
  return Expr<T>::wrap(front().fold(f, type_of<T>, k.node, k.count, x.node, where.node, nullptr, at));
}
}  // namespace lang

template <class T> class Folded : public Expr<T> {      // a sum or product: an Expr<T> that can also be told where to start
 public:
  Folded(ir::Fold f, const lang::Axes& k, ir::Ref x, ir::Ref c, Where w) : fold(f), axes(k), term(x), where(c), at(w) {
    this->node = lang::front().fold(f, type_of<T>, k.node, k.count, x, c, nullptr, w);
  }
  void operator=(Expr<T> e) { this->node = e.node; }
  // The accumulator starts from v, also over no element; only over Chains.
  template <class V> Expr<T> from(V v, Where w = Where::current()) && {
    return Expr<T>::wrap(lang::front().fold(fold, type_of<T>, axes.node, axes.count, term, where, lang::as<T>(v, w).node, at));
  }

 private:
  ir::Fold fold;
  lang::Axes axes;
  ir::Ref term, where;
  Where at;
};

// f(k, x), f(k, x, where): elements for which `where` is false make no step. sum of x * y steps by fma(x, y, acc); sum<T> and
// product<T> accumulate in a wider type. Over no element: 0, 1. Codes lang.axis (an axis twice, or one of the left), lang.order.
#define ORDO_FOLD(f)                                                                                                          \
  template <class Acc = void, class T> auto f(lang::Axes k, Expr<T> x, Expr<bool> where = lang::always(), Where at = Where::current()) { \
    using R = typename lang::accumulator<Acc, T>::type;                                                                       \
    if constexpr (lang::accumulates<R, T>()) return Folded<R>(ir::Fold::f, k, x.node, where.node, at);                        \
    else return x;                                                                                                            \
  }                                                                                                                           \
  template <class Acc = void, Floating T> Expr<T> f(AnyOrder, Expr<T> x, Expr<bool> = lang::always()) {                       \
    static_assert(lang::never<T>, "ordo: a floating " #f " depends on its order; declare the axis Chain, Lanes<L> or Blocks<B>"); \
    return x;                                                                                                                 \
  }
ORDO_FOLD(sum)
ORDO_FOLD(product)
#undef ORDO_FOLD

// Over no element: the least (or largest) value of the type, -inf and +inf; NaN for fmax and fmin, which skip NaNs.
#define ORDO_EXTREME(f, Class, sentence)                                                                                      \
  template <class T> Expr<T> f(lang::Axes k, Expr<T> x, Expr<bool> where = lang::always(), Where at = Where::current()) {     \
    static_assert(Class<T>, "ordo: " #f sentence);                                                                            \
    return lang::fold(ir::Fold::f, k, x, where, at);                                                                          \
  }
ORDO_EXTREME(max, Number, "(k, x) compares numbers; any_of and all_of take conditions")
ORDO_EXTREME(min, Number, "(k, x) compares numbers; any_of and all_of take conditions")
ORDO_EXTREME(fmax, Floating, "(k, x) needs a floating type; use max")
ORDO_EXTREME(fmin, Floating, "(k, x) needs a floating type; use min")
#undef ORDO_EXTREME
inline Expr<bool> all_of(lang::Axes k, Expr<bool> x, Expr<bool> where = lang::always(), Where at = Where::current()) {
  return lang::fold(ir::Fold::all_of, k, x, where, at);
}
inline Expr<bool> any_of(lang::Axes k, Expr<bool> x, Expr<bool> where = lang::always(), Where at = Where::current()) {
  return lang::fold(ir::Fold::any_of, k, x, where, at);
}
template <Integral T = i64> Expr<T> count(lang::Axes k, Expr<bool> condition, Where at = Where::current()) {
  return lang::fold(ir::Fold::sum, k, Expr<T>(1, at), condition, at);
}
template <class T> Expr<T> mean(lang::Axes k, Expr<T> x, Where at = Where::current()) {
  static_assert(Floating<T>, "ordo: mean needs a floating type; use cast<float>(x)");
  return lang::fold(ir::Fold::sum, k, x, lang::always(), at) / Expr<T>::wrap(lang::mean_divisor(k, type_of<T>, at));
}

template <class T> struct Found {
  Expr<T> value;
  Expr<i64> index;               // in list order; -1 when there was no element
};
#define ORDO_ARG(f, is_max)                                                                                                   \
  template <class T> Found<T> f(lang::Axes k, Expr<T> x, Expr<bool> where = lang::always(), Where at = Where::current()) {    \
    static_assert(Number<T>, "ordo: " #f "(k, x) compares numbers");                                                          \
    const ir::Ref r = lang::front().arg_extreme(is_max, k.node, k.count, x.node, where.node, at);                             \
    return {Expr<T>::wrap(lang::front().field(r, 0)), Expr<i64>::wrap(lang::front().field(r, 1))};                            \
  }
ORDO_ARG(argmax, true)
ORDO_ARG(argmin, false)
#undef ORDO_ARG

// Y(v, d) = scatter_add(D, id(n), x): from D(v, d), adds every x whose index is v, in ascending n.
template <class V> struct Scattered {
  ir::Ref tensor, index, term;
  Where at;
};
template <class T, int R, class X>
Scattered<value_t<T>> scatter_add(Tensor<T, R> start, lang::IndexAt index, X x, Where at = Where::current()) {
  static_assert(R > 0, "ordo: scatter_add needs a tensor with a dimension to scatter to");
  return {start.node, index.node, lang::as<value_t<T>>(x, at).node, at};
}
}  // namespace ordo
#if !defined(ORDO_COMPILED)
#include "ordo/lang/reduction.ipp"
#endif
