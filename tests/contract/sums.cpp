// Orders of a sum.
#include "contract/example.hpp"

namespace contract {
namespace {
constexpr double T = 16777216;
struct Kind { Order order; u32 lanes, block; };
constexpr Kind chain{Order::chain, 1, 0};
constexpr Kind lanes(u32 l) { return {Order::lanes, l, 0}; }
constexpr Kind blocks(u32 b, u32 l = 1) { return {Order::blocks, l, b}; }
Ref axis(Maker& b, const char* name, Kind k) { return b.axis(name, k.order, k.lanes, k.block, nullptr, {}); }

void vector(Examples& to, const std::string& row, const std::vector<double>& v, Kind kind, u64 want) {
  Maker b;
  Ref x = b.input("V", Type::f32, 1), k = axis(b, "k", kind);
  add(to, row, b, {{x, numbers(Type::f32, {static_cast<i64>(v.size())}, v)}}, b.sum({k}, b.at(x, {k})), want);
}
void matrix(Examples& to, const std::string& row, const std::vector<double>& m, i64 rows, i64 columns, Kind first, Kind second,
            bool second_first, u64 want) {
  Maker b;
  Ref x = b.input("X", Type::f32, 2), i = axis(b, "a", first), j = axis(b, "b", second), term = b.at(x, {i, j});
  add(to, row, b, {{x, numbers(Type::f32, {rows, columns}, m)}}, second_first ? b.sum({j, i}, term) : b.sum({i, j}, term), want);
}
// Sum of a product, positions from `upto` on skipped.
void skipping(Examples& to, const std::string& row, std::vector<double> a, std::vector<double> c, Kind kind, i64 upto, u64 want) {
  Maker b;
  Ref x = b.input("X", Type::f32, 1), y = b.input("Z", Type::f32, 1), k = axis(b, "k", kind);
  const i64 n = static_cast<i64>(a.size());
  Ref all = b.sum({k}, b.mul(b.at(x, {k}), b.at(y, {k})), b.binary(Op::Lt, k, b.i64s(upto)));
  add(to, row, b, {{x, numbers(Type::f32, {n}, a)}, {y, numbers(Type::f32, {n}, c)}}, all, want);
}
}  // namespace

void add_sums(Examples& to) {
  const std::vector<double> v = {0.5, 7, 1, 7, -T, 3, 0.5, T, 1}, x = {1, -T - 2, 1, 2 * T, 3, -T - 2}, z = {T, -T, 1, 1, 1, 1};
  vector(to, "sum of v: Chain", v, chain, 0x41a80000);
  vector(to, "sum of v: Lanes<2>", v, lanes(2), 0x41980000);
  vector(to, "sum of v: Lanes<4>", v, lanes(4), 0x41a00000);
  vector(to, "sum of v: Lanes<8>", v, lanes(8), 0x41b00000);
  vector(to, "sum of v: Blocks<2>", v, blocks(2), 0x419c0000);
  vector(to, "sum of v: Blocks<3>", v, blocks(3), 0x41900000);
  vector(to, "sum of v: Blocks<4, Lanes<2>>", v, blocks(4, 2), 0x41a40000);
  matrix(to, "sum of X: {Chain a, Chain b}", x, 2, 3, chain, chain, false, 0x40000000);
  matrix(to, "sum of X: {Chain b, Chain a}", x, 2, 3, chain, chain, true, 0xc0000000);
  {
    Maker b;
    Ref t = b.input("X", Type::f32, 2), i = b.chain("a"), j = b.chain("b");
    add(to, "sum of X: sum(a, sum(b, X))", b, {{t, numbers(Type::f32, {2, 3}, x)}}, b.sum({i}, b.sum({j}, b.at(t, {i, j}))), 0x40400000);
  }
  matrix(to, "sum of X: {Lanes<2> a, Chain b}", x, 2, 3, lanes(2), chain, false, 0x40400000);
  matrix(to, "sum of X: {Chain a, Lanes<2> b}", x, 2, 3, chain, lanes(2), false, 0xbf800000);
  matrix(to, "sum of X: {Lanes<2> a, Lanes<2> b}", x, 2, 3, lanes(2), lanes(2), false, 0x00000000);
  matrix(to, "sum of X: {Lanes<2> b, Lanes<2> a}", x, 2, 3, lanes(2), lanes(2), true, 0x3f800000);
  matrix(to, "sum of X: {Chain a, Blocks<2> b}", x, 2, 3, chain, blocks(2), false, 0x40800000);
  matrix(to, "sum of X: {Blocks<2> b, Chain a}", x, 2, 3, chain, blocks(2), true, 0x00000000);
  matrix(to, "sum of Z: {c, r}", z, 3, 2, chain, chain, false, 0x40800000);
  matrix(to, "sum of Z: {r, c}", z, 3, 2, chain, chain, true, 0x40000000);
  {
    Maker b;
    Ref t = b.input("Z", Type::f32, 2), c = b.chain("c", b.i64s(3)), r = b.chain("r"), co = nullptr, ci = nullptr;
    b.cut(c, 2, &co, &ci, {});
    add(to, "sum of Z: {co, r, ci}", b, {{t, numbers(Type::f32, {3, 2}, z)}}, b.sum({co, r, ci}, b.at(t, {c, r})), 0x40400000);
  }
  const double e = 0x1p-100;
  skipping(to, "sum of [e]", {-e}, {e}, chain, 9, 0x80000000);
  skipping(to, "sum of [e], a second skipped by where", {-e, 5}, {e, 5}, chain, 1, 0x80000000);
  skipping(to, "sum of [e], a second 0*0 added", {-e, 0}, {e, 0}, chain, 9, 0x00000000);
  skipping(to, "Lanes<8>: sum of [e]", {-e}, {e}, lanes(8), 9, 0x80000000);
  skipping(to, "Lanes<8>: sum of two, the second skipped", {-e, 5}, {e, 5}, lanes(8), 1, 0x80000000);
  vector(to, "Lanes<8>: sum of [-0]", {-0.0}, lanes(8), 0x00000000);
  vector(to, "Lanes<8>: sum of nothing", {}, lanes(8), 0x00000000);
  vector(to, "Blocks<8>: sum of nothing", {}, blocks(8), 0x00000000);
}
}  // namespace contract
