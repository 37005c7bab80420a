// Elements of a type: all of a narrow one; of the others a sample, and what stands beside the edges of narrower types.
#pragma once
#include "interp/made.hpp"

namespace contract {
using namespace made;

class Samples {
 public:
  explicit Samples(Type type) : type_(type) {}
  Bits all() {
    if (type_ == Type::boolean) return {0, 1, 0, 1, 1};
    if (bits_of(type_) <= 16)
      for (u64 b = 0; b < u64{1} << bits_of(type_); ++b) add(b);
    else if (is_float(type_)) floats();
    else integers();
    for (u64 k = 0; k < 13; ++k) add(list_[static_cast<std::size_t>(k) * 3]);        // a tail
    return list_;
  }

 private:
  u64 random() {                 // splitmix64 (Steele, Lea, Flood 2014)
    u64 z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  void add(u64 bits) { list_.push_back(bits_of(type_) == 64 ? bits : bits & ((u64{1} << bits_of(type_)) - 1)); }
  // Near the middle between two numbers of `kept` bits after the first: halfway, or the least bit above or below.
  static u64 near_half(u64 fraction, int kept, int frac, u64 r) {
    const u64 half = u64{1} << (frac - kept - 1);
    return ((fraction & ~(2 * half - 1)) | half) + (r % 3) - 1;
  }
  void floats() {
    const int frac = type_ == Type::f32 ? 23 : 52, width = bits_of(type_), bias = type_ == Type::f32 ? 127 : 1023;
    const u64 ones = (u64{1} << frac) - 1, exponents = (u64{1} << (width - 1 - frac)) - 1, sign = u64{1} << (width - 1);
    for (u64 k = 0; k < 1 << 14; ++k) add(type_ == Type::f32 ? k * 0x40001 : k * 0x4000100010001);     // all exponents
    for (int e = -160; e <= 160; ++e) {
      const u64 exponent =
          static_cast<u64>(e + bias > 0 ? (e + bias < static_cast<int>(exponents) ? e + bias : static_cast<int>(exponents)) : 0);
      for (const int kept : {7, 10, 23})
        for (int n = 0; n < 24 && kept < frac; ++n) {
          const u64 r = random();
          add((exponent << frac | (near_half(random() & ones, kept, frac, r) & ones)) ^ (r >> 40 & 1) * sign);
        }
      for (const u64 f : {u64{0}, u64{1}, ones, ones - 1, u64{1} << (frac - 1)})
        for (const u64 s : {u64{0}, sign}) add(exponent << frac | f | s);
      // one last place of f16 and bf16 subnormals falls anywhere
      for (int n = 0; n < 12; ++n) add(exponent << frac | (u64{1} << random() % static_cast<u64>(frac)) | (random() & 1) * sign);
    }
  }
  void integers() {
    const int width = bits_of(type_);
    for (int top = 0; top < width; ++top) {
      for (const u64 d : {u64{0}, u64{1}, ~u64{0}})
        for (const u64 s : {u64{0}, ~u64{0}}) add(((u64{1} << top) + d) ^ s);
      for (const int kept : {7, 10, 23, 52})
        for (int n = 0; n < 20 && kept + 1 < top; ++n) {
          const u64 r = random(), fraction = random() & ((u64{1} << top) - 1);
          add(((u64{1} << top) | near_half(fraction, kept, top, r)) * ((r >> 40 & 1) != 0 ? ~u64{0} : 1));
        }
      for (int n = 0; n < 40; ++n) add(random() >> (63 - top));
    }
  }
  Type type_;
  Bits list_;
  u64 state_ = 1;
};
inline constexpr Type every_type[] = {Type::boolean, Type::i8,  Type::u8,  Type::i16,  Type::u16, Type::i32, Type::u32,
                                      Type::i64,     Type::u64, Type::f16, Type::bf16, Type::f32, Type::f64};
}  // namespace contract
