// Functions, of values that are read and of constants; random numbers.
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
  const auto random = [&](const std::string& row, auto element, i64 n, const Bits& want) {
    using T = decltype(element);
    Tensor<u64, 0> seed{"seed"};
    Tensor<T, 1> y{"Y"};
    Index i{"i", n};
    const Key key{seed(), constant<u64>(7u)};
    if constexpr (std::is_same_v<T, u32>) y(i) = philox<u32>(key, i);
    else y(i) = row.rfind("uniform", 0) == 0 ? uniform<float>(key, i) : normal<float>(key, i);
    add(to, row, {{seed.node, patterns(Type::u64, {}, {42})}}, y.node, {n}, want);
  };
  random("Philox seed 42, stream 7, q = 0", u32{}, 4, {0x67ee6f2c, 0xe55410cc, 0x6c7eca35, 0x557398d3});
  random("uniform 0, 1", float{}, 2, {0x3ecfdcde, 0x3f655410});
  random("normal 0, 1", float{}, 2, {0x3f8856db, 0xbf514952});
}
}  // namespace contract
