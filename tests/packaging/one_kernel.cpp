// What the compile-time report measures: a unit that defines and compiles one kernel.
#include "ordo/ordo.hpp"
#if !defined(ORDO_TEST_NO_CPU)
#include "ordo/cpu.hpp"
#endif

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
#if defined(ORDO_TEST_NO_CPU)
  const Target target = interpreter();
#else
  const Target target = cpu::host();
#endif
  compile(s, inputs(A, B), outputs(C), target)(a, b, c);
}
