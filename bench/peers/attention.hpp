// Attention of other libraries: q, k, v, o of heads x sequence x width, dense; scores scaled by 1 / sqrt(width).
#pragma once
#include <functional>

namespace bench {
struct AttentionShape {
  long heads, sequence, width;
  bool causal;
};
using Attend = std::function<void(const float* q, const float* k, const float* v, float* o)>;
// Matrix product, the mask added when causal, softmax, matrix product, over a tensor of all scores.
Attend onednn_attention(const AttentionShape& shape);
}  // namespace bench
