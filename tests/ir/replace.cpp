// Raw expressions at other places: what is free is replaced, what a reduction binds is not, what is untouched stays the same node.
#include "ir/made.hpp"
#include "ordo/ir/bound_names.hpp"

using namespace made;

namespace {
struct Tensors : Front {
  Ref A = tensor("A", 2), B = tensor("B", 1), i = index("i"), j = index("j"), k = chain("k");
  Ref read(Ref t, Refs at) { return b.load(t, at.data(), static_cast<int>(at.size()), {}); }
  Ref replaced(Ref root, Ref name, Ref by, Ref extent = nullptr) {
    const StandIn one{name, by, extent};
    return b.replace(root, &one, 1);
  }
};
}  // namespace

TEST_CASE("replace: a free axis, in indices and in values; other nodes are shared") {
  Tensors f;
  const Ref other = f.read(f.B, {f.j}), read = f.read(f.A, {f.i, f.j});
  const Ref sum = f.b.binary(Op::Add, read, other), made = f.replaced(sum, f.i, f.j);
  REQUIRE(made->op == Op::Add);
  CHECK(made->src[1] == other);
  CHECK(made->src[0]->src[0] == f.A);
  CHECK(made->src[0]->src[1] == f.j);
  CHECK(made->src[0]->src[2] == f.j);
  CHECK(f.replaced(sum, f.k, f.i) == sum);
  CHECK(f.replaced(f.i, f.i, f.k) == f.k);
}

TEST_CASE("replace: a reduction keeps the axis that it binds, but not in its initial value") {
  Tensors f;
  const Ref inner = f.sum({f.k}, f.read(f.A, {f.i, f.k})), all = f.b.binary(Op::Add, inner, f.read(f.B, {f.k}));
  const Ref made = f.replaced(all, f.k, f.j);
  CHECK(made->src[0] == inner);
  CHECK(made->src[1]->src[1] == f.j);
  const Ref state = f.b.placeholder(Type::f32), init = f.read(f.B, {f.k}), step = f.b.binary(Op::Add, state, f.read(f.B, {f.k}));
  const Ref from = f.b.field(f.b.reduce(&f.k, 1, 1, &init, &state, &step, nullptr, nullptr, nullptr, {}), 0);
  const ReduceView view(f.replaced(from, f.k, f.j)->src[0]);
  CHECK(view.init(0)->src[1] == f.j);
  CHECK(view.step(0) == step);
  CHECK(view.axis(0) == f.k);
  const Ref moved = f.replaced(inner, f.i, f.j);
  CHECK(ReduceView(moved->src[0]).step(0)->src[1]->src[1] == f.j);
}

TEST_CASE("replace: the extent of an axis becomes the one given; an expression of many shared nodes is walked once") {
  Tensors f;
  const Ref size = f.b.extent(f.A, 0);
  CHECK(f.replaced(f.b.cast(Type::f32, f.b.extent(f.k, 0)), f.k, f.j, size)->src[0] == size);
  CHECK(f.replaced(f.b.extent(f.k, 0), f.k, f.j)->src[0] == f.k);
  Ref e = f.read(f.B, {f.i});
  for (int n = 0; n < 60; ++n) e = f.b.binary(Op::Add, e, e);
  Ref made = f.replaced(e, f.i, f.j);
  for (int n = 0; n < 60; ++n) {
    REQUIRE(made->src[0] == made->src[1]);
    made = made->src[0];
  }
  CHECK(made->src[1] == f.j);
}

TEST_CASE("free names: axes and states that an expression mentions and does not bind, in reading order") {
  Tensors f;
  const Ref e = f.b.binary(Op::Add, f.sum({f.k}, f.read(f.A, {f.j, f.k})), f.read(f.B, {f.i}));
  CHECK(free_names(e) == Refs{f.j, f.i});
}
