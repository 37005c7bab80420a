// This unit is compiled and linked with -Ofast, header-only: values of programs must not notice.
#include <doctest/doctest.h>
#include <cstring>
#include "ordo/ordo.hpp"
using namespace ordo;

namespace {
u32 bits(float x) {
  u32 b;
  std::memcpy(&b, &x, sizeof b);
  return b;
}
float from_bits(u32 b) {
  float x;
  std::memcpy(&x, &b, sizeof x);
  return x;
}
}  // namespace

TEST_CASE("-Ofast: the worked examples of the contract keep their bits") {
  Tensor<float, 1> A{"A"}, B{"B"}, C{"C"}, D{"D"}, E{"E"};
  Tensor<float, 0> S{"S"}, P{"P"};
  Index i{"i"};
  Chain k{"k"};
  C(i) = A(i) / 10;
  D(i) = A(i) * 0.1;
  E(i) = A(i) - A(i);
  S() = sum(k, A(k));
  P() = sum(k, A(k) * B(k));
  const auto kernel = compile(inputs(A, B), outputs(C, D, E, S, P), interpreter());
  float a[4] = {9, from_bits(0x00800001), from_bits(0x7f800000), from_bits(0x00000001)}, b[4] = {0, from_bits(0x3f000000), 0, 1};
  float c[4], d[4], e[4], s, p;
  kernel(view(a, {4}), view(b, {4}), view(c, {4}), view(d, {4}), view(e, {4}), s, p);
  CHECK(bits(c[0]) == 0x3f666666);
  CHECK(bits(d[0]) == 0x3f666667);
  CHECK(bits(c[1]) == 0x000ccccd);               // a subnormal quotient
  CHECK(bits(e[2]) == 0x7fc00000);               // inf - inf
  CHECK(bits(s) == 0x7f800000);
  CHECK(bits(p) == 0x7fc00000);                  // inf * 0
}
TEST_CASE("-Ofast: chains are summed in order, and literals rounded once") {
  Tensor<float, 1> V{"V"};
  Tensor<float, 0> S{"S"}, L{"L"}, Tiny{"Tiny"};
  Chain k{"k"};
  S() = sum(k, V(k));
  L() = V(0) * 0 + constant<float>(1e-40) + constant<float>(0.1);
  Tiny() = V(0) * 0 + constant<float>(1e-40);
  const auto kernel = compile(inputs(V), outputs(S, L, Tiny), interpreter());
  const float t = 16777216;
  float v[9] = {0.5f, 7, 1, 7, -t, 3, 0.5f, t, 1}, s, l, tiny;
  kernel(view(v, {9}), s, l, tiny);
  CHECK(bits(s) == 0x41a80000);
  CHECK(bits(l) == 0x3dcccccd);
  CHECK(bits(tiny) == 0x000116c2);
}
