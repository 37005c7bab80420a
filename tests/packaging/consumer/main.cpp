#include <ordo/cpu.hpp>
#include <ordo/dlpack.hpp>
#include <ordo/eigen.hpp>
#include <ordo/ordo.hpp>
#include <ordo/trace.hpp>
#include <cstdio>

int main() {
  using namespace ordo;
  Tensor<float, 2> A{"A"}, C{"C"};
  ordo::Index i{"i"}, j{"j"};
  C(i, j) = 2 * A(i, j);
  const auto kernel = compile(inputs(A), outputs(C), cpu::host());
  Eigen::MatrixXf a = Eigen::MatrixXf::Constant(3, 5, 1.5f), c(3, 5);
  kernel(a, c);
  std::printf("%g\n", static_cast<double>(c(2, 4)));
  return c == 2 * a ? 0 : 1;
}
