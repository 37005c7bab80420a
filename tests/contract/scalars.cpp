// Scalar arithmetic, each of values that are read and of constants.
#include <array>
#include "contract/example.hpp"

namespace contract {
namespace {
template <std::size_t N, class F>
void scalar(Examples& to, const std::string& row, Type type, const std::array<u64, N>& operands, u64 want, F f) {
  for (const bool constants : {false, true}) {
    Maker b;
    std::array<Ref, N> values{};
    std::vector<Given> given;
    for (std::size_t k = 0; k < N; ++k) {
      if (constants) {
        values[k] = b.bits(type, operands[k]);
        continue;
      }
      Ref x = b.input(("X" + std::to_string(k)).c_str(), type, 0);
      values[k] = b.at(x, {});
      given.push_back({x, patterns(type, {}, {operands[k]})});
    }
    add(to, constants ? row + ", constants" : row, b, given, f(b, values), want);
  }
}
template <std::size_t N, class F> void single(Examples& to, const std::string& row, const double (&operands)[N], u64 want, F f) {
  std::array<u64, N> bits{};
  for (std::size_t k = 0; k < N; ++k) bits[k] = soft::from_double(Type::f32, operands[k]);
  scalar(to, row, Type::f32, bits, want, f);
}
template <std::size_t N> void integer(Examples& to, const std::string& row, Op op, const i32 (&operands)[N], i32 want) {
  std::array<u64, N> bits{};
  for (std::size_t k = 0; k < N; ++k) bits[k] = static_cast<u32>(operands[k]);
  scalar(to, row, Type::i32, bits, static_cast<u32>(want), [op](Maker& b, const auto& v) { return b.binary(op, v[0], v[1]); });
}
const auto divided = [](Maker& b, const auto& v) { return b.binary(Op::Div, v[0], v[1]); };
const auto times = [](Maker& b, const auto& v) { return b.mul(v[0], v[1]); };
}  // namespace

void add_scalars(Examples& to) {
  single(to, "9*0.1", {9, 0.1}, 0x3f666667, times);
  single(to, "9/10", {9, 10}, 0x3f666666, divided);
  single(to, "169/13", {169, 13}, 0x41500000, divided);
  single(to, "2^-126*0.5", {0x1p-126, 0.5}, 0x00400000, times);
  scalar(to, "rsqrt(3f800001)", Type::f32, std::array<u64, 1>{0x3f800001}, 0x3f800000,
         [](Maker& b, const auto& v) { return b.binary(Op::Div, b.f32s(1), b.unary(Op::Sqrt, v[0])); });
  single(to, "maximum(-0, +0)", {-0.0, 0}, 0, [](Maker& b, const auto& v) { return b.binary(Op::Max, v[0], v[1]); });
  single(to, "0/0", {0, 0}, 0x7fc00000, divided);
  scalar(to, "copy of ffc12345", Type::f32, std::array<u64, 1>{0xffc12345}, 0x7fc00000, [](Maker&, const auto& v) { return v[0]; });
  scalar(to, "bitcast of 7f800001", Type::f32, std::array<u64, 1>{0x7f800001}, 0x7fc00000,
         [](Maker& b, const auto& v) { return b.bitcast(Type::i32, v[0]); });
  scalar(to, "copysign(1, ffc00000)", Type::f32, std::array<u64, 2>{0x3f800000, 0xffc00000}, 0x3f800000,
         [](Maker& b, const auto& v) { return b.binary(Op::Copysign, v[0], v[1]); });
  integer(to, "-7/2", Op::Div, {-7, 2}, -3);
  integer(to, "-7%2", Op::Mod, {-7, 2}, -1);
  integer(to, "5/0", Op::Div, {5, 0}, 0);
  integer(to, "5%0", Op::Mod, {5, 0}, 5);
  integer(to, "1<<32", Op::Shl, {1, 32}, 0);
  integer(to, "-1>>40", Op::Shr, {-1, 40}, -1);
}
}  // namespace contract
