#include <Eigen/Core>
#include "bench/peers/peers.hpp"

namespace bench {
namespace {
template <class T> Multiply<T> multiply(Shape s) {
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using Vector = Eigen::Matrix<T, 1, Eigen::Dynamic, Eigen::RowMajor>;
  if (s.m == 1)
    return [s](const T* a, const T* b, T* c) {
      Eigen::Map<Vector>(c, s.n).noalias() = Eigen::Map<const Vector>(a, s.k) * Eigen::Map<const Matrix>(b, s.k, s.n);
    };
  return [s](const T* a, const T* b, T* c) {
    Eigen::Map<Matrix>(c, s.m, s.n).noalias() = Eigen::Map<const Matrix>(a, s.m, s.k) * Eigen::Map<const Matrix>(b, s.k, s.n);
  };
}
}  // namespace

Peer eigen() {
  Peer peer;
  peer.name = "eigen";
  peer.version = std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
                 std::to_string(EIGEN_MINOR_VERSION) + " " + Eigen::SimdInstructionSetsInUse();
  peer.set_threads = [](int threads) {
    set_openmp_threads(threads);
    Eigen::setNbThreads(threads);
  };
  peer.f32 = multiply<float>;
  peer.f64 = multiply<double>;
  return peer;
}
}  // namespace bench
