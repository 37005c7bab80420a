// To be built with -Ofast, as its own program with tests/main.cpp: neither the flags of the unit nor the state of the
// thread reach soft arithmetic.
#include <doctest/doctest.h>
#include <cfenv>
#include <initializer_list>
#include "ordo/base/soft.hpp"
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

using namespace ordo;

namespace {
void check_values() {
  const Type t = Type::f32, d = Type::f64;
  CHECK(soft::mul(t, 0x00800000, 0x3f000000) == 0x00400000);
  CHECK(soft::add(t, 0x00000001, 0x00000002) == 0x00000003);
  CHECK(soft::div(t, 0x3f800000, 0x40400000) == 0x3eaaaaab);
  CHECK(soft::sub(t, 0x3f800000, 0x3f800000) == 0);
  CHECK(soft::div(t, 0, 0) == 0x7fc00000);
  CHECK(soft::mul(t, 0, 0x7f800000) == 0x7fc00000);
  CHECK(soft::fma(t, 0x3f800800, 0x3f800800, 0xbf801000) == 0x33800000);
  CHECK(soft::sqrt(d, 0x4000000000000000) == 0x3ff6a09e667f3bcd);
  CHECK(soft::mul(d, 0x0010000000000000, 0x3fe0000000000000) == 0x0008000000000000);
  CHECK(soft::cast(t, d, 0x36a0000000000000) == 0x00000001);
  CHECK(soft::from_double(t, 0.1) == 0x3dcccccd);
  CHECK(soft::from_double(d, 5e-324) == 1);
  CHECK(soft::is_nan(t, 0xffc00000));
  CHECK_FALSE(soft::equal(t, 0x7fc00000, 0x7fc00000));
  CHECK(soft::maximum(t, 0x80000000, 0) == 0);
  u64 out = 0;
  soft::store(t, &out, 0x00000001);
  CHECK(out == 1);
  soft::store(t, &out, 0xff812345);
  CHECK(out == 0x7fc00000);
}
}  // namespace

TEST_CASE("soft: flags of the unit do not matter") { check_values(); }

TEST_CASE("soft: the rounding mode of the thread does not matter") {
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    check_values();
  }
  std::fesetround(FE_TONEAREST);
}

#if defined(__x86_64__)
TEST_CASE("soft: flush-to-zero and denormals-are-zero do not matter") {
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040);
  check_values();
  _mm_setcsr(before);
}
#endif
