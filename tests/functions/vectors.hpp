// libm's vectors of doubles (at most 4 ulp): much faster than one after the other.
#pragma once
#include <cstddef>

namespace oracle {
// false: this processor, or libmvec, has none of `name`.
bool by_vectors(const char* name, const float* x, double* to, std::size_t count);
}  // namespace oracle
