// Functions, of values that are read and of constants.
#include "contract/example.hpp"
#include "ordo/lang/lang.hpp"

namespace contract {
void add_functions(Examples& to) {
  const auto function = [&](const std::string& row, u64 operand, u64 want, auto f) {
    Tensor<float, 0> x{"X"}, y{"Y"}, z{"Z"};
    y() = f(Expr<float>(x()));
    z() = f(bitcast<float>(constant<u32>(operand)));
    add(to, row, {{x.node, patterns(Type::f32, {}, {operand})}}, y.node, {}, {want});
    add(to, row + ", a constant", {}, z.node, {}, {want});
  };
  function("exp(4202422f)", 0x4202422f, 0x56fc9f1b, [](Expr<float> x) { return exp(x); });
  function("exp(c2aeac50)", 0xc2aeac50, 0x007fffe6, [](Expr<float> x) { return exp(x); });
  function("sigmoid(-0.5)", 0xbf000000, 0x3ec14d03, [](Expr<float> x) { return sigmoid(x); });
  function("gelu(-1)", 0xbf800000, 0xbe227686, [](Expr<float> x) { return gelu(x); });
}
}  // namespace contract
