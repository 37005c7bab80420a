// Random numbers of the contract: known answers, and elements that depend on nothing but key and counter.
#include <cmath>
#include <doctest/doctest.h>
#include "lang/everywhere.hpp"

namespace {
using namespace ordo;

// Philox4x32-10 as the paper has it, on plain integers.
struct Block { u32 w[4]; };
Block philox_block(u64 seed, u64 stream, u64 q) {
  u32 c[4] = {static_cast<u32>(q), static_cast<u32>(q >> 32), static_cast<u32>(stream), static_cast<u32>(stream >> 32)};
  u32 k0 = static_cast<u32>(seed), k1 = static_cast<u32>(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const u64 x = u64{0xD2511F53} * c[0], y = u64{0xCD9E8D57} * c[2];
    const u32 next[4] = {static_cast<u32>(y >> 32) ^ c[1] ^ k0, static_cast<u32>(y), static_cast<u32>(x >> 32) ^ c[3] ^ k1,
                         static_cast<u32>(x)};
    std::copy(next, next + 4, c);
    k0 += 0x9E3779B9, k1 += 0xBB67AE85;
  }
  return {{c[0], c[1], c[2], c[3]}};
}
// f(key, counter) for the counters start, start + 1, ...
template <class T, class F> std::vector<T> drawn(u64 seed, u64 stream, i64 start, i64 n, F f) {
  Scalar<u64> s{"seed"}, t{"stream"};
  Scalar<i64> from{"from"};
  Tensor<T, 1> Y{"Y"};
  Dim N{"N"};
  Tensor<T, 1> Z{"Z", {N}};
  Index i{"i", N};
  Z(i) = f(Key{s, t}, from + i);
  Array<T, 1> z(n);
  everywhere::run(Program(inputs(s, t, from), outputs(Z)), 1, scalar(seed), scalar(stream), scalar(start), z);
  return z.data;
}
constexpr auto words = [](Key k, Expr<i64> n) { return philox<u32>(k, n); };
using W = std::vector<u32>;

TEST_CASE("random: known answers of Philox4x32-10") {
  // Random123, kat_vectors: counter and key of zeros, of ones, and of the digits of pi.
  CHECK(drawn<u32>(0, 0, 0, 4, words) == W{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  const Block ones = philox_block(~u64{0}, ~u64{0}, ~u64{0}), pi = philox_block(0x299f31d0a4093822, 0x0370734413198a2e, 0x85a308d3243f6a88);
  Tensor<u32, 1> Y{"Y"};
  Index i{"i", 4};
  const auto block = lang::philox({~u64{0}, ~u64{0}}, Expr<u64>(~u64{0}));
  Y(i) = cast<u32>(select(i == 0, block.w[0], select(i == 1, block.w[1], select(i == 2, block.w[2], block.w[3]))));
  Array<u32, 1> y(4);
  everywhere::run(Program(inputs(), outputs(Y)), 1, y);
  CHECK(y.data == W(ones.w, ones.w + 4));
  CHECK(W(ones.w, ones.w + 4) == W{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(W(pi.w, pi.w + 4) == W{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
  CHECK(drawn<u32>(42, 7, 0, 4, words) == W{0x67ee6f2c, 0xe55410cc, 0x6c7eca35, 0x557398d3});
  // A counter of 64 bits holds blocks up to 2^62.
  const i64 last = 0x7ffffffffffffffc;
  const Block far = philox_block(0x299f31d0a4093822, 0x0370734413198a2e, static_cast<u64>(last) / 4);
  CHECK(drawn<u32>(0x299f31d0a4093822, 0x0370734413198a2e, last, 4, words) == W(far.w, far.w + 4));
}

TEST_CASE("random: uniform, u64 bits, below and bernoulli take their words") {
  const Block q0 = philox_block(42, 7, 0), q1 = philox_block(42, 7, 1);
  const auto wide = [](Block b, int half) { return b.w[2 * half] | u64{b.w[2 * half + 1]} << 32; };
  const auto bits = drawn<u64>(42, 7, 0, 3, [](Key k, Expr<i64> n) { return philox<u64>(k, n); });
  CHECK(bits == std::vector<u64>{wide(q0, 0), wide(q0, 1), wide(q1, 0)});
  const auto u = drawn<float>(42, 7, 0, 6, [](Key k, Expr<i64> n) { return uniform<float>(k, n); });
  CHECK(__builtin_bit_cast(u32, u[0]) == 0x3ecfdcde);
  CHECK(__builtin_bit_cast(u32, u[1]) == 0x3f655410);
  CHECK(u[5] == static_cast<float>(q1.w[1] >> 8) * 0x1p-24f);
  const auto d = drawn<double>(42, 7, 0, 3, [](Key k, Expr<i64> n) { return uniform<double>(k, n); });
  CHECK(d[1] == static_cast<double>(wide(q0, 1) >> 11) * 0x1p-53);
  CHECK(d[2] == static_cast<double>(wide(q1, 0) >> 11) * 0x1p-53);
  const auto few = drawn<u32>(42, 7, 0, 5, [](Key k, Expr<i64> n) { return below(k, n, Expr<u32>(1000)); });
  CHECK(few[4] == static_cast<u32>(u64{q1.w[0]} * 1000 >> 32));
  const u64 bound = 0xfedcba9876543210;
  const auto many = drawn<u64>(42, 7, 0, 40, [&](Key k, Expr<i64> n) { return below(k, n, Expr<u64>(bound)); });
  for (u64 n = 0; n < 40; ++n) {
    const u64 word = wide(philox_block(42, 7, n / 2), static_cast<int>(n % 2));
    __extension__ using wider = unsigned __int128;
    CHECK(many[n] == static_cast<u64>(static_cast<wider>(word) * bound >> 64));
  }
  const auto coin = drawn<i32>(42, 7, 0, 6, [](Key k, Expr<i64> n) { return cast<i32>(bernoulli(k, n, 0.25)); });
  for (std::size_t n = 0; n < 6; ++n) CHECK(coin[n] == (u[n] < 0.25f));
}

TEST_CASE("random: normal, by pairs") {
  const auto x = drawn<float>(42, 7, 0, 6, [](Key k, Expr<i64> n) { return normal<float>(k, n); });
  CHECK(__builtin_bit_cast(u32, x[0]) == 0x3f8856db);
  CHECK(__builtin_bit_cast(u32, x[1]) == 0xbf514952);
  const Block q0 = philox_block(42, 7, 0), q1 = philox_block(42, 7, 1);
  const auto near = [](u32 a, u32 b, bool odd) {
    const double r = std::sqrt(-2 * std::log(((a >> 8) + 1) * 0x1p-24)), v = 2 * M_PI * (b >> 8) * 0x1p-24;
    return r * (odd ? std::sin(v) : std::cos(v));
  };
  for (int n = 0; n < 6; ++n) {
    const Block& q = n < 4 ? q0 : q1;
    CHECK(std::fabs(x[static_cast<std::size_t>(n)] - near(q.w[n % 4 / 2 * 2], q.w[n % 4 / 2 * 2 + 1], n % 2 != 0)) < 1e-5);
  }
}

TEST_CASE("random: element n does not depend on size or split, also past 2^33") {
  for (const i64 start : {i64{0}, i64{3}, (i64{1} << 33) - 5, (i64{1} << 34) + 1}) {
    const W all = drawn<u32>(1, 2, start, 23, words);
    for (i64 n = 0; n < 23; ++n) {
      const u64 number = static_cast<u64>(start + n);
      CHECK(all[static_cast<std::size_t>(n)] == philox_block(1, 2, number / 4).w[number % 4]);
      CHECK(drawn<u32>(1, 2, start + n, 1, words)[0] == all[static_cast<std::size_t>(n)]);
    }
  }
}

TEST_CASE("random: dropout numbers its elements in row-major order") {
  Tensor<float, 2> X{"X"}, Y{"Y"};
  Scalar<u64> seed{"seed"};
  Scalar<float> p{"p"};
  Index i{"i"}, j{"j"};
  Y(i, j) = select(uniform<float>({seed, 7u}, i * j.extent() + j) >= p, X(i, j) / (1 - p), 0);
  Array<float, 2> x(5, 9), y(5, 9);
  u64 s = 42;
  float q = 0.25f;
  everywhere::run(Program(inputs(X, seed, p), outputs(Y)), 1, x.fill(1), scalar(s), scalar(q), y);
  for (int r = 0; r < 5; ++r)
    for (int c = 0; c < 9; ++c) {
      const u64 n = static_cast<u64>(r * 9 + c);
      const float u = static_cast<float>(philox_block(42, 7, n / 4).w[n % 4] >> 8) * 0x1p-24f;
      CHECK(y(r, c) == (u >= q ? x(r, c) / (1 - q) : 0));
    }
}
}  // namespace
