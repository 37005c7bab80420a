#pragma once
#include <vector>
#include "everything.hpp"

inline std::vector<float> product() {
  using namespace ordo;
  Dim M{"M"}, N{"N"}, K{"K"};
  Tensor<float, 2> A{"A", {M, K}}, B{"B", {K, N}}, C{"C"};
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  C(i, j) = sum(k, A(i, k) * B(k, j));
  std::vector<float> a(5 * 3, 0.5f), b(3 * 7, 0.25f), c(5 * 7);
  compile(inputs(A, B), outputs(C), interpreter())(view(a, {5, 3}), view(b, {3, 7}), view(c, {5, 7}));
  return c;
}
