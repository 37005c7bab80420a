// The worked examples of the numerics contract that this language can write, as bits.
#include "made.hpp"

using namespace made;

namespace {
constexpr double T = 16777216;

// The sum of a vector over one axis.
u64 sum_of(const std::vector<double>& v, Order order, u32 lanes, u32 block) {
  Maker b;
  Ref x = b.input("X", Type::f32, 1), k = b.axis("k", order, lanes, block, nullptr, {});
  return value(b, {{x, numbers(Type::f32, {static_cast<i64>(v.size())}, v)}}, b.sum({k}, b.at(x, {k})));
}
// The sum of a matrix over two axes, in the order given.
struct Kind { Order order; u32 lanes, block; };
constexpr Kind chain{Order::chain, 1, 0}, lanes2{Order::lanes, 2, 0}, blocks2{Order::blocks, 1, 2};
u64 sum_of(const std::vector<double>& m, i64 rows, i64 columns, Kind row, Kind column, bool column_first) {
  Maker b;
  Ref x = b.input("X", Type::f32, 2);
  Ref r = b.axis("a", row.order, row.lanes, row.block, nullptr, {}), c = b.axis("b", column.order, column.lanes, column.block, nullptr, {});
  Ref term = b.at(x, {r, c});
  Ref y = column_first ? b.sum({c, r}, term) : b.sum({r, c}, term);
  return value(b, {{x, numbers(Type::f32, {rows, columns}, m)}}, y);
}
const std::vector<double> V = {0.5, 7, 1, 7, -T, 3, 0.5, T, 1};
const std::vector<double> X = {1, -T - 2, 1, 2 * T, 3, -T - 2};
const std::vector<double> Z = {T, -T, 1, 1, 1, 1};
}  // namespace

TEST_CASE("contract: sum of a vector as Chain, Lanes and Blocks") {
  CHECK(sum_of(V, Order::chain, 1, 0) == 0x41a80000);
  CHECK(sum_of(V, Order::lanes, 2, 0) == 0x41980000);
  CHECK(sum_of(V, Order::lanes, 4, 0) == 0x41a00000);
  CHECK(sum_of(V, Order::lanes, 8, 0) == 0x41b00000);
  CHECK(sum_of(V, Order::blocks, 1, 2) == 0x419c0000);
  CHECK(sum_of(V, Order::blocks, 1, 3) == 0x41900000);
  CHECK(sum_of(V, Order::blocks, 2, 4) == 0x41a40000);
}

TEST_CASE("contract: sum of a matrix over two axes") {
  CHECK(sum_of(X, 2, 3, chain, chain, false) == 0x40000000);
  CHECK(sum_of(X, 2, 3, chain, chain, true) == 0xc0000000);
  CHECK(sum_of(X, 2, 3, lanes2, chain, false) == 0x40400000);
  CHECK(sum_of(X, 2, 3, chain, lanes2, false) == 0xbf800000);
  CHECK(sum_of(X, 2, 3, lanes2, lanes2, false) == 0x00000000);
  CHECK(sum_of(X, 2, 3, lanes2, lanes2, true) == 0x3f800000);
  CHECK(sum_of(X, 2, 3, chain, blocks2, false) == 0x40800000);
  CHECK(sum_of(X, 2, 3, chain, blocks2, true) == 0x00000000);
  Maker b;
  Ref x = b.input("X", Type::f32, 2), i = b.chain("a"), j = b.chain("b");
  CHECK(value(b, {{x, numbers(Type::f32, {2, 3}, X)}}, b.sum({i}, b.sum({j}, b.at(x, {i, j})))) == 0x40400000);
}

TEST_CASE("contract: a cut axis in another order") {
  CHECK(sum_of(Z, 3, 2, chain, chain, false) == 0x40800000);
  CHECK(sum_of(Z, 3, 2, chain, chain, true) == 0x40000000);
  Maker b;
  Ref z = b.input("Z", Type::f32, 2), c = b.chain("c", b.i64s(3)), r = b.chain("r"), co = nullptr, ci = nullptr;
  b.cut(c, 2, &co, &ci, {});
  CHECK(value(b, {{z, numbers(Type::f32, {3, 2}, Z)}}, b.sum({co, r, ci}, b.at(z, {c, r}))) == 0x40400000);
}

