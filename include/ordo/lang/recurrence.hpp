// Y(i, t) = scan(t, init, e): e may read Y(..., t - c), c a positive constant; below 0 that reads init.
#pragma once
#include "ordo/lang/tensor.hpp"

namespace ordo {
template <class A, class Init, class T> Expr<T> scan(A t, Init init, Expr<T> value, Where at = Where::current()) {
  constexpr bool ordered = std::is_same_v<A, Scan>;
  static_assert(ordered, "ordo: scan(t, init, value) runs over an axis declared Scan");
  if constexpr (ordered) return Expr<T>::wrap(lang::front().scan(t.node, lang::as<T>(init, at).node, value.node, at));
  else return value;
}
}  // namespace ordo
