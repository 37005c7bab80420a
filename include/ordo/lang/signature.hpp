// inputs(A, B), outputs(C): the arguments of a program or kernel in order, their types and ranks in the C++ type.
#pragma once
#include "ordo/lang/handle.hpp"

namespace ordo {
template <class T, int R> struct In {
  using element = T;
  static constexpr int rank = R;
};
template <class T, int R> struct Out {
  using element = T;
  static constexpr int rank = R;
};
template <class... P> struct Signature {
  static constexpr int size = static_cast<int>(sizeof...(P));
  ir::Ref node[sizeof...(P) + 1];          // raw tensors, then a nullptr
};

namespace lang {
template <class T> concept IsArgument = std::is_convertible_v<T, AnyTensor> && requires { typename T::element; T::rank; };
template <class T> constexpr bool argument() {
  static_assert(IsArgument<T>, "ordo: inputs(...) and outputs(...) list tensors and scalars by name, as in inputs(A, B)");
  return IsArgument<T>;
}
}  // namespace lang

template <class... T> auto inputs(const T&... t) {
  if constexpr ((lang::argument<T>() && ...))
    return Signature<In<typename T::element, T::rank>...>{{static_cast<AnyTensor>(t).node..., nullptr}};
}
template <class... T> auto outputs(const T&... t) {
  if constexpr ((lang::argument<T>() && ...))
    return Signature<Out<typename T::element, T::rank>...>{{static_cast<AnyTensor>(t).node..., nullptr}};
}
}  // namespace ordo
