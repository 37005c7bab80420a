// Largest elements, and where they are.
#include "contract/example.hpp"

namespace contract {
void add_extremes(Examples& to) {
  const auto fold = [&](const std::string& row, Fold f, const Bits& v, u64 want) {
    Maker b;
    Ref x = b.input("X", Type::f32, 1), k = b.any("k");
    add(to, row, b, {{x, patterns(Type::f32, {static_cast<i64>(v.size())}, v)}}, b.fold_of(f, {k}, b.at(x, {k})), want);
  };
  fold("max [NaN, 1]", Fold::max, {0x7fc00000, 0x3f800000}, 0x7fc00000);
  fold("fmax [NaN, 1]", Fold::fmax, {0x7fc00000, 0x3f800000}, 0x3f800000);
  fold("max []", Fold::max, {}, 0xff800000);
  fold("min []", Fold::min, {}, 0x7f800000);
  fold("fmin []", Fold::fmin, {}, 0x7fc00000);
  const auto argmax = [&](const std::string& row, const Bits& v, u64 want) {
    Maker b;
    Ref x = b.input("X", Type::f32, 1), k = b.any("k");
    add(to, row, b, {{x, patterns(Type::f32, {static_cast<i64>(v.size())}, v)}},
        b.field(b.arg_extreme(true, &k, 1, b.at(x, {k}), nullptr, {}), 1), want);
  };
  argmax("argmax [-0, +0]", {0x80000000, 0x00000000}, 0);
  argmax("argmax [1, NaN, NaN]", {0x3f800000, 0x7fc00000, 0x7fc00000}, 1);
  argmax("argmax []", {}, ~u64{0});
}
}  // namespace contract
