#include <doctest/doctest.h>
#include <cstring>
#include <limits>
#include <map>
#include <random>
#include <string>
#include "ordo/ir/form.hpp"
#include "ordo/ir/rules.hpp"
#include "ordo/ir/simplify.hpp"
#include "ordo/ir/text.hpp"

using namespace ordo;
using namespace ordo::ir;

namespace {
using Values = std::map<Ref, i64>;

i64 narrowed(Type t, i64 v) {
  switch (t) {
    case Type::i32: return static_cast<i32>(v);
    case Type::u32: return static_cast<u32>(v);
    default: return v;
  }
}
i64 divided(Op op, Type t, i64 a, i64 b) {
  const bool quotient = op == Op::Div || op == Op::FloorDiv;
  if (b == 0) return quotient ? 0 : a;
  if (t == Type::u64)
    return static_cast<i64>(quotient ? static_cast<u64>(a) / static_cast<u64>(b) : static_cast<u64>(a) % static_cast<u64>(b));
  if (b == -1) return quotient ? wrap_sub(0, a) : 0;
  i64 q = a / b, r = a % b;
  if ((op == Op::FloorDiv || op == Op::FloorMod) && r != 0 && (r < 0) != (b < 0)) --q, r += b;
  return quotient ? q : r;
}
i64 shifted(Op op, Type t, i64 a, i64 b) {
  const bool wide = t == Type::i64 || t == Type::u64;
  const u64 n = wide ? static_cast<u64>(b) : static_cast<u64>(static_cast<u32>(b));
  const u64 width = wide ? 64 : 32;
  if (op == Op::Shl) return n >= width ? 0 : static_cast<i64>(static_cast<u64>(a) << n);
  if (t == Type::u64 || t == Type::u32) return n >= width ? 0 : static_cast<i64>(static_cast<u64>(a) >> n);
  return a >> (n >= width ? width - 1 : n);
}
bool less(Type t, i64 a, i64 b) { return t == Type::u64 ? static_cast<u64>(a) < static_cast<u64>(b) : a < b; }

// The contract's integers, written a second time. i32 and u32 are carried as the numbers that they are.
i64 reference(Ref e, const Values& values) {
  if (const auto at = values.find(e); at != values.end()) return at->second;
  if (e->op == Op::Const) return e->type == Type::i32 ? static_cast<i32>(static_cast<u32>(e->arg)) : static_cast<i64>(e->arg);
  if (e->op == Op::Select) return reference(e->src[reference(e->src[0], values) != 0 ? 1 : 2], values);
  REQUIRE(e->count > 0);
  const Type t = e->src[0]->type;
  const i64 a = reference(e->src[0], values), b = e->count > 1 ? reference(e->src[1], values) : 0;
  switch (e->op) {
    case Op::Add: return narrowed(t, wrap_add(a, b));
    case Op::Sub: return narrowed(t, wrap_sub(a, b));
    case Op::Mul: return narrowed(t, wrap_mul(a, b));
    case Op::Neg: return narrowed(t, wrap_sub(0, a));
    case Op::Abs: return less(t, a, 0) ? narrowed(t, wrap_sub(0, a)) : a;
    case Op::Div: case Op::Mod: case Op::FloorDiv: case Op::FloorMod: return narrowed(t, divided(e->op, t, a, b));
    case Op::Max: return less(t, a, b) ? b : a;
    case Op::Min: return less(t, a, b) ? a : b;
    case Op::Not: return a == 0;
    case Op::And: case Op::BitAnd: return a & b;
    case Op::Or: case Op::BitOr: return a | b;
    case Op::BitXor: return a ^ b;
    case Op::Shl: case Op::Shr: return narrowed(t, shifted(e->op, t, a, b));
    case Op::Lt: return less(t, a, b);
    case Op::Le: return !less(t, b, a);
    case Op::Gt: return less(t, b, a);
    case Op::Ge: return !less(t, a, b);
    case Op::Eq: return a == b;
    case Op::Ne: return a != b;
    default: FAIL("an operation that the reference does not know: ", name_of(e->op)); return 0;
  }
}

struct World {
  Arena arena;
  std::mt19937_64 random{7};
  Ref m = arena.make(Op::Dim, Type::i64, {}, 0, "M");
  Ref n = arena.make(Op::Dim, Type::i64, {}, 1, "N");
  Ref v = arena.make(Op::Var, Type::i64, {}, 3, "i.0");
  Ref w = arena.make(Op::Var, Type::i64, {}, 4 | any_value, "x");
  Ref i = arena.make(Op::Axis, Type::i64, {arena.integer(8)}, pack(AxisFacts{Order::free, 1, 0, 0}), "i");
  Ref c(i64 value) { return arena.integer(value); }
  Ref b(Op op, Ref x, Ref y) {
    const bool truth = class_of(op) == OpClass::compare;
    return arena.make(op, truth ? Type::boolean : x->type, {x, y});
  }
  Ref add(Ref x, Ref y) { return b(Op::Add, x, y); }
  Ref sub(Ref x, Ref y) { return b(Op::Sub, x, y); }
  Ref mul(Ref x, Ref y) { return b(Op::Mul, x, y); }
  Ref div(Ref x, Ref y) { return b(Op::Div, x, y); }
  Ref mod(Ref x, Ref y) { return b(Op::Mod, x, y); }
  Ref truth(bool value) { return arena.constant(Type::boolean, value); }
  Ref s(Ref e) { return simplify(arena, e); }
  u64 below(u64 limit) { return random() % limit; }

