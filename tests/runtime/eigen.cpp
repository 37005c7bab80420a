#include <doctest/doctest.h>
#include "ordo/eigen.hpp"
using namespace ordo;

namespace {
using Row = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
i64 strides_of(View<const float, 2> v) { return 100 * v.stride[0] + v.stride[1]; }
i64 shape_of(View<const float, 2> v) { return 100 * v.shape[0] + v.shape[1]; }
}  // namespace

TEST_CASE("eigen: matrices and arrays are rank 2, in their own order") {
  Eigen::MatrixXf column(4, 5);
  Row row(4, 5);
  Eigen::Array<float, 3, 7> fixed;
  CHECK(shape_of(column) == 405);
  CHECK(strides_of(column) == 104);
  CHECK(strides_of(row) == 501);
  CHECK(shape_of(fixed) == 307);
  CHECK(strides_of(fixed) == 103);
  CHECK(View<float, 2>(column).data == column.data());
}
TEST_CASE("eigen: vectors are rank 1") {
  Eigen::VectorXd v(6);
  Eigen::RowVector3f r;
  Eigen::MatrixXf m(4, 5);
  CHECK(View<double, 1>(v).shape[0] == 6);
  CHECK(View<const float, 1>(r).stride[0] == 1);
  CHECK(View<float, 1>(m.row(2)).stride[0] == 4);
  CHECK(View<float, 1>(m.col(2)).data == m.data() + 8);
}
TEST_CASE("eigen: blocks, transposes and maps keep the strides of what they show") {
  Eigen::MatrixXf m(4, 5);
  CHECK(strides_of(m.transpose()) == 401);
  CHECK(shape_of(m.transpose()) == 504);
  CHECK(shape_of(m.block(1, 2, 2, 3)) == 203);
  CHECK(strides_of(m.block(1, 2, 2, 3)) == 104);
  float data[64];
  Eigen::Map<Row, 0, Eigen::OuterStride<>> map(data, 4, 5, Eigen::OuterStride<>(8));
  CHECK(strides_of(map) == 801);
  Eigen::Map<const Eigen::MatrixXf> constant(data, 4, 5);
  CHECK(strides_of(constant) == 104);
}
TEST_CASE("eigen: constants are not outputs, expressions are not arguments") {
  using Sum = decltype(Eigen::MatrixXf() + Eigen::MatrixXf());
  static_assert(std::is_convertible_v<const Eigen::MatrixXf&, View<const float, 2>>);
  static_assert(!std::is_convertible_v<const Eigen::MatrixXf&, View<float, 2>>);
  static_assert(!std::is_convertible_v<Eigen::Map<const Eigen::MatrixXf>&, View<float, 2>>);
  static_assert(!std::is_convertible_v<Eigen::MatrixXd&, View<const float, 2>>);
  static_assert(!std::is_convertible_v<Eigen::VectorXf&, View<const float, 2>>);
  static_assert(!std::is_convertible_v<Sum, View<const float, 2>>);
  static_assert(std::is_convertible_v<Eigen::Matrix<Eigen::half, 2, 2>&, View<f16, 2>>);
  static_assert(std::is_convertible_v<Eigen::Matrix<Eigen::bfloat16, 2, 2>&, View<const bf16, 2>>);
}
