#include "ir/made.hpp"

using namespace made;

TEST_CASE("snapshot: a matrix product is one fma chain, numbered by nesting") {
  Front f;
  const Ref M = f.dim("M"), N = f.dim("N"), K = f.dim("K"), i = f.index("i"), j = f.index("j"), k = f.chain("k");
  const Ref A = f.tensor("A", Refs{M, K}), B = f.tensor("B", Refs{K, N}), C = f.tensor("C", 2);
  f.define(C, {i, j}, f.sum({k}, f.mul(f.at(A, {i, k}), f.at(B, {k, j}))));
  const Program p = f.program({A, B}, {C});
  CHECK(print(p) ==
        "input A: f32[M, K]\n"
        "input B: f32[K, N]\n"
        "C[i, j]: f32[M, N] = sum(chain k < K, A[i, k] * B[k, j])\n"
        "output C\n");
  const Definition& d = p.definitions[0];
  CHECK(axis_facts(d.axes[1]).level == 1);
  CHECK(axis_facts(ReduceView(d.value->src[0]).axis(0)).level == 2);
  REQUIRE(d.handles.size() == 3);
  CHECK(d.handles[2].raw == k);
  CHECK(d.handles[2].axis == ReduceView(d.value->src[0]).axis(0));
  CHECK(p.checks.empty());
  CHECK(p.dims[1].argument == 0);
  CHECK(p.dims[1].dimension == 1);
  CHECK(p.tensors[static_cast<std::size_t>(p.outputs[0])].origin == C);
}
TEST_CASE("snapshot: a convolution with inside and a channel-blocked order") {
  Front f;
  const Ref H = f.dim("H"), Co = f.dim("C"), X = f.tensor("X", Refs{H, Co}), F = f.tensor("F", 2), Y = f.tensor("Y", 1);
  const Ref y = f.index("y", f.sub(H, f.number(2))), r = f.chain("r", f.number(3)), c = f.chain("c");
  Ref co, ci;
  f.b.cut(c, 16, &co, &ci, line(2));
  const Ref at = f.at(X, {f.sub(f.add(y, r), f.number(1)), c});
  f.define(Y, {y}, f.sum({co, r, ci}, f.mul(at, f.at(F, {r, c})), f.b.inside(at)));
  const Program p = f.program({X, F}, {Y});
  CHECK(definitions(p) ==
        "Y[y]: f32[H - 2] = sum({chain co < (C + 15) / 16, chain r < 3, chain ci < 16}, X[y + r - 1, co * 16 + ci] * F[r, co * 16 + ci], "
        "where co * 16 + ci < C && (0 <= y + r - 1 && y + r - 1 < H))\n");
  REQUIRE(p.definitions[0].handles.size() == 4);
  CHECK(p.definitions[0].handles[1].raw == co);
}
TEST_CASE("snapshot: a cut that divides leaves no guard, and parts may be cut again") {
  Front f;
  const Ref X = f.tensor("X", Refs{f.number(64)}), Y = f.tensor("Y", 0), c = f.chain("c");
  Ref co, ci, coo, coi;
  f.b.cut(c, 16, &co, &ci, line(2));
  f.b.cut(co, 3, &coo, &coi, line(2));
  f.define(Y, {}, f.sum({ci, coo, coi}, f.at(X, {c})));
  CHECK(definitions(f.program({X}, {Y})) ==
        "Y: f32 = sum({chain ci < 16, chain coo < 2, chain coi < 3}, X[(coo * 3 + coi) * 16 + ci], where coo * 3 + coi < 4)\n");
}
TEST_CASE("snapshot: softmax shares its axis between two definitions") {
  Front f;
  const Ref X = f.tensor("X", 2), E = f.tensor("E", 2), Y = f.tensor("Y", 2), i = f.index("i"), j = f.index("j"), l = f.lanes("l", 16);
  f.define(E, {i, j}, f.sub(f.at(X, {i, j}), f.max({l}, f.at(X, {i, l}))));
  f.define(Y, {i, j}, f.b.binary(Op::Div, f.at(E, {i, j}), f.sum({l}, f.at(E, {i, l}))));
  CHECK(print(f.program({X}, {Y})) ==
        "input X: f32[X.0, X.1]\n"
        "E[i, j]: f32[X.0, X.1] = X[i, j] - max(lanes<16> l < X.1, X[i, l])\n"
        "Y[i, j]: f32[X.0, X.1] = E[i, j] / sum(lanes<16> l < X.1, E[i, l])\n"
        "output Y\n");
}
TEST_CASE("snapshot: Welford's state and its merge are numbered apart") {
  Front f;
  const Ref X = f.tensor("X", 1), V = f.tensor("V", 0), l = f.lanes("l", 4), zero = f.real(0);
  const Ref init[] = {zero, zero}, a[] = {f.b.placeholder(Type::f32), f.b.placeholder(Type::f32)},
            c[] = {f.b.placeholder(Type::f32), f.b.placeholder(Type::f32)};
  const Ref n = f.add(a[1], f.real(1)), both = f.add(a[1], c[1]);
  const Ref step[] = {f.add(a[0], f.b.binary(Op::Div, f.sub(f.at(X, {l}), a[0]), n)), n};
  const Ref merged[] = {f.add(a[0], f.mul(f.sub(c[0], a[0]), f.b.binary(Op::Div, c[1], both))), both};
  const Ref w = f.b.reduce(&l, 1, 2, init, a, step, c, merged, nullptr, line(6));
  f.define(V, {}, f.b.field(w, 0));
  const Program p = f.program({X}, {V});
  const ReduceView view(p.definitions[0].value->src[0]);
  CHECK(view.state(1)->arg == state_arg(1, 0));
  CHECK(view.other(1)->arg == state_arg(3, 0));
  CHECK(view.merged(1)->src[1] == view.other(1));
}
TEST_CASE("snapshot: a data-dependent index and the scatter that is its gradient") {
  Front f;
  const Ref E = f.tensor("E", 2), id = f.tensor("id", 1, Type::i32), Y = f.tensor("Y", 2), n = f.index("n"), d = f.index("d");
  f.define(Y, {n, d}, f.at(E, {f.at(id, {n}), d}));
  CHECK(definitions(f.program({E, id}, {Y})) == "Y[n, d]: f32[id.0, E.1] = E[cast<i64>(id[n]), d]\n");
  const Ref dY = f.tensor("dY", 2), dE = f.tensor("dE", Refs{f.number(10), f.b.extent(dY, 1)}), v = f.index("v"), m = f.chain("m");
  f.define(dE, {v, d}, f.sum({m}, f.at(dY, {m, d}), f.b.binary(Op::Eq, f.b.cast(Type::i64, f.at(id, {m})), v)));
  const Program p = f.program({dY, id}, {dE});
  CHECK(definitions(p) == "dE[v, d]: f32[10, dY.1] = sum(chain m < id.0, dY[m, d], where cast<i64>(id[m]) == v)\n");
}
TEST_CASE("snapshot: one raw reduction at two depths is numbered at each") {
  Front f;
  const Ref X = f.tensor("X", 2), Y = f.tensor("Y", 1), i = f.index("i"), k = f.chain("k"), l = f.chain("l");
  const Ref most = f.max({l}, f.at(X, {i, l}));
  f.define(Y, {i}, f.add(most, f.sum({k}, f.sub(f.at(X, {i, k}), most))));
  const Program p = f.program({X}, {Y});
  const Ref value = p.definitions[0].value;
  const ReduceView outer(value->src[0]->src[0]), sum(value->src[1]->src[0]);
  const ReduceView inner(sum.step(0)->src[1]->src[1]->src[0]);
  CHECK(axis_facts(outer.axis(0)).level == 1);
  CHECK(axis_facts(sum.axis(0)).level == 1);
  CHECK(axis_facts(inner.axis(0)).level == 2);
  CHECK(inner.state(0)->arg == state_arg(0, 1));
}
TEST_CASE("snapshot: nested sums that each stand at many depths stay few nodes") {
  Front f;
  const Ref X = f.tensor("X", 1), Y = f.tensor("Y", 1), i = f.index("i");
  Ref e = f.at(X, {i});
  for (int n = 0; n < 16; ++n) {
    const Ref k = f.chain("k", f.number(2));
    e = f.add(e, f.sum({k}, f.add(f.at(X, {k}), e)));
  }
  f.define(Y, {i}, e);
  CHECK(f.program({X}, {Y}).arena.size() < 2000);
}
TEST_CASE("snapshot: equal names are told apart") {
  Front f;
  const Ref X = f.tensor("h", 1), first = f.tensor("h", 1), second = f.tensor("h", 1), i = f.index("i");
  f.define(first, {i}, f.mul(f.at(X, {i}), f.real(2)));
  f.define(second, {i}, f.mul(f.at(first, {i}), f.real(3)));
  CHECK(print(f.program({X}, {second})) ==
        "input h: f32[h.0]\n"
        "h_2[i]: f32[h.0] = h[i] * 2.0\n"
        "h_3[i]: f32[h.0] = h_2[i] * 3.0\n"
        "output h_3\n");
}
TEST_CASE("snapshot: open inputs come after those listed, in the order met") {
  Front f;
  const Ref A = f.tensor("A", 1), B = f.tensor("B", 1), D = f.tensor("D", 1), C = f.tensor("C", 1), i = f.index("i");
  f.define(C, {i}, f.add(f.add(f.at(B, {i}), f.at(A, {i})), f.at(D, {i})));
  const Program p = f.program({D}, {C}, true);
  REQUIRE(p.inputs.size() == 3);
  CHECK(p.tensors[0].origin == D);
  CHECK(p.tensors[1].origin == B);
  CHECK(p.tensors[2].origin == A);
}
TEST_CASE("snapshot: outputs may read each other, and unfused leaves no trace") {
  Front f;
  const Ref X = f.tensor("X", 1), P = f.tensor("P", 1), Q = f.tensor("Q", 1), i = f.index("i");
  f.define(P, {i}, f.b.unary(Op::Unfused, f.mul(f.at(X, {i}), f.at(X, {i}))));
  f.define(Q, {i}, f.at(P, {i}));
  CHECK(print(f.program({X}, {Q, P})) ==
        "input X: f32[X.0]\n"
        "P[i]: f32[X.0] = X[i] * X[i]\n"
        "Q[i]: f32[X.0] = P[i]\n"
        "output Q, P\n");
}
TEST_CASE("snapshot: a long sum and e = e + e stay linear") {
  Front f;
  const Ref X = f.tensor("X", 1), Y = f.tensor("Y", 1), Z = f.tensor("Z", 1), i = f.index("i");
  Ref sum = f.at(X, {i}), twice = f.at(X, {i});
  for (int k = 0; k < 50000; ++k) sum = f.add(sum, f.real(k % 10));
  for (int k = 0; k < 60; ++k) twice = f.add(twice, twice);
  f.define(Y, {i}, sum);
  f.define(Z, {i}, f.sub(f.at(Y, {i}), twice));
  const Program p = f.program({X}, {Z});
  CHECK(p.arena.size() < 50100);
  CHECK(copy(p).arena.size() == p.arena.size());
  CHECK(free_axes(p.definitions[0].value).size() == 1);
  verify(stages(p));
}
TEST_CASE("snapshot: 5000 definitions in a chain") {
  Front f;
  const Ref X = f.tensor("X", 2), W = f.tensor("W", 2), i = f.index("i"), j = f.index("j"), k = f.chain("k");
  Ref h = X;
  for (int n = 0; n < 5000; ++n) {
    const Ref next = f.tensor("h", 2);
    f.define(next, {i, j}, f.add(f.at(h, {i, j}), f.sum({k}, f.mul(f.at(h, {i, k}), f.at(W, {k, j})))));
    h = next;
  }
  const Program p = f.program({X, W}, {h});
  CHECK(p.definitions.size() == 5000);
  CHECK(p.checks.size() == 2);
  const Program q = stages(p);
  CHECK(q.definitions.size() == 5000);
}