  i64 size() {
    switch (below(4)) {
      case 0: return static_cast<i64>(below(20));
      case 1: return static_cast<i64>(below(2000));
      case 2: return (i64{1} << 40) - 1 - static_cast<i64>(below(3));
      default: return static_cast<i64>(below(u64{1} << 40));
    }
  }
  i64 any() { return below(2) == 0 ? static_cast<i64>(random()) : static_cast<i64>(below(40)) - 20; }
  Values values() { return {{m, size()}, {n, size()}, {v, size()}, {w, any()}, {i, static_cast<i64>(below(8))}}; }
  Ref number() {
    constexpr i64 some[] = {0, 1, -1, 2, 3, 4, 7, 8, 8, 8, 16, 12, -8, -3, 5, 64, 1000};
    if (below(20) == 0) return c(below(2) == 0 ? std::numeric_limits<i64>::min() : std::numeric_limits<i64>::max());
    return c(some[below(std::size(some))]);
  }
  Ref integer(int depth) {
    if (depth == 0) {
      const Ref atoms[] = {m, v, i, n, w, number(), number(), number()};
      return atoms[below(8)];
    }
    constexpr Op ops[] = {Op::Add, Op::Add, Op::Add,      Op::Sub,      Op::Sub, Op::Mul,
                          Op::Div, Op::Mod, Op::FloorDiv, Op::FloorMod, Op::Max, Op::Min};
    const u64 pick = below(16);
    if (pick == 12) return arena.make(Op::Select, Type::i64, {boolean(depth - 1), integer(depth - 1), integer(depth - 1)});
    if (pick == 13) return arena.make(below(2) == 0 ? Op::Neg : Op::Abs, Type::i64, {integer(depth - 1)});
    if (pick == 14) return b(Op::Mul, integer(depth - 1), number());
    if (pick == 15) return b(ops[6 + below(4)], integer(depth - 1), number());
    return b(ops[pick], integer(depth - 1), below(3) == 0 ? integer(0) : integer(depth - 1));
  }
  Ref boolean(int depth) {
    constexpr Op ops[] = {Op::Lt, Op::Le, Op::Gt, Op::Ge, Op::Eq, Op::Ne};
    if (depth == 0) return b(ops[below(6)], integer(0), integer(0));
    switch (below(8)) {
      case 0: return b(Op::And, boolean(depth - 1), boolean(depth - 1));
      case 1: return b(Op::Or, boolean(depth - 1), boolean(depth - 1));
      case 2: return arena.make(Op::Not, Type::boolean, {boolean(depth - 1)});
      case 3: return arena.make(Op::Select, Type::boolean, {boolean(depth - 1), boolean(depth - 1), boolean(depth - 1)});
      default: return b(ops[below(6)], integer(depth - 1), integer(depth - 1));
    }
  }
};

// Rules are written in a small language; this reads it once more, for any type.
struct Reading {
  World& world;
  Type operand;
  Ref names[3];
  const char* at;
  Ref expression(Type wanted) {
    while (*at == ' ' || *at == ',') ++at;
    std::size_t length = 0;
    while (std::strchr(" ,()", at[length]) == nullptr) ++length;
    const std::string word(at, length);
    at += length;
    if (word == "x" || word == "y" || word == "z") {
      Ref& name = names[word[0] - 'x'];
      if (name == nullptr)
        name = world.arena.make(Op::Var, wanted, {}, (static_cast<u64>(word[0]) + 256 * static_cast<u64>(wanted)) | any_value, "r");
      return name;
    }
    if (word == "true" || word == "false") return world.truth(word == "true");
    if (word == "0" || word == "1") return world.arena.constant(wanted, word == "1");
    ++at;
    for (int k = 0; k < op_count; ++k) {
      const Op op = static_cast<Op>(k);
      if (word != name_of(op)) continue;
      const bool truth = class_of(op) == OpClass::compare || op == Op::Not;
      std::vector<Ref> sources;
      while (*at != ')') {
        const Type inner = op == Op::Select && sources.empty() ? Type::boolean : wanted;
        sources.push_back(expression(inner == Type::boolean && op != Op::Select ? Type::boolean : op == Op::Not ? wanted : inner));
        while (*at == ' ' || *at == ',') ++at;
      }
      ++at;
      return world.arena.make(op, truth ? Type::boolean : sources.back()->type, sources.data(), static_cast<u32>(sources.size()));
    }
    FAIL("no operation is called ", word);
    return nullptr;
  }
};
}  // namespace

