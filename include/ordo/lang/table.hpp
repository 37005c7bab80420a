// Values as tensors of their own, and a row read at other places of its axis: what the definitions of prefix.hpp, sort.hpp
// and room nn are made of. No rule of its own: bits are those of the expression.
#pragma once
#include "ordo/lang/reduction.hpp"

namespace ordo {
namespace lang {
// A tensor over the axes that x mentions (`outer`), then over one Index for each axis of k.
struct Stored {
  ir::Ref tensor = nullptr;
  ir::Ref left[max_rank] = {};
  int outer = 0, inner = 0;
  ir::Ref read(const ir::Ref* position, Where at) const;
};
// x with the axes of k replaced by positions. Code lang.extent when x asks for the extent of such an axis and nothing says it.
ir::Ref placed(const Axes& k, ir::Ref x, const ir::Ref* position);
// x for all elements of k. A position that is an Index without extent of its own, and is not mentioned by x, becomes the axis. Codes
// lang.named (x mentions another axis of a reduction), lang.rank.
Stored store(Name name, const Axes* k, ir::Ref x, const ir::Ref* position);
Stored open_table(Name name, Type type, const ir::Ref* outer, int outers, const ir::Ref* inner, int inners);      // not yet defined
// The axes of outer definitions that x mentions, less those of k, up to max_rank; their number.
int outer_axes(const Axes* k, const ir::Ref* x, int count, ir::Ref* axes, const char* what, Where at);
ir::Ref fresh_index(ir::Ref like, ir::Ref extent);
ir::Ref length_of(ir::Ref axis, const ir::Ref* x, int count);      // nullptr when nothing says it

template <class T> Expr<T> placed(const Axes& k, Expr<T> x, const ir::Ref* position) {
  return Expr<T>::wrap(placed(k, x.node, position));
}
struct Positions {               // one for each axis of k
  ir::Ref node[Axes::most] = {};
  Where at;
};
// A row over N axes is read at N positions.
template <int N, class... I> Positions positions(const IndexAt& first, const I&... rest) {
  static_assert(sizeof...(I) + 1 == N, "ordo: a row is read at one position for each axis that it was made over");
  return {{first.node, IndexAt(rest, first.at).node...}, first.at};
}
template <int N> struct List : Axes {      // a list of axes whose length the C++ type knows
  List(const Reduction& axis) : Axes(axis) {}
  template <class X = void> List(const Expr<i64>& other) : Axes(other) {}      // its sentence
  List(const Reduction (&list)[N]) : Axes(list[0]) {
    for (int k = 1; k < N; ++k) add(list[k]);
  }
};
}  // namespace lang

// x as a tensor of its own, over the axes that x mentions, read in place: a stage of that name, computed once. The same bits;
// but a named product is no product to a sum around it.
template <class T> Expr<T> named(lang::Name name, Expr<T> x) {
  const lang::Stored table = lang::store(name, nullptr, x.node, nullptr);
  return Expr<T>::wrap(table.read(nullptr, name.at));
}
}  // namespace ordo
#if !defined(ORDO_COMPILED)
#include "ordo/lang/table.ipp"
#endif
