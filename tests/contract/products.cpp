// What is a product, and what is not.
#include "contract/example.hpp"

namespace contract {
void add_products(Examples& to) {
  using M = Maker&;
  const auto sum = [&](const std::string& row, u64 want, auto term, Type accumulator = Type::none) {
    Maker b;
    Ref x = b.input("x", Type::f32, 1), y = b.input("y", Type::f32, 1), s = b.input("s", Type::f32, 0), k = b.chain("k");
    Ref all = b.sum({k}, term(b, b.at(x, {k}), b.at(y, {k}), b.at(s, {}), k), nullptr, accumulator);
    add(to, row, b,
        {{x, numbers(Type::f32, {2}, {-1, 1 + 0x1p-12})},
         {y, numbers(Type::f32, {2}, {1 + 0x1p-11, 1 + 0x1p-12})},
         {s, numbers(Type::f32, {}, {-1})}},
        all, want);
  };
  sum("sum of x*y", 0x33800000, [](M b, Ref x, Ref y, Ref, Ref) { return b.mul(x, y); });
  sum("sum of unfused(x*y)", 0x00000000, [](M b, Ref x, Ref y, Ref, Ref) { return b.unary(Op::Unfused, b.mul(x, y)); });
  sum("sum of -(x*y)", 0x00000000, [](M b, Ref x, Ref y, Ref, Ref) { return b.unary(Op::Neg, b.mul(x, y)); });
  sum("sum of -x*y", 0xb3800000, [](M b, Ref x, Ref y, Ref, Ref) { return b.mul(b.unary(Op::Neg, x), y); });
  sum("sum of x*y*s", 0x00000000, [](M b, Ref x, Ref y, Ref s, Ref) { return b.mul(b.mul(x, y), s); });
  sum("sum of x*(y*s)", 0xb3800000, [](M b, Ref x, Ref y, Ref s, Ref) { return b.mul(x, b.mul(y, s)); });
  sum("sum of P = x*y", 0x00000000, [](M b, Ref x, Ref y, Ref, Ref k) {
    Ref i = b.index("i");
    return b.at(b.named("P", Type::f32, {i}, b.mul(b.at(x->src[0], {i}), b.at(y->src[0], {i}))), {k});
  });
  sum("sum of select(true, x*y, 0)", 0x00000000, [](M b, Ref x, Ref y, Ref, Ref) {
    return b.ternary(Op::Select, b.constant(Type::boolean, i64{1}, {}), b.mul(x, y), b.f32s(0));
  });
  sum("sum<f64>(x*y)", 0x3e70000000000000, [](M b, Ref x, Ref y, Ref, Ref) { return b.mul(x, y); }, Type::f64);
  sum("sum<f64>(cast<f64>(x*y))", 0, [](M b, Ref x, Ref y, Ref, Ref) { return b.cast(Type::f64, b.mul(x, y)); });
}
}  // namespace contract