TEST_CASE("rules: both sides of every rule have one value, in every type that it is for") {
  World world;
  for (const RewriteRule& rule : rewrite_rules()) {
    for (const Type type : {Type::boolean, Type::i32, Type::u32, Type::i64, Type::u64}) {
      if (rule.values == RewriteRule::For::integer && type == Type::boolean) continue;
      if (rule.values == RewriteRule::For::boolean && type != Type::boolean) continue;
      Reading from{world, type, {}, rule.from};
      const Ref left = from.expression(type);
      const Ref applied = apply_rules(world.arena, left);
      REQUIRE_MESSAGE(applied != nullptr, rule.from);
      Reading to{world, type, {from.names[0], from.names[1], from.names[2]}, rule.to};
      const Ref right = to.expression(type);
      for (int turn = 0; turn < 200; ++turn) {
        Values values;
        for (const Ref name : from.names)
          if (name != nullptr)
            values[name] = name->type == Type::boolean ? static_cast<i64>(world.below(2)) : narrowed(name->type, world.any());
        INFO(std::string(rule.from) << " -> " << rule.to << " in " << name_of(type));
        REQUIRE(reference(left, values) == reference(right, values));
        REQUIRE(reference(left, values) == reference(applied, values));
      }
    }
  }
}

TEST_CASE("simplify: keeps the value of random integer and boolean expressions") {
  World world;
  for (int turn = 0; turn < 10000; ++turn) {
    const int depth = 1 + turn % 5;
    const Ref e = turn % 3 == 0 ? world.boolean(depth) : world.integer(depth);
    const Ref better = world.s(e);
    for (int k = 0; k < 8; ++k) {
      const Values values = world.values();
      REQUIRE_MESSAGE(reference(e, values) == reference(better, values), "expression " << turn);
    }
  }
}

TEST_CASE("simplify: a second time changes nothing") {
  World world;
  for (int turn = 0; turn < 4000; ++turn) {
    const Ref once = world.s(world.integer(1 + turn % 4));
    CHECK_MESSAGE(world.s(once) == once, "expression " << turn << ": " << print(once) << " -> " << print(world.s(once)));
  }
}

