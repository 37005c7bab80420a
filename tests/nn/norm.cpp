#include "lang/everywhere.hpp"
#include "nn/ordered.hpp"
#include "ordo/nn.hpp"

namespace {
using namespace ordo;

TEST_CASE("nn: layer norm and RMS norm of rows in lanes, with gain and bias") {
  Tensor<float, 2> X{"X"}, Y{"Y"}, Z{"Z"};
  Tensor<float, 1> g{"g"}, b{"b"};
  Index i{"i"}, j{"j"};
  Lanes<8> l{"l"};
  Y(i, j) = nn::layer_norm(l, X(i, l), 1e-5).at(j) * g(j) + b(j);
  Z(i, j) = nn::rms_norm(l, X(i, l), 1e-6).at(j) * g(j);
  Array<float, 2> x(3, 21), y(3, 21), z(3, 21), yy(3, 21), zz(3, 21);
  Array<float, 1> gain(21), bias(21);
  const int ran = everywhere::run(Program(inputs(X, g, b), outputs(Y, Z)), 2, x.fill(1), gain.fill(2), bias.fill(3), y, z);
  CHECK(ran == static_cast<int>(everywhere::ways().size()));
  for (int r = 0; r < 3; ++r) {
    const float m = ordered::lanes<8>(21, [&](int c, float acc) { return acc + x(r, c); }) / 21;
    const float v = ordered::lanes<8>(21, [&](int c, float acc) { return std::fma(x(r, c) - m, x(r, c) - m, acc); }) / 21;
    const float q = ordered::lanes<8>(21, [&](int c, float acc) { return std::fma(x(r, c), x(r, c), acc); }) / 21;
    const float s = 1 / std::sqrt(v + 1e-5f), t = 1 / std::sqrt(q + 1e-6f);
    for (int c = 0; c < 21; ++c) {
      const float scaled = (x(r, c) - m) * s * gain(c);
      yy(r, c) = scaled + bias(c);
      zz(r, c) = x(r, c) * t * gain(c);
    }
  }
  CHECK(y == yy);
  CHECK(z == zz);
}

TEST_CASE("nn: group norm is layer norm over a group's pixels and channels") {
  Tensor<float, 4> X{"X"}, Y{"Y"};      // n, y, group, channel
  Index n{"n"}, y{"y"}, g{"g"}, c{"c"};
  Chain u{"u"}, w{"w"};
  Y(n, y, g, c) = nn::group_norm({u, w}, X(n, u, g, w), 1e-5).at(y, c);
  Array<float, 4> x(2, 5, 2, 3), out(2, 5, 2, 3), expected(2, 5, 2, 3);
  everywhere::run(Program(inputs(X), outputs(Y)), 1, x.fill(4), out);
  for (int a = 0; a < 2; ++a)
    for (int h = 0; h < 2; ++h) {
      const float m = ordered::chain(15, [&](int e, float acc) { return acc + x(a, e / 3, h, e % 3); }) / 15;
      const auto d = [&](int e) { return x(a, e / 3, h, e % 3) - m; };
      const float v = ordered::chain(15, [&](int e, float acc) { return std::fma(d(e), d(e), acc); }) / 15;
      for (int e = 0; e < 15; ++e) expected(a, e / 3, h, e % 3) = (x(a, e / 3, h, e % 3) - m) * (1 / std::sqrt(v + 1e-5f));
    }
  CHECK(out == expected);
}

TEST_CASE("nn: batch norm from constants, and with the moments of the batch") {
  Tensor<float, 2> X{"X"}, Y{"Y"}, Z{"Z"};
  Tensor<float, 1> mu{"mu"}, var{"var"}, gamma{"gamma"}, beta{"beta"};
  Index n{"n"}, c{"c"};
  Chain k{"k"};
  Y(n, c) = nn::batch_norm(X(n, c), mu(c), var(c), gamma(c), beta(c), 1e-5);
  const auto batch = nn::moments(k, X(k, c));
  Z(n, c) = nn::batch_norm(X(n, c), batch.mean, batch.var, gamma(c), beta(c), 1e-5);
  Array<float, 2> x(6, 4), y(6, 4), z(6, 4), yy(6, 4), zz(6, 4);
  Array<float, 1> m(4), v(4), g(4), b(4);
  m.fill(2), v.fill(3), g.fill(4), b.fill(5);
  for (float& e : v.data) e = std::fabs(e);
  everywhere::run(Program(inputs(X, mu, var, gamma, beta), outputs(Y, Z)), 2, x.fill(1), m, v, g, b, y, z);
  for (int q = 0; q < 4; ++q) {
    const float mean = ordered::chain(6, [&](int r, float acc) { return acc + x(r, q); }) / 6;
    const float square = ordered::chain(6, [&](int r, float acc) { return std::fma(x(r, q) - mean, x(r, q) - mean, acc); }) / 6;
    for (int r = 0; r < 6; ++r) {
      const auto normed = [&](float centre, float spread) {
        const float s = g(q) / std::sqrt(spread + 1e-5f), product = centre * s;
        return std::fma(x(r, q), s, b(q) - product);
      };
      yy(r, q) = normed(m(q), v(q));
      zz(r, q) = normed(mean, square);
    }
  }
  CHECK(y == yy);
  CHECK(z == zz);
}

TEST_CASE("nn: f64 in f64; bf16 read as f32 and narrowed once") {
  Tensor<double, 2> X{"X"}, Y{"Y"};
  Tensor<bf16, 2> H{"H"}, G{"G"};
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  Y(i, j) = nn::layer_norm(k, X(i, k), 1e-5).at(j);
  G(i, j) = nn::rms_norm(k, H(i, k), 1e-6).at(j);
  Array<double, 2> x(2, 7), y(2, 7);
  Array<bf16, 2> h(2, 7), g(2, 7);
  everywhere::run(Program(inputs(X, H), outputs(Y, G)), 2, x.fill(3), h.fill(4), y, g);
  const auto wide = [](const bf16& b) { return __builtin_bit_cast(float, static_cast<u32>(soft::load(Type::bf16, &b))); };
  for (int r = 0; r < 2; ++r) {
    double sum = 0, squares = 0;
    float q = 0;
    for (int c = 0; c < 7; ++c) sum += x(r, c);
    const double m = sum / 7;
    for (int c = 0; c < 7; ++c) squares = std::fma(x(r, c) - m, x(r, c) - m, squares), q = std::fma(wide(h(r, c)), wide(h(r, c)), q);
    for (int c = 0; c < 7; ++c) {
      CHECK(y(r, c) == (x(r, c) - m) * (1 / std::sqrt(squares / 7 + 1e-5)));
      bf16 expected;
      soft::store(Type::bf16, &expected, __builtin_bit_cast(u32, wide(h(r, c)) * (1 / std::sqrt(q / 7 + 1e-6f))));
      CHECK(wide(g(r, c)) == wide(expected));
    }
  }
}
}  // namespace
