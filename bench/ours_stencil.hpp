// ordo's side of the stencil benchmark.
#pragma once
#include <cstdlib>
#include <functional>
#include "bench/peers/stencil.hpp"
#include "ordo/cpu.hpp"
#include "ordo/ordo.hpp"

namespace bench {
struct Stencil {
  StencilOp op;
  long n0, n1, n2;               // of the output; n0 of a plane: 1
  long inputs() const {
    const long r = 2 * radius(op);
    return (is_3d(op) ? n0 + r : 1) * (n1 + r) * (n2 + r);
  }
  long outputs() const { return n0 * n1 * n2; }
};
// Input rows begin so that what lies above an output row begins with a cache line, as stencil codes lay them out.
inline long pitch(const Stencil& s) { return stencil_pitch(s.op, s.n2); }
enum class StencilSchedule { by_default, by_hand, unfused };
using StencilRun = std::function<void(const float* x, float* y)>;

inline StencilRun blurred(const Stencil& s, StencilSchedule how, const ordo::Target& target, const ordo::CompileOptions& options) {
  using namespace ordo;
  const i64 h = s.n1, w = s.n2;
  Tensor<float, 2> X{"X", {h + 2, w + 2}}, rows{"rows"}, Y{"Y"};
  Index y{"y", h + 2}, x{"x", w}, v{"v", h}, u{"u", w};
  rows(y, x) = fma(X(y, x), 0.25f, fma(X(y, x + 1), 0.5f, X(y, x + 2) * 0.25f));
  Y(v, u) = fma(rows(v, u), 0.25f, fma(rows(v + 1, u), 0.5f, rows(v + 2, u) * 0.25f));
  const auto scheduled = [&] {
    if (how == StencilSchedule::by_default) return compile(inputs(X), outputs(Y), target, options);
    Schedule t(Y);
    if (how == StencilSchedule::by_hand) {
      auto [v0, v1, v2] = t.split(v, {128, 4});
      auto [u0, u1, u2] = t.split(u, {256, 16});
      t.reorder(v0, v1, u0, u1, v2, u2);
      t[rows].compute_at(t, u0).store_at(t, v0).fold_storage(y);
      auto [x0, x1] = t[rows].split(x, 16);
      t[rows].reorder(x0, y, x1).unroll(y).vectorize(x1).prefetch(X, x0, 16);
      t.unroll(v2).vectorize(u2).parallel(v0).store_nontemporal();
    } else {
      auto [u0, u1] = t.split(u, 64);
      t.vectorize(u1).parallel(v, 64);
      auto [x0, x1] = t[rows].split(x, 64);
      t[rows].vectorize(x1).parallel(y, 64);
    }
    return compile(t, inputs(X), outputs(Y), target, options);
  };
  const auto kernel = scheduled();
  return [=](const float* in, float* out) { kernel(View<const float, 2>(in, {h + 2, w + 2}, {pitch(s), 1}), View<float, 2>(out, {h, w})); };
}

inline StencilRun flat(const Stencil& s, StencilSchedule how, const ordo::Target& target, const ordo::CompileOptions& options) {
  using namespace ordo;
  const i64 h = s.n1, w = s.n2, r = radius(s.op);
  Tensor<float, 2> X{"X", {h + 2 * r, w + 2 * r}}, Y{"Y"};
  Index i{"i", h}, j{"j", w};
  const auto at = [&](i64 a, i64 b) { return X(i + (r + a), j + (r + b)); };
  const float* c = stencil_weights;
  Expr<float> sum = at(0, 0) * c[0];
  if (s.op == StencilOp::star2d) sum = fma(at(0, -1) + at(0, 1) + at(-1, 0) + at(1, 0), c[1], sum);
  if (s.op == StencilOp::box2d) {
    sum = at(-2, -2) * (c[2] * c[2]);
    for (i64 a = -2; a <= 2; ++a)
      for (i64 b = -2; b <= 2; ++b)
        if (a != -2 || b != -2) sum = fma(at(a, b), c[std::abs(a)] * c[std::abs(b)], sum);
  }
  Y(i, j) = sum;
  const auto scheduled = [&] {
    if (how == StencilSchedule::by_default) return compile(inputs(X), outputs(Y), target, options);
    Schedule t(Y);
    auto [i0, i1, i2] = t.split(i, {64, 4});
    auto [j0, j1] = t.split(j, 16);
    t.reorder(i0, i1, j0, i2, j1).unroll(i2).vectorize(j1).parallel(i0).prefetch(X, i1).store_nontemporal();
    return compile(t, inputs(X), outputs(Y), target, options);
  };
  const auto kernel = scheduled();
  return [=](const float* in, float* out) { kernel(View<const float, 2>(in, {h + 2 * r, w + 2 * r}, {pitch(s), 1}), View<float, 2>(out, {h, w})); };
}

inline StencilRun solid(const Stencil& s, StencilSchedule how, const ordo::Target& target, const ordo::CompileOptions& options) {
  using namespace ordo;
  const i64 d = s.n0, h = s.n1, w = s.n2, r = radius(s.op);
  Tensor<float, 3> X{"X", {d + 2 * r, h + 2 * r, w + 2 * r}}, Y{"Y"};
  Index z{"z", d}, i{"i", h}, j{"j", w};
  const auto at = [&](i64 a, i64 b, i64 c) { return X(z + (r + a), i + (r + b), j + (r + c)); };
  Expr<float> sum = at(0, 0, 0) * stencil_weights[0];
  for (i64 k = 1; k <= r; ++k) {
    const float c = stencil_weights[k];
    sum = fma(at(0, 0, -k) + at(0, 0, k), c, fma(at(0, -k, 0) + at(0, k, 0), c, fma(at(-k, 0, 0) + at(k, 0, 0), c, sum)));
  }
  Y(z, i, j) = sum;
  const auto scheduled = [&] {
    if (how == StencilSchedule::by_default) return compile(inputs(X), outputs(Y), target, options);
    Schedule t(Y);
    auto [z0, z1] = t.split(z, 4);
    auto [i0, i1] = t.split(i, 32);
    auto [j0, j1] = t.split(j, 16);
    t.reorder(i0, z0, i1, j0, z1, j1).unroll(z1).vectorize(j1).parallel(i0).prefetch(X, z0).store_nontemporal();
    return compile(t, inputs(X), outputs(Y), target, options);
  };
  const auto kernel = scheduled();
  return [=](const float* in, float* out) {
    kernel(View<const float, 3>(in, {d + 2 * r, h + 2 * r, w + 2 * r}, {(h + 2 * r) * pitch(s), pitch(s), 1}), View<float, 3>(out, {d, h, w}));
  };
}

inline StencilRun ours(const Stencil& s, StencilSchedule how, const ordo::Target& target) {
  ordo::CompileOptions options;
  options.cache = "";
  if (s.op == StencilOp::blur) return blurred(s, how, target, options);
  return is_3d(s.op) ? solid(s, how, target, options) : flat(s, how, target, options);
}
}  // namespace bench