TEST_CASE("interval: holds every value of random expressions") {
  World world;
  for (int turn = 0; turn < 10000; ++turn) {
    const Ref e = world.integer(1 + turn % 4);
    const Interval bounds = interval(e, {});
    if (!bounds.known) continue;
    for (int k = 0; k < 8; ++k) {
      const i64 value = reference(e, world.values());
      REQUIRE(bounds.low <= value);
      REQUIRE(value <= bounds.high);
    }
  }
}

TEST_CASE("linear: is the expression, for all values, and so is what build makes of it") {
  World world;
  for (int turn = 0; turn < 5000; ++turn) {
    const Ref e = world.integer(1 + turn % 4);
    const Linear form = linear(e);
    const Ref again = build(world.arena, form);
    const Values values = world.values();
    i64 total = form.constant;
    for (const Linear::Term& t : form.terms) total = wrap_add(total, wrap_mul(t.coefficient, reference(t.atom, values)));
    REQUIRE(total == reference(e, values));
    REQUIRE(total == reference(again, values));
  }
}

TEST_CASE("provably: claims hold for random values") {
  World world;
  int equal = 0, ordered = 0, multiple = 0;
  for (int turn = 0; turn < 6000; ++turn) {
    const Ref a = world.integer(turn % 3), b = turn % 2 == 0 ? world.integer(turn % 4) : world.add(a, world.integer(1));
    const i64 factor = 1 + static_cast<i64>(world.below(8));
    const bool eq = provably_equal(a, b), le = provably_less_equal(a, b), by = provably_multiple(a, factor);
    equal += eq, ordered += le, multiple += by;
    for (int k = 0; k < 8; ++k) {
      const Values values = world.values();
      const i64 x = reference(a, values), y = reference(b, values);
      if (eq) REQUIRE(x == y);
      if (le) REQUIRE(x <= y);
      if (by) REQUIRE(x % factor == 0);
    }
  }
  CHECK(equal > 50);
  CHECK(ordered > 200);
  CHECK(multiple > 200);
}

TEST_CASE("simplify: sums become linear forms") {
  World w;
  const Ref io = w.v, ii = w.i;
  CHECK(w.s(w.sub(w.add(w.mul(io, w.c(8)), ii), w.mul(io, w.c(8)))) == ii);
  CHECK(w.s(w.add(w.mul(w.m, w.c(1)), w.c(0))) == w.m);
  CHECK(w.s(w.sub(w.mul(w.add(io, w.c(1)), w.n), w.mul(io, w.n))) == w.n);
  CHECK(w.s(w.mul(w.m, w.n)) == w.s(w.mul(w.n, w.m)));
  CHECK(w.s(w.sub(w.m, w.m)) == w.c(0));
  CHECK(w.s(w.sub(w.c(3), w.m)) == w.sub(w.c(3), w.m));
}

TEST_CASE("simplify: quotients and remainders by constants are taken apart") {
  World w;
  const Ref whole = w.add(w.mul(w.v, w.c(8)), w.i);    // 0 <= i < 8
  CHECK(w.s(w.div(whole, w.c(8))) == w.v);
  CHECK(w.s(w.mod(whole, w.c(8))) == w.i);
  CHECK(w.s(w.div(w.add(w.mul(w.v, w.c(8)), w.mul(w.m, w.c(16))), w.c(8))) == w.s(w.add(w.v, w.mul(w.m, w.c(2)))));
  CHECK(w.s(w.div(w.div(w.m, w.c(4)), w.c(8))) == w.div(w.m, w.c(32)));
  CHECK(w.s(w.b(Op::FloorDiv, w.b(Op::FloorDiv, w.w, w.c(4)), w.c(8))) == w.b(Op::FloorDiv, w.w, w.c(32)));
  CHECK(w.s(w.b(Op::FloorDiv, w.m, w.c(4))) == w.div(w.m, w.c(4)));
  CHECK(w.s(w.b(Op::FloorDiv, w.w, w.c(4))) == w.b(Op::FloorDiv, w.w, w.c(4)));
  CHECK(w.s(w.div(w.add(w.m, w.c(9)), w.c(8))) == w.add(w.div(w.add(w.m, w.c(1)), w.c(8)), w.c(1)));
  for (const Ref n : {w.c(8), w.n})                    // what a fusion is undone by
    CHECK(w.s(w.add(w.mul(w.div(w.v, n), n), w.mod(w.v, n))) == w.v);
  CHECK(w.s(w.div(w.m, w.c(0))) == w.c(0));
  CHECK(w.s(w.mod(w.m, w.c(0))) == w.m);
  CHECK(w.s(w.div(w.m, w.m)) == w.div(w.m, w.m));      // 0 / 0 is 0
}

