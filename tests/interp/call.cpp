#include "made.hpp"

using namespace made;

namespace {
// Y(i, j) = 2 X(i, j), with X: f32[N, 3].
ir::Program doubled() {
  Maker b;
  Ref n = b.dim("N");
  const Ref shape[] = {n, b.i64s(3)};
  Ref x = b.tensor("X", Type::f32, 2, shape, {}), i = b.index("i"), j = b.index("j");
  Ref y = b.named("Y", Type::f32, {i, j}, b.add(b.at(x, {i, j}), b.at(x, {i, j})));
  return ir::snapshot(&x, 1, &y, 1, {});
}
template <class Change>
std::string refused(Change change, int count = 2) {
  const ir::Program program = doubled();
  Data x = numbers(Type::f32, {2, 3}, {1, 2, 3, 4, 5, 6}), y = empty(Type::f32, {2, 3});
  Argument arguments[] = {x.argument(), y.argument()};
  change(arguments[0], arguments[1]);
  const Data before = y;
  std::string code;
  try {
    interpret(program, arguments, count);
  } catch (const Error& e) {
    code = e.code();
    CHECK(e.kind() == Error::Kind::run_time);
    CHECK(y.bytes == before.bytes);
  }
  return code;
}
}  // namespace

TEST_CASE("interpret: a wrong call is refused before memory is touched") {
  CHECK(refused([](Argument&, Argument&) {}) == "");
  CHECK(refused([](Argument&, Argument&) {}, 1) == "run.count");
  CHECK(refused([](Argument& x, Argument&) { x.rank = 1; }) == "run.rank");
  CHECK(refused([](Argument& x, Argument&) { x.type = Type::f64; }) == "run.type");
  CHECK(refused([](Argument& x, Argument&) { x.shape[1] = 4; }) == "run.shape");
  CHECK(refused([](Argument& x, Argument&) { x.shape[0] = -1; }) == "run.shape");
  CHECK(refused([](Argument&, Argument& y) { y.shape[0] = 1; }) == "run.shape");
  CHECK(refused([](Argument&, Argument& y) { y.data = nullptr; }) == "run.null");
  CHECK(refused([](Argument& x, Argument& y) { x.data = y.data = nullptr, x.shape[0] = y.shape[0] = 0; }) == "");
}

TEST_CASE("interpret: two sizes that must agree are compared") {
  Maker b;
  Ref a = b.input("A", Type::f32, 1), c = b.input("B", Type::f32, 1), k = b.chain("k");
  Ref y = b.named("Y", Type::f32, {}, b.sum({k}, b.mul(b.at(a, {k}), b.at(c, {k}))));
  CHECK(run({{a, numbers(Type::f32, {2}, {1, 2})}, {c, numbers(Type::f32, {2}, {3, 4})}}, y, {}) == Bits{0x41300000});
  CHECK_THROWS_WITH_AS(run({{a, numbers(Type::f32, {2}, {1, 2})}, {c, numbers(Type::f32, {3}, {3, 4, 5})}}, y, {}),
                       doctest::Contains("error[run.size]"), Error);
}

TEST_CASE("interpret: strides of any sign, and an output in place of its input") {
  const ir::Program program = doubled();
  Data x = numbers(Type::f32, {3, 2}, {1, 4, 2, 5, 3, 6});
  Argument in = x.argument();
  in.shape[0] = 2, in.shape[1] = 3, in.stride[0] = 1, in.stride[1] = 2;
  Argument turned = in;
  turned.data = x.bytes.data() + 5 * 4;
  turned.stride[0] = -1, turned.stride[1] = -2;
  Data y = empty(Type::f32, {2, 3});
  Argument arguments[] = {turned, y.argument()};
  interpret(program, arguments, 2);
  CHECK(bits(y) == bits(numbers(Type::f32, {2, 3}, {12, 10, 8, 6, 4, 2})));
  Argument same[] = {in, in};
  interpret(program, same, 2);
  CHECK(bits(x) == bits(numbers(Type::f32, {3, 2}, {2, 8, 4, 10, 6, 12})));
}

TEST_CASE("interpret: every storage type is read and written") {
  for (const Type type : {Type::i8, Type::u8, Type::i16, Type::u16, Type::i32, Type::u32, Type::i64, Type::u64, Type::f16, Type::bf16,
                          Type::f32, Type::f64}) {
    Maker b;
    Ref x = b.input("X", type, 1), i = b.index("i");
    Ref y = b.named("Y", type, {i}, b.add(b.at(x, {i}), b.at(x, {i})));
    INFO(name_of(type));
    CHECK(run({{x, numbers(type, {3}, {1, 7, 50})}}, y, {3}) == bits(numbers(type, {3}, {2, 14, 100})));
  }
  Maker b;
  Ref x = b.input("X", Type::boolean, 1), i = b.index("i");
  Ref y = b.named("Y", Type::boolean, {i}, b.unary(Op::Not, b.at(x, {i})));
  CHECK(run({{x, patterns(Type::boolean, {3}, {0, 1, 0x80})}}, y, {3}) == Bits{1, 0, 0});
}
