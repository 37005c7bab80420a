// Compiled at -Ofast, header-only: the start-up code flushes subnormals, and the bits of literals must not notice.
#include <doctest/doctest.h>
#include "ordo/lang/lang.hpp"

namespace {
using namespace ordo;

TEST_CASE("literals at -Ofast: subnormals keep their value") {
  volatile float small = __builtin_bit_cast(float, 0x00000003u);
  volatile double tiny = __builtin_bit_cast(double, u64{5});
  float s = small;
  double t = tiny;
  CHECK(Expr<float>(s).node->arg == 3);
  CHECK(Expr<double>(s).node->arg == 0x36b8000000000000);
  CHECK(Expr<double>(t).node->arg == 5);
  CHECK(Expr<float>(0.1).node->arg == 0x3dcccccd);
}

TEST_CASE("literals at -Ofast: NaN, infinity and the sign of zero survive") {
  volatile float nan = __builtin_bit_cast(float, 0xffc12345u), zero = __builtin_bit_cast(float, 0x80000000u);
  float n = nan, z = zero;
  CHECK(Expr<float>(n).node->arg == 0x7fc00000);
  CHECK(Expr<float>(z).node->arg == 0x80000000);
  CHECK((-inf<float>()).node->src[0]->arg == 0x7f800000);
}
}  // namespace
