#include "lang/everywhere.hpp"
#include "nn/ordered.hpp"
#include "ordo/nn.hpp"

namespace {
using namespace ordo;

TEST_CASE("nn: losses of elements: squared, Huber, binary cross entropy") {
  Tensor<float, 1> X{"X"}, T{"T"}, P{"P"}, H{"H"}, B{"B"}, L{"L"};
  Tensor<float, 0> M{"M"}, A{"A"};
  Index i{"i"};
  Chain k{"k"};
  M() = nn::mse(k, X(k), T(k));
  A() = mean(k, nn::huber(X(k), T(k), 1.5));
  H(i) = nn::huber(X(i), T(i), 1.5);
  B(i) = nn::binary_cross_entropy(P(i), T(i));
  L(i) = nn::binary_cross_entropy_with_logits(X(i), T(i));
  Array<float, 1> x(11), t(11), p(11), h(11), b(11), l(11);
  Array<float, 0> m, a;
  x.fill(1), t.fill(2), p.fill(3);
  for (int e = 0; e < 11; ++e) t(e) = std::fabs(t(e)) / 2000, p(e) = e == 0 ? 0 : e == 1 ? 1 : std::fabs(p(e)) / 2000, x(e) /= 64;
  const int ran = everywhere::run(Program(inputs(X, T, P), outputs(M, A, H, B, L)), 5, x, t, p, m, a, h, b, l);
  CHECK(ran == static_cast<int>(everywhere::ways().size()));
  const auto huber = [](float d) { return std::fabs(d) <= 1.5f ? 0.5f * d * d : 1.5f * (std::fabs(d) - 0.75f); };
  for (int e = 0; e < 11; ++e) {
    CHECK(h(e) == huber(x(e) - t(e)));
    const float yes = std::fmax(ordered::log(p(e)), -100.0f), no = std::fmax(ordered::log1p(-p(e)), -100.0f);
    const float first = t(e) * yes, rest = (1 - t(e)) * no;
    CHECK(b(e) == -(first + rest));
    const float xt = x(e) * t(e), linear = std::fmax(x(e), 0.0f) - xt;
    CHECK(l(e) == linear + ordered::log1p(ordered::exp(-std::fabs(x(e)))));
  }
  CHECK(m() == ordered::chain(11, [&](int e, float acc) { return std::fma(x(e) - t(e), x(e) - t(e), acc); }) / 11);
  CHECK(a() == ordered::chain(11, [&](int e, float acc) { return acc + huber(x(e) - t(e)); }) / 11);
}

TEST_CASE("nn: cross entropy of logits and of log-probabilities; a label out of range is an error of the call") {
  Tensor<float, 2> X{"X"};
  Tensor<i32, 1> label{"label"};
  Tensor<float, 1> C{"C"}, N{"N"};
  Index i{"i"};
  Lanes<4> l{"l"};
  C(i) = nn::cross_entropy(l, X(i, l), label(i));
  N(i) = nn::nll(l, X(i, l), label(i));
  const Program program(inputs(X, label), outputs(C, N));
  Array<float, 2> x(4, 6);
  Array<i32, 1> at(4);
  Array<float, 1> c(4), n(4);
  at.data = {5, 0, 2, 2};
  everywhere::run(program, 2, x.fill(5), at, c, n);
  for (int r = 0; r < 4; ++r) {
    float m = -INFINITY;
    for (int e = 0; e < 6; ++e) m = std::fmax(m, x(r, e));
    const float sum = ordered::lanes<4>(6, [&](int e, float acc) { return acc + ordered::exp(x(r, e) - m); });
    CHECK(c(r) == -((x(r, at(r)) - m) - ordered::log(sum)));
    CHECK(n(r) == -x(r, at(r)));
  }
  at(1) = 6;
  CHECK_THROWS_AS(run(program, x, at, c, n), Error);
}

TEST_CASE("nn: dropout keeps what its draws say, scaled") {
  Tensor<float, 1> X{"X"}, Y{"Y"}, U{"U"};
  Scalar<u64> seed{"seed"};
  Index i{"i", X.extent(0)};
  Y(i) = nn::dropout(X(i), 0.25, {seed, 3u}, i);
  U(i) = uniform<float>({seed, 3u}, i);
  Array<float, 1> x(50), y(50), u(50);
  u64 s = 9;
  everywhere::run(Program(inputs(X, seed), outputs(Y, U)), 2, x.fill(6), scalar(s), y, u);
  int kept = 0;
  for (int e = 0; e < 50; ++e) {
    CHECK(y(e) == (u(e) >= 0.25f ? x(e) / 0.75f : 0));
    kept += u(e) >= 0.25f;
  }
  CHECK(kept > 25);
  CHECK(kept < 50);
}
}  // namespace
