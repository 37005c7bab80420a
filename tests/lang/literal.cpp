#include <limits>
#include <string>
#include <doctest/doctest.h>
#include "ordo/lang/lang.hpp"

namespace {
using namespace ordo;
template <class T, class V> u64 bits(V v) { return Expr<T>(v).node->arg; }
template <class F> std::string refused(F f) {
  try {
    f();
  } catch (const Error& e) {
    return e.code();
  }
  return "accepted";
}

TEST_CASE("literals: a floating one is rounded once, from its own value") {
  CHECK(bits<float>(0.1) == 0x3dcccccd);
  CHECK(bits<float>(0.1f) == 0x3dcccccd);
  CHECK(bits<double>(0.1) == 0x3fb999999999999a);
  CHECK(bits<double>(0.1f) == 0x3fb99999a0000000);
  CHECK(bits<float>(1 + 0x1p-24 + 0x1p-50) == 0x3f800001);
  CHECK(bits<float>(0x1p-149) == 1);
  CHECK(bits<double>(std::numeric_limits<float>::denorm_min()) == 0x36a0000000000000);
  CHECK(bits<float>(-0.0) == 0x80000000);
  CHECK(bits<float>(1e300) == 0x7f800000);
  CHECK(bits<float>(-std::numeric_limits<float>::quiet_NaN()) == 0x7fc00000);
  CHECK(bits<double>(std::numeric_limits<float>::signaling_NaN()) == 0x7ff8000000000000);
}

TEST_CASE("literals: an integer must be a value of the type") {
  CHECK(bits<float>(16777216) == 0x4b800000);
  CHECK(bits<i32>(-1) == 0xffffffff);
  CHECK(bits<u32>(4294967295u) == 0xffffffff);
  CHECK(bits<u64>(std::numeric_limits<u64>::max()) == ~u64{0});
  CHECK(bits<bool>(true) == 1);
  CHECK(bits<double>(i64{1} << 62) == 0x43d0000000000000);
  CHECK(refused([] { Expr<float> e(16777217); }) == "lang.literal");
  CHECK(refused([] { Expr<i32> e(i64{1} << 31); }) == "lang.literal");
  CHECK(refused([] { Expr<u32> e(-1); }) == "lang.literal");
  CHECK(refused([] { Expr<i64> e(std::numeric_limits<u64>::max()); }) == "lang.literal");
  CHECK(refused([] { Expr<double> e(std::numeric_limits<i64>::max()); }) == "lang.literal");
}

TEST_CASE("literals: the refusal names the line of the operator's literal") {
  Tensor<float, 1> X{"X"};
  Index i{"i"};
  int line = 0;
  try {
    line = __LINE__; auto e = X(i) * 16777217; (void)e;
    FAIL("accepted");
  } catch (const Error& e) {
    CHECK(std::string(e.what()).find("literal.cpp:" + std::to_string(line)) != std::string::npos);
  }
}

TEST_CASE("literals: infinities are bits") {
  CHECK(inf<float>().node->arg == 0x7f800000);
  CHECK(inf<double>().node->arg == 0x7ff0000000000000);
}
}  // namespace
