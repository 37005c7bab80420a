#include "lang/everywhere.hpp"
#include "nn/ordered.hpp"
#include "ordo/nn.hpp"

namespace {
using namespace ordo;

struct Row {
  float max, sum;
  std::vector<float> e;
};
template <int L> Row row_of(Array<float, 2>& x, int r, int n) {
  Row row{-INFINITY, 0, {}};
  for (int c = 0; c < n; ++c) row.max = std::fmax(row.max, x(r, c));
  for (int c = 0; c < n; ++c) row.e.push_back(ordered::exp(x(r, c) - row.max));
  row.sum = ordered::lanes<L>(n, [&](int c, float acc) { return acc + row.e[static_cast<std::size_t>(c)]; });
  return row;
}

TEST_CASE("nn: softmax and log_softmax of rows in lanes") {
  Tensor<float, 2> X{"X"}, Y{"Y"}, Z{"Z"};
  Tensor<float, 1> W{"W"};
  Index i{"i"}, j{"j"};
  Lanes<16> l{"l"};
  Y(i, j) = nn::softmax(l, X(i, l)).at(j);
  Z(i, j) = nn::log_softmax(l, X(i, l)).at(j);
  W(i) = nn::logsumexp(l, X(i, l));
  const Program program(inputs(X), outputs(Y, Z, W));
  for (const int n : {1, 5, 16, 37}) {
    Array<float, 2> x(3, n), y(3, n), z(3, n), yy(3, n), zz(3, n);
    Array<float, 1> w(3), ww(3);
    CHECK(everywhere::run(program, 3, x.fill(3), y, z, w) == static_cast<int>(everywhere::ways().size()));
    for (int r = 0; r < 3; ++r) {
      const Row row = row_of<16>(x, r, n);
      ww(r) = row.max + ordered::log(row.sum);
      for (int c = 0; c < n; ++c) {
        yy(r, c) = row.e[static_cast<std::size_t>(c)] / row.sum;
        zz(r, c) = (x(r, c) - row.max) - ordered::log(row.sum);
      }
    }
    CHECK(y == yy);
    CHECK(z == zz);
    CHECK(w == ww);
  }
}

TEST_CASE("nn: the approximate kind replaces exp and log and nothing else") {
  Tensor<float, 2> X{"X"}, Y{"Y"}, Z{"Z"}, YY{"YY"}, ZZ{"ZZ"}, E{"E"};
  Index i{"i"}, j{"j"};
  Lanes<8> l{"l"};
  Y(i, j) = nn::softmax<nn::Approx>(l, X(i, l)).at(j);
  Z(i, j) = nn::log_softmax<nn::Approx>(l, X(i, l)).at(j);
  const Expr<float> m = max(l, X(i, l));
  E(i, j) = approx::exp(X(i, j) - m);
  YY(i, j) = E(i, j) / sum(l, E(i, l));
  ZZ(i, j) = (X(i, j) - m) - approx::log(sum(l, E(i, l)));
  Array<float, 2> x(3, 29), y(3, 29), z(3, 29), yy(3, 29), zz(3, 29);
  everywhere::run(Program(inputs(X), outputs(Y, Z, YY, ZZ)), 4, x.fill(8), y, z, yy, zz);
  CHECK(y == yy);
  CHECK(z == zz);
}

TEST_CASE("nn: softmax over two axes, with elements left out") {
  Tensor<float, 3> X{"X"}, Y{"Y"};
  Index i{"i"}, p{"p"}, q{"q"};
  Chain a{"a"}, b{"b"};
  Y(i, p, q) = nn::softmax({a, b}, X(i, a, b), a + b != i).at(p, q);
  Array<float, 3> x(3, 4, 5), y(3, 4, 5), expected(3, 4, 5);
  everywhere::run(Program(inputs(X), outputs(Y)), 1, x.fill(9), y);
  for (int r = 0; r < 3; ++r) {
    float m = -INFINITY, sum = 0;
    for (int c = 0; c < 20; ++c)
      if (c / 5 + c % 5 != r) m = std::fmax(m, x(r, c / 5, c % 5));
    for (int c = 0; c < 20; ++c)
      if (c / 5 + c % 5 != r) sum += ordered::exp(x(r, c / 5, c % 5) - m);
    for (int c = 0; c < 20; ++c) expected(r, c / 5, c % 5) = c / 5 + c % 5 == r ? 0 : ordered::exp(x(r, c / 5, c % 5) - m) / sum;
  }
  CHECK(y == expected);
}

TEST_CASE("nn: the stages of a definition have names, and run over the caller's axes") {
  Tensor<float, 2> X{"X"}, Y{"Y"};
  Index i{"i"}, j{"j"};
  Lanes<16> l{"l"};
  Y(i, j) = nn::softmax(l, X(i, l)).at(j);
  Schedule s{Y};
  Stage weights = s.stage("softmax.exp"), largest = s.stage("softmax.max");
  auto [jo, ji] = weights.split(j, 16);
  weights.vectorize(ji).parallel(i);
  largest.vectorize(l.lane());
  const std::string text = s.text();
  CHECK_MESSAGE(text.find("softmax.exp") != std::string::npos, text);
  CHECK_MESSAGE(text.find("j.0") != std::string::npos, text);
  (void)jo;
  Array<float, 2> x(5, 40), plain(5, 40);
  const Program program(inputs(X), outputs(Y));
  run(program, x.fill(1), plain);
  for (const everywhere::Way& way : everywhere::ways()) {
    Array<float, 2> y(5, 40);
    CompileOptions options;
    options.cache = "";
    const Argument list[] = {x, y};
    compile(s, program, way.target, options).call(list, 2);
    CHECK(y == plain);
  }
}

TEST_CASE("nn: softmax of any expression, read at any place, stored once narrowed") {
  Tensor<f16, 2> X{"X"}, Y{"Y"};
  Tensor<float, 1> D{"D"};
  Index i{"i"}, j{"j", X.extent(1)};
  Lanes<4> l{"l"};
  Y(i, j) = nn::softmax(l, X(i, l) * 2 + 1).at(j.extent() - 1 - j);
  D(i) = nn::softmax(l, X(i, l)).at(i / 2);
  Array<f16, 2> x(3, 7), y(3, 7);
  Array<float, 1> d(3);
  everywhere::run(Program(inputs(X), outputs(Y, D)), 2, x.fill(2), y, d);
  Array<float, 2> scaled(3, 7), plain(3, 7);
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 7; ++c) plain(r, c) = widen(x(r, c)), scaled(r, c) = plain(r, c) * 2 + 1;
  for (int r = 0; r < 3; ++r) {
    const Row row = row_of<4>(scaled, r, 7), other = row_of<4>(plain, r, 7);
    for (int c = 0; c < 7; ++c) CHECK(widen(y(r, c)) == widen(narrow(row.e[static_cast<std::size_t>(6 - c)] / row.sum)));
    CHECK(d(r) == other.e[static_cast<std::size_t>(r / 2)] / other.sum);
  }
}

TEST_CASE("nn: log of a sum of exponentials over nothing, infinities and NaN") {
  Tensor<float, 2> X{"X"};
  Tensor<float, 1> W{"W"};
  Index i{"i"};
  Lanes<4> l{"l"};
  W(i) = nn::logsumexp(l, X(i, l));
  Array<float, 2> x(4, 2), none(4, 0);
  Array<float, 1> w(4);
  const float inf = INFINITY, values[] = {-inf, -inf, inf, 1, NAN, 1, -inf, 3};
  std::copy(values, values + 8, x.data.begin());
  everywhere::run(Program(inputs(X), outputs(W)), 1, x, w);
  CHECK(w(0) == -inf);
  CHECK(w(1) == inf);
  CHECK(std::isnan(w(2)));
  CHECK(w(3) == 3);
  everywhere::run(Program(inputs(X), outputs(W)), 1, none, w);
  CHECK(w(0) == -inf);
}
}  // namespace
