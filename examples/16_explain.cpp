// explain: what a schedule will cost, before anything runs. In expressions, or in numbers once sizes are given.
//   16_explain picture.svg       also draws it
#include <cstdio>
#include <fstream>
#include "ordo/cpu.hpp"
#include "ordo/explain.hpp"
#include "ordo/ordo.hpp"

int main(int count, char** argument) {
  using namespace ordo;
  Dim M{"M"}, N{"N"}, K{"K"};
  Tensor<float, 2> A{"A", {M, K}}, B{"B", {K, N}}, C{"C", {M, N}};
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  C(i, j) = sum(k, A(i, k) * B(k, j));

  Machine machine;               // or detect(cpu::host())
  machine.vector_bits = 512;
  machine.vector_registers = 32;
  machine.cores = 16;
  std::printf("the machine\n%s\n", print(machine).c_str());

  const Sizes sizes{{M, 1000}, {N, 1000}, {K, 1000}};
  Schedule s{C};
  std::printf("before\n%s\n", explain(s, machine, sizes).c_str());
  auto [i0, i1] = s.split(i, 8);
  auto [j0, j1] = s.split(j, 48);
  s.reorder(j0, i0, k, i1, j1).unroll(i1).vectorize(j1).parallel(j0).pack(B, j0);
  std::printf("after\n%s\n", explain(s, machine, sizes).c_str());
  Schedule d{C};                 // what compile does without a schedule, here for sizes unknown
  apply(d, default_recipe(d, machine));
  std::printf("the default\n%s\n", explain(d, machine, sizes).c_str());
  std::printf("after, for all sizes\n%s\n", explain(s, machine).c_str());

  if (count > 1) std::ofstream(argument[1]) << svg(s, sizes);
}
