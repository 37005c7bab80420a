#include "ir/made.hpp"

using namespace made;

namespace {
struct Sizes : Front {
  Ref A = tensor("A", 1), B = tensor("B", 1), C = tensor("C", 1), i = index("i");
  std::string shape(const Refs& inputs, Ref output) {
    const Program p = program(inputs, {output});
    std::string text;
    for (Ref size : p.tensors[static_cast<std::size_t>(p.outputs[0])].shape) text += (text.empty() ? "" : ", ") + print(size);
    for (const SizeCheck& c : p.checks) text += std::string("; ") + c.left_name + " == " + c.right_name;
    return text;
  }
};
}  // namespace

TEST_CASE("extents: the one given comes first, and no dimension must agree with it") {
  Sizes f;
  const Ref y = f.index("y", f.number(3));
  f.define(f.C, {y}, f.at(f.A, {y}));
  CHECK(f.shape({f.A}, f.C) == "3");
}
TEST_CASE("extents: dimensions that an axis indexes alone must agree, at the call if not before") {
  Sizes f;
  f.define(f.C, {f.i}, f.add(f.at(f.A, {f.i}), f.at(f.B, {f.i})));
  CHECK(f.shape({f.A, f.B}, f.C) == "A.0; A.0 == B.0");
}
TEST_CASE("extents: equal sizes need no check, and a constant is taken before a Dim") {
  Sizes f;
  const Ref N = f.dim("N"), P = f.tensor("P", Refs{f.add(N, N)}), Q = f.tensor("Q", Refs{f.mul(f.number(2), N)}),
            R = f.tensor("R", Refs{N}), S = f.tensor("S", Refs{f.number(8)});
  f.define(f.C, {f.i}, f.add(f.at(P, {f.i}), f.at(Q, {f.i})));
  CHECK(f.shape({P, Q, R}, f.C) == "N * 2");
  const Ref D = f.tensor("D", 1);
  f.define(D, {f.i}, f.add(f.at(R, {f.i}), f.at(S, {f.i})));
  CHECK(f.shape({R, S}, D) == "8; S.0 == R.0");
}
TEST_CASE("extents: a declared shape of the defined tensor counts") {
  Sizes f;
  const Ref N = f.dim("N"), D = f.tensor("D", Refs{N});
  f.define(D, {f.i}, f.at(f.A, {f.add(f.i, f.number(1))}));
  CHECK(f.shape({f.A}, D) == "N");
  Sizes g;
  const Ref E = g.tensor("E", Refs{g.number(4)}), y = g.index("y", g.number(5));
  g.define(E, {y}, g.at(g.A, {y}));
  CHECK(first_line([&] { g.program({g.A}, {E}); }) ==
        "error[lang.extent]: the extents of `y` in the definition of `E` disagree: extent of y is 5, E.0 is 4");
}
TEST_CASE("extents: inside a guard that mentions the axis a dimension counts only when nothing else does") {
  Sizes f;
  const Ref n = f.b.extent(f.A, 0), j = f.index("j", f.add(n, f.b.extent(f.B, 0)));
  f.define(f.C, {j}, f.select(f.less(j, n), f.at(f.A, {j}), f.at(f.B, {f.sub(j, n)})));
  CHECK(f.shape({f.A, f.B}, f.C) == "A.0 + B.0");
  const Ref D = f.tensor("D", 1), S = f.tensor("S", 2), u = f.chain("u");
  f.define(D, {f.i}, f.max({u}, f.at(S, {f.i, u}), f.b.binary(Op::Le, u, f.i)));
  CHECK(f.shape({S}, D) == "S.0");
  const Ref E = f.tensor("E", 1);
  f.define(E, {f.i}, f.add(f.at(f.A, {f.i}), f.select(f.less(f.i, f.number(3)), f.at(f.B, {f.i}), f.real(0))));
  CHECK(f.shape({f.A, f.B}, E) == "A.0");
}
TEST_CASE("extents: the sides of && and || guard, a condition does not guard itself") {
  Sizes f;
  const Ref G = f.tensor("G", 1, Type::boolean), H = f.tensor("H", 1, Type::boolean), D = f.tensor("D", 1, Type::boolean);
  f.define(D, {f.i}, f.b.binary(Op::And, f.at(G, {f.i}), f.at(H, {f.i})));
  CHECK(f.shape({G, H}, D) == "G.0");
}
TEST_CASE("extents: a shape follows from definitions that are read, through extent() too") {
  Sizes f;
  const Ref D = f.tensor("D", 1), y = f.index("y", f.sub(f.b.extent(f.C, 0), f.number(2)));
  f.define(f.C, {f.i}, f.at(f.A, {f.i}));
  f.define(D, {y}, f.at(f.C, {f.add(y, f.number(2))}));
  CHECK(f.shape({f.A}, D) == "A.0 - 2");
}
TEST_CASE("extents: an axis may serve definitions of other sizes, and extent() of it is that of the definition") {
  Sizes f;
  const Ref l = f.chain("l"), D = f.tensor("D", 0);
  f.define(f.C, {f.i}, f.b.binary(Op::Div, f.add(f.sum({l}, f.at(f.A, {l})), f.at(f.B, {f.i})), f.b.cast(Type::f32, f.b.extent(l, 0))));
  f.define(D, {}, f.add(f.sum({l}, f.at(f.C, {l})), f.b.cast(Type::f32, f.b.extent(l, 0))));
  CHECK(definitions(f.program({f.A, f.B}, {D})) ==
        "C[i]: f32[B.0] = (sum(chain l < A.0, A[l]) + B[i]) / cast<f32>(A.0)\n"
        "D: f32 = sum(chain l < B.0, C[l]) + cast<f32>(B.0)\n");
}
TEST_CASE("extents: a Dim of an output alone is bound by the output") {
  Sizes f;
  const Ref N = f.dim("N"), D = f.tensor("D", Refs{N});
  f.define(D, {f.i}, f.real(1));
  const Program p = f.program({f.A}, {D});
  REQUIRE(p.dims.size() == 2);
  CHECK(p.dims[1].argument == 1);
  CHECK(p.dims[1].origin == N);
}
TEST_CASE("extents: a negative size is refused") {
  Sizes f;
  const Ref y = f.index("y", f.number(-1));
  f.define(f.C, {y}, f.real(1));
  CHECK(first_line([&] { f.program({}, {f.C}); }) == "error[lang.extent]: a size is -1: it is at least 0");
}
