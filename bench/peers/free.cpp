#include "bench/peers/free.hpp"
#include <algorithm>
#include <cmath>

namespace bench::fast {
float dot(const float* x, const float* y, long n) {
  float sum = 0;
  for (long k = 0; k < n; ++k) sum += x[k] * y[k];
  return sum;
}
void row_sum(const float* __restrict x, float* __restrict y, long rows, long columns) {
  for (long i = 0; i < rows; ++i) {
    float sum = 0;
    for (long l = 0; l < columns; ++l) sum += x[i * columns + l];
    y[i] = sum;
  }
}
// y may be x.
static void softmax_row(const float* x, float* y, long n) {
  float largest = -INFINITY, sum = 0;
  for (long l = 0; l < n; ++l) largest = std::max(largest, x[l]);
  for (long l = 0; l < n; ++l) sum += y[l] = std::exp(x[l] - largest);
  for (long l = 0; l < n; ++l) y[l] /= sum;
}
void softmax(const float* x, float* y, long rows, long columns) {
  for (long i = 0; i < rows; ++i) softmax_row(x + i * columns, y + i * columns, columns);
}
void layer_norm(const float* __restrict x, const float* __restrict scale, const float* __restrict shift, float* __restrict y, long rows,
                long columns, float epsilon) {
  for (long i = 0; i < rows; ++i, x += columns, y += columns) {
    float sum = 0, squares = 0;
    for (long l = 0; l < columns; ++l) sum += x[l];
    const float mean = sum / static_cast<float>(columns);
    for (long l = 0; l < columns; ++l) squares += (x[l] - mean) * (x[l] - mean);
    const float factor = 1 / std::sqrt(squares / static_cast<float>(columns) + epsilon);
    for (long l = 0; l < columns; ++l) y[l] = (x[l] - mean) * factor * scale[l] + shift[l];
  }
}
void product(const float* __restrict a, const float* __restrict b, float* __restrict c, long m, long n, long k) {
  for (long i = 0; i < m; ++i) {
    for (long j = 0; j < n; ++j) c[i * n + j] = 0;
    for (long l = 0; l < k; ++l)
      for (long j = 0; j < n; ++j) c[i * n + j] += a[i * k + l] * b[l * n + j];
  }
}
void conv3x3(const float* __restrict x, const float* __restrict filter, float* __restrict y, long height, long width, long channels,
             long filters) {
  for (long h = 0; h < height; ++h)
    for (long w = 0; w < width; ++w) {
      float* const to = y + (h * width + w) * filters;
      for (long f = 0; f < filters; ++f) to[f] = 0;
      for (long r = 0; r < 3; ++r)
        for (long s = 0; s < 3; ++s)
          for (long c = 0; c < channels; ++c)
            for (long f = 0; f < filters; ++f)
              to[f] += x[((h + r) * (width + 2) + w + s) * channels + c] * filter[((r * 3 + s) * channels + c) * filters + f];
    }
}
void attention(const float* q, const float* k, const float* v, float* o, float* scores, long heads, long sequence, long width) {
  const float scale = 1 / std::sqrt(static_cast<float>(width));
  for (long h = 0; h < heads; ++h)
    for (long i = 0; i < sequence; ++i) {
      const long head = h * sequence * width;
      for (long j = 0; j < sequence; ++j) scores[j] = dot(q + head + i * width, k + head + j * width, width) * scale;
      softmax_row(scores, scores, sequence);
      float* const to = o + head + i * width;
      for (long d = 0; d < width; ++d) to[d] = 0;
      for (long j = 0; j < sequence; ++j)
        for (long d = 0; d < width; ++d) to[d] += scores[j] * v[head + j * width + d];
    }
}
}  // namespace bench::fast
