// Memory aligned to cache lines, the same for all contenders.
#pragma once
#include <cstdlib>
#include <memory>
#include <random>

namespace bench {
struct Freed {
  void operator()(float* p) const { std::free(p); }
};
using Buffer = std::unique_ptr<float[], Freed>;
inline Buffer buffer(long elements) {
  const std::size_t bytes = (static_cast<std::size_t>(elements) * sizeof(float) + 63) / 64 * 64;
  return Buffer(static_cast<float*>(std::aligned_alloc(64, bytes)));
}
// Uniform in (-limit, limit), a function of the seed.
inline Buffer random_buffer(long elements, float limit, unsigned seed) {
  Buffer b = buffer(elements);
  std::minstd_rand random(seed);
  for (long k = 0; k < elements; ++k) b[static_cast<std::size_t>(k)] = limit * (static_cast<float>(random()) / 1073741824.0f - 1);
  return b;
}
}  // namespace bench
