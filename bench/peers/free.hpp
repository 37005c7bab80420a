// Plain loops compiled with -Ofast -march=native: the compiler may reassociate, fuse and approximate as it likes.
#pragma once

namespace bench::fast {
float dot(const float* x, const float* y, long n);
void row_sum(const float* x, float* y, long rows, long columns);
void softmax(const float* x, float* y, long rows, long columns);
void layer_norm(const float* x, const float* scale, const float* shift, float* y, long rows, long columns, float epsilon);
void product(const float* a, const float* b, float* c, long m, long n, long k);          // c = a b, row-major
// y(h, w, f) of x(h + 2, w + 2, c), filter(3, 3, c, f)
void conv3x3(const float* x, const float* filter, float* y, long height, long width, long channels, long filters);
// o of q, k, v: heads x sequence x width; scores: sequence numbers of space
void attention(const float* q, const float* k, const float* v, float* o, float* scores, long heads, long sequence, long width);
}  // namespace bench::fast
