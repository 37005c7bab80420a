// A staged program has the bits of the program: programs of every kind, on numbers that round.
#include "made.hpp"
#include "ordo/ir/simplify.hpp"
#include "ordo/lang/lang.hpp"

namespace {
using namespace ordo;

std::vector<made::Bits> run(const ir::Program& program, const std::vector<i64>& dims) {
  std::vector<made::Data> data;
  u64 seed = 1;
  const auto add = [&](int number, bool filled) {
    const ir::TensorInfo& t = program.tensors[static_cast<std::size_t>(number)];
    std::vector<i64> shape;
    for (ir::Ref size : t.shape) shape.push_back(ir::evaluate(size, dims.data()));
    made::Data d = made::empty(t.type, shape);
    for (i64 k = 0; filled && k < d.elements(); ++k) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      const double value =
          is_float(t.type) ? static_cast<double>(static_cast<i64>(seed >> 40)) / 4194304.0 - 2 : static_cast<double>(seed >> 62);
      soft::store(t.type, d.bytes.data() + k * bytes_of(t.type),
                  is_float(t.type) ? soft::from_double(compute_type(t.type), value) : static_cast<u64>(value));
    }
    data.push_back(d);
  };
  for (int number : program.inputs) add(number, true);
  for (int number : program.outputs) add(number, false);
  std::vector<Argument> arguments;
  for (made::Data& d : data) arguments.push_back(d.argument());
  interpret(program, arguments.data(), static_cast<int>(arguments.size()));
  std::vector<made::Bits> results;
  for (std::size_t k = program.inputs.size(); k < data.size(); ++k) results.push_back(made::bits(data[k]));
  return results;
}
// All Dims are of this size.
void same_bits(std::initializer_list<AnyTensor> outputs, i64 size) {
  std::vector<ir::Ref> raw;
  for (const AnyTensor& output : outputs) raw.push_back(output.node);
  const ir::Program whole = ir::snapshot(nullptr, 0, raw.data(), static_cast<int>(raw.size()), {}, true);
  const ir::Program staged = ir::stages(whole), copied = ir::copy(staged);
  ir::verify(whole);
  ir::verify(staged);
  ir::verify(copied);
  const std::vector<i64> dims(whole.dims.size(), size);
  const std::vector<made::Bits> expected = run(whole, dims);
  CHECK(expected == run(staged, dims));
  CHECK(expected == run(copied, dims));
}
}  // namespace

TEST_CASE("stages: softmax in one definition") {
  Tensor<float, 2> X{"X"}, Y{"Y"};
  Index i{"i"}, j{"j"};
  Lanes<4> l{"l"}, u{"u"};
  const auto shifted = [&](auto at) { return X(i, at) - max(l, X(i, l)); };
  Y(i, j) = shifted(j) / sum(u, shifted(u));
  same_bits({Y}, 7);
}
TEST_CASE("stages: causal attention") {
  Tensor<float, 2> S{"S"}, V{"V"}, P{"P"}, O{"O"};
  Index q{"q"}, t{"t"}, d{"d"};
  AnyOrder u{"u"};
  Chain k{"k"}, l{"l"};
  P(q, t) = select(t <= q, S(q, t) - max(u, S(q, u), u <= q), 0);
  O(q, d) = sum(k, P(q, k) * V(k, d)) / sum(l, P(q, l));
  same_bits({O}, 6);
}
TEST_CASE("stages: flash attention in blocks of four") {
  Dim T{"T"};
  Tensor<float, 2> S{"S", {T, T}}, V{"V", {T, T}}, m{"m"}, L{"L"}, O{"O"};
  Tensor<float, 3> P{"P"}, A{"A"};
  Index q{"q"}, p{"p", 4}, d{"d"};
  Scan kb{"kb", (T + 3) / 4};
  AnyOrder u{"u", 4};
  Chain kk{"kk", 4};
  const auto key = [&](auto at) { return kb * 4 + at; };
  const auto seen = [&](auto at) { return key(at) < T && key(at) <= q; };
  m(q, kb) = scan(kb, -inf<float>(), maximum(m(q, kb - 1), max(u, S(q, key(u)), seen(u))));
  P(q, kb, p) = select(seen(p), S(q, key(p)) - m(q, kb), 0);
  const Expr<float> keep = abs(m(q, kb - 1)) - m(q, kb);
  L(q, kb) = scan(kb, 0, fma(L(q, kb - 1), keep, sum(kk, P(q, kb, kk))));
  A(q, d, kb) = scan(kb, 0, fma(A(q, d, kb - 1), keep, sum(kk, P(q, kb, kk) * V(key(kk), d), key(kk) < T)));
  O(q, d) = A(q, d, kb.extent() - 1) / L(q, kb.extent() - 1);
  same_bits({O}, 6);
}
TEST_CASE("stages: a recurrent network whose step sums what it fed back") {
  Tensor<float, 3> x{"x"}, W{"W"}, U{"U"};
  Tensor<float, 2> c0{"c0"}, h0{"h0"};
  Tensor<float, 4> G{"G"};
  Tensor<float, 3> c{"c"}, h{"h"};
  Scan t{"t"};
  Index b{"b"}, g{"g"}, j{"j"};
  Chain k{"k"}, n{"n"};
  G(t, b, g, j) = sum(k, x(t, b, k) * W(g, j, k)) + sum(n, h(t - 1, b, n) * U(g, j, n));
  c(t, b, j) = scan(t, c0(b, j), G(t, b, 2, j) * c(t - 1, b, j) + G(t, b, 0, j) * G(t, b, 3, j));
  h(t, b, j) = scan(t, h0(b, j), G(t, b, 1, j) * c(t, b, j));
  same_bits({h, c}, 4);
}
TEST_CASE("stages: ranks, a best place, and a choice by it") {
  Tensor<float, 1> X{"X"}, V{"V"}, Z{"Z"};
  Tensor<i64, 1> R{"R"};
  Index i{"i"}, r{"r"};
  AnyOrder a{"a"}, l{"l"};
  R(i) = count(a, X(a) > X(i) || (X(a) == X(i) && a < i));
  const auto best = argmin(l, X(l));
  V(i) = X(best.index) + X(i) + best.value;
  Z(i) = best.value * X(i);
  same_bits({R, V, Z}, 9);
}
TEST_CASE("stages: a sum in a sum, in a guard, in a condition") {
  Tensor<float, 2> X{"X"}, Y{"Y"}, Z{"Z"};
  Index i{"i"}, j{"j"};
  Chain k{"k"}, l{"l"};
  const Expr<float> rows = sum(l, X(i, l));
  Y(i, j) = sum(k, sum(l, X(k, l) * X(j, l)) * X(i, k), k < i) + select(rows > 0, rows / X(i, j), X(j, i));
  Z(i, j) = select(rows > 0 && sum(l, X(l, j)) > 0, rows, sum({k, l}, X(k, l)));
  same_bits({Y, Z}, 5);
}
TEST_CASE("stages: a convolution at its border, cut into blocks of channels") {
  Tensor<float, 2> X{"X"}, Y{"Y"};
  Index y{"y", X.extent(0)}, f{"f"};
  Chain r{"r", 3}, c{"c"};
  const auto [co, ci] = cut(c, 4);
  const auto at = X(y + r - 1, c);
  Tensor<float, 3> G{"G", {3, X.extent(1), X.extent(1)}};
  Y(y, f) = sum({co, r, ci}, at * G(r, c, f), inside(at)) + max(r, X(y + r - 1, f), inside(X(y + r - 1, f)));
  same_bits({Y}, 6);
}
