// Eigen matrices, arrays, vectors, maps, blocks and transposes as arguments. Vectors have rank 1, all else rank 2;
// column-major ones come with their strides. Expressions must be evaluated first.
#pragma once
#include <Eigen/Core>
#include "ordo/runtime/view.hpp"

namespace ordo::runtime {
template <class T> struct eigen_element { using type = bits_t<T>; };
template <> struct eigen_element<Eigen::half> { using type = f16; };
template <> struct eigen_element<Eigen::bfloat16> { using type = bf16; };

template <class A> concept EigenDense = std::is_base_of_v<Eigen::DenseBase<std::remove_const_t<A>>, std::remove_const_t<A>>;
template <class A> concept EigenMemory = EigenDense<A> && requires(A& a) { a.data(); a.innerStride(); a.outerStride(); };

template <EigenMemory A> struct Adaptor<A> {
  using Pointer = decltype(std::declval<A&>().data());
  using Element = typename eigen_element<std::remove_const_t<std::remove_pointer_t<Pointer>>>::type;
  using Viewed = std::conditional_t<std::is_const_v<std::remove_pointer_t<Pointer>>, const Element, Element>;
  static auto view(A& a, Where) {
    Viewed* const data = reinterpret_cast<Viewed*>(a.data());
    const auto inner = static_cast<i64>(a.innerStride()), outer = static_cast<i64>(a.outerStride());
    if constexpr (bool(std::remove_const_t<A>::IsVectorAtCompileTime)) return View<Viewed, 1>(data, {a.size()}, {inner});
    else if constexpr (bool(std::remove_const_t<A>::IsRowMajor)) return View<Viewed, 2>(data, {a.rows(), a.cols()}, {outer, inner});
    else return View<Viewed, 2>(data, {a.rows(), a.cols()}, {inner, outer});
  }
};
}  // namespace ordo::runtime
