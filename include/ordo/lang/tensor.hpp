// Tensor<T, Rank>: a named handle; A(i, j) reads, A(i, j) = e defines.
#pragma once
#include "ordo/base/argument.hpp"
#include "ordo/lang/axis.hpp"
#include "ordo/lang/signature.hpp"

namespace ordo {
namespace lang {
struct IndexAt {                 // one index of an access; the first carries the caller's line
  ir::Ref node = nullptr;
  Where at;
  template <class I> IndexAt(I i, Where where = Where::current()) : at(where) {
    constexpr bool integer = IsExpr<I> ? Integral<element_t<I>> : std::is_integral_v<I> && !std::is_same_v<I, bool>;
    static_assert(integer, "ordo: a tensor is indexed by integers; use cast<i64>(floor(x))");
    if constexpr (!integer) return;
    else if constexpr (!IsExpr<I>) node = literal<i64>(i, where);
    else if constexpr (std::is_same_v<element_t<I>, i64>) node = i.node;
    else node = front().cast(Type::i64, i.node, where);
  }
};
ir::Ref scatter(ir::Ref left, ir::Ref tensor, ir::Ref index, ir::Ref term, Where at);
}  // namespace lang

template <class V> struct Scattered;     // reduction.hpp

template <class T> class Access : public Expr<value_t<T>> {
  using V = value_t<T>;

 public:
  explicit Access(ir::Ref load) { this->node = load; }
  Access(const Access&) = default;
  void operator=(Expr<V> e) && { lang::front().define(this->node, e.node); }
  void operator=(const Access& e) && { lang::front().define(this->node, e.node); }      // else A(i) = B(i) would copy a handle
  template <class U> requires(!std::is_same_v<U, V>) void operator=(Expr<U> e) && {
    constexpr bool fits = stores(type_of<T>, type_of<U>);
    static_assert(fits, "ordo: the tensor and the expression have different element types; convert with cast<T>(x)");
    if constexpr (fits) lang::front().define(this->node, e.node);
  }
  template <class U> void operator=(Scattered<U> s) && {
    static_assert(std::is_same_v<U, V>, "ordo: the tensor and the expression have different element types; convert with cast<T>(x)");
    lang::front().define(this->node, lang::scatter(this->node, s.tensor, s.index, s.term, s.at));
  }
  template <class E> void operator=(E) & {
    static_assert(lang::never<E>, "ordo: this is a read of a tensor kept in a variable; a definition is written T(i, j) = expression");
  }
  template <class E> void operator+=(E) {
    static_assert(lang::never<E>,
                  "ordo: a tensor is defined once; accumulate with sum(k, x) or, to computed places, sum(k, x, place(k) == i)");
  }
};

// Element type and rank are checked by the compiler; codes: lang.index (an index that is no integer), lang.left (the left of a
// definition lists distinct Index and Scan axes), lang.twice (defined twice). Without a shape, that of its definition, or of use.
template <class T, int Rank> class Tensor : public AnyTensor {
  static_assert(Element<T>, "ordo: not an element type; a tensor is of bool, i8 ... u64, f16, bf16, f32 or f64");
  static_assert(Rank >= 0 && Rank <= max_rank, "ordo: a tensor has 0 to 12 dimensions");

 public:
  using element = T;
  static constexpr int rank = Rank;
  explicit Tensor(lang::Name name) : AnyTensor{lang::front().tensor(name.text, type_of<T>, Rank, nullptr, name.at)} {}
  template <std::size_t N> Tensor(lang::Name name, const Expr<i64> (&shape)[N]) {
    static_assert(N == std::size_t(Rank), "ordo: the shape of a tensor lists exactly Rank extents");
    ir::Ref extent[N];
    for (std::size_t d = 0; d < N; ++d) extent[d] = shape[d].node;
    if constexpr (N == std::size_t(Rank)) node = lang::front().tensor(name.text, type_of<T>, Rank, extent, name.at);
  }
  Access<T> operator()(Where at = Where::current()) const {
    static_assert(Rank == 0, "ordo: a tensor takes exactly Rank indices");
    return Access<T>(lang::front().load(node, nullptr, 0, at));
  }
  template <class... I> Access<T> operator()(lang::IndexAt first, I... rest) const {
    static_assert(sizeof...(I) + 1 == Rank, "ordo: a tensor takes exactly Rank indices");
    const ir::Ref index[] = {first.node, lang::IndexAt(rest, first.at).node...};
    return Access<T>(lang::front().load(node, index, static_cast<int>(sizeof...(I)) + 1, first.at));
  }
  Expr<i64> extent(int dimension) const { return Expr<i64>::wrap(lang::front().extent(node, dimension)); }
};

template <class T> class Scalar : public Expr<value_t<T>> {      // an input of rank 0 that reads like a value
 public:
  using element = T;
  static constexpr int rank = 0;
  explicit Scalar(lang::Name name) {
    this->node = lang::front().load(lang::front().tensor(name.text, type_of<T>, 0, nullptr, name.at), nullptr, 0, name.at);
  }
  operator AnyTensor() const { return {this->node->src[0]}; }
};

// All indices of the read lie in its tensor.
template <class T> Expr<bool> inside(Access<T> read) { return Expr<bool>::wrap(lang::front().inside(read.node)); }
}  // namespace ordo
