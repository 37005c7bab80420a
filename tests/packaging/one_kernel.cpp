// What the compile-time report measures: a unit that defines and compiles one kernel.
#include "ordo/cpu.hpp"
#include "ordo/ordo.hpp"

void multiply(ordo::View<const float, 2> a, ordo::View<const float, 2> b, ordo::View<float, 2> c) {
  using namespace ordo;
  Dim M{"M"}, N{"N"}, K{"K"};
  Tensor<float, 2> A{"A", {M, K}}, B{"B", {K, N}}, C{"C"};
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  C(i, j) = sum(k, A(i, k) * B(k, j));
  Schedule s{C};
  auto [io, ii] = s.split(i, 8);
  auto [jo, ji] = s.split(j, 48);
  s.reorder(jo, io, k, ii, ji).unroll(ii).vectorize(ji).parallel(jo);
  compile(s, inputs(A, B), outputs(C), cpu::host())(a, b, c);
}
