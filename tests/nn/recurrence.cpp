// Definitions of rows inside other constructs of the language.
#include "lang/everywhere.hpp"
#include "nn/ordered.hpp"
#include "ordo/nn.hpp"

namespace {
using namespace ordo;

TEST_CASE("nn: a softmax of the step before is part of a recurrence") {
  Tensor<float, 2> X{"X"}, H{"H"};
  Index j{"j"};
  Chain l{"l"};
  Scan t{"t", X.extent(0)};
  H(t, j) = scan(t, X(0, j), nn::softmax(l, Expr<float>(H(t - 1, l))).at(j) + X(t, j));
  Array<float, 2> x(4, 6), h(4, 6);
  run(Program(inputs(X), outputs(H)), x.fill(3), h);
  std::vector<float> state(x.data.begin(), x.data.begin() + 6);
  for (int s = 0; s < 4; ++s) {
    float m = -INFINITY, sum = 0;
    std::vector<float> e(6);
    for (float v : state) m = std::fmax(m, v);
    for (std::size_t c = 0; c < 6; ++c) e[c] = ordered::exp(state[c] - m), sum += e[c];
    for (std::size_t c = 0; c < 6; ++c) {
      const float weight = e[c] / sum;
      state[c] = weight + x(s, c);
      CHECK(h(s, c) == state[c]);
    }
  }
}

TEST_CASE("nn: a row that reduces over the same axis itself, and one that mentions the position") {
  Tensor<float, 2> X{"X"}, Y{"Y"}, Z{"Z"};
  Index i{"i"}, j{"j"};
  Chain l{"l"};
  Y(i, j) = nn::rms_norm(l, X(i, l) - max(l, X(i, l)), 1).at(j);
  Z(i, j) = nn::rms_norm(l, X(i, l) * X(i, j), 1).at(j);
  Array<float, 2> x(3, 5), y(3, 5), z(3, 5);
  everywhere::run(Program(inputs(X), outputs(Y, Z)), 2, x.fill(2), y, z);
  for (int r = 0; r < 3; ++r) {
    float m = -INFINITY;
    for (int c = 0; c < 5; ++c) m = std::fmax(m, x(r, c));
    const float s = ordered::chain(5, [&](int c, float acc) { return std::fma(x(r, c) - m, x(r, c) - m, acc); });
    for (int c = 0; c < 5; ++c) {
      const auto scaled = [&](int e) { return x(r, e) * x(r, c); };
      const float p = ordered::chain(5, [&](int e, float acc) { return std::fma(scaled(e), scaled(e), acc); });
      CHECK(y(r, c) == (x(r, c) - m) * (1 / std::sqrt(s / 5 + 1)));
      CHECK(z(r, c) == scaled(c) * (1 / std::sqrt(p / 5 + 1)));
    }
  }
}
}  // namespace
