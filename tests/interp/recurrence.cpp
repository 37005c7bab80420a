#include "made.hpp"

using namespace made;

TEST_CASE("recurrence: Fibonacci with two steps back and an initial value by place") {
  Maker b;
  Ref t = b.scan_axis("t", b.i64s(8)), y = b.tensor("Y", Type::i64, 1, nullptr, {});
  Ref one = b.at(y, {b.sub(t, b.i64s(1))}), two = b.at(y, {b.sub(b.sub(t, b.i64s(1)), b.i64s(1))});
  Ref init = b.ternary(Op::Select, b.binary(Op::Eq, t, b.i64s(-1)), b.i64s(1), b.i64s(0));
  b.define(b.at(y, {t}), b.scan(t, init, b.add(one, two), {}));
  CHECK(run({}, y, {8}) == Bits{1, 2, 3, 5, 8, 13, 21, 34});
}

TEST_CASE("recurrence: a start that depends on the other axes is that of the element read") {
  Maker b;
  Ref s = b.input("S", Type::i64, 1), i = b.index("i"), t = b.scan_axis("t", b.i64s(2)), y = b.tensor("Y", Type::i64, 2, nullptr, {});
  Ref other = b.at(y, {b.sub(b.i64s(2), i), b.sub(t, b.i64s(1))});
  b.define(b.at(y, {i, t}), b.scan(t, b.at(s, {i}), b.add(other, b.i64s(10)), {}));
  CHECK(run({{s, numbers(Type::i64, {3}, {1, 2, 3})}}, y, {3, 2}) == Bits{13, 21, 12, 22, 11, 23});
}

TEST_CASE("recurrence: several tensors step together, whatever their order") {
  Maker b;
  Ref t = b.scan_axis("t", b.i64s(4)), i = b.index("i", b.i64s(2)), k = b.chain("k", b.i64s(2));
  Ref g = b.tensor("G", Type::i64, 2, nullptr, {}), c = b.tensor("C", Type::i64, 2, nullptr, {}),
      h = b.tensor("H", Type::i64, 2, nullptr, {});
  Ref before = b.sub(t, b.i64s(1));
  b.define(b.at(h, {i, t}), b.scan(t, b.i64s(1), b.add(b.at(c, {t, i}), b.i64s(1)), {}));
  b.define(b.at(g, {t, i}), b.sum({k}, b.at(h, {k, before})));
  b.define(b.at(c, {t, i}), b.scan(t, b.i64s(0), b.add(b.at(c, {before, i}), b.at(g, {t, i})), {}));
  Ref j = b.index("j");
  Ref y = b.named("Y", Type::i64, {j}, b.at(h, {b.i64s(1), j}));
  // g = 2 h', c = c' + g, h = c + 1
  CHECK(run({}, y, {4}) == Bits{3, 9, 27, 81});
}

TEST_CASE("recurrence: read from outside, also before its first element") {
  Maker b;
  Ref t = b.scan_axis("t", b.i64s(3)), y = b.tensor("Y", Type::i64, 1, nullptr, {}), z = b.tensor("Z", Type::i64, 1, nullptr, {});
  Ref before = b.sub(t, b.i64s(1));
  b.define(b.at(y, {t}), b.scan(t, b.i64s(5), b.add(b.at(y, {before}), b.i64s(1)), {}));
  b.define(b.at(z, {t}), b.scan(t, b.i64s(0), b.add(b.at(z, {before}), b.at(y, {before})), {}));
  CHECK(run({}, z, {3}) == Bits{5, 11, 18});
}

TEST_CASE("recurrence: the start is not narrowed, each element is") {
  Maker b;
  Ref t = b.scan_axis("t", b.i64s(2)), y = b.tensor("Y", Type::f16, 1, nullptr, {});
  b.define(b.at(y, {t}), b.scan(t, b.f32s(2049), b.add(b.at(y, {b.sub(t, b.i64s(1))}), b.f32s(2)), {}));
  CHECK(run({}, y, {2}) == bits(numbers(Type::f16, {2}, {2052, 2054})));
}

TEST_CASE("recurrence: a long one does not use up the stack") {
  Maker b;
  const i64 steps = 200000;
  Ref t = b.scan_axis("t", b.i64s(steps)), y = b.tensor("Y", Type::i64, 1, nullptr, {});
  b.define(b.at(y, {t}), b.scan(t, b.i64s(0), b.add(b.at(y, {b.sub(t, b.i64s(1))}), t), {}));
  Ref last = b.named("L", Type::i64, {}, b.at(y, {b.i64s(steps - 1)}));
  CHECK(run({}, last, {}) == Bits{static_cast<u64>(steps) * (static_cast<u64>(steps) - 1) / 2});
}
