// f32 angles of not too many half turns: x = count pi + r, |r| at most a little more than pi / 2.
#pragma once
#include "ordo/functions/value.hpp"

namespace ordo::functions {
struct HalfTurns {
  Value count;  // f32
  Value sign;   // i32: the sign bit of a sine of x, where sin(r) is above 0
  Value many;   // more than can be taken off in this way, or no number
};
inline constexpr double most_turned = 0x1p17;
inline Value sign_of(Value x) { return bits_of_number(x) & i32{-0x7fffffff - 1}; }
inline Value flipped(Value x, Value sign) { return bitcast(x.type(), bits_of_number(x) ^ sign); }
inline HalfTurns half_turns(Value a) {  // a = |x|
  const Value shifted = multiply_add(a, a.number(0x1.45f306p-2), a.number(0x1.8p23));
  return {shifted - 0x1.8p23, bits_of_number(shifted) << 31, no(a < most_turned)};
}
// count is an integer and 1/2: cos(x) = -sin(r) with the sign of the integer
inline HalfTurns odd_half_turns(Value a) {
  const Value shifted = multiply_add(a, a.number(0x1.45f306p-2), a.number(-0.5)) + 0x1.8p23;
  return {(shifted - 0x1.8p23) + 0.5, bits_of_number(shifted) << 31, no(a < most_turned)};
}
}  // namespace ordo::functions
