// ordo's side of the rows benchmark: definitions of nn.hpp or of the language, compiled without a schedule.
#pragma once
#include <utility>
#include "bench/peers/rows.hpp"
#include "ordo/cpu.hpp"
#include "ordo/nn.hpp"
#include "ordo/ordo.hpp"

namespace bench {
template <class Kind>
ordo::Expr<float> defined(RowOp op, const ordo::Tensor<float, 2>& X, const ordo::Tensor<float, 2>& other, ordo::Index i, ordo::Index j) {
  using namespace ordo;
  Lanes<32> l{"l"};
  const Expr<float> x = X(i, l);
  if (op == RowOp::softmax) return nn::softmax<Kind>(l, x).at(j);
  if (op == RowOp::log_softmax) return nn::log_softmax<Kind>(l, x).at(j);
  if (op == RowOp::layer_norm) return nn::layer_norm(l, x, layer_epsilon).at(j) * other(0, j) + other(1, j);
  return nn::rms_norm(l, x, rms_epsilon).at(j) * other(0, j);
}

// Inputs x and other, output y, of the shapes that RowRun names.
inline ordo::AnyKernel rows_kernel(const Rows& r, bool approximate, const ordo::Target& target) {
  using namespace ordo;
  const Expr<i64> rows = constant<i64>(r.rows), columns = constant<i64>(r.columns), all = constant<i64>(r.rows * r.columns);
  Index i{"i"}, j{"j"};
  CompileOptions options;
  options.cache = "";
  const auto compiled = [&](auto ins, auto outs) { return compile(Program(ins, outs), target, options); };
  switch (r.op) {
    case RowOp::copy:
    case RowOp::chain: {
      Tensor<float, 1> X{"X", {all}}, O{"O", {all}}, Y{"Y", {all}};
      const auto& f = chain_factors;
      if (r.op == RowOp::copy) Y(i) = X(i);
      else Y(i) = fma(fma(fma(fma(fma(X(i), f[0], O(i)), f[1], X(i)), f[2], O(i)), f[3], X(i)), f[4], O(i));
      return r.op == RowOp::copy ? compiled(inputs(X), outputs(Y)) : compiled(inputs(X, O), outputs(Y));
    }
    case RowOp::sum:
    case RowOp::dot: {           // blocks, so that threads have something to share
      Tensor<float, 1> X{"X", {all}}, O{"O", {all}};
      Tensor<float, 0> Y{"Y"};
      Blocks<1 << 15, Lanes<64>> k{"k"};
      if (r.op == RowOp::sum) Y() = sum(k, X(k));
      else Y() = sum(k, X(k) * O(k));
      return r.op == RowOp::sum ? compiled(inputs(X), outputs(Y)) : compiled(inputs(X, O), outputs(Y));
    }
    case RowOp::row_sum: {
      Tensor<float, 2> X{"X", {rows, columns}};
      Tensor<float, 1> Y{"Y", {rows}};
      Lanes<64> l{"l"};
      Y(i) = sum(l, X(i, l));
      return compiled(inputs(X), outputs(Y));
    }
    case RowOp::argmax: {
      Tensor<float, 2> X{"X", {rows, columns}};
      Tensor<i32, 1> Y{"Y", {rows}};
      AnyOrder l{"l"};
      Y(i) = cast<i32>(argmax(l, X(i, l)).index);
      return compiled(inputs(X), outputs(Y));
    }
    case RowOp::transpose: {
      Tensor<float, 2> X{"X", {rows, columns}}, Y{"Y", {columns, rows}};
      Y(j, i) = X(i, j);
      return compiled(inputs(X), outputs(Y));
    }
    case RowOp::softmax:
    case RowOp::log_softmax:
    case RowOp::layer_norm:
    case RowOp::rms_norm: break;
  }
  Tensor<float, 2> X{"X", {rows, columns}}, O{"O", {constant<i64>(2), columns}}, Y{"Y", {rows, columns}};
  Y(i, j) = approximate ? defined<nn::Approx>(r.op, X, O, i, j) : defined<nn::Exact>(r.op, X, O, i, j);
  const bool norm = r.op == RowOp::layer_norm || r.op == RowOp::rms_norm;
  return norm ? compiled(inputs(X, O), outputs(Y)) : compiled(inputs(X), outputs(Y));
}

inline RowRun ours(const Rows& r, bool approximate, const ordo::Target& target) {
  using ordo::View;
  const ordo::AnyKernel kernel = rows_kernel(r, approximate, target);
  const long m = r.rows, n = r.columns, all = m * n;
  switch (r.op) {
    case RowOp::copy:
      return [=](const float* x, const float*, void* y) {
        kernel({View<const float, 1>(x, {all}), View<float, 1>(static_cast<float*>(y), {all})});
      };
    case RowOp::chain:
      return [=](const float* x, const float* o, void* y) {
        kernel({View<const float, 1>(x, {all}), View<const float, 1>(o, {all}), View<float, 1>(static_cast<float*>(y), {all})});
      };
    case RowOp::sum:
      return [=](const float* x, const float*, void* y) {
        kernel({View<const float, 1>(x, {all}), View<float, 0>(*static_cast<float*>(y))});
      };
    case RowOp::dot:
      return [=](const float* x, const float* o, void* y) {
        kernel({View<const float, 1>(x, {all}), View<const float, 1>(o, {all}), View<float, 0>(*static_cast<float*>(y))});
      };
    case RowOp::row_sum:
      return [=](const float* x, const float*, void* y) {
        kernel({View<const float, 2>(x, {m, n}), View<float, 1>(static_cast<float*>(y), {m})});
      };
    case RowOp::argmax:
      return [=](const float* x, const float*, void* y) {
        kernel({View<const float, 2>(x, {m, n}), View<int, 1>(static_cast<int*>(y), {m})});
      };
    case RowOp::transpose:
      return [=](const float* x, const float*, void* y) {
        kernel({View<const float, 2>(x, {m, n}), View<float, 2>(static_cast<float*>(y), {n, m})});
      };
    case RowOp::layer_norm:
    case RowOp::rms_norm:
      return [=](const float* x, const float* o, void* y) {
        kernel({View<const float, 2>(x, {m, n}), View<const float, 2>(o, {2, n}), View<float, 2>(static_cast<float*>(y), {m, n})});
      };
    case RowOp::softmax:
    case RowOp::log_softmax: break;
  }
  return [=](const float* x, const float*, void* y) {
    kernel({View<const float, 2>(x, {m, n}), View<float, 2>(static_cast<float*>(y), {m, n})});
  };
}
}  // namespace bench
