#include <thread>
#include "ir/made.hpp"

using namespace made;

namespace {
Ref reduce_of(Ref field) { return field->src[0]; }
Ref step_of(Ref field) { return ReduceView(field->src[0]).step(0); }
u64 init_of(Ref field) { return ReduceView(field->src[0]).init(0)->arg; }
struct Two : Front {
  Ref X = tensor("X", 1), I = tensor("I", 1, Type::i32), k = chain("k"), x = at(X, {k}), n = at(I, {k});
};
}  // namespace

TEST_CASE("fold: a product in a sum of floats is one fma, x and y as written") {
  Two f;
  const Ref step = step_of(f.sum({f.k}, f.mul(f.x, f.real(3))));
  CHECK(step->op == Op::Fma);
  CHECK(step->src[0] == f.x);
  CHECK(step->src[2]->op == Op::State);
}
TEST_CASE("fold: a negation, a cast, an unfused product and an fma are added") {
  Two f;
  const Ref product = f.mul(f.x, f.x);
  for (Ref term : {f.b.unary(Op::Neg, product), f.b.cast(Type::f16, product), f.b.ternary(Op::Fma, f.x, f.x, f.x)}) {
    CHECK(step_of(f.sum({f.k}, term))->op == Op::Add);
    CHECK(step_of(f.sum({f.k}, term))->src[1] == term);
  }
  const Ref unfused = step_of(f.sum({f.k}, f.b.unary(Op::Unfused, f.b.unary(Op::Unfused, product))));
  CHECK(unfused->op == Op::Add);
  CHECK(unfused->src[1] == product);
}
TEST_CASE("fold: a wider accumulator converts x and y before the product") {
  Two f;
  const Ref wide = step_of(f.fold(Fold::sum, {f.k}, f.mul(f.x, f.x), nullptr, nullptr, Type::f64));
  CHECK(wide->op == Op::Fma);
  CHECK(wide->src[0]->op == Op::Cast);
  CHECK(wide->src[0]->type == Type::f64);
  const Ref integers = step_of(f.fold(Fold::sum, {f.k}, f.mul(f.n, f.n), nullptr, nullptr, Type::i64));
  CHECK(integers->op == Op::Add);
  CHECK(integers->src[1]->op == Op::Mul);
  CHECK(integers->src[1]->src[0]->type == Type::i64);
  const Ref casted = step_of(f.fold(Fold::sum, {f.k}, f.b.cast(Type::f64, f.mul(f.x, f.x)), nullptr, nullptr, Type::f64));
  CHECK(casted->op == Op::Add);
}
TEST_CASE("fold: each starts from its identity") {
  Two f;
  CHECK(init_of(f.sum({f.k}, f.x)) == 0);
  CHECK(init_of(f.fold(Fold::product, {f.k}, f.x)) == 0x3f800000);
  CHECK(init_of(f.max({f.k}, f.x)) == 0xff800000);
  CHECK(init_of(f.fold(Fold::min, {f.k}, f.x)) == 0x7f800000);
  CHECK(init_of(f.fold(Fold::fmax, {f.k}, f.x)) == 0x7fc00000);
  CHECK(init_of(f.max({f.k}, f.n)) == 0x80000000);
  CHECK(init_of(f.fold(Fold::min, {f.k}, f.n)) == 0x7fffffff);
  CHECK(init_of(f.max({f.k}, f.b.cast(Type::u64, f.n))) == 0);
  CHECK(init_of(f.fold(Fold::all_of, {f.k}, f.less(f.x, f.x))) == 1);
  CHECK(init_of(f.fold(Fold::any_of, {f.k}, f.less(f.x, f.x))) == 0);
}
TEST_CASE("fold: the order is free where no order changes the bits, and such a fold can merge") {
  Two f;
  const auto facts = [](Ref field) { return reduce_facts(reduce_of(field)->arg); };
  CHECK_FALSE(facts(f.sum({f.k}, f.x)).free);
  CHECK_FALSE(facts(f.sum({f.k}, f.x)).merge);
  CHECK_FALSE(facts(f.fold(Fold::product, {f.k}, f.x)).free);
  for (Ref field : {f.sum({f.k}, f.n), f.fold(Fold::product, {f.k}, f.n), f.max({f.k}, f.x), f.fold(Fold::fmin, {f.k}, f.x),
                    f.sum({f.any("q")}, f.n)}) {
    CHECK(facts(field).free);
    CHECK(facts(field).merge);
  }
  const Ref lanes = f.sum({f.lanes("l", 8)}, f.x);
  CHECK(facts(lanes).merge);
  CHECK_FALSE(facts(lanes).free);
}
TEST_CASE("fold: from replaces the identity of a sum in order, and is joined once to a free one") {
  Two f;
  const Ref start = f.real(2);
  CHECK(ReduceView(reduce_of(f.fold(Fold::sum, {f.k}, f.x, nullptr, start))).init(0) == start);
  const Ref joined = f.fold(Fold::max, {f.k}, f.x, nullptr, start);
  CHECK(joined->op == Op::Max);
  CHECK(joined->src[0] == start);
}
TEST_CASE("arg_extreme: a value and an i64 number, in any order") {
  Two f;
  const Ref best = f.b.arg_extreme(true, &f.k, 1, f.x, nullptr, line(6));
  CHECK(reduce_facts(best->arg).free);
  CHECK(f.b.field(best, 0)->type == Type::f32);
  CHECK(f.b.field(best, 1)->type == Type::i64);
  CHECK(static_cast<i64>(ReduceView(best).init(1)->arg) == -1);
}
TEST_CASE("constants: one rounding of a double, an integer exactly or not at all") {
  Front f;
  CHECK(f.b.constant(Type::f32, 0.1, line(5))->arg == 0x3dcccccd);
  CHECK(f.b.constant(Type::f32, i64{16777216}, line(5))->arg == 0x4b800000);
  CHECK(f.b.constant(Type::i32, i64{-1}, line(5))->arg == 0xffffffff);
  CHECK(f.b.constant(Type::u32, u64{4294967295}, line(5))->arg == 0xffffffff);
  CHECK(f.b.constant(Type::boolean, i64{1}, line(5))->arg == 1);
  CHECK(first_line([&] { f.b.constant(Type::u32, i64{-1}, line(5)); }) == "error[lang.literal]: the literal -1 is not a value of u32");
  CHECK(first_line([&] { f.b.constant(Type::i32, 0.5, line(5)); }) == "error[lang.literal]: the literal 0.5 is not a value of i32");
  CHECK(refusal([&] { f.b.constant(Type::f32, i64{16777217}, line(5)); }) ==
        "error[lang.literal]: the literal 16777217 is not a value of f32\n"
        "  at model.cpp:5\n"
        "  help: write it as a floating-point number, which is rounded once");
}
TEST_CASE("builder: a read of a narrow tensor is computed wide, a cast to a narrow type stays wide") {
  Front f;
  const Ref i = f.index("i");
  CHECK(f.at(f.tensor("H", 1, Type::bf16), {i})->type == Type::f32);
  CHECK(f.at(f.tensor("B", 1, Type::u8), {i})->type == Type::i32);
  const Ref narrowed = f.b.cast(Type::f16, f.real(1));
  CHECK(narrowed->type == Type::f32);
  CHECK(static_cast<Type>(narrowed->arg) == Type::f16);
  CHECK(f.b.cast(Type::f32, narrowed) == narrowed);
  const Ref gathered = f.at(f.tensor("X", 1), {f.at(f.tensor("I", 1, Type::i32), {i})});
  CHECK(gathered->src[1]->type == Type::i64);
}
TEST_CASE("builder: threads write to the process-wide store side by side") {
  std::vector<std::thread> threads;
  std::vector<Ref> made(4);
  for (std::size_t t = 0; t < 4; ++t)
    threads.emplace_back([&made, t] {
      Ref e = Builder::front().dim("N");
      for (int k = 0; k < 5000; ++k) e = Builder::front().binary(Op::Add, e, e);
      made[t] = e;
    });
  for (std::thread& t : threads) t.join();
  for (Ref e : made) {
    int depth = 0;
    for (; e->op == Op::Add; e = e->src[0]) ++depth;
    CHECK(depth == 5000);
  }
}
TEST_CASE("define: of two definitions of one tensor at once, one is refused") {
  Front f;
  const Ref X = f.tensor("X", 1), i = f.index("i");
  int refused = 0;
  std::vector<std::thread> threads;
  std::atomic<int> count{0};
  for (int t = 0; t < 2; ++t)
    threads.emplace_back([&] {
      Builder& b = Builder::front();
      const Ref left = b.load(X, &i, 1, line(7));
      try {
        b.define(left, b.constant(Type::f32, 1.0, line(7)));
      } catch (const Error&) {
        ++count;
      }
    });
  for (std::thread& t : threads) t.join();
  refused = count;
  CHECK(refused == 1);
  CHECK(definition_of(X) != nullptr);
}
