// Each function of the front, once: that it reaches its operation. What the operations do to all values is tested in base.
#include <cmath>
#include <cstdio>
#include <string>
#include <doctest/doctest.h>
#include "lang/everywhere.hpp"

namespace {
using namespace ordo;

// f of element-wise reads, as a vector.
template <class R, class T, class F> std::vector<R> each(std::vector<T> x, std::vector<T> y, F f) {
  Tensor<T, 1> X{"X"}, Y{"Y"};
  Tensor<R, 1> Z{"Z"};
  Index i{"i"};
  Z(i) = f(X(i), Y(i));
  Array<T, 1> a(x.size()), b(x.size());
  Array<R, 1> c(x.size());
  a.data = x, b.data = y;
  Program p(inputs(X, Y), outputs(Z));
  run(p, a, b, c);
  return c.data;
}
using F = std::vector<float>;
using I = std::vector<i32>;
template <class G> F floats(G g) { return each<float>(F{-2.5f, 1.5f, 6}, F{2, -1, 4}, g); }
template <class G> I integers(G g) { return each<i32>(I{-7, 12, 5}, I{2, 3, 0}, g); }

TEST_CASE("functions: floating ones") {
  CHECK(floats([](auto x, auto y) { return x + y; }) == F{-0.5f, 0.5f, 10});
  CHECK(floats([](auto x, auto y) { return x - y; }) == F{-4.5f, 2.5f, 2});
  CHECK(floats([](auto x, auto y) { return x / y; }) == F{-1.25f, -1.5f, 1.5f});
  CHECK(floats([](auto x, auto) { return -x; }) == F{2.5f, -1.5f, -6});
  CHECK(floats([](auto x, auto) { return +x; }) == F{-2.5f, 1.5f, 6});
  CHECK(floats([](auto x, auto) { return abs(x); }) == F{2.5f, 1.5f, 6});
  CHECK(floats([](auto x, auto) { return floor(x); }) == F{-3, 1, 6});
  CHECK(floats([](auto x, auto) { return ceil(x); }) == F{-2, 2, 6});
  CHECK(floats([](auto x, auto) { return trunc(x); }) == F{-2, 1, 6});
  CHECK(floats([](auto x, auto) { return round(x); }) == F{-2, 2, 6});
  CHECK(floats([](auto x, auto y) { return copysign(x, y); }) == F{2.5f, -1.5f, 6});
  CHECK(floats([](auto x, auto y) { return fmod(x, y); }) == F{-0.5f, 0.5f, 2});
  CHECK(floats([](auto x, auto y) { return maximum(x, y); }) == F{2, 1.5f, 6});
  CHECK(floats([](auto x, auto y) { return minimum(x, y); }) == F{-2.5f, -1, 4});
  CHECK(floats([](auto x, auto) { return fmax(x, 0); }) == F{0, 1.5f, 6});
  CHECK(floats([](auto x, auto) { return fmin(0, x); }) == F{-2.5f, 0, 0});
  CHECK(floats([](auto x, auto) { return relu(x); }) == F{0, 1.5f, 6});
  CHECK(floats([](auto x, auto y) { return clip(x, -2, y); }) == F{-2, -1, 4});
  CHECK(floats([](auto x, auto y) { return fma(x, y, 1); }) == F{-4, -0.5f, 25});
  CHECK(floats([](auto, auto y) { return sqrt(y * y); }) == F{2, 1, 4});
  CHECK(floats([](auto, auto y) { return rsqrt(y * y); }) == F{0.5f, 1, 0.25f});
  CHECK(floats([](auto x, auto) { return select(isnan(x / 0 * 0), 1, x); }) == F{1, 1, 1});
  CHECK(floats([](auto x, auto) { return cast<f16>(x + 0x1p-13); }) == F{-2.5f, 1.5f, 6});
  CHECK(floats([](auto x, auto) { return cast<float>(cast<i32>(x)); }) == F{-2, 1, 6});
}

std::string hex(const F& values) {
  std::string all;
  for (float v : values) {
    char text[16];
    std::snprintf(text, sizeof text, "%s%08x", all.empty() ? "" : " ", __builtin_bit_cast(u32, v));
    all += text;
  }
  return all;
}
float from(u32 bits) { return __builtin_bit_cast(float, bits); }
template <class G> std::string of(std::initializer_list<float> x, G g) { return hex(each<float>(F(x), F(x), [&](auto a, auto) { return g(a); })); }

TEST_CASE("functions: the worked examples of the contract") {
  CHECK(of({from(0x4202422f), from(0xc2aeac50)}, [](auto x) { return exp(x); }) == "56fc9f1b 007fffe6");
  CHECK(of({-0.5f}, [](auto x) { return sigmoid(x); }) == "3ec14d03");
  CHECK(of({-1}, [](auto x) { return gelu(x); }) == "be227686");
  CHECK(of({from(0x3f800001)}, [](auto x) { return rsqrt(x); }) == "3f800000");
}
TEST_CASE("functions: compositions are the operations that the contract writes") {
  const std::initializer_list<float> x = {-90, -3.5f, -1, -0.0f, 0.7f, 4, 90, INFINITY, -INFINITY, NAN};
  const auto same = [&](auto f, auto g) { CHECK(of(x, f) == of(x, g)); };
  const auto root_half = [](u32 bits) { return from(bits); };
  same([](auto v) { return sigmoid(v); }, [](auto v) { return 1 / (1 + exp(-v)); });
  same([](auto v) { return silu(v); }, [](auto v) { return v / (1 + exp(-v)); });
  same([](auto v) { return softplus(v); }, [](auto v) { return maximum(v, 0) + log1p(exp(-abs(v))); });
  same([](auto v) { return gelu(v); }, [&](auto v) { return (0.5 * v) * erfc(-v * root_half(0x3f3504f3)); });
  same([](auto v) { return gelu_tanh(v); },
       [](auto v) { return (0.5 * v) * (1 + tanh(from(0x3f4c422a) * (v + from(0x3d372713) * ((v * v) * v)))); });
  CHECK(of({from(0x00800000), from(0x007fffff), from(0x80000001), -INFINITY, NAN}, [](auto v) { return flush(v); }) ==
        "00800000 00000000 80000000 ff800000 7fc00000");
}
TEST_CASE("functions: those of one and of two operands, by name") {
  const auto one = [](auto g) { return floats([&](auto x, auto) { return g(x / 8); }); };       // of -0.3125, 0.1875, 0.75
  const auto rounded = [](double (*f)(double)) { return F{float(f(-0.3125)), float(f(0.1875)), float(f(0.75))}; };
#define ORDO_SAME(f) CHECK(one([](auto x) { return f(x); }) == rounded([](double v) { return std::f(v); }));
  ORDO_SAME(exp) ORDO_SAME(exp2) ORDO_SAME(expm1) ORDO_SAME(log1p) ORDO_SAME(sin) ORDO_SAME(cos) ORDO_SAME(tan) ORDO_SAME(asin)
  ORDO_SAME(acos) ORDO_SAME(atan) ORDO_SAME(sinh) ORDO_SAME(cosh) ORDO_SAME(tanh) ORDO_SAME(asinh) ORDO_SAME(atanh) ORDO_SAME(erf)
  ORDO_SAME(erfc) ORDO_SAME(cbrt)
#undef ORDO_SAME
  CHECK(one([](auto x) { return log(x * x) + log2(x * x / (x * x)) + log10(x / x); }) == rounded([](double v) { return double(float(std::log(v * v))); }));
  CHECK(one([](auto x) { return exp10(x * 8 + 0.5); }) == F{0.01f, 100, 3162277.75f});
  CHECK(one([](auto x) { return sinpi(x * 4) + cospi(x * 8 + 0.5); }) == F{from(0x3f3504f3) + 1, from(0x3f3504f3) + 1, 0});
  CHECK(one([](auto x) { return acosh(1 + x * x - x * x); }) == F{0, 0, 0});
  CHECK(floats([](auto x, auto y) { return pow(x, y); }) == F{6.25f, 1 / 1.5f, 1296});
  CHECK(floats([](auto x, auto y) { return atan2(y, x); }) ==
        F{float(std::atan2(2.0, -2.5)), float(std::atan2(-1.0, 1.5)), float(std::atan2(4.0, 6.0))});
  CHECK(floats([](auto x, auto y) { return hypot(x * 2, y * 6); }) == F{13, float(std::hypot(3.0, 6.0)), float(std::hypot(12.0, 24.0))});
  CHECK(floats([](auto x, auto) { return approx::exp(x) + approx::log(x * x) + approx::tanh(x) + approx::sin(x) + approx::cos(x); }).size() == 3);
  CHECK(floats([](auto x, auto) { return approx::sigmoid(x * 0) + approx::erf(x * 0) + approx::gelu(x * 0); }) == F{0.5f, 0.5f, 0.5f});
}

TEST_CASE("functions: integer ones") {
  CHECK(integers([](auto x, auto y) { return x / y; }) == I{-3, 4, 0});
  CHECK(integers([](auto x, auto y) { return x % y; }) == I{-1, 0, 5});
  CHECK(integers([](auto x, auto y) { return floor_div(x, y); }) == I{-4, 4, 0});
  CHECK(integers([](auto x, auto y) { return floor_mod(x, y); }) == I{1, 0, 5});
  CHECK(integers([](auto x, auto y) { return x & y; }) == I{-7 & 2, 12 & 3, 0});
  CHECK(integers([](auto x, auto y) { return x | y; }) == I{-7 | 2, 15, 5});
  CHECK(integers([](auto x, auto y) { return x ^ y; }) == I{-7 ^ 2, 15, 5});
  CHECK(integers([](auto x, auto y) { return x << y; }) == I{-28, 96, 5});
  CHECK(integers([](auto x, auto) { return x >> 1; }) == I{-4, 6, 2});
  CHECK(integers([](auto x, auto) { return bitcast<i32>(bitcast<float>(x)); }) == I{0x7fc00000, 12, 5});
  CHECK(integers([](auto x, auto) { return cast<i8>(x * 100); }) == I{68, -80, -12});
}

TEST_CASE("functions: comparisons and conditions") {
  auto test = [](auto g) { return integers([&](auto x, auto y) { return cast<i32>(g(x, y)); }); };
  CHECK(test([](auto x, auto y) { return x < y; }) == I{1, 0, 0});
  CHECK(test([](auto x, auto) { return x <= 5; }) == I{1, 0, 1});
  CHECK(test([](auto x, auto y) { return x > y; }) == I{0, 1, 1});
  CHECK(test([](auto x, auto) { return 5 >= x; }) == I{1, 0, 1});
  CHECK(test([](auto x, auto) { return x == 5; }) == I{0, 0, 1});
  CHECK(test([](auto x, auto) { return 5 != x; }) == I{1, 1, 0});
  CHECK(test([](auto x, auto y) { return x < 0 || y == 0; }) == I{1, 0, 1});
  CHECK(test([](auto x, auto y) { return x > 0 && y > 0; }) == I{0, 1, 0});
  CHECK(test([](auto x, auto) { return !(x > 0) && true; }) == I{1, 0, 0});
  CHECK(test([](auto x, auto y) { return (x > 0) != (y > 0); }) == I{1, 0, 1});
}

TEST_CASE("reductions: each of them, over one axis") {
  Tensor<float, 1> X{"X"};
  Tensor<i32, 1> N{"N"};
  Tensor<float, 1> R{"R"};
  Tensor<i64, 1> S{"S"};
  Chain k{"k"};
  AnyOrder a{"a"};
  Index z{"z", 9}, w{"w", 6};
  Expr<float> values[] = {sum(k, X(k)), sum(k, X(k)).from(10), product(k, X(k)), max(k, X(k)), min(k, X(k)),
                          fmax(k, X(k), X(k) < 3), fmin(k, X(k), X(k) > 0), mean(k, X(k)), sum({k}, X(k), X(k) > 0)};
  Expr<i64> counts[] = {sum<i64>(a, N(a)), count(a, N(a) > 0), cast<i64>(any_of(a, N(a) == 3)), cast<i64>(all_of(a, N(a) > 0, N(a) != -4)),
                        cast<i64>(product(a, N(a))), cast<i64>(max(a, N(a)))};
  Expr<float> r = 0;
  for (int q = 0; q < 9; ++q) r = select(z == q, values[q], r);
  Expr<i64> s = 0;
  for (int q = 0; q < 6; ++q) s = select(w == q, counts[q], s);
  R(z) = r;
  S(w) = s;
  Array<float, 1> x(4), out(9);
  Array<i32, 1> n(3);
  Array<i64, 1> other(6);
  x.data = {1.5f, -2, 4, 0.5f}, n.data = {3, -4, 7};
  everywhere::run(Program(inputs(X, N), outputs(R, S)), 2, x, n, out, other);
  CHECK(out.data == F{4, 14, -6, 4, -2, 1.5f, 0.5f, 1, 6});
  CHECK(other.data == std::vector<i64>{6, 2, 1, 1, -84, 7});
}
}  // namespace
