#include "ir/made.hpp"
#include "ordo/ir/draft.hpp"

using namespace made;

namespace {
struct Sequence : Front {
  Ref t = scan_axis("t"), i = index("i"), j = index("j"), before = sub(t, number(1));
  Ref scan(Ref init, Ref value) { return b.scan(t, init, value, line(7)); }
};
}  // namespace

TEST_CASE("recurrence: a cumulative sum reads itself at t - 1") {
  Sequence f;
  const Ref X = f.tensor("X", 2), Y = f.tensor("Y", 2);
  f.define(Y, {f.i, f.t}, f.scan(f.real(0), f.add(f.at(Y, {f.i, f.before}), f.at(X, {f.i, f.t}))));
  CHECK(definitions(f.program({X}, {Y})) == "Y[i, scan t]: f32[X.0, X.1] = scan(t, 0.0, Y[i, t - 1] + X[i, t])\n");
}
TEST_CASE("recurrence: an LSTM is one group, in the order of its step, and shapes follow around it") {
  Sequence f;
  const Ref x = f.tensor("x", 2), W = f.tensor("W", 3), c0 = f.tensor("c0", 1), h0 = f.tensor("h0", 1), G = f.tensor("G", 3),
            c = f.tensor("c", 2), h = f.tensor("h", 2);
  const Ref g = f.index("g"), m = f.chain("m");
  f.define(h, {f.t, f.j}, f.scan(f.at(h0, {f.j}), f.mul(f.at(G, {f.t, f.number(1), f.j}), f.at(c, {f.t, f.j}))));
  f.define(c, {f.t, f.j},
           f.scan(f.at(c0, {f.j}), f.add(f.mul(f.at(G, {f.t, f.number(0), f.j}), f.at(c, {f.before, f.j})), f.at(x, {f.t, f.j}))));
  f.define(G, {f.t, g, f.j}, f.add(f.at(x, {f.t, f.j}), f.sum({m}, f.mul(f.at(h, {f.before, m}), f.at(W, {g, f.j, m})))));
  const Program p = f.program({x, W, c0, h0}, {h});
  CHECK(definitions(p) ==
        "G[scan t, g, j]: f32[x.0, W.0, x.1] = x[t, j] + sum(chain m < W.2, h[t - 1, m] * W[g, j, m])\n"
        "c[scan t, j]: f32[x.0, c0.0] = scan(t, c0[j], G[t, 0, j] * c[t - 1, j] + x[t, j])\n"
        "h[scan t, j]: f32[x.0, h0.0] = scan(t, h0[j], G[t, 1, j] * c[t, j])\n");
}
TEST_CASE("recurrence: a finished one read at t - 1 is its initial value below 0") {
  Sequence f;
  const Ref S = f.tensor("S", 2), m = f.tensor("m", 2), L = f.tensor("L", 2);
  f.define(m, {f.i, f.t}, f.scan(f.b.cast(Type::f32, f.add(f.i, f.t)), f.b.binary(Op::Max, f.at(m, {f.i, f.before}), f.at(S, {f.i, f.t}))));
  f.define(L, {f.i, f.t},
           f.scan(f.real(0), f.mul(f.add(f.at(L, {f.i, f.before}), f.at(S, {f.i, f.t})), f.at(m, {f.add(f.i, f.number(0)), f.before}))));
  CHECK(definitions(f.program({S}, {L})) ==
        "m[i, scan t]: f32[S.0, S.1] = scan(t, cast<f32>(i + t), maximum(m[i, t - 1], S[i, t]))\n"
        "L[i, scan t]: f32[S.0, S.1] = scan(t, 0.0, (L[i, t - 1] + S[i, t]) * select(t - 1 < 0, cast<f32>(i + 0 + (t - 1)), m[i + 0, t - "
        "1]))\n");
}
TEST_CASE("recurrence: a place is axis - c however it is written") {
  Sequence f;
  CHECK(lag_of(f.t, f.t) == 0);
  CHECK(lag_of(f.sub(f.sub(f.t, f.number(1)), f.number(2)), f.t) == 3);
  CHECK(lag_of(f.add(f.number(-4), f.t), f.t) == 4);
  CHECK(lag_of(f.add(f.t, f.number(1)), f.t) == -1);
  CHECK(lag_of(f.sub(f.number(1), f.t), f.t) == -1);
  CHECK(lag_of(f.i, f.t) == -1);
}
TEST_CASE("recurrence: the initial value stays outside, and two scans of a group share their axis") {
  Sequence f;
  const Ref Y = f.tensor("Y", 1);
  f.define(Y, {f.t}, f.scan(f.at(Y, {f.before}), f.at(Y, {f.before})));
  CHECK(first_line([&] { f.program({}, {Y}); }) ==
        "error[lang.recurrence]: the initial value of `Y` reads `Y`, which is part of the recurrence");
  Sequence g;
  const Ref A = g.tensor("A", 1), B = g.tensor("B", 1), v = g.scan_axis("v");
  g.define(A, {g.t}, g.scan(g.real(0), g.at(B, {g.before})));
  g.define(B, {v}, g.b.scan(v, g.real(0), g.at(A, {g.sub(v, g.number(1))}), line(7)));
  CHECK(first_line([&] { g.program({}, {A}); }) == "error[lang.recurrence]: `B` is part of a recurrence along `t` and scans along `v`");
}
