#include "bench/peers/stencil.hpp"

namespace bench {
namespace {
constexpr const float* w = stencil_weights;

void blur(const float* __restrict x, float* __restrict rows, float* __restrict y, long n1, long n2, [[maybe_unused]] int threads) {
#pragma omp parallel for num_threads(threads)
  for (long i = 0; i < n1 + 2; ++i)
    for (long j = 0; j < n2; ++j) {
      const float* p = x + i * stencil_pitch(StencilOp::blur, n2) + j;
      rows[i * n2 + j] = 0.25f * p[0] + 0.5f * p[1] + 0.25f * p[2];
    }
#pragma omp parallel for num_threads(threads)
  for (long i = 0; i < n1; ++i)
    for (long j = 0; j < n2; ++j) {
      const float* p = rows + i * n2 + j;
      y[i * n2 + j] = 0.25f * p[0] + 0.5f * p[n2] + 0.25f * p[2 * n2];
    }
}
void star2d(const float* __restrict x, float* __restrict y, long n1, long n2, [[maybe_unused]] int threads) {
  const long row = stencil_pitch(StencilOp::star2d, n2);
#pragma omp parallel for num_threads(threads)
  for (long i = 0; i < n1; ++i)
    for (long j = 0; j < n2; ++j) {
      const float* p = x + (i + 1) * row + j + 1;
      y[i * n2 + j] = w[0] * p[0] + w[1] * (p[-1] + p[1] + p[-row] + p[row]);
    }
}
void box2d(const float* __restrict x, float* __restrict y, long n1, long n2, [[maybe_unused]] int threads) {
  const long row = stencil_pitch(StencilOp::box2d, n2);
#pragma omp parallel for num_threads(threads)
  for (long i = 0; i < n1; ++i)
    for (long j = 0; j < n2; ++j) {
      float sum = 0;
      for (long a = -2; a <= 2; ++a)
        for (long b = -2; b <= 2; ++b) sum += w[a < 0 ? -a : a] * w[b < 0 ? -b : b] * x[(i + 2 + a) * row + j + 2 + b];
      y[i * n2 + j] = sum;
    }
}
template <long R> void star3d(const float* __restrict x, float* __restrict y, long n0, long n1, long n2, [[maybe_unused]] int threads) {
  const long row = stencil_pitch(R == 1 ? StencilOp::star3d7 : StencilOp::star3d25, n2), plane = row * (n1 + 2 * R);
#pragma omp parallel for num_threads(threads)
  for (long h = 0; h < n0; ++h)
    for (long i = 0; i < n1; ++i)
      for (long j = 0; j < n2; ++j) {
        const float* p = x + (h + R) * plane + (i + R) * row + j + R;
        float sum = w[0] * p[0];
        for (long r = 1; r <= R; ++r) sum += w[r] * (p[-r] + p[r]) + w[r] * (p[-r * row] + p[r * row]) + w[r] * (p[-r * plane] + p[r * plane]);
        y[(h * n1 + i) * n2 + j] = sum;
      }
}
}  // namespace

void plain_stencil(StencilOp op, const float* x, float* scratch, float* y, long n0, long n1, long n2, int threads) {
  switch (op) {
    case StencilOp::blur: return blur(x, scratch, y, n1, n2, threads);
    case StencilOp::star2d: return star2d(x, y, n1, n2, threads);
    case StencilOp::box2d: return box2d(x, y, n1, n2, threads);
    case StencilOp::star3d7: return star3d<1>(x, y, n0, n1, n2, threads);
    case StencilOp::star3d25: return star3d<4>(x, y, n0, n1, n2, threads);
  }
}
}  // namespace bench