TEST_CASE("contract: what is a product, and what is not") {
  const double x0[] = {-1, 1 + 0x1p-12}, y0[] = {1 + 0x1p-11, 1 + 0x1p-12};
  const auto sum = [&](auto term, Type accumulator = Type::none) {
    Maker b;
    Ref x = b.input("X", Type::f32, 1), y = b.input("Y0", Type::f32, 1), s = b.input("S", Type::f32, 0), k = b.chain("k");
    Ref all = b.sum({k}, term(b, b.at(x, {k}), b.at(y, {k}), b.at(s, {}), k), nullptr, accumulator);
    return value(
        b, {{x, numbers(Type::f32, {2}, {x0[0], x0[1]})}, {y, numbers(Type::f32, {2}, {y0[0], y0[1]})}, {s, numbers(Type::f32, {}, {-1})}},
        all);
  };
  using M = Maker&;
  CHECK(sum([](M b, Ref x, Ref y, Ref, Ref) { return b.mul(x, y); }) == 0x33800000);
  CHECK(sum([](M b, Ref x, Ref y, Ref, Ref) { return b.unary(Op::Unfused, b.mul(x, y)); }) == 0x00000000);
  CHECK(sum([](M b, Ref x, Ref y, Ref, Ref) { return b.unary(Op::Neg, b.mul(x, y)); }) == 0x00000000);
  CHECK(sum([](M b, Ref x, Ref y, Ref, Ref) { return b.mul(b.unary(Op::Neg, x), y); }) == 0xb3800000);
  CHECK(sum([](M b, Ref x, Ref y, Ref s, Ref) { return b.mul(b.mul(x, y), s); }) == 0x00000000);
  CHECK(sum([](M b, Ref x, Ref y, Ref s, Ref) { return b.mul(x, b.mul(y, s)); }) == 0xb3800000);
  CHECK(sum([](M b, Ref x, Ref y, Ref, Ref) {
          return b.ternary(Op::Select, b.constant(Type::boolean, i64{1}, {}), b.mul(x, y), b.f32s(0));
        }) == 0x00000000);
  CHECK(sum([](M b, Ref x, Ref y, Ref, Ref k) {
          Ref i = b.index("i");
          Ref p = b.named("P", Type::f32, {i}, b.mul(b.at(x->src[0], {i}), b.at(y->src[0], {i})));
          return b.at(p, {k});
        }) == 0x00000000);
  CHECK(sum([](M b, Ref x, Ref y, Ref, Ref) { return b.mul(x, y); }, Type::f64) == 0x3e70000000000000);
  CHECK(sum([](M b, Ref x, Ref y, Ref, Ref) { return b.cast(Type::f64, b.mul(x, y)); }) == 0x0000000000000000);
}

TEST_CASE("contract: where skips a step, and a skipped part is absent") {
  const double tiny = 0x1p-100;
  const auto sum = [&](std::vector<double> a, std::vector<double> c, u32 lanes, i64 upto) {
    Maker b;
    Ref x = b.input("X", Type::f32, 1), y = b.input("Y0", Type::f32, 1);
    Ref k = lanes == 1 ? b.chain("k") : b.lanes("k", lanes);
    Ref where = b.binary(Op::Lt, k, b.i64s(upto));
    const i64 n = static_cast<i64>(a.size());
    return value(b, {{x, numbers(Type::f32, {n}, a)}, {y, numbers(Type::f32, {n}, c)}},
                 b.sum({k}, b.mul(b.at(x, {k}), b.at(y, {k})), where));
  };
  CHECK(sum({-tiny}, {tiny}, 1, 9) == 0x80000000);
  CHECK(sum({-tiny, 5}, {tiny, 5}, 1, 1) == 0x80000000);
  CHECK(sum({-tiny, 0}, {tiny, 0}, 1, 9) == 0x00000000);
  CHECK(sum({-tiny}, {tiny}, 8, 9) == 0x80000000);
  CHECK(sum({-tiny, 5}, {tiny, 5}, 8, 1) == 0x80000000);
  CHECK(sum_of({-0.0}, Order::lanes, 8, 0) == 0x00000000);
  CHECK(sum_of({}, Order::lanes, 8, 0) == 0x00000000);
  CHECK(sum_of({}, Order::blocks, 1, 8) == 0x00000000);
}

