// sort and top_k by rank: element i has as many elements before it as its rank says. O(n * n) comparisons, free of order.
//   auto best = top_k(a, X(b, a)).at(r);   V(b, r) = best.value;  At(b, r) = best.index;        Index r{"r", 10};
// Contract: stable; -0 equals +0; NaN after all numbers ascending, before them descending.
#pragma once
#include "ordo/lang/table.hpp"

namespace ordo {
namespace lang {
// For each rank the number of its element in `axis`: -1 past the end. Codes lang.named, lang.rank.
ir::Ref number_of_rank(Name name, ir::Ref axis, ir::Ref x, bool descending, ir::Ref rank);
}  // namespace lang

template <class T> class Sorted {
 public:
  Sorted(const char* name, const AnyOrder& axis, Expr<T> x, bool descending, Where at)
      : name_(name, at), axis_(axis), x_(x), descending_(descending) {}
  // The element of a rank, 0 first. A rank that is an Index with an extent computes so many. Past the end: index -1, and
  // the value is a read out of range (code run.index).
  Found<T> at(Expr<i64> rank) const {
    const ir::Ref number = lang::number_of_rank(name_, axis_.node, x_.node, descending_, rank.node);
    return {lang::placed(lang::Axes(axis_), x_, &number), Expr<i64>::wrap(number)};
  }

 private:
  lang::Name name_;
  AnyOrder axis_;
  Expr<T> x_;
  bool descending_;
};
template <class T> Sorted<T> sort(AnyOrder a, Expr<T> x, Where at = Where::current()) {
  static_assert(Number<T>, "ordo: sort compares numbers");
  return {"sort", a, x, false, at};
}
template <class T> Sorted<T> top_k(AnyOrder a, Expr<T> x, Where at = Where::current()) {      // descending
  static_assert(Number<T>, "ordo: top_k compares numbers");
  return {"top_k", a, x, true, at};
}
}  // namespace ordo
#if !defined(ORDO_COMPILED)
#include "ordo/lang/sort.ipp"
#endif
