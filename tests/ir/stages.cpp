#include "ir/made.hpp"

using namespace made;

namespace {
struct Rows : Front {
  Ref X = tensor("X", 2), Y = tensor("Y", 2), i = index("i"), j = index("j"), l = chain("l"), u = chain("u");
  std::string staged(const Refs& inputs, const Refs& outputs) {
    const Program q = stages(program(inputs, outputs));
    verify(q);
    return definitions(q);
  }
};
}  // namespace

TEST_CASE("stages: the only reduction stays when it mentions every left index") {
  Rows f;
  const Ref W = f.tensor("W", 2);
  f.define(f.Y, {f.i, f.j}, f.add(f.sum({f.l}, f.mul(f.at(f.X, {f.i, f.l}), f.at(W, {f.l, f.j}))), f.at(f.X, {f.i, f.j})));
  CHECK(f.staged({f.X, W}, {f.Y}) == "Y[i, j]: f32[X.0, W.1] = sum(chain l < X.1, X[i, l] * W[l, j]) + X[i, j]\n");
}
TEST_CASE("stages: softmax in one definition is a maximum, a sum that reads it, and the rest") {
  Rows f;
  const auto shifted = [&](Ref at) { return f.sub(f.at(f.X, {f.i, at}), f.max({f.l}, f.at(f.X, {f.i, f.l}))); };
  f.define(f.Y, {f.i, f.j}, f.b.binary(Op::Div, shifted(f.j), f.sum({f.u}, shifted(f.u))));
  CHECK(f.staged({f.X}, {f.Y}) ==
        "Y.max[i]: f32[X.0] = max(chain l < X.1, X[i, l])\n"
        "Y.sum[i]: f32[X.0] = sum(chain u < X.1, X[i, u] - Y.max[i])\n"
        "Y[i, j]: f32[X.0, X.1] = (X[i, j] - Y.max[i]) / Y.sum[i]\n");
}
TEST_CASE("stages: numbers follow in reading order, handles follow their reduction") {
  Rows f;
  f.define(f.Y, {f.i, f.j}, f.add(f.sum({f.l}, f.at(f.X, {f.i, f.l})), f.sum({f.u}, f.at(f.X, {f.u, f.j}))));
  const Program q = stages(f.program({f.X}, {f.Y}));
  CHECK(definitions(q) ==
        "Y.sum[i]: f32[X.0] = sum(chain l < X.1, X[i, l])\n"
        "Y.sum2[j]: f32[X.1] = sum(chain u < X.0, X[u, j])\n"
        "Y[i, j]: f32[X.0, X.1] = Y.sum[i] + Y.sum2[j]\n");
  REQUIRE(q.definitions[1].handles.size() == 2);
  CHECK(q.definitions[1].handles[0].raw == f.j);
  CHECK(axis_facts(q.definitions[1].handles[0].axis).level == 0);
  CHECK(q.definitions[1].handles[1].raw == f.u);
  CHECK(axis_facts(q.definitions[1].handles[1].axis).level == 1);
  CHECK(q.definitions[2].handles.size() == 2);
}
TEST_CASE("stages: a reduction inside another runs over the axes around it, where it is needed") {
  Rows f;
  const Ref Z = f.tensor("Z", 1), k = f.chain("k");
  f.define(Z, {f.i}, f.sum({k}, f.sum({f.l}, f.mul(f.at(f.X, {k, f.l}), f.at(f.X, {f.i, f.l}))), f.less(k, f.i)));
  CHECK(f.staged({f.X}, {Z}) ==
        "Z.sum[i, k]: f32[X.0, X.0] = select(k < i, sum(chain l < X.1, X[k, l] * X[i, l]), 0.0)\n"
        "Z[i]: f32[X.0] = sum(chain k < X.0, Z.sum[i, k], where k < i)\n");
}
TEST_CASE("stages: a guard of every use guards the stage, a guard of one use does not") {
  Rows f;
  const Ref sum = f.sum({f.l}, f.at(f.X, {f.i, f.l})), c = f.less(f.i, f.number(3));
  f.define(f.Y, {f.i, f.j}, f.select(c, f.add(f.at(f.X, {f.i, f.j}), sum), f.real(0)));
  const Ref Z = f.tensor("Z", 2);
  f.define(Z, {f.i, f.j}, f.add(f.add(f.at(f.X, {f.i, f.j}), sum), f.select(c, sum, f.real(0))));
  CHECK(f.staged({f.X}, {f.Y}) ==
        "Y.sum[i]: f32[X.0] = select(i < 3, sum(chain l < X.1, X[i, l]), 0.0)\n"
        "Y[i, j]: f32[X.0, X.1] = select(i < 3, X[i, j] + Y.sum[i], 0.0)\n");
  CHECK(f.staged({f.X}, {Z}) ==
        "Z.sum[i]: f32[X.0] = sum(chain l < X.1, X[i, l])\n"
        "Z[i, j]: f32[X.0, X.1] = X[i, j] + Z.sum[i] + select(i < 3, Z.sum[i], 0.0)\n");
}
TEST_CASE("stages: definitions share a reduction that both use") {
  Rows f;
  const Ref Z = f.tensor("Z", 1), V = f.tensor("V", 1), sum = f.sum({f.l}, f.at(f.X, {f.i, f.l}));
  f.define(Z, {f.i}, sum);
  f.define(V, {f.i}, f.mul(sum, sum));
  CHECK(f.staged({f.X}, {Z, V}) ==
        "Z.sum[i]: f32[X.0] = sum(chain l < X.1, X[i, l])\n"
        "Z[i]: f32[X.0] = Z.sum[i]\n"
        "V[i]: f32[X.0] = Z.sum[i] * Z.sum[i]\n");
}
TEST_CASE("stages: a component of a state that leaves is a stage of its own") {
  Rows f;
  const Ref best = f.b.arg_extreme(false, &f.l, 1, f.at(f.X, {f.i, f.l}), nullptr, line(6));
  f.define(f.Y, {f.i, f.j}, f.add(f.at(f.X, {f.i, f.j}), f.at(f.X, {f.i, f.b.field(best, 1)})));
  const Program q = stages(f.program({f.X}, {f.Y}));
  verify(q);
  REQUIRE(q.definitions.size() == 2);
  CHECK(std::string(q.tensors[static_cast<std::size_t>(q.definitions[0].tensor)].name) == "Y.reduce.1");
  CHECK(q.tensors[static_cast<std::size_t>(q.definitions[0].tensor)].type == Type::i64);
}
TEST_CASE("stages: what a recurrence does not feed back leaves its group, the rest stays in step") {
  Rows f;
  const Ref h = f.tensor("h", 2), W = f.tensor("W", 2), U = f.tensor("U", 2), t = f.scan_axis("t");
  const Ref fresh = f.sum({f.l}, f.mul(f.at(f.X, {t, f.l}), f.at(W, {f.j, f.l}))),
            fed = f.sum({f.u}, f.mul(f.at(h, {f.sub(t, f.number(1)), f.u}), f.at(U, {f.j, f.u})));
  f.define(h, {t, f.j}, f.b.scan(t, f.real(0), f.add(fresh, fed), line(7)));
  CHECK(f.staged({f.X, W, U}, {h}) ==
        "h.sum[t, j]: f32[X.0, W.0] = sum(chain l < X.1, X[t, l] * W[j, l])\n"
        "h.sum2[scan t, j]: f32[X.0, W.0] = sum(chain u < U.1, h[t - 1, u] * U[j, u])\n"
        "h[scan t, j]: f32[X.0, W.0] = scan(t, 0.0, h.sum[t, j] + h.sum2[t, j])\n");
}
TEST_CASE("stages: a program without reductions, or staged before, stays as it is") {
  Rows f;
  f.define(f.Y, {f.i, f.j}, f.sub(f.at(f.X, {f.i, f.j}), f.sum({f.l}, f.at(f.X, {f.i, f.l}))));
  const Program once = stages(f.program({f.X}, {f.Y}));
  CHECK(print(stages(once)) == print(once));
}
