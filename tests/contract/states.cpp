// States, recurrences, scatters.
#include "contract/example.hpp"
#include "ordo/lang/lang.hpp"

namespace contract {
namespace {
constexpr double T = 16777216;

void mean(Examples& to) {
  Maker b;
  Ref x = b.input("X", Type::f32, 1), k = b.lanes("k", 8), one = b.f32s(1);
  const Ref init[] = {b.f32s(0), b.f32s(0)};
  const Ref s[] = {b.placeholder(Type::f32), b.placeholder(Type::f32)}, o[] = {b.placeholder(Type::f32), b.placeholder(Type::f32)};
  Ref n1 = b.add(s[0], one), n = b.add(s[0], o[0]);
  const Ref step[] = {n1, b.add(s[1], b.binary(Op::Div, b.sub(b.at(x, {k}), s[1]), n1))};
  const Ref merged[] = {n, b.add(s[1], b.mul(b.sub(o[1], s[1]), b.binary(Op::Div, o[0], n)))};
  Ref all = b.reduce(&k, 1, 2, init, s, step, o, merged, nullptr, {});
  add(to, "mean by reduce, Lanes<8>", b, {{x, numbers(Type::f32, {3}, {1, 2, 4})}}, b.field(all, 1), 0x40155555);
}
// The state is f32; what is stored may be narrower.
template <class T, class A> void cumulative(Examples& to, const std::string& row, const std::vector<double>& v, Bits want) {
  const i64 n = static_cast<i64>(v.size());
  Tensor<T, 1> x{"X"}, y{"Y"};
  Index t{"t"};
  A k{"k"};
  y(t) = cumsum(k, x(k)).at(t);
  add(to, row, {{x.node, numbers(type_of<T>, {n}, v)}}, y.node, {n}, std::move(want));
}
void scatter(Examples& to, const std::string& row, Type type, const Bits& onto, i64 elements, Bits want) {
  Maker b;
  const i64 n = static_cast<i64>(onto.size());
  Ref d = b.input("D", type, 1), id = b.input("id", Type::i32, 1), x = b.input("X", Type::f32, 1), v = b.index("v"), k = b.chain("k");
  Ref all = b.sum({k}, b.at(x, {k}), b.binary(Op::Eq, b.cast(Type::i64, b.at(id, {k})), v), Type::none, b.at(d, {v}));
  const std::vector<double> ones(static_cast<std::size_t>(elements), 1), zeros(static_cast<std::size_t>(elements), 0);
  add(to, row, {{d, patterns(type, {n}, onto)}, {id, numbers(Type::i32, {elements}, zeros)}, {x, numbers(Type::f32, {elements}, ones)}},
      b.named("Y", type, {v}, all), {n}, want);
}
}  // namespace

void add_states(Examples& to) {
  mean(to);
  cumulative<float, Chain>(to, "cumsum of [T, 1, 1, 1]: Chain", {T, 1, 1, 1}, {0x4b800000, 0x4b800000, 0x4b800000, 0x4b800000});
  cumulative<float, Blocks<2>>(to, "cumsum of [T, 1, 1, 1]: Blocks<2>", {T, 1, 1, 1}, {0x4b800000, 0x4b800000, 0x4b800000, 0x4b800001});
  cumulative<f16, Chain>(to, "f16 cumsum of [2048, 1, 1]", {2048, 1, 1}, {0x6800, 0x6800, 0x6801});
  scatter(to, "scatter_add of 1, 1 onto T", Type::f32, {0x4b800000}, 2, {0x4b800000});
  scatter(to, "scatter_add of 1, 1 onto f16 2048", Type::f16, {0x6800}, 2, {0x6801});
  scatter(to, "scatter_add of nothing onto -0", Type::f32, {0x80000000, 0x80000000}, 0, {0x80000000, 0x80000000});
}
}  // namespace contract
