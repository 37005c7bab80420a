// Eigen has no threads for these: rows, or pieces of an array, are shared out by OpenMP.
#include <Eigen/Core>
#include <algorithm>
#include "bench/peers/rows.hpp"

namespace bench {
namespace {
using Row = Eigen::Map<const Eigen::ArrayXf>;
using Out = Eigen::Map<Eigen::ArrayXf>;
using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class F> RowRun each_row(const Rows& r, F f) {
  return [r, f](const float* x, const float* other, void* y) {
#pragma omp parallel for schedule(static)
    for (long i = 0; i < r.rows; ++i)
      f(Row(x + i * r.columns, r.columns), Row(other + i * r.columns, r.columns), Out(static_cast<float*>(y) + i * r.columns, r.columns));
  };
}
template <class F> RowRun number_a_row(const Rows& r, F f) {
  return [r, f](const float* x, const float*, void* y) {
#pragma omp parallel for schedule(static)
    for (long i = 0; i < r.rows; ++i) f(Row(x + i * r.columns, r.columns), y, i);
  };
}
template <class F> RowRun norm(const Rows& r, F f) {
  return [r, f](const float* x, const float* other, void* y) {
#pragma omp parallel for schedule(static)
    for (long i = 0; i < r.rows; ++i)
      f(Row(x + i * r.columns, r.columns), Row(other, r.columns), Row(other + r.columns, r.columns),
        Out(static_cast<float*>(y) + i * r.columns, r.columns));
  };
}
RowRun total(const Rows& r, bool dot) {
  return [r, dot](const float* x, const float* other, void* y) {
    float sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (long i = 0; i < r.rows; ++i) {
      const Row row(x + i * r.columns, r.columns);
      sum += dot ? row.matrix().dot(Row(other + i * r.columns, r.columns).matrix()) : row.sum();
    }
    *static_cast<float*>(y) = sum;
  };
}
RowRun transpose(const Rows& r) {
  return [r](const float* x, const float*, void* y) {
    constexpr long block = 64;
    const Eigen::Map<const Matrix> from(x, r.rows, r.columns);
    Eigen::Map<Matrix> to(static_cast<float*>(y), r.columns, r.rows);
#pragma omp parallel for schedule(static)
    for (long i = 0; i < r.rows; i += block) {
      const long n = std::min(block, r.rows - i);
      for (long j = 0; j < r.columns; j += block) {
        const long m = std::min(block, r.columns - j);
        to.block(j, i, m, n) = from.block(i, j, n, m).transpose();
      }
    }
  };
}
}  // namespace

RowRun eigen_rows(const Rows& r) {
  const auto& f = chain_factors;
  switch (r.op) {
    case RowOp::copy: return each_row(r, [](const Row& x, const Row&, Out y) { y = x; });
    case RowOp::chain:
      return each_row(r, [f](const Row& x, const Row& o, Out y) { y = ((((x * f[0] + o) * f[1] + x) * f[2] + o) * f[3] + x) * f[4] + o; });
    case RowOp::sum: return total(r, false);
    case RowOp::dot: return total(r, true);
    case RowOp::row_sum: return number_a_row(r, [](const Row& x, void* y, long i) { static_cast<float*>(y)[i] = x.sum(); });
    case RowOp::softmax:
      return each_row(r, [](const Row& x, const Row&, Out y) {
        y = (x - x.maxCoeff()).exp();
        y *= 1 / y.sum();
      });
    case RowOp::log_softmax:
      return each_row(r, [](const Row& x, const Row&, Out y) {
        const float m = x.maxCoeff();
        y = x - (m + std::log((x - m).exp().sum()));
      });
    case RowOp::layer_norm:
      return norm(r, [](const Row& x, const Row& scale, const Row& shift, Out y) {
        const float mean = x.mean(), factor = 1 / std::sqrt((x - mean).square().mean() + layer_epsilon);
        y = ((x - mean) * factor) * scale + shift;
      });
    case RowOp::rms_norm:
      return norm(r, [](const Row& x, const Row& scale, const Row&, Out y) {
        y = (x * (1 / std::sqrt(x.square().mean() + rms_epsilon))) * scale;
      });
    case RowOp::argmax:
      return number_a_row(r, [](const Row& x, void* y, long i) {
        Eigen::Index at = 0;
        x.maxCoeff(&at);
        static_cast<int*>(y)[i] = static_cast<int>(at);
      });
    case RowOp::transpose: return transpose(r);
  }
  return {};
}
}  // namespace bench
