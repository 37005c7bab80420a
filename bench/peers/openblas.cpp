#include <cblas.h>
#include "bench/peers/peers.hpp"

namespace bench {
Peer openblas() {
  Peer peer;
  peer.name = "openblas";
  peer.version = std::string(openblas_get_config()) + " kernel " + openblas_get_corename();
  peer.set_threads = [](int threads) { openblas_set_num_threads(threads); };
  peer.f32 = [](Shape s) -> Multiply<float> {
    const int m = static_cast<int>(s.m), n = static_cast<int>(s.n), k = static_cast<int>(s.k);
    if (m == 1)
      return [=](const float* a, const float* b, float* c) { cblas_sgemv(CblasRowMajor, CblasTrans, k, n, 1, b, n, a, 1, 0, c, 1); };
    return [=](const float* a, const float* b, float* c) {
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, k, b, n, 0, c, n);
    };
  };
  peer.f64 = [](Shape s) -> Multiply<double> {
    const int m = static_cast<int>(s.m), n = static_cast<int>(s.n), k = static_cast<int>(s.k);
    if (m == 1)
      return [=](const double* a, const double* b, double* c) { cblas_dgemv(CblasRowMajor, CblasTrans, k, n, 1, b, n, a, 1, 0, c, 1); };
    return [=](const double* a, const double* b, double* c) {
      cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, k, b, n, 0, c, n);
    };
  };
  return peer;
}
}  // namespace bench