TEST_CASE("simplify: comparisons and extremes are decided by the difference") {
  World w;
  const Ref yes = w.truth(true), no = w.truth(false);
  CHECK(w.s(w.b(Op::Lt, w.add(w.m, w.c(3)), w.add(w.m, w.c(5)))) == yes);
  CHECK(w.s(w.b(Op::Lt, w.add(w.w, w.c(3)), w.add(w.w, w.c(5)))) != yes);       // may wrap
  CHECK(w.s(w.b(Op::Ne, w.add(w.w, w.c(3)), w.add(w.w, w.c(5)))) == yes);       // whether or not it wraps
  CHECK(w.s(w.b(Op::Ge, w.m, w.c(0))) == yes);
  CHECK(w.s(w.b(Op::Lt, w.v, w.c(0))) == no);
  CHECK(w.s(w.b(Op::Lt, w.w, w.c(0))) == w.b(Op::Lt, w.w, w.c(0)));
  CHECK(w.s(w.b(Op::Lt, w.i, w.c(8))) == yes);
  CHECK(w.s(w.b(Op::Lt, w.mul(w.v, w.c(8)), w.c(64))) == w.b(Op::Lt, w.v, w.c(8)));
  CHECK(w.s(w.b(Op::Max, w.add(w.m, w.c(2)), w.add(w.m, w.c(7)))) == w.add(w.m, w.c(7)));
  CHECK(w.s(w.b(Op::Min, w.c(3), w.c(-4))) == w.c(-4));
  CHECK(w.s(w.b(Op::Max, w.b(Op::Max, w.w, w.c(3)), w.c(5))) == w.b(Op::Max, w.w, w.c(5)));
  CHECK(w.s(w.b(Op::And, w.b(Op::Ge, w.m, w.c(0)), w.b(Op::Lt, w.v, w.m))) == w.b(Op::Lt, w.v, w.m));
}

TEST_CASE("simplify: floats are folded when constant and otherwise left alone") {
  World w;
  const auto f = [&](float value) { u32 bits; std::memcpy(&bits, &value, 4); return w.arena.constant(Type::f32, bits); };
  const Ref x = w.arena.make(Op::Cast, Type::f32, {w.m}, static_cast<u64>(Type::f32));
  CHECK(w.s(w.add(f(1.5f), f(0.25f))) == f(1.75f));
  CHECK(w.s(w.b(Op::Lt, f(1), f(2))) == w.truth(true));
  for (const Ref e : {w.add(x, f(0)), w.mul(x, f(0)), w.sub(x, x), w.b(Op::Eq, x, x), w.b(Op::Max, x, x)}) CHECK(w.s(e) == e);
  const Ref unordered = w.arena.make(Op::Not, Type::boolean, {w.b(Op::Lt, x, f(1))});
  CHECK(w.s(unordered) == unordered);
  CHECK(w.s(w.arena.make(Op::Not, Type::boolean, {w.b(Op::Eq, x, f(1))})) == w.b(Op::Ne, x, f(1)));
  CHECK(w.s(w.arena.make(Op::Select, Type::f32, {w.b(Op::Ge, w.m, w.c(0)), x, f(1)})) == x);
}

TEST_CASE("simplify: casts") {
  World w;
  CHECK(w.s(w.arena.make(Op::Cast, Type::i64, {w.m}, static_cast<u64>(Type::i64))) == w.m);
  CHECK(w.s(w.arena.make(Op::Cast, Type::i32, {w.c(300)}, static_cast<u64>(Type::u8))) == w.arena.constant(Type::i32, 44));
  const Ref narrow = w.arena.make(Op::Cast, Type::i32, {w.arena.make(Op::Cast, Type::i32, {w.m}, static_cast<u64>(Type::i32))},
                                  static_cast<u64>(Type::i8));
  CHECK(w.s(narrow) == narrow);
}

