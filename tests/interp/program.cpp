#include "made.hpp"

using namespace made;

TEST_CASE("program: stages read each other, invariant reductions included") {
  Maker b;
  Ref x = b.input("X", Type::f32, 2), i = b.index("i"), j = b.index("j"), k = b.chain("k"), l = b.chain("l");
  Ref e = b.named("E", Type::f32, {i, j}, b.sub(b.at(x, {i, j}), b.fold_of(Fold::max, {l}, b.at(x, {i, l}))));
  Ref y = b.named("Y", Type::f32, {i, j}, b.binary(Op::Div, b.at(e, {i, j}), b.sum({k}, b.at(e, {i, k}))));
  CHECK(run({{x, numbers(Type::f32, {2, 2}, {1, 3, 8, 4})}}, y, {2, 2}) == bits(numbers(Type::f32, {2, 2}, {1, -0.0, -0.0, 1})));
}

TEST_CASE("program: reductions nest, and one inside a step is a finished value") {
  Maker b;
  Ref x = b.input("X", Type::i64, 2), i = b.index("i"), a = b.chain("a"), c = b.chain("c"), d = b.chain("d");
  // sum over a of (X(i, a) * sum over c <= a of X(i, c)) + sum over d of X(d, i): the sizes are 2 x 2
  Ref partial = b.sum({c}, b.at(x, {i, c}), b.binary(Op::Le, c, a));
  Ref y = b.named("Y", Type::i64, {i}, b.add(b.sum({a}, b.mul(b.at(x, {i, a}), partial)), b.sum({d}, b.at(x, {d, i}))));
  CHECK(run({{x, numbers(Type::i64, {2, 2}, {1, 2, 3, 4})}}, y, {2}) == Bits{1 * 1 + 2 * 3 + 4, 3 * 3 + 4 * 7 + 6});
}

TEST_CASE("program: two reductions with the same shape of step do not mix their states") {
  Maker b;
  Ref x = b.input("X", Type::i64, 1), k = b.chain("k"), l = b.chain("k");
  Ref both = b.mul(b.sum({k}, b.at(x, {k})), b.sum({l}, b.mul(b.at(x, {l}), b.at(x, {l}))));
  CHECK(value(b, {{x, numbers(Type::i64, {3}, {1, 2, 3})}}, both) == 6 * 14);
  CHECK(value(b, {{x, numbers(Type::i64, {3}, {1, 2, 3})}}, b.sum({k}, b.mul(b.at(x, {k}), b.sum({l}, b.at(x, {l}))))) == 36);
}

TEST_CASE("program: a merge joins parts in the order of the trees") {
  // The state is a number in which every digit is an element: it shows the order of joins.
  const auto digits = [](Order order, u32 lanes, u32 block, int n) {
    Maker b;
    Ref k = b.axis("k", order, lanes, block, b.i64s(n), {}), ten = b.i64s(10);
    const Ref init[] = {b.i64s(0)}, s[] = {b.placeholder(Type::i64)}, o[] = {b.placeholder(Type::i64)};
    const Ref step[] = {b.add(b.mul(s[0], ten), b.add(k, b.i64s(1)))};
    Ref scale = b.ternary(Op::Select, b.binary(Op::Lt, o[0], ten), ten,
                          b.ternary(Op::Select, b.binary(Op::Lt, o[0], b.i64s(100)), b.i64s(100), b.i64s(10000)));
    const Ref merged[] = {b.add(b.mul(s[0], scale), o[0])};
    return value(b, {}, b.field(b.reduce(&k, 1, 1, init, s, step, o, merged, nullptr, {}), 0));
  };
  CHECK(digits(Order::lanes, 4, 0, 4) == 1324);
  CHECK(digits(Order::lanes, 4, 0, 3) == 132);
  CHECK(digits(Order::lanes, 2, 0, 5) == 13524);
  CHECK(digits(Order::blocks, 1, 2, 6) == 123456);
  CHECK(digits(Order::blocks, 1, 1, 3) == 123);
  CHECK(digits(Order::blocks, 2, 4, 6) == 132456);
}

TEST_CASE("program: an expression that doubles sixty times, and many definitions in a row") {
  Maker b;
  Ref e = b.at(b.input("X", Type::i64, 0), {}), x = e->src[0];
  for (int n = 0; n < 60; ++n) e = b.add(e, e);
  CHECK(value(b, {{x, numbers(Type::i64, {}, {3})}}, e) == u64{3} << 60);
  Ref i = b.index("i"), last = b.input("V", Type::i64, 1);
  const Ref v = last;
  for (int n = 0; n < 3000; ++n) last = b.named("S", Type::i64, {i}, b.add(b.at(last, {i}), b.i64s(1)));
  CHECK(run({{v, numbers(Type::i64, {2}, {1, 2})}}, last, {2}) == Bits{3001, 3002});
}

TEST_CASE("program: deep selects are chosen one by one") {
  Maker b;
  Ref x = b.input("X", Type::i64, 1), n = b.index("n"), e = b.i64s(0);
  for (int k = 0; k < 500; ++k) e = b.ternary(Op::Select, b.binary(Op::Eq, n, b.i64s(k)), b.at(x, {b.i64s(k)}), e);
  Ref y = b.named("Y", Type::i64, {n}, b.add(b.at(x, {n}), e));
  CHECK(run({{x, numbers(Type::i64, {3}, {5, 6, 7})}}, y, {3}) == Bits{10, 12, 14});
}
