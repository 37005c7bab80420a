#include "lang/everywhere.hpp"
#include "nn/ordered.hpp"
#include "ordo/nn.hpp"

namespace {
using namespace ordo;

TEST_CASE("nn: a strided, dilated convolution with bias; padding makes no step") {
  Tensor<float, 4> X{"X"}, F{"F"}, Y{"Y"};
  Tensor<float, 1> B{"B"};
  Index n{"n"}, f{"f"};
  Chain r{"r", F.extent(0)}, s{"s", F.extent(1)}, c{"c"};
  const nn::Window w{.size = 3, .stride = 2, .pad = 2, .dilation = 2};
  Index y{"y", w.extent(X.extent(1))}, x{"x", w.extent(X.extent(2))};
  Y(n, y, x, f) = nn::conv({r, s, c}, X(n, w.at(y, r), w.at(x, s), c), F(r, s, c, f), B(f));
  Array<float, 4> image(2, 7, 6, 2), filter(3, 3, 2, 3), out(2, 4, 3, 3), expected(2, 4, 3, 3);
  Array<float, 1> bias(3);
  const int ran = everywhere::run(Program(inputs(X, F, B), outputs(Y)), 1, image.fill(1), filter.fill(2), bias.fill(3), out);
  CHECK(ran == static_cast<int>(everywhere::ways().size()));
  for (int e = 0; e < 2 * 4 * 3 * 3; ++e) {
    const int a = e / 36, b = e / 9 % 4, d = e / 3 % 3, g = e % 3;
    float acc = 0;
    for (int t = 0; t < 18; ++t) {
      const int v = b * 2 + t / 6 * 2 - 2, u = d * 2 + t / 2 % 3 * 2 - 2;
      if (v >= 0 && v < 7 && u >= 0 && u < 6) acc = std::fma(image(a, v, u, t % 2), filter(t / 6, t / 2 % 3, t % 2, g), acc);
    }
    expected(a, b, d, g) = acc + bias(g);
  }
  CHECK(out == expected);
}

TEST_CASE("nn: max and average pooling at the border") {
  Tensor<float, 2> X{"X"}, M{"M"}, A{"A"}, P{"P"};
  AnyOrder p{"p", 3}, q{"q", 3};
  Chain r{"r", 3}, s{"s", 3};
  const nn::Window w{.size = 3, .stride = 2, .pad = 1};
  Index y{"y", w.extent(X.extent(0))}, x{"x", w.extent(X.extent(1))};
  M(y, x) = nn::max_pool({p, q}, X(w.at(y, p), w.at(x, q)));
  A(y, x) = nn::avg_pool({r, s}, X(w.at(y, r), w.at(x, s)));
  P(y, x) = nn::avg_pool_padded({r, s}, X(w.at(y, r), w.at(x, s)));
  Array<float, 2> in(6, 5), m(3, 3), a(3, 3), b(3, 3);
  everywhere::run(Program(inputs(X), outputs(M, A, P)), 3, in.fill(4), m, a, b);
  for (int e = 0; e < 9; ++e) {
    float most = -INFINITY, sum = 0;
    int count = 0;
    for (int t = 0; t < 9; ++t) {
      const int v = e / 3 * 2 + t / 3 - 1, u = e % 3 * 2 + t % 3 - 1;
      if (v < 0 || v >= 6 || u < 0 || u >= 5) continue;
      most = std::fmax(most, in(v, u)), sum += in(v, u), ++count;
    }
    CHECK(m(e / 3, e % 3) == most);
    CHECK(a(e / 3, e % 3) == sum / static_cast<float>(count));
    CHECK(b(e / 3, e % 3) == sum / 9);
  }
}

TEST_CASE("nn: a linear layer of integers and of floats") {
  Tensor<float, 2> X{"X"}, W{"W"}, Y{"Y"};
  Tensor<float, 1> B{"B"};
  Tensor<i8, 2> I{"I"}, J{"J"};
  Tensor<i32, 2> Z{"Z"};
  Index n{"n"}, f{"f"};
  Chain k{"k"};
  AnyOrder a{"a"};
  Y(n, f) = nn::linear(k, X(n, k), W(f, k), B(f));
  Z(n, f) = nn::linear(a, I(n, a), J(f, a));
  Array<float, 2> x(3, 9), w(4, 9), y(3, 4);
  Array<float, 1> b(4);
  Array<i8, 2> in(3, 9), weight(4, 9);
  Array<i32, 2> z(3, 4);
  everywhere::run(Program(inputs(X, W, B, I, J), outputs(Y, Z)), 2, x.fill(1), w.fill(2), b.fill(3), in.fill(4), weight.fill(5), y, z);
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c) {
      i32 whole = 0;
      for (int t = 0; t < 9; ++t) whole += in(r, t) * weight(c, t);
      CHECK(z(r, c) == whole);
      CHECK(y(r, c) == ordered::chain(9, [&](int t, float acc) { return std::fma(x(r, t), w(c, t), acc); }) + b(c));
    }
}
}  // namespace
