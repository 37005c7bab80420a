#pragma once
#include <string>
#include "ordo/runtime/view.hpp"

namespace ordo::runtime {
namespace detail_view {
inline std::string list(const Extent* values, int count) {
  std::string text = "[";
  for (int k = 0; k < count; ++k) text += (k == 0 ? "" : ", ") + std::to_string(values[k].value);
  return text + "]";
}
[[noreturn]] inline void refuse(std::size_t elements, const std::string& shape, Where at) {
  fail("run.view", at, ("a container of " + std::to_string(elements) + " elements is viewed as " + shape).c_str());
}
}  // namespace detail_view

ORDO_INLINE void check_dense(std::size_t elements, const Extent* shape, int rank, Where at) {
  i64 product = 1;
  bool fits = true, empty = false;
  for (int k = 0; k < rank; ++k) {
    empty = empty || shape[k].value == 0;
    fits = fits && shape[k].value >= 0 && !__builtin_mul_overflow(product, shape[k].value == 0 ? 1 : shape[k].value, &product);
  }
  if (!fits || (empty ? 0 : product) != static_cast<i64>(elements)) detail_view::refuse(elements, detail_view::list(shape, rank), at);
}
ORDO_INLINE void check_inside(std::size_t elements, const Extent* shape, const Extent* stride, int rank, Where at) {
  i64 last = 0;
  bool fits = true, empty = false;
  for (int k = 0; k < rank; ++k) {
    i64 reach = 0;
    empty = empty || shape[k].value == 0;
    fits = fits && shape[k].value >= 0;
    if (shape[k].value <= 1) continue;
    fits = fits && stride[k].value >= 0 && !__builtin_mul_overflow(shape[k].value - 1, stride[k].value, &reach) &&
           !__builtin_add_overflow(last, reach, &last);
  }
  if (!fits || (!empty && last >= static_cast<i64>(elements)))
    detail_view::refuse(elements, detail_view::list(shape, rank) + " with strides " + detail_view::list(stride, rank), at);
}
ORDO_INLINE const Argument& typed(const AnyView& any, Type type, int rank, bool writable, Where at) {
  const Argument& a = any.argument;
  const std::string want = std::string(name_of(type)) + " of rank " + std::to_string(rank);
  if (a.rank != rank) fail("run.rank", at, ("an array of rank " + std::to_string(a.rank) + " is given for one of " + want).c_str());
  if (a.type != type) fail("run.type", at, (std::string("an array of ") + name_of(a.type) + " is given for one of " + want).c_str());
  if (any.number || (writable && !any.writable)) fail("run.const", at, ("a constant is given for an output of " + want).c_str());
  return a;
}
}  // namespace ordo::runtime
