// Programs that the tests of nest schedule, and directives by name with lines that do not move.
#pragma once
#include <string>
#include <vector>
#include "ordo/lang/lang.hpp"
#include "ordo/nest/nest.hpp"

namespace made {
using namespace ordo;

inline ir::Program staged(std::vector<AnyTensor> outputs) {
  std::vector<ir::Ref> raw;
  for (const AnyTensor& output : outputs) raw.push_back(output.node);
  return ir::stages(ir::snapshot(nullptr, 0, raw.data(), static_cast<int>(raw.size()), {}, true));
}

// C(i, j) = sum(k, A(i, k) * B(k, j)): 64 x N over K
inline ir::Program matmul() {
  Dim N{"N"}, K{"K"};
  Tensor<float, 2> A{"A", {64, K}}, B{"B", {K, N}}, C{"C"};
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  C(i, j) = sum(k, A(i, k) * B(k, j));
  return staged({C});
}
inline ir::Program fixed_matmul() {
  Tensor<float, 2> A{"A", {64, 32}}, B{"B", {32, 48}}, C{"C"};
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  C(i, j) = sum(k, A(i, k) * B(k, j));
  return staged({C});
}
// D is a matrix product, E its scaled copy, C reads E and a bias.
inline ir::Program epilogue() {
  Dim N{"N"}, K{"K"};
  Tensor<float, 2> A{"A", {64, K}}, B{"B", {K, N}}, C{"C"}, D{"D"}, E{"E"};
  Tensor<float, 1> bias{"bias", {N}};
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  D(i, j) = sum(k, A(i, k) * B(k, j));
  E(i, j) = D(i, j) * 2;
  C(i, j) = maximum(E(i, j) + bias(j), 0);
  return staged({C});
}
// A horizontal and a vertical mean of three; by reads bx at three places.
inline ir::Program stencil() {
  Dim H{"H"}, W{"W"};
  Tensor<float, 2> I{"I", {H, W}}, bx{"bx"}, by{"by"};
  Index y{"y"}, x{"x", W - 2}, v{"v", H - 2};
  bx(y, x) = (I(y, x) + I(y, x + 1) + I(y, x + 2)) / 3;
  by(v, x) = (bx(v, x) + bx(v + 1, x) + bx(v + 2, x)) / 3;
  return staged({by});
}

// Rows: m the largest of each, E their exponents, S the sums of those, Y each by its sum.
inline ir::Program rows() {
  Dim M{"M"}, N{"N"};
  Tensor<float, 2> X{"X", {M, N}}, E{"E"}, Y{"Y"};
  Tensor<float, 1> m{"m"}, S{"S"};
  Index i{"i"}, j{"j"};
  AnyOrder q{"q"};
  Lanes<16> l{"l"};
  m(i) = max(q, X(i, q));
  E(i, j) = exp(X(i, j) - m(i));
  S(i) = sum(l, E(i, l));
  Y(i, j) = E(i, j) / S(i);
  return staged({Y});
}

inline nest::Directive directive(const char* name, const char* stage, std::vector<std::string> loops, int line) {
  nest::Directive d;
  d.name = name;
  d.stage = stage;
  d.loops = std::move(loops);
  d.at = {"gemm.cpp", line};
  return d;
}

// A nest under directives, each on the next line of gemm.cpp.
class Sketch {
 public:
  explicit Sketch(ir::Program staged) : nest(ordo::nest::make(std::move(staged))) {}
  Sketch& split(const char* stage, const char* loop, std::vector<std::string> factors, Tail tail = Tail::mask) {
    ordo::nest::Directive d = directive("split", stage, {loop}, ++line);
    d.factors = std::move(factors);
    d.tail = tail;
    return add(d);
  }
  Sketch& fuse(const char* stage, const char* outer, const char* inner) { return add(directive("fuse", stage, {outer, inner}, ++line)); }
  Sketch& reorder(const char* stage, std::vector<std::string> loops) { return add(directive("reorder", stage, std::move(loops), ++line)); }
  Sketch& unroll(const char* stage, const char* loop) { return add(directive("unroll", stage, {loop}, ++line)); }
  Sketch& vectorize(const char* stage, const char* loop) { return add(directive("vectorize", stage, {loop}, ++line)); }
  Sketch& parallel(const char* stage, const char* loop, const char* grain = nullptr) {
    ordo::nest::Directive d = directive("parallel", stage, {loop}, ++line);
    if (grain != nullptr) d.factors = {grain};
    return add(d);
  }
  Sketch& prefetch(const char* stage, const char* tensor, const char* loop, const char* distance = "1") {
    ordo::nest::Directive d = directive("prefetch", stage, {loop}, ++line);
    d.tensor = tensor;
    d.factors = {distance};
    return add(d);
  }
  Sketch& store_nontemporal(const char* stage) { return add(directive("store_nontemporal", stage, {}, ++line)); }
  Sketch& pack(const char* stage, const char* tensor, const char* loop = nullptr, ordo::nest::PackOptions options = {}) {
    ordo::nest::Directive d = directive("pack", stage, {}, ++line);
    if (loop != nullptr) d.loops = {loop};
    d.tensor = tensor;
    d.pack = options;
    return add(d);
  }
  Sketch& inline_(const char* stage) { return add(directive("inline_", stage, {}, ++line)); }
  Sketch& compute_root(const char* stage) { return add(directive("compute_root", stage, {}, ++line)); }
  Sketch& compute_at(const char* stage, const char* host, const char* loop) {
    ordo::nest::Directive d = directive("compute_at", stage, {loop}, ++line);
    d.tensor = host;
    return add(d);
  }
  Sketch& store_at(const char* stage, const char* host, const char* loop = nullptr) {
    ordo::nest::Directive d = directive("store_at", stage, {}, ++line);
    if (loop != nullptr) d.loops = {loop};
    d.tensor = host;
    return add(d);
  }
  Sketch& fold_storage(const char* stage, const char* loop, const char* ring = nullptr) {
    ordo::nest::Directive d = directive("fold_storage", stage, {loop}, ++line);
    if (ring != nullptr) d.factors = {ring};
    return add(d);
  }
  Sketch& cache_write(const char* stage, const char* loop) { return add(directive("cache_write", stage, {loop}, ++line)); }
  Sketch& layout(const char* stage, std::vector<std::string> places) {
    ordo::nest::Directive d = directive("layout", stage, {}, ++line);
    d.factors = std::move(places);
    return add(d);
  }
  Sketch& align(const char* stage, const char* tensor, const char* bytes) {
    ordo::nest::Directive d = directive("align", stage, {}, ++line);
    d.tensor = tensor;
    d.factors = {bytes};
    return add(d);
  }
  Sketch& add(const ordo::nest::Directive& d) {
    ordo::nest::apply(nest, d);
    ordo::nest::verify(nest);
    trace.push_back(d);
    return *this;
  }
  std::string text() const { return print(nest); }

  ordo::nest::Nest nest;
  ordo::nest::Trace trace;
  int line = 9;
};
}  // namespace made
