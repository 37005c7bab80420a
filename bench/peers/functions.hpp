// Vector functions of other libraries, over arrays of f32.
#pragma once
#include <string>
#include <vector>

namespace bench {
struct Vectors {
  std::string name;  // "sleef u10": at most 1.0 ulp; "sleef u35"; "libmvec": at most 4 ulp
  void (*run)(const float* x, const float* y, float* to, long count);  // count: a multiple of 16
};
// Of `function` (exp, log, tanh, erf, sin, cos, pow), for this processor; those of another accuracy than asked for are left out.
std::vector<Vectors> vectors(const std::string& function, bool approximate);
}  // namespace bench
