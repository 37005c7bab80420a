// The host's own arithmetic in its default environment is the other opinion here; this unit must not be built with
// fast-math flags.
#include <doctest/doctest.h>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include "ordo/base/soft.hpp"

using namespace ordo;

namespace {
template <class To, class From> To bits(From x) {
  static_assert(sizeof(To) == sizeof(From));
  To y;
  std::memcpy(&y, &x, sizeof y);
  return y;
}
template <class T> using Word = std::conditional_t<sizeof(T) == 4, u32, u64>;
template <class T> T value(u64 b) { return bits<T>(static_cast<Word<T>>(b)); }
template <class T> u64 word(T x) { return std::isnan(x) ? (sizeof(T) == 4 ? 0x7fc00000 : 0x7ff8000000000000) : bits<Word<T>>(x); }

struct Random {
  u64 state = 1;
  u64 next() {
    u64 z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
};

// Bits of a float: any, special, few bits set, or near the exponent of one.
template <class T> u64 sample(Random& random) {
  constexpr int width = 8 * sizeof(T), frac = width == 32 ? 23 : 52;
  const u64 mask = width == 32 ? 0xffffffff : ~u64{0}, fraction = (u64{1} << frac) - 1;
  const u64 sign = u64{1} << (width - 1), inf = (sign - 1) ^ fraction, one = word(T{1});
  const u64 r = random.next(), flip = (r & 64) != 0 ? sign : 0;
  const u64 special[] = {0,
                         1,
                         2,
                         fraction,
                         fraction + 1,
                         fraction + 2,
                         one,
                         one - 1,
                         one + 1,
                         one - fraction - 1,
                         inf - 1,
                         inf,
                         inf + 1,
                         inf | fraction,
                         one + fraction + 1,
                         3};
  switch (r & 7) {
    case 0: return special[r >> 8 & 15] ^ flip;
    case 1: return (random.next() & fraction) ^ flip;
    case 2: return ((random.next() & fraction) >> (r >> 8) % frac) ^ flip;
    case 3: return (one + ((r >> 16 & 127) << frac) - (u64{64} << frac) + (random.next() & fraction)) ^ flip;
    case 4:
      return (one + ((r >> 16 & 127) << frac) - (u64{64} << frac) + ((random.next() & random.next() & random.next()) & fraction)) ^ flip;
    case 5: return (one + ((r >> 16 & 7) << frac) + ((random.next() & 7) << (r >> 24) % (frac - 2))) ^ flip;
    default: return random.next() & mask;
  }
}

template <class T> void compare_with_host(int count) {
  const Type t = type_of<T>;
  Random random;
  for (int n = 0; n < count; ++n) {
    const u64 a = sample<T>(random), b = sample<T>(random);
    u64 c = sample<T>(random);
    const T x = value<T>(a), y = value<T>(b);
    if (n % 3 == 0) c = word(T{-x * y});
    if (n % 3 == 1) c = word(-x * y) ^ (random.next() & 3);
    volatile T vx = x, vy = y;
    INFO(name_of(t), " ", a, " ", b, " ", c);
    REQUIRE(soft::add(t, a, b) == word<T>(vx + vy));
    REQUIRE(soft::sub(t, a, b) == word<T>(vx - vy));
    REQUIRE(soft::mul(t, a, b) == word<T>(vx * vy));
    REQUIRE(soft::div(t, a, b) == word<T>(vx / vy));
    REQUIRE(soft::fma(t, a, b, c) == word<T>(std::fma(x, y, value<T>(c))));
    REQUIRE(soft::sqrt(t, a) == word<T>(std::sqrt(x)));
    REQUIRE(soft::fmod(t, a, b) == word<T>(std::fmod(x, y)));
    REQUIRE(soft::floor(t, a) == word<T>(std::floor(x)));
    REQUIRE(soft::ceil(t, a) == word<T>(std::ceil(x)));
    REQUIRE(soft::trunc(t, a) == word<T>(std::trunc(x)));
    REQUIRE(soft::round(t, a) == word<T>(std::nearbyint(x)));
    REQUIRE(soft::less(t, a, b) == (x < y));
    REQUIRE(soft::equal(t, a, b) == (x == y));
    REQUIRE(soft::equal(t, a, a) == (x == x));
    REQUIRE(soft::neg(t, a) == word<T>(-x));
    REQUIRE(soft::abs(t, a) == word<T>(std::fabs(x)));
    if (!std::isnan(x) && !std::isnan(y) && x != y) {
      REQUIRE(soft::maximum(t, a, b) == word<T>(x < y ? y : x));
      REQUIRE(soft::fmin(t, a, b) == word<T>(x < y ? x : y));
    }
  }
}

template <class F, class I> void compare_to_integer(int count) {
  Random random;
  for (int n = 0; n < count; ++n) {
    const u64 a = sample<F>(random);
    const F x = value<F>(a);
    const u64 got = soft::cast(type_of<I>, type_of<F>, a);
    constexpr int digits = std::numeric_limits<I>::digits;
    const F limit = std::ldexp(F{1}, digits);
    I want = 0;
    if (x >= limit) want = std::numeric_limits<I>::max();
    else if (x < (std::is_signed_v<I> ? -limit : F{0})) want = std::numeric_limits<I>::min();
    else if (!std::isnan(x)) want = static_cast<I>(x);
    INFO(name_of(type_of<I>), " from ", name_of(type_of<F>), " ", a);
    REQUIRE(got == (sizeof(I) < 4 ? static_cast<u64>(static_cast<u32>(static_cast<i32>(want)))
                                  : static_cast<u64>(static_cast<std::make_unsigned_t<I>>(want))));
  }
}
template <class I, class F> void compare_from_integer(int count) {
  Random random;
  for (int n = 0; n < count; ++n) {
    const I x = static_cast<I>(n % 2 == 0 ? random.next() >> random.next() % 64
                                          : (u64{1} << random.next() % 64) + (u64{1} << random.next() % 64) + (random.next() & 3) - 1);
    INFO(name_of(type_of<F>), " from ", name_of(type_of<I>), " ", x);
    REQUIRE(soft::cast(type_of<F>, type_of<I>, static_cast<u64>(static_cast<std::make_unsigned_t<I>>(x))) == word<F>(static_cast<F>(x)));
  }
}
u64 stored(Type t, u64 a) {
  u64 out = 0;
  soft::store(t, &out, a);
  return out;
}
u64 i32_bits(i64 x) { return static_cast<u32>(static_cast<i32>(x)); }
}  // namespace

TEST_CASE("soft: floating-point arithmetic has the bits of the host's") {
  compare_with_host<float>(60000);
  compare_with_host<double>(60000);
}

TEST_CASE("soft: casts between numbers have the host's values where the host defines them") {
  compare_to_integer<float, i32>(20000);
  compare_to_integer<float, u32>(20000);
  compare_to_integer<float, i64>(20000);
  compare_to_integer<float, u64>(20000);
  compare_to_integer<float, i8>(20000);
  compare_to_integer<float, u16>(20000);
  compare_to_integer<double, i32>(20000);
  compare_to_integer<double, u64>(20000);
  compare_from_integer<i32, float>(20000);
  compare_from_integer<u32, float>(20000);
  compare_from_integer<i64, float>(20000);
  compare_from_integer<u64, double>(20000);
  Random random;
  for (int n = 0; n < 20000; ++n) {
    const u64 a = sample<double>(random), b = sample<float>(random);
    REQUIRE(soft::cast(Type::f32, Type::f64, a) == word<float>(static_cast<float>(value<double>(a))));
    REQUIRE(soft::cast(Type::f64, Type::f32, b) == word<double>(static_cast<double>(value<float>(b))));
  }
}

TEST_CASE("soft: every f16 survives a load and a store") {
  for (u32 b = 0; b < 65536; ++b) {
    const u16 h = static_cast<u16>(b);
    const int exp = h >> 10 & 31, frac = h & 1023;
    const float size = exp == 0 ? std::ldexp(static_cast<float>(frac), -24) : std::ldexp(static_cast<float>(1024 + frac), exp - 25);
    const u64 got = soft::load(Type::f16, &h);
    if (exp < 31) REQUIRE(got == word<float>((h & 0x8000) != 0 ? -size : size));
    REQUIRE(stored(Type::f16, got) == (exp == 31 && frac != 0 ? 0x7e00 : h));
  }
}

TEST_CASE("soft: narrowing rounds once, from the exact value") {
  CHECK(stored(Type::f16, soft::cast(Type::f16, Type::f64, 0x3ff0020000001000)) == 0x3c01);
  CHECK(soft::cast(Type::f32, Type::i64, (u64{1} << 60) + (u64{1} << 36) + 1) == 0x5d800001);
  CHECK(stored(Type::bf16, soft::cast(Type::bf16, Type::i32, 0x40400001)) == 0x4e81);
  CHECK(stored(Type::bf16, 0x00400000) == 0x0040);
  CHECK(stored(Type::bf16, 0x3f808000) == 0x3f80);
  CHECK(stored(Type::bf16, 0x3f818000) == 0x3f82);
  CHECK(stored(Type::bf16, 0x7f7fffff) == 0x7f80);
  CHECK(stored(Type::f16, 0x477fefff) == 0x7bff);
  CHECK(stored(Type::f16, 0x477ff000) == 0x7c00);
  CHECK(stored(Type::f16, 0x33000000) == 0x0000);
  CHECK(stored(Type::f16, 0x33000001) == 0x0001);
  const u64 exact = soft::mul(Type::f32, soft::from_double(Type::f32, 300), soft::from_double(Type::f32, 300));
  const u64 quarter = soft::from_double(Type::f32, 0.25);
  CHECK(stored(Type::f16, soft::mul(Type::f32, exact, quarter)) == 0x757e);
  CHECK(stored(Type::f16, soft::mul(Type::f32, soft::cast(Type::f16, Type::f32, exact), quarter)) == 0x7c00);
}

TEST_CASE("soft: scalars of the contract") {
  const Type t = Type::f32;
  const auto f = [&](double x) { return soft::from_double(t, x); };
  CHECK(f(0.1) == 0x3dcccccd);
  CHECK(soft::mul(t, f(9), f(0.1)) == 0x3f666667);
  CHECK(soft::div(t, f(9), f(10)) == 0x3f666666);
  CHECK(soft::div(t, f(169), f(13)) == 0x41500000);
  CHECK(soft::mul(t, 0x00800000, f(0.5)) == 0x00400000);
  CHECK(soft::div(t, f(1), soft::sqrt(t, 0x3f800001)) == 0x3f800000);
  CHECK(soft::maximum(t, f(-0.0), f(0)) == 0);
  CHECK(soft::maximum(t, 0, f(-0.0)) == 0);
  CHECK(soft::minimum(t, 0, f(-0.0)) == 0x80000000);
  CHECK(soft::maximum(t, 0x7fc00000, f(1)) == 0x7fc00000);
  CHECK(soft::fmax(t, 0xff812345, f(1)) == f(1));
  CHECK(soft::fmin(t, f(1), 0x7f800001) == f(1));
  CHECK(soft::fmax(t, 0xff812345, 0xffc00000) == 0x7fc00000);
  CHECK(soft::div(t, 0, 0) == 0x7fc00000);
  CHECK(stored(t, 0xffc12345) == 0x7fc00000);
  CHECK(soft::canonical(t, 0x7f800001) == 0x7fc00000);
  CHECK(soft::copysign(t, f(1), 0xffc00000) == 0x3f800000);
  CHECK(soft::copysign(t, f(1), f(-0.0)) == 0xbf800000);
  CHECK(soft::neg(t, 0) == 0x80000000);
  CHECK(soft::sub(t, 0, 0) == 0);
  CHECK(soft::fmod(t, f(-6), f(3)) == 0x80000000);
  CHECK(soft::fmod(t, f(5), 0x7f800000) == f(5));
  CHECK(soft::fmod(t, 0x7f800000, f(5)) == 0x7fc00000);
  CHECK(soft::round(t, f(2.5)) == f(2));
  CHECK(soft::round(t, f(-0.5)) == 0x80000000);
}

TEST_CASE("soft: casts of the contract") {
  const auto from = [](Type to, double x) { return soft::cast(to, Type::f64, soft::from_double(Type::f64, x)); };
  CHECK(from(Type::i32, 3e9) == 2147483647);
  CHECK(soft::cast(Type::i32, Type::f32, 0x7fc00000) == 0);
  CHECK(from(Type::i32, -0.9) == 0);
  CHECK(from(Type::u8, -1) == 0);
  CHECK(from(Type::u8, 300) == 255);
  CHECK(from(Type::i8, -300) == i32_bits(-128));
  CHECK(from(Type::i64, -1e30) == u64{1} << 63);
  CHECK(soft::cast(Type::boolean, Type::f32, 0x7fc00000) == 1);
  CHECK(soft::cast(Type::boolean, Type::f32, 0x80000000) == 0);
  CHECK(soft::cast(Type::f32, Type::boolean, 1) == 0x3f800000);
  CHECK(soft::mul(Type::i32, 100, 100) == 10000);
  CHECK(stored(Type::i8, 10000) == 16);
  CHECK(soft::cast(Type::i8, Type::i32, 200) == i32_bits(-56));
  CHECK(soft::cast(Type::u8, Type::i32, i32_bits(-1)) == 255);
  CHECK(soft::cast(Type::i64, Type::i32, i32_bits(-5)) == static_cast<u64>(-5));
  CHECK(soft::cast(Type::i64, Type::u32, i32_bits(-5)) == 4294967291);
}

TEST_CASE("soft: integers have no undefined case") {
  const Type t = Type::i32;
  const u64 min = 0x80000000, one_less = i32_bits(-1);
  CHECK(soft::div(t, i32_bits(-7), 2) == i32_bits(-3));
  CHECK(soft::mod(t, i32_bits(-7), 2) == i32_bits(-1));
  CHECK(soft::div(t, 5, 0) == 0);
  CHECK(soft::mod(t, 5, 0) == 5);
  CHECK(soft::div(t, min, one_less) == min);
  CHECK(soft::mod(t, min, one_less) == 0);
  CHECK(soft::div(Type::i64, u64{1} << 63, ~u64{0}) == u64{1} << 63);
  CHECK(soft::floor_div(t, i32_bits(-7), 2) == i32_bits(-4));
  CHECK(soft::floor_mod(t, i32_bits(-7), 2) == 1);
  CHECK(soft::floor_mod(t, 7, i32_bits(-2)) == i32_bits(-1));
  CHECK(soft::floor_div(t, i32_bits(-7), 0) == 0);
  CHECK(soft::floor_mod(t, i32_bits(-7), 0) == i32_bits(-7));
  CHECK(soft::floor_div(t, min, one_less) == min);
  CHECK(soft::div(Type::u32, min, one_less) == 0);
  CHECK(soft::shl(t, 1, 32) == 0);
  CHECK(soft::shr(t, i32_bits(-1), 40) == i32_bits(-1));
  CHECK(soft::shr(t, i32_bits(-8), 1) == i32_bits(-4));
  CHECK(soft::shr(Type::u32, i32_bits(-8), i32_bits(-1)) == 0);
  CHECK(soft::shr(t, min, 31) == i32_bits(-1));
  CHECK(soft::abs(t, min) == min);
  CHECK(soft::neg(Type::u64, 1) == ~u64{0});
  CHECK(soft::add(t, 0x7fffffff, 1) == min);
  CHECK(soft::mul(Type::i64, u64{1} << 63, 2) == 0);
  CHECK(soft::less(t, one_less, 0));
  CHECK_FALSE(soft::less(Type::u32, one_less, 0));
  CHECK(soft::maximum(t, one_less, 3) == 3);
}

TEST_CASE("soft: a bool is any nonzero byte, stored as 0 or 1") {
  const u8 byte = 0x80;
  CHECK(soft::load(Type::boolean, &byte) == 1);
  CHECK(stored(Type::boolean, 1) == 1);
}