TEST_CASE("simplify: takes time that is linear in the size of the graph") {
  World w;
  Ref e = w.m;
  for (int k = 0; k < 60; ++k) e = w.add(e, e);
  const Linear form = linear(e);
  REQUIRE(form.terms.size() == 1);
  CHECK(form.terms[0].coefficient == i64{1} << 60);
  CHECK(w.s(e) == w.mul(w.m, w.c(i64{1} << 60)));
  Ref h = w.m;
  for (int k = 0; k < 60; ++k) h = w.b(Op::Max, w.mul(h, w.add(h, w.w)), h);
  CHECK(w.s(h) != nullptr);
  Ref deep = w.w;
  for (int k = 0; k < 100000; ++k) deep = w.arena.make(k % 2 == 0 ? Op::BitXor : Op::BitAnd, Type::i64, {deep, w.c(k + 1)});
  CHECK(w.s(deep) != nullptr);
  Ref wide = w.m;
  for (int k = 0; k < 100000; ++k) wide = w.add(wide, w.arena.make(Op::Var, Type::i64, {}, static_cast<u64>(k + 100), "q"));
  CHECK(w.s(wide) == wide);
  CHECK(interval(deep, {}).known == false);
}

TEST_CASE("simplify: vectors keep their shape, scalars below them are simplified") {
  World w;
  const Ref base = w.sub(w.add(w.m, w.n), w.n);
  const Ref ramp = w.arena.make(Op::Ramp, Type::i64, {base, w.c(1)}, 0, "", {}, 8);
  const Ref zero = w.arena.constant(Type::i64, 0, 8);
  const Ref sum = w.arena.make(Op::Add, Type::i64, {ramp, zero}, 0, "", {}, 8);
  const Ref better = w.s(sum);
  CHECK(better->op == Op::Add);
  CHECK(better->lanes == 8);
  CHECK(better->src[0]->op == Op::Ramp);
  CHECK(better->src[0]->src[0] == w.m);
}

TEST_CASE("simplify: statements lose branches that are never taken") {
  World w;
  const Ref write = w.arena.make(Op::Write, Type::none, {w.add(w.v, w.c(0)), w.m}, 2);
  const Ref branch = w.arena.make(Op::If, Type::none, {w.b(Op::Ge, w.m, w.c(0)), write});
  const Ref loop = w.arena.make(Op::For, Type::none, {w.v, w.c(0), w.m, branch});
  const Ref better = w.s(loop);
  REQUIRE(better->op == Op::For);
  REQUIRE(better->src[3]->op == Op::Write);
  CHECK(better->src[3]->arg == 2);
  CHECK(better->src[3]->src[0] == w.v);
}

TEST_CASE("Simplifier: uses narrower ranges where they are given") {
  World w;
  const std::vector<AtomRange> ranges = {{w.v, 0, 3}, {w.w, -2, 5}};
  Simplifier simplifier(w.arena, &ranges);
  CHECK(simplifier(w.div(w.v, w.c(4))) == w.c(0));
  CHECK(simplifier(w.b(Op::Lt, w.w, w.c(6))) == w.truth(true));
  CHECK(simplifier(w.b(Op::Lt, w.w, w.c(5))) != w.truth(true));
  CHECK(interval(w.add(w.mul(w.v, w.c(4)), w.w), ranges).high == 17);
}

