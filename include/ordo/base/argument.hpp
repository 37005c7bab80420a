// What a kernel or interpreter is called with, untyped.
#pragma once
#include "ordo/base/error.hpp"

namespace ordo {
inline constexpr int max_rank = 12;
struct Argument {
  void* data;
  Type type;
  int rank;
  i64 shape[max_rank];
  i64 stride[max_rank];          // in elements; negative strides allowed
};
}  // namespace ordo
