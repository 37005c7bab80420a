// The canonical programs of the language, as far as its functions exist; where exp, tanh or a random number would stand, abs does.
#pragma once
#include <string>
#include <vector>
#include "ordo/lang/lang.hpp"

namespace canonical {
using namespace ordo;
struct Named { std::string name; ordo::Program program; };

inline ordo::Program matmul() {
  Dim M{"M"}, N{"N"}, K{"K"};
  Tensor<float, 2> A{"A", {M, K}}, B{"B", {K, N}}, C{"C"};
  Tensor<float, 1> bias{"bias"};
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  C(i, j) = maximum(sum(k, A(i, k) * B(k, j)) + bias(j), 0);
  return {inputs(A, B, bias), outputs(C)};
}
inline ordo::Program batched() {
  Tensor<f16, 3> A{"A"}, B{"B"}, C{"C"};
  Index b{"b"}, i{"i"}, j{"j"};
  Chain k{"k"};
  C(b, i, j) = sum(k, A(b, i, k) * B(b, j, k));
  return {inputs(A, B), outputs(C)};
}
inline ordo::Program convolution() {
  Dim N{"N"}, H{"H"}, W{"W"}, G{"G"}, Cg{"Cg"}, Fg{"Fg"}, R{"R"}, S{"S"};
  const i64 stride = 2, dil = 2, pad = 1;
  Tensor<float, 5> X{"X", {N, H, W, G, Cg}}, F{"F", {R, S, G, Cg, Fg}}, Y{"Y"};
  Index n{"n"}, g{"g"}, f{"f"};
  Index y{"y", (H + 2 * pad - dil * (R - 1) - 1) / stride + 1}, x{"x", (W + 2 * pad - dil * (S - 1) - 1) / stride + 1};
  Chain r{"r", R}, s{"s", S}, c{"c"};
  auto at = X(n, y * stride + r * dil - pad, x * stride + s * dil - pad, g, c);
  Y(n, y, x, g, f) = sum({r, s, c}, at * F(r, s, g, c, f), inside(at));
  return {inputs(X, F), outputs(Y)};
}
inline ordo::Program blocked_convolution() {
  Dim CB{"CB"}, H{"H"};
  Tensor<float, 3> X{"X", {CB, H, 4}}, F{"F", {CB, 3, 4}};
  Tensor<float, 1> Y{"Y"}, Z{"Z"};
  Index y{"y", H - 2};
  Chain cb{"cb"}, r{"r"}, c{"c"}, t{"t", 3}, d{"d", CB * 4 - 1};
  Y(y) = sum({cb, r, c}, X(cb, y + r, c) * F(cb, r, c));
  auto [co, ci] = cut(d, 16);
  Z(y) = sum({co, t, ci}, X(d / 4, y + t, d % 4) * F(d / 4, t, d % 4));
  return {inputs(X, F), outputs(Y, Z)};
}
inline ordo::Program depthwise() {
  Dim N{"N"}, H{"H"}, W{"W"}, C{"C"};
  Tensor<float, 4> X{"X", {N, H, W, C}}, Z{"Z"};
  Tensor<float, 3> F{"F", {3, 3, C}};
  Index n{"n"}, y{"y", H - 2}, x{"x", W - 2}, c{"c"};
  Chain r{"r"}, s{"s"};
  Z(n, y, x, c) = sum({r, s}, X(n, y + r, x + s, c) * F(r, s, c));
  return {inputs(X, F), outputs(Z)};
}
inline ordo::Program max_pool() {
  Dim N{"N"}, H{"H"}, W{"W"}, C{"C"};
  Tensor<float, 4> X{"X", {N, H, W, C}}, Y{"Y"};
  Index n{"n"}, y{"y", (H - 1) / 2 + 1}, x{"x", (W - 1) / 2 + 1}, c{"c"};
  AnyOrder p{"p", 3}, q{"q", 3};
  auto win = X(n, 2 * y + p - 1, 2 * x + q - 1, c);
  Y(n, y, x, c) = max({p, q}, win, inside(win));
  return {inputs(X), outputs(Y)};
}
inline ordo::Program softmax() {
  Tensor<float, 2> X{"X"}, E{"E"}, Y{"Y"};
  Index i{"i"}, j{"j"};
  Lanes<16> l{"l"};
  E(i, j) = abs(X(i, j) - max(l, X(i, l)));
  Y(i, j) = E(i, j) / sum(l, E(i, l));
  return {inputs(X), outputs(Y)};
}
inline ordo::Program layer_norm() {
  Tensor<float, 2> X{"X"}, Y{"Y"};
  Tensor<float, 1> mean{"mean"}, var{"var"}, g{"g"}, b{"b"};
  Scalar<float> eps{"eps"};
  Index i{"i"}, j{"j"};
  Blocks<1024, Lanes<16>> l{"l"};
  mean(i) = sum(l, X(i, l)) / cast<float>(X.extent(1));
  auto d = X(i, l) - mean(i);
  var(i) = sum(l, d * d) / cast<float>(X.extent(1));
  Y(i, j) = (X(i, j) - mean(i)) * (1 / sqrt(var(i) + eps)) * g(j) + b(j);
  return {inputs(X, g, b, eps), outputs(Y)};
}
struct Moments { Expr<float> mean, m2, n; };
inline ordo::Program welford() {
  Tensor<float, 2> X{"X"};
  Tensor<float, 1> M{"M"}, V{"V"};
  Index i{"i"};
  Lanes<8> l{"l"};
  auto w = reduce(
      l, Moments{0, 0, 0},
      [&](Moments a) {
        Expr<float> n = a.n + 1, e = X(i, l) - a.mean, m = a.mean + e / n;
        return Moments{m, fma(e, X(i, l) - m, a.m2), n};
      },
      [](Moments a, Moments c) {
        Expr<float> n = a.n + c.n, e = c.mean - a.mean, f = select(n > 0, c.n / n, 0);
        return Moments{fma(e, f, a.mean), a.m2 + c.m2 + e * e * a.n * f, n};
      });
  M(i) = w.mean;
  V(i) = w.m2 / w.n;
  return {inputs(X), outputs(M, V)};
}
inline ordo::Program rms_norm() {
  Tensor<float, 2> X{"X"}, Y{"Y"};
  Tensor<float, 1> g{"g"};
  Index i{"i"}, j{"j"};
  Blocks<64> l{"l"};
  Y(i, j) = X(i, j) * (1 / sqrt(sum(l, X(i, l) * X(i, l)) / cast<float>(X.extent(1)) + 1e-5)) * g(j);
  return {inputs(X, g), outputs(Y)};
}
inline ordo::Program attention() {
  Tensor<float, 3> Q{"Q"}, K{"K"}, V{"V"}, S{"S"}, P{"P"}, O{"O"};
  Index h{"h"}, q{"q"}, t{"t"}, d{"d"};
  Chain e{"e"}, k{"k"}, l{"l"};
  AnyOrder u{"u"};
  S(h, q, t) = sum(e, Q(h, q, e) * K(h, t, e)) * 0.125;
  P(h, q, t) = select(t <= q, abs(S(h, q, t) - max(u, S(h, q, u), u <= q)), 0);
  O(h, q, d) = sum(k, P(h, q, k) * V(h, k, d)) / sum(l, P(h, q, l));
  return {inputs(Q, K, V), outputs(O)};
}
struct Online { Expr<float> m, l, o; };
inline ordo::Program online_attention() {
  Tensor<float, 3> Q{"Q"}, K{"K"}, V{"V"}, S{"S"}, O{"O"};
  Index h{"h"}, q{"q"}, t{"t"}, d{"d"};
  Chain e{"e"}, k{"k"};
  S(h, q, t) = sum(e, Q(h, q, e) * K(h, t, e)) * 0.125;
  auto st = reduce(k, Online{-inf<float>(), 0, 0}, [&](Online a) {
    Expr<float> x = S(h, q, k), m = maximum(a.m, x), keep = abs(a.m - m), p = abs(x - m);
    return Online{m, fma(a.l, keep, p), fma(p, V(h, k, d), a.o * keep)}; }, k <= q);
  O(h, q, d) = st.o / st.l;
  return {inputs(Q, K, V), outputs(O)};
}
inline ordo::Program flash_attention() {
  Dim H{"H"}, T{"T"}, D{"D"};
  Tensor<float, 3> S{"S", {H, T, T}}, V{"V", {H, T, D}}, m{"m"}, L{"L"}, O{"O"};
  Tensor<float, 4> P{"P"}, A{"A"};
  Index h{"h"}, q{"q", T}, p{"p", 64}, d{"d", D};
  Scan kb{"kb", (T + 63) / 64};
  AnyOrder u{"u", 64};
  Chain kk{"kk", 64};
  auto key = [&](auto at) { return kb * 64 + at; };
  auto seen = [&](auto at) { return key(at) < T && key(at) <= q; };
  m(h, q, kb) = scan(kb, -inf<float>(), maximum(m(h, q, kb - 1), max(u, S(h, q, key(u)), seen(u))));
  P(h, q, kb, p) = select(seen(p), abs(S(h, q, key(p)) - m(h, q, kb)), 0);
  Expr<float> keep = abs(m(h, q, kb - 1) - m(h, q, kb));
  L(h, q, kb) = scan(kb, 0, fma(L(h, q, kb - 1), keep, sum(kk, P(h, q, kb, kk))));
  A(h, q, d, kb) = scan(kb, 0, fma(A(h, q, d, kb - 1), keep, sum(kk, P(h, q, kb, kk) * V(h, key(kk), d), key(kk) < T)));
  O(h, q, d) = A(h, q, d, kb.extent() - 1) / L(h, q, kb.extent() - 1);
  return {inputs(S, V), outputs(O)};
}
inline ordo::Program argmax_rows() {
  Tensor<float, 2> X{"X"};
  Tensor<float, 1> V{"V"};
  Tensor<i64, 1> At{"At"};
  Index i{"i"};
  Lanes<4> l{"l"};
  auto best = argmax(l, X(i, l));
  V(i) = best.value;
  At(i) = best.index;
  return {inputs(X), outputs(V, At)};
}
inline ordo::Program top_k() {
  Tensor<float, 1> X{"X"}, V{"V"};
  Tensor<i64, 1> R{"R"}, I{"I"};
  Index i{"i"}, r{"r", 5};
  AnyOrder a{"a"};
  R(i) = count(a, X(a) > X(i) || (X(a) == X(i) && a < i));
  I(r) = sum(a, a, R(a) == r);
  V(r) = X(I(r));
  return {inputs(X), outputs(V, I)};
}
inline ordo::Program insertion() {
  Tensor<float, 1> X{"X"}, V{"V"};
  Tensor<float, 2> B{"B"};
  Index r{"r", 4};
  Scan t{"t"};
  Expr<float> up = select(r > 0, B(t - 1, r - 1), inf<float>()), x = X(t), old = B(t - 1, r);
  B(t, r) = scan(t, -inf<float>(), select(x > up, up, select(x > old, x, old)));
  V(r) = B(X.extent(0) - 1, r);
  return {inputs(X), outputs(V)};
}
inline ordo::Program embedding() {
  Dim N{"N"}, V{"V"}, D{"D"};
  Tensor<float, 2> E{"E", {V, D}}, dY{"dY", {N, D}}, Y{"Y"}, dE{"dE", {V, D}};
  Tensor<i32, 1> id{"id", {N}};
  Index n{"n"}, d{"d"}, v{"v"};
  Chain m{"m"};
  Y(n, d) = E(id(n), d);
  dE(v, d) = sum(m, dY(m, d), id(m) == cast<i32>(v));
  return {inputs(E, dY, id), outputs(Y, dE)};
}
inline ordo::Program cumulative_sum() {
  Tensor<float, 2> X{"X"}, Y{"Y"};
  Index i{"i"};
  Scan t{"t"};
  Y(i, t) = scan(t, 0, Y(i, t - 1) + X(i, t));
  return {inputs(X), outputs(Y)};
}
inline ordo::Program lstm() {
  Dim T{"T"}, B{"B"}, D{"D"}, H{"H"};
  Tensor<float, 3> x{"x", {T, B, D}}, W{"W", {4, H, D}}, U{"U", {4, H, H}}, c{"c", {T, B, H}}, h{"h", {T, B, H}};
  Tensor<float, 4> G{"G"};
  Tensor<float, 2> bias{"bias", {4, H}}, c0{"c0", {B, H}}, h0{"h0", {B, H}};
  Index b{"b"}, g{"g"}, j{"j"};
  Chain k{"k"}, m{"m"};
  Scan t{"t"};
  G(t, b, g, j) = sum(k, x(t, b, k) * W(g, j, k)) + sum(m, h(t - 1, b, m) * U(g, j, m)) + bias(g, j);
  c(t, b, j) = scan(t, c0(b, j), abs(G(t, b, 2, j)) * c(t - 1, b, j) + abs(G(t, b, 0, j)) * abs(G(t, b, 3, j)));
  h(t, b, j) = scan(t, h0(b, j), abs(G(t, b, 1, j)) * abs(c(t, b, j)));
  return {inputs(x, W, U, bias, c0, h0), outputs(h, c)};
}
struct Complex { Expr<float> re, im; };
inline Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
inline Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
inline Complex operator*(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
inline ordo::Program butterfly() {
  Dim B{"B"}, N{"N"};
  Tensor<float, 3> Xre{"Xre", {B, 2, N}}, Xim{"Xim", {B, 2, N}}, Yre{"Yre"}, Yim{"Yim"};
  Tensor<float, 1> wr{"wr", {N}}, wi{"wi", {N}};
  Index b{"b"}, j{"j"}, p{"p", 2};
  Complex e{Xre(b, 0, j), Xim(b, 0, j)}, o = Complex{Xre(b, 1, j), Xim(b, 1, j)} * Complex{wr(j), wi(j)}, u = e + o, v = e - o;
  Yre(b, p, j) = select(p == 0, u.re, v.re);
  Yim(b, p, j) = select(p == 0, u.im, v.im);
  return {inputs(Xre, Xim, wr, wi), outputs(Yre, Yim)};
}
inline ordo::Program box_blur() {
  Dim H{"H"}, W{"W"};
  Tensor<float, 2> I{"I", {H, W}}, bx{"bx"}, by{"by"};
  Index y{"y"}, x{"x", W - 2}, v{"v", H - 2};
  bx(y, x) = (I(y, x) + I(y, x + 1) + I(y, x + 2)) / 3;
  by(v, x) = (bx(v, x) + bx(v + 1, x) + bx(v + 2, x)) / 3;
  return {inputs(I), outputs(by)};
}
inline ordo::Program stencil() {
  Dim X{"X"}, Y{"Y"}, Z{"Z"};
  Tensor<float, 3> U{"U", {X, Y, Z}}, O{"O"};
  Tensor<float, 1> w{"w", {5}};
  Index x{"x", X - 8}, y{"y", Y - 8}, z{"z", Z - 8};
  auto at = [&](i64 a, i64 b, i64 c) { return U(x + 4 + a, y + 4 + b, z + 4 + c); };
  Expr<float> acc = w(0) * at(0, 0, 0);
  for (int r = 1; r <= 4; ++r) acc = acc + w(r) * (at(r, 0, 0) + at(-r, 0, 0) + at(0, r, 0) + at(0, -r, 0) + at(0, 0, r) + at(0, 0, -r));
  O(x, y, z) = acc;
  return {inputs(U, w), outputs(O)};
}
inline ordo::Program transposition() {
  Dim n{"n"}, m{"m"};
  Tensor<float, 2> A{"A"}, T{"T"};
  Tensor<float, 1> A1{"A1", {n}}, B1{"B1", {m}}, C{"C"};
  Index i{"i"}, j{"j"}, k{"k", n + m};
  T(i, j) = A(j, i);
  C(k) = select(k < n, A1(k), B1(k - n));
  return {inputs(A, A1, B1), outputs(T, C)};
}
inline ordo::Program histogram() {
  Tensor<u8, 1> X{"X"};
  Tensor<i64, 1> H{"H"};
  Index v{"v", 256};
  AnyOrder a{"a"};
  H(v) = count(a, X(a) == cast<u8>(v));
  return {inputs(X), outputs(H)};
}
inline ordo::Program int8_matmul() {
  Tensor<i8, 2> A{"A"}, B{"B"};
  Tensor<float, 2> Y{"Y"};
  Tensor<float, 1> sb{"sb"};
  Scalar<float> sa{"sa"};
  Scalar<i32> za{"za"};
  Index i{"i"}, j{"j"};
  AnyOrder a{"a"};
  Y(i, j) = cast<float>(sum(a, (A(i, a) - za) * B(a, j))) * (sa * sb(j));
  return {inputs(A, B, sb, sa, za), outputs(Y)};
}
inline ordo::Program adam() {
  Tensor<float, 1> m{"m"}, v{"v"}, g{"g"}, w{"w"}, m2{"m2"}, v2{"v2"}, w2{"w2"};
  Scalar<float> lr{"lr"}, b1{"b1"}, b2{"b2"}, eps{"eps"};
  Index n{"n"};
  m2(n) = b1 * m(n) + (1 - b1) * g(n);
  v2(n) = b2 * v(n) + (1 - b2) * (g(n) * g(n));
  w2(n) = w(n) - lr * (m2(n) / (1 - b1)) / (sqrt(v2(n) / (1 - b2)) + eps);
  return {inputs(m, v, g, w, lr, b1, b2, eps), outputs(m2, v2, w2)};
}
inline ordo::Program bilinear() {
  Dim H{"H"}, OH{"OH"}, C{"C"};
  Tensor<float, 2> X{"X", {H, C}}, Y{"Y", {OH, C}};
  Index y{"y"}, c{"c"};
  Expr<float> sy = (cast<float>(y) + 0.5) * (cast<float>(H) / cast<float>(OH)) - 0.5;
  Expr<i64> y0 = cast<i64>(floor(sy));
  Y(y, c) = X(clip(y0, 0, H - 1), c) + (sy - floor(sy)) * (X(clip(y0 + 1, 0, H - 1), c) - X(clip(y0, 0, H - 1), c));
  return {inputs(X), outputs(Y)};
}
inline ordo::Program upsampling() {
  Dim H{"H"}, W{"W"}, D{"D"};
  Tensor<float, 3> F{"F", {H, W, D}};
  Tensor<float, 5> M{"M", {H, W, 9, 8, 8}}, U{"U"};
  Index a{"a", H}, b{"b", W}, u{"u"}, v{"v"}, d{"d"};
  Chain k{"k", 9};
  auto nb = F(a + k / 3 - 1, b + k % 3 - 1, d);
  U(a, u, b, v, d) = sum(k, M(a, b, k, u, v) * (8 * nb), inside(nb));
  return {inputs(M, F), outputs(U)};
}

inline std::vector<Named> all() {
  return {{"matmul", matmul()},
          {"batched", batched()},
          {"convolution", convolution()},
          {"blocked convolution", blocked_convolution()},
          {"depthwise", depthwise()},
          {"max pool", max_pool()},
          {"softmax", softmax()},
          {"layer norm", layer_norm()},
          {"welford", welford()},
          {"rms norm", rms_norm()},
          {"attention", attention()},
          {"online attention", online_attention()},
          {"flash attention", flash_attention()},
          {"argmax", argmax_rows()},
          {"top k", top_k()},
          {"insertion", insertion()},
          {"embedding", embedding()},
          {"cumulative sum", cumulative_sum()},
          {"lstm", lstm()},
          {"butterfly", butterfly()},
          {"box blur", box_blur()},
          {"stencil", stencil()},
          {"transposition", transposition()},
          {"histogram", histogram()},
          {"int8 matmul", int8_matmul()},
          {"adam", adam()},
          {"bilinear", bilinear()},
          {"upsampling", upsampling()}};
}
}  // namespace canonical