TEST_CASE("contract: a mean by reduce, with merge") {
  Maker b;
  Ref x = b.input("X", Type::f32, 1), k = b.lanes("k", 8), one = b.f32s(1);
  const Ref init[] = {b.f32s(0), b.f32s(0)};
  const Ref s[] = {b.placeholder(Type::f32), b.placeholder(Type::f32)}, o[] = {b.placeholder(Type::f32), b.placeholder(Type::f32)};
  Ref n1 = b.add(s[0], one), n = b.add(s[0], o[0]);
  const Ref step[] = {n1, b.add(s[1], b.binary(Op::Div, b.sub(b.at(x, {k}), s[1]), n1))};
  const Ref merged[] = {n, b.add(s[1], b.mul(b.sub(o[1], s[1]), b.binary(Op::Div, o[0], n)))};
  Ref all = b.reduce(&k, 1, 2, init, s, step, o, merged, nullptr, {});
  CHECK(value(b, {{x, numbers(Type::f32, {3}, {1, 2, 4})}}, b.field(all, 1)) == 0x40155555);
}

TEST_CASE("contract: a cumulative sum") {
  Maker b;
  Ref x = b.input("X", Type::f32, 1), t = b.scan_axis("t"), y = b.tensor("Y", Type::f32, 1, nullptr, {});
  b.define(b.at(y, {t}), b.scan(t, b.f32s(0), b.add(b.at(y, {b.sub(t, b.i64s(1))}), b.at(x, {t})), {}));
  CHECK(run({{x, numbers(Type::f32, {4}, {T, 1, 1, 1})}}, y, {4})[3] == 0x4b800000);
}

TEST_CASE("contract: a scatter adds to its destination in order") {
  const auto scatter = [](Type type, const Bits& onto, std::vector<i64> shape, i64 elements) {
    Maker b;
    Ref d = b.input("D", type, 1), id = b.input("id", Type::i32, 1), x = b.input("X", Type::f32, 1), v = b.index("v"), k = b.chain("k");
    Ref all = b.sum({k}, b.at(x, {k}), b.binary(Op::Eq, b.cast(Type::i64, b.at(id, {k})), v), Type::none, b.at(d, {v}));
    Ref y = b.named("Y", type, {v}, all);
    const std::vector<double> ones(static_cast<std::size_t>(elements), 1), zeros(static_cast<std::size_t>(elements), 0);
    return run({{d, patterns(type, shape, onto)}, {id, numbers(Type::i32, {elements}, zeros)}, {x, numbers(Type::f32, {elements}, ones)}},
               y, shape);
  };
  CHECK(scatter(Type::f32, {0x4b800000}, {1}, 2) == Bits{0x4b800000});
  CHECK(scatter(Type::f16, {0x6800}, {1}, 2) == Bits{0x6801});
  CHECK(scatter(Type::f32, {0x80000000, 0x80000000}, {2}, 0) == Bits{0x80000000, 0x80000000});
}

TEST_CASE("contract: an f16 tensor rounds, an f16 expression does not") {
  for (const bool tensor : {false, true}) {
    Maker b;
    Ref x = b.input("X", Type::f16, 0);
    Ref p = b.mul(b.at(x, {}), b.at(x, {}));
    if (tensor) p = b.at(b.named("P", Type::f16, {}, p), {});
    CHECK(value(b, {{x, numbers(Type::f16, {}, {300})}}, b.mul(p, b.f32s(0.25)), Type::f16) == (tensor ? 0x7c00 : 0x757e));
  }
}

TEST_CASE("contract: one rounding of a cast") {
  const auto cast = [](Type to, Type from, u64 pattern) {
    Maker b;
    Ref x = b.input("X", from, 0);
    return value(b, {{x, patterns(from, {}, {pattern})}}, b.cast(to, b.at(x, {})), to);
  };
  CHECK(cast(Type::f16, Type::f64, 0x3ff0020000001000) == 0x3c01);
  CHECK(cast(Type::f32, Type::i64, (u64{1} << 60) + (u64{1} << 36) + 1) == 0x5d800001);
  CHECK(cast(Type::bf16, Type::i32, 0x40400001) == 0x4e81);
  CHECK(cast(Type::bf16, Type::f32, 0x00400000) == 0x0040);
  CHECK(cast(Type::bf16, Type::f32, 0x3f808000) == 0x3f80);
  CHECK(cast(Type::bf16, Type::f32, 0x3f818000) == 0x3f82);
  CHECK(cast(Type::bf16, Type::f32, 0x7f7fffff) == 0x7f80);
  CHECK(cast(Type::f16, Type::f32, 0x477fefff) == 0x7bff);
  CHECK(cast(Type::f16, Type::f32, 0x477ff000) == 0x7c00);
  CHECK(cast(Type::f16, Type::f32, 0x33000000) == 0x0000);
  CHECK(cast(Type::f16, Type::f32, 0x33000001) == 0x0001);
  CHECK(cast(Type::i32, Type::f32, soft::from_double(Type::f32, 3e9)) == 2147483647);
  CHECK(cast(Type::i32, Type::f32, 0x7fc00000) == 0);
  CHECK(cast(Type::i32, Type::f32, soft::from_double(Type::f32, -0.9)) == 0);
  CHECK(cast(Type::u8, Type::f32, soft::from_double(Type::f32, -1)) == 0);
  CHECK(cast(Type::u8, Type::f32, soft::from_double(Type::f32, 300)) == 255);
}

