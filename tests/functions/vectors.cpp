#include "functions/vectors.hpp"
#include <cstring>
#if defined(__x86_64__) && defined(__GLIBC__) && defined(ORDO_MVEC)

namespace oracle {
namespace {
using Doubles = double __attribute__((vector_size(64)));
using Floats = float __attribute__((vector_size(32)));
#define ORDO_VECTORS(X)                                                                                                                    \
  X(exp)                                                                                                                                   \
  X(exp2) X(exp10) X(expm1) X(log) X(log2) X(log10) X(log1p) X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(tanh) X(asinh) \
      X(acosh) X(atanh) X(erf) X(erfc) X(cbrt)
extern "C" {
#define ORDO_X(f) __attribute__((target("avx512f"))) Doubles _ZGVeN8v_##f(Doubles);
ORDO_VECTORS(ORDO_X)
#undef ORDO_X
}
using Vector = Doubles (*)(Doubles);
Vector named(const char* name) {
#define ORDO_X(f) \
  if (std::strcmp(name, #f) == 0) return &_ZGVeN8v_##f;
  ORDO_VECTORS(ORDO_X)
#undef ORDO_X
  return nullptr;
}
__attribute__((target("avx512f"))) void run(Vector f, const float* x, double* to, std::size_t count) {
  for (std::size_t k = 0; k < count; k += 8) {
    const std::size_t n = count - k < 8 ? count - k : 8;
    Floats some = {};
    std::memcpy(&some, x + k, n * sizeof(float));
    const Doubles r = f(__builtin_convertvector(some, Doubles));
    std::memcpy(to + k, &r, n * sizeof(double));
  }
}
}  // namespace
bool by_vectors(const char* name, const float* x, double* to, std::size_t count) {
  if (std::strncmp(name, "approx_", 7) == 0) name += 7;
  const Vector f = __builtin_cpu_supports("avx512f") ? named(name) : nullptr;
  if (f != nullptr) run(f, x, to, count);
  return f != nullptr;
}
}  // namespace oracle
#else
namespace oracle {
bool by_vectors(const char*, const float*, double*, std::size_t) { return false; }
}  // namespace oracle
#endif
