// A C++ number beside an expression takes the expression's type: a floating one is rounded once to nearest even, in
// integer code; an integer must be a value of the type (lang.literal); a floating one never becomes an integer.
#pragma once
#include "ordo/lang/element.hpp"
#include "ordo/lang/handle.hpp"

namespace ordo::lang {
template <class V, class T>
concept LiteralFor = (std::is_same_v<T, bool> == std::is_same_v<V, bool>) && (std::is_integral_v<V> || Floating<T>);

ir::Ref literal(Type type, float value, Where at);
ir::Ref literal(Type type, double value, Where at);
ir::Ref literal(Type type, i64 value, Where at);
ir::Ref literal(Type type, u64 value, Where at);
ir::Ref infinity(Type type);
ir::Ref boolean(bool value);

template <class T, class V> ir::Ref literal(V v, Where at) {
  static_assert(LiteralFor<V, T>, "ordo: this literal does not convert to the element type (no float to integer, no number to bool)");
  static_assert(!std::is_same_v<V, long double>, "ordo: a long double would be rounded twice; write a float or a double");
  if constexpr (std::is_same_v<V, bool>) return boolean(v);
  else if constexpr (std::is_same_v<V, float>) return literal(type_of<T>, v, at);
  else if constexpr (std::is_floating_point_v<V>) return literal(type_of<T>, static_cast<double>(v), at);
  else if constexpr (std::is_signed_v<V>) return literal(type_of<T>, static_cast<i64>(v), at);
  else return literal(type_of<T>, static_cast<u64>(v), at);
}
}  // namespace ordo::lang
#if !defined(ORDO_COMPILED)
#include "ordo/lang/literal.ipp"
#endif
