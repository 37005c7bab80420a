// Prints the bits of results; compiled with several flags, all must print the same. The unit itself does no floating-point
// arithmetic: what is printed depends on ordo alone.
#include <cstdio>
#include <cstring>
#include <vector>
#include "everything.hpp"

namespace {
using namespace ordo;
constexpr int n = 96;

std::vector<float> numbers(u32 seed) {      // of all sizes, denormals and both signs included
  std::vector<float> x(n * n);
  for (float& v : x) {
    seed = seed * 1664525u + 1013904223u;
    u32 bits = (seed & 0x807fffffu) | (((seed >> 8) % 120u) << 23);
    std::memcpy(&v, &bits, sizeof v);
  }
  return x;
}

void run(const char* name, const Target& target) {
  Tensor<float, 2> A{"A", {n, n}}, B{"B", {n, n}}, C{"C"};
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  const auto small = 1e-40, third = 1.0 / 3;
  C(i, j) = select(A(i, j) < B(i, j), sum(k, A(i, k) * B(k, j)) / third, (A(i, j) + small) * 0.1 - sqrt(abs(B(i, j))));
  const std::vector<float> a = numbers(1), b = numbers(2);
  std::vector<float> c(n * n);
  compile(inputs(A, B), outputs(C), target)(view(a, {n, n}), view(b, {n, n}), view(c, {n, n}));
  u64 hash = 14695981039346656037u;
  for (const float& v : c) {
    u32 bits = 0;
    std::memcpy(&bits, &v, sizeof v);
    hash = (hash ^ bits) * 1099511628211u;
  }
  std::printf("%s %016llx\n", name, static_cast<unsigned long long>(hash));
}
}  // namespace

int main() {
  run("interpreter", interpreter());
#if !defined(ORDO_TEST_NO_CPU)
  run("host", cpu::host());
#endif
}
