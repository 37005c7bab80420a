#include "made.hpp"

using namespace made;

namespace {
struct Gather {
  Maker b;
  Ref e = b.input("E", Type::f32, 2), id = b.input("id", Type::i32, 1), n = b.index("n"), d = b.index("d");
  Ref row = b.cast(Type::i64, b.at(id, {n}));
  Data table = numbers(Type::f32, {3, 2}, {1, 2, 3, 4, 5, 6});
  Bits of(Ref value, const std::vector<double>& ids) {
    Ref y = b.named("Y", Type::f32, {n, d}, value);
    const i64 count = static_cast<i64>(ids.size());
    return run({{e, table}, {id, numbers(Type::i32, {count}, ids)}}, y, {count, 2});
  }
};
}  // namespace

TEST_CASE("index: a gather, and its failure with tensor, dimension and value") {
  Gather g;
  CHECK(g.of(g.b.at(g.e, {g.row, g.d}), {2, 0}) == bits(numbers(Type::f32, {4}, {5, 6, 1, 2})));
  Gather h;
  CHECK_THROWS_WITH_AS(h.of(h.b.at(h.e, {h.row, h.d}), {2, 3}),
                       doctest::Contains("error[run.index]: index 3 of dimension 0 of `E` is out of range: its extent is 3"), Error);
  Gather m;
  CHECK_THROWS_WITH_AS(m.of(m.b.at(m.e, {m.row, m.d}), {-1}), doctest::Contains("index -1 of dimension 0 of `E`"), Error);
}

TEST_CASE("index: only the chosen side of a guard counts") {
  Gather g;
  Ref inside = g.b.inside(g.b.at(g.e, {g.row, g.d}));
  CHECK(g.of(g.b.ternary(Op::Select, inside, g.b.at(g.e, {g.row, g.d}), g.b.f32s(9)), {7, 1}) ==
        bits(numbers(Type::f32, {4}, {9, 9, 3, 4})));
  Gather h;
  Ref positive = h.b.binary(Op::Gt, h.b.at(h.e, {h.row, h.d}), h.b.f32s(0));
  Ref both = h.b.binary(Op::And, h.b.inside(h.b.at(h.e, {h.row, h.d})), positive);
  CHECK(h.of(h.b.cast(Type::f32, both), {7, 1}) == bits(numbers(Type::f32, {4}, {0, 0, 1, 1})));
  Gather m;
  Ref k = m.b.chain("k", m.b.i64s(9)), at = m.b.at(m.e, {m.b.add(m.row, k), m.d});
  CHECK(m.of(m.b.sum({k}, at, m.b.inside(at)), {0}) == bits(numbers(Type::f32, {2}, {9, 12})));
}

TEST_CASE("index: a value used on both sides of a guard is tested where it is chosen") {
  Gather g;
  Ref read = g.b.at(g.e, {g.row, g.d}), inside = g.b.inside(read), zero = g.b.f32s(0);
  Ref safe = g.b.ternary(Op::Select, inside, g.b.add(read, read), zero);
  Ref again = g.b.ternary(Op::Select, g.b.unary(Op::Not, inside), zero, g.b.mul(read, read));
  CHECK(g.of(g.b.add(safe, again), {5, 2}) == bits(numbers(Type::f32, {4}, {0, 0, 35, 48})));
}

TEST_CASE("index: an element that no output needs may fail, one that is needed may not") {
  for (const bool needed : {false, true}) {
    Gather g;
    Ref p = g.b.named("P", Type::f32, {g.n}, g.b.at(g.e, {g.row, g.b.i64s(1)}));
    Ref last = g.b.at(p, {g.b.i64s(needed ? 1 : 0)});
    Ref y = g.b.named("Y", Type::f32, {}, last);
    const auto call = [&] { return run({{g.e, g.table}, {g.id, numbers(Type::i32, {2}, {2, 8})}}, y, {}); };
    if (needed) CHECK_THROWS_WITH_AS(call(), doctest::Contains("index 8 of dimension 0 of `E`"), Error);
    else CHECK(call() == bits(numbers(Type::f32, {1}, {6})));
  }
}

TEST_CASE("index: a failure leaves nothing behind for the next element") {
  Gather g;
  Ref p = g.b.named("P", Type::f32, {g.n, g.d}, g.b.sum({g.b.chain("k", g.b.i64s(2))}, g.b.at(g.e, {g.row, g.d})));
  Ref j = g.b.index("j", g.b.i64s(2));
  Ref y = g.b.named("Y", Type::f32, {j}, g.b.at(p, {g.b.i64s(2), j}));
  const auto call = [&](const std::vector<double>& ids) { return run({{g.e, g.table}, {g.id, numbers(Type::i32, {3}, ids)}}, y, {2}); };
  CHECK(call({8, 8, 1}) == bits(numbers(Type::f32, {2}, {6, 8})));
  CHECK_THROWS(call({0, 1, 8}));
}
