// Compiled for this processor: sleef.h declares the vectors that the compiler's target has.
#include "bench/peers/functions.hpp"
#if defined(__AVX512F__)
#include <immintrin.h>
#if defined(BENCH_SLEEF)
#include <sleef.h>
#endif
#if defined(BENCH_MVEC)
extern "C" {
__m512 _ZGVeN16v_expf(__m512);
__m512 _ZGVeN16v_logf(__m512);
__m512 _ZGVeN16v_tanhf(__m512);
__m512 _ZGVeN16v_erff(__m512);
__m512 _ZGVeN16v_sinf(__m512);
__m512 _ZGVeN16v_cosf(__m512);
__m512 _ZGVeN16vv_powf(__m512, __m512);
}
#endif

namespace bench {
namespace {
#define BENCH_ONE(f)                                                                          \
  [](const float* x, const float*, float* to, long count) {                                   \
    for (long k = 0; k < count; k += 16) _mm512_storeu_ps(to + k, f(_mm512_loadu_ps(x + k))); \
  }
#define BENCH_TWO(f)                                                                                                  \
  [](const float* x, const float* y, float* to, long count) {                                                         \
    for (long k = 0; k < count; k += 16) _mm512_storeu_ps(to + k, f(_mm512_loadu_ps(x + k), _mm512_loadu_ps(y + k))); \
  }
struct Row {
  const char* function;
  bool approximate;
  Vectors vectors;
};
}  // namespace

std::vector<Vectors> vectors(const std::string& function, bool approximate) {
  static const Row all[] = {
#if defined(BENCH_SLEEF)
    {"exp", false, {"sleef_u10", BENCH_ONE(Sleef_expf16_u10)}},
    {"exp", true, {"sleef_u10", BENCH_ONE(Sleef_expf16_u10)}},
    {"log", false, {"sleef_u10", BENCH_ONE(Sleef_logf16_u10)}},
    {"log", true, {"sleef_u35", BENCH_ONE(Sleef_logf16_u35)}},
    {"tanh", false, {"sleef_u10", BENCH_ONE(Sleef_tanhf16_u10)}},
    {"tanh", true, {"sleef_u35", BENCH_ONE(Sleef_tanhf16_u35)}},
    {"erf", false, {"sleef_u10", BENCH_ONE(Sleef_erff16_u10)}},
    {"erf", true, {"sleef_u10", BENCH_ONE(Sleef_erff16_u10)}},
    {"sin", false, {"sleef_u10", BENCH_ONE(Sleef_sinf16_u10)}},
    {"sin", true, {"sleef_u35", BENCH_ONE(Sleef_sinf16_u35)}},
    {"cos", false, {"sleef_u10", BENCH_ONE(Sleef_cosf16_u10)}},
    {"cos", true, {"sleef_u35", BENCH_ONE(Sleef_cosf16_u35)}},
    {"pow", false, {"sleef_u10", BENCH_TWO(Sleef_powf16_u10)}},
#endif
#if defined(BENCH_MVEC)
    {"exp", false, {"libmvec", BENCH_ONE(_ZGVeN16v_expf)}},
    {"exp", true, {"libmvec", BENCH_ONE(_ZGVeN16v_expf)}},
    {"log", false, {"libmvec", BENCH_ONE(_ZGVeN16v_logf)}},
    {"log", true, {"libmvec", BENCH_ONE(_ZGVeN16v_logf)}},
    {"tanh", false, {"libmvec", BENCH_ONE(_ZGVeN16v_tanhf)}},
    {"tanh", true, {"libmvec", BENCH_ONE(_ZGVeN16v_tanhf)}},
    {"erf", false, {"libmvec", BENCH_ONE(_ZGVeN16v_erff)}},
    {"erf", true, {"libmvec", BENCH_ONE(_ZGVeN16v_erff)}},
    {"sin", false, {"libmvec", BENCH_ONE(_ZGVeN16v_sinf)}},
    {"sin", true, {"libmvec", BENCH_ONE(_ZGVeN16v_sinf)}},
    {"cos", false, {"libmvec", BENCH_ONE(_ZGVeN16v_cosf)}},
    {"cos", true, {"libmvec", BENCH_ONE(_ZGVeN16v_cosf)}},
    {"pow", false, {"libmvec", BENCH_TWO(_ZGVeN16vv_powf)}},
#endif
    {"", false, {"", nullptr}},
  };
  std::vector<Vectors> found;
  for (const Row& row : all)
    if (function == row.function && approximate == row.approximate) found.push_back(row.vectors);
  return found;
}
}  // namespace bench
#else
namespace bench {
std::vector<Vectors> vectors(const std::string&, bool) { return {}; }
}  // namespace bench
#endif