TEST_CASE("contract: scalars") {
  Maker b;
  const auto f = [&](double x) { return b.f32s(x); };
  CHECK(value(b, {}, b.mul(f(9), f(0.1))) == 0x3f666667);
  CHECK(value(b, {}, b.binary(Op::Div, f(9), f(10))) == 0x3f666666);
  CHECK(value(b, {}, b.binary(Op::Div, f(169), f(13))) == 0x41500000);
  CHECK(value(b, {}, b.mul(f(0x1p-126), f(0.5))) == 0x00400000);
  CHECK(value(b, {}, b.binary(Op::Div, f(1), b.unary(Op::Sqrt, b.bits(Type::f32, 0x3f800001)))) == 0x3f800000);
  CHECK(value(b, {}, b.binary(Op::Max, f(-0.0), f(0))) == 0x00000000);
  CHECK(value(b, {}, b.binary(Op::Div, f(0), f(0))) == 0x7fc00000);
  Ref x = b.input("X", Type::f32, 0);
  CHECK(value(b, {{x, patterns(Type::f32, {}, {0xffc12345})}}, b.at(x, {})) == 0x7fc00000);
  CHECK(value(b, {{x, patterns(Type::f32, {}, {0x7f800001})}}, b.bitcast(Type::i32, b.at(x, {}))) == 0x7fc00000);
  CHECK(value(b, {{x, patterns(Type::f32, {}, {0xffc00000})}}, b.binary(Op::Copysign, f(1), b.at(x, {}))) == 0x3f800000);
}

TEST_CASE("contract: integers") {
  Maker b;
  const auto i = [&](i64 x) { return b.constant(Type::i32, x, {}); };
  CHECK(value(b, {}, b.binary(Op::Div, i(-7), i(2))) == 0xfffffffd);
  CHECK(value(b, {}, b.binary(Op::Mod, i(-7), i(2))) == 0xffffffff);
  CHECK(value(b, {}, b.binary(Op::Div, i(5), i(0))) == 0);
  CHECK(value(b, {}, b.binary(Op::Mod, i(5), i(0))) == 5);
  CHECK(value(b, {}, b.binary(Op::Shl, i(1), i(32))) == 0);
  CHECK(value(b, {}, b.binary(Op::Shr, i(-1), i(40))) == 0xffffffff);
  Ref x = b.input("X", Type::i8, 0);
  Ref square = b.mul(b.at(x, {}), b.at(x, {}));
  CHECK(value(b, {{x, numbers(Type::i8, {}, {100})}}, square) == 10000);
  CHECK(value(b, {{x, numbers(Type::i8, {}, {100})}}, square, Type::i8) == 16);
}

TEST_CASE("contract: extremes and their numbers") {
  const auto fold = [](Fold f, const Bits& v) {
    Maker b;
    Ref x = b.input("X", Type::f32, 1), k = b.any("k");
    return value(b, {{x, patterns(Type::f32, {static_cast<i64>(v.size())}, v)}}, b.fold_of(f, {k}, b.at(x, {k})));
  };
  CHECK(fold(Fold::max, {0x7fc00000, 0x3f800000}) == 0x7fc00000);
  CHECK(fold(Fold::fmax, {0x7fc00000, 0x3f800000}) == 0x3f800000);
  CHECK(fold(Fold::max, {}) == 0xff800000);
  CHECK(fold(Fold::min, {}) == 0x7f800000);
  CHECK(fold(Fold::fmin, {}) == 0x7fc00000);
  const auto argmax = [](const Bits& v) {
    Maker b;
    Ref x = b.input("X", Type::f32, 1), k = b.lanes("k", 4);
    return value(b, {{x, patterns(Type::f32, {static_cast<i64>(v.size())}, v)}},
                 b.field(b.arg_extreme(true, &k, 1, b.at(x, {k}), nullptr, {}), 1));
  };
  CHECK(argmax({0x80000000, 0x00000000}) == 0);
  CHECK(argmax({0x3f800000, 0x7fc00000, 0x7fc00000}) == 1);
  CHECK(argmax({}) == ~u64{0});
}
