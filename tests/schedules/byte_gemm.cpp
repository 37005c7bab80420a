#include "ordo/schedules/byte_gemm.hpp"
#include <doctest/doctest.h>
#include <string>
#include <vector>
#include "ordo/cpu.hpp"
#include "ordo/ordo.hpp"

using namespace ordo;

namespace {
template <class L, class R> void check(const Target& target) {
  Dim M{"M"}, N{"N"}, K{"K"};
  Tensor<L, 2> A{"A", {M, K}};
  Tensor<R, 2> B{"B", {K, N}};
  Tensor<i32, 2> C{"C"};
  Index i{"i"}, j{"j"};
  AnyOrder c{"k"};
  C(i, j) = sum(c, A(i, c) * B(c, j));
  CompileOptions options;
  options.cache = "";
  Schedule s{C};
  schedules::byte_gemm(s, i, j, c, B, target.vector_bits / 32, 32);
  const auto kernel = compile(s, inputs(A, B), outputs(C), target, options), plain = compile(inputs(A, B), outputs(C), interpreter());
  for (const i64 k : {3, 32, 77}) {
    const i64 m = 13, n = 70;
    std::vector<L> a(static_cast<std::size_t>(m * k));
    std::vector<R> b(static_cast<std::size_t>(k * n));
    std::vector<i32> got(static_cast<std::size_t>(m * n)), want = got;
    for (std::size_t x = 0; x < a.size(); ++x) a[x] = static_cast<L>(x * 37 % 251);
    for (std::size_t x = 0; x < b.size(); ++x) b[x] = static_cast<R>(x * 91 % 253 + 128);
    for (const bool compiled : {false, true})
      (compiled ? kernel : plain)(View<const L, 2>(a.data(), {m, k}), View<const R, 2>(b.data(), {k, n}),
                                  View<i32, 2>((compiled ? got : want).data(), {m, n}));
    CHECK_MESSAGE(got == want, target.name, ", k = ", k);
  }
  CHECK((std::string(kernel.assembly()).find("vpdpbusd\t") != std::string::npos) == target.byte_dots);
}
}  // namespace

TEST_CASE("byte gemm schedule: the interpreter's values for every sign and size, by the instruction for it where there is one") {
  const Target v2 = cpu::named("x86-64-v2"), host = cpu::host();
  if (cpu::runs_here(v2)) check<u8, i8>(v2);
  check<u8, i8>(host);
  check<i8, i8>(host);
  check<u8, u8>(host);
}
