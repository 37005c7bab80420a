// Products beyond a plain one of f32 matrices: turned operands, batches, an epilogue, bf16 operands.
#pragma once
#include <functional>

namespace bench {
struct ProductShape {
  long batch, m, n, k;
  bool a_turned = false, b_turned = false;  // stored as (k, m); as (n, k)
  bool gelu = false;                        // gelu(product + bias)
  bool half = false;                        // operands in bf16; the product is f32
};
using Multiplied = std::function<void(const void* a, const void* b, const float* bias, float* c)>;
Multiplied onednn_product(const ProductShape& shape);  // empty: it has none
}  // namespace bench