TEST_CASE("provably: sizes and tails") {
  World w;
  const Ref blocks = w.div(w.add(w.m, w.c(7)), w.c(8)), padded = w.mul(blocks, w.c(8));
  CHECK(provably_less_equal(w.m, padded));
  CHECK(provably_less_equal(padded, w.add(w.m, w.c(7))));
  CHECK_FALSE(provably_less_equal(padded, w.m));
  CHECK(provably_less_equal(w.b(Op::Min, w.m, w.n), w.m));
  CHECK(provably_less_equal(w.m, w.b(Op::Max, w.n, w.m)));
  CHECK(provably_less_equal(w.mul(w.div(w.m, w.c(8)), w.c(8)), w.m));
  CHECK(provably_equal(w.mul(w.m, w.n), w.mul(w.n, w.m)));
  CHECK_FALSE(provably_equal(w.m, w.n));
  CHECK(provably_multiple(padded, 8));
  CHECK(provably_multiple(w.mul(padded, w.n), 4));
  CHECK_FALSE(provably_multiple(w.m, 2));
}

TEST_CASE("substitute: replaces in every operation and rebuilds only what changes") {
  World w;
  const Ref var = w.arena.make(Op::Var, Type::i64, {}, 9, "k");
  const Ref read = w.arena.make(Op::Read, Type::f32, {w.add(var, w.m)}, 1);
  const Ref write = w.arena.make(Op::Write, Type::none, {var, read}, 2);
  const Ref body =
      w.arena.make(Op::Let, Type::none,
                   {w.w, w.mul(var, w.c(2)), w.arena.make(Op::Block, Type::none, {write, w.arena.make(Op::Fail, Type::none, {w.n}, 1)})});
  const Ref loop = w.arena.make(
      Op::For, Type::none,
      {var, w.c(0), w.m, w.arena.make(Op::Alloc, Type::none, {w.arena.make(Op::If, Type::none, {w.b(Op::Lt, var, w.m), body})}, 7)},
      static_cast<u64>(LoopMode::parallel), "", {"f.cpp", 3});
  const Replacement to[] = {{var, w.v}, {w.m, w.c(5)}};
  const Ref done = substitute(w.arena, loop, to, 2);
  CHECK(done->arg == static_cast<u64>(LoopMode::parallel));
  CHECK(done->at.line == 3);
  CHECK(done->src[0] == w.v);
  CHECK(done->src[2] == w.c(5));
  const Ref inner = done->src[3]->src[0]->src[1];
  CHECK(inner->src[1] == w.mul(w.v, w.c(2)));
  CHECK(inner->src[2]->src[0]->src[1]->src[0] == w.add(w.v, w.c(5)));
  CHECK(inner->src[2]->src[1] == body->src[2]->src[1]);
  CHECK(substitute(w.arena, loop, to, 0) == loop);
  const Replacement extent[] = {{w.m, w.n}};
  const Ref axis = w.arena.make(Op::Axis, Type::i64, {w.m}, 0, "j");
  CHECK(extent_of(substitute(w.arena, axis, extent, 1)) == w.n);
}

TEST_CASE("evaluate: sizes over Dims by the contract's integers") {
  World w;
  const i64 dims[] = {21, 0};
  CHECK(evaluate(w.div(w.add(w.m, w.c(7)), w.c(8)), dims) == 3);
  CHECK(evaluate(w.div(w.m, w.n), dims) == 0);
  CHECK(evaluate(w.mod(w.m, w.n), dims) == 21);
  CHECK(evaluate(w.b(Op::FloorDiv, w.sub(w.n, w.c(1)), w.c(8)), dims) == -1);
  CHECK(evaluate(w.b(Op::And, w.b(Op::Lt, w.n, w.m), w.b(Op::Eq, w.mod(w.m, w.c(7)), w.c(0))), dims) == 1);
  Ref e = w.m;
  for (int k = 0; k < 60; ++k) e = w.add(e, e);
  CHECK(evaluate(e, dims) == static_cast<i64>(u64{21} << 60));
  World r;
  for (int turn = 0; turn < 3000; ++turn) {
    const i64 values[] = {r.size(), r.size()};
    const Ref raw = r.integer(1 + turn % 4);
    const Replacement fixed[] = {{r.v, r.m}, {r.w, r.c(-5)}, {r.i, r.c(3)}};
    const Ref sizes = substitute(r.arena, raw, fixed, 3);
    REQUIRE(evaluate(sizes, values) == reference(sizes, {{r.m, values[0]}, {r.n, values[1]}}));
  }
}
