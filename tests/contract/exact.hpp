// Casts by MPFR and by plain C++ integers: an oracle that shares nothing with soft::.
#pragma once
#include <mpfr.h>
#include <cstring>
#include "ordo/base/types.hpp"

namespace exact {
using namespace ordo;

struct Binary { int precision, least, largest; };        // least exponent of a subnormal's last place and of the largest number
constexpr Binary binary_of(Type t) {
  switch (t) {
    case Type::f16: return {11, -24, 15};
    case Type::bf16: return {8, -133, 127};
    case Type::f32: return {24, -149, 127};
    default: return {53, -1074, 1023};
  }
}
constexpr int exponent_bits(Type t) { return bits_of(t) - binary_of(t).precision; }

class Number {
 public:
  Number() { mpfr_init2(value_, 64); }           // holds every number of every type
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  ~Number() { mpfr_clear(value_); }
  // The bits of an element of storage type `t`, as in memory.
  void set(Type t, u64 bits) {
    wide_range();
    if (t == Type::boolean) {
      mpfr_set_ui(value_, bits != 0, MPFR_RNDN);
    } else if (is_float(t)) {
      set_float(t, bits);
    } else if (is_signed(t)) {
      const int unused = 64 - bits_of(t);
      mpfr_set_si(value_, static_cast<i64>(bits << unused) >> unused, MPFR_RNDN);
    } else {
      mpfr_set_ui(value_, bits, MPFR_RNDN);
    }
  }
  // The bits that a cast to `t` stores.
  u64 cast_to(Type t) const {
    if (t == Type::boolean) return mpfr_nan_p(value_) != 0 || mpfr_zero_p(value_) == 0;
    return is_float(t) ? rounded(t) : truncated(t);
  }

 private:
  static void wide_range() {
    mpfr_set_emin(-20000);
    mpfr_set_emax(20000);
  }
  void set_float(Type t, u64 bits) {
    const Binary f = binary_of(t);
    const u64 fraction = bits & ((u64{1} << (f.precision - 1)) - 1),
              biased = bits >> (f.precision - 1) & ((u64{1} << exponent_bits(t)) - 1);
    const bool negative = (bits >> (bits_of(t) - 1)) != 0;
    if (biased == (u64{1} << exponent_bits(t)) - 1) {
      if (fraction != 0) mpfr_set_nan(value_);
      else mpfr_set_inf(value_, negative ? -1 : 1);
      return;
    }
    const u64 significand = biased == 0 ? fraction : fraction | u64{1} << (f.precision - 1);
    mpfr_set_ui_2exp(value_, significand, f.least + (biased == 0 ? 0 : static_cast<int>(biased) - 1), MPFR_RNDN);
    mpfr_setsign(value_, value_, negative, MPFR_RNDN);
  }
  u64 rounded(Type t) const {
    const Binary f = binary_of(t);
    const u64 inf = ((u64{1} << exponent_bits(t)) - 1) << (f.precision - 1);
    if (mpfr_nan_p(value_) != 0) return inf | u64{1} << (f.precision - 2);
    mpfr_t r;
    mpfr_init2(r, f.precision);
    mpfr_set_emin(f.least + 1);          // of MPFR, whose numbers begin with 0.1
    mpfr_set_emax(f.largest + 1);
    int ternary = mpfr_set(r, value_, MPFR_RNDN);
    ternary = mpfr_check_range(r, ternary, MPFR_RNDN);
    mpfr_subnormalize(r, ternary, MPFR_RNDN);
    const u64 bits = encoded(t, r, inf);
    mpfr_clear(r);
    wide_range();
    return bits;
  }
  static u64 encoded(Type t, const mpfr_t r, u64 inf) {
    const Binary f = binary_of(t);
    const u64 sign = mpfr_signbit(r) != 0 ? u64{1} << (bits_of(t) - 1) : 0;
    if (mpfr_inf_p(r) != 0) return sign | inf;
    if (mpfr_zero_p(r) != 0) return sign;
    const int exponent = static_cast<int>(mpfr_get_exp(r)) - 1;
    const bool subnormal = exponent < f.least + f.precision - 1;
    const int last_place = subnormal ? f.least : exponent - f.precision + 1;
    mpfr_t scaled;
    mpfr_init2(scaled, 64);
    wide_range();
    mpfr_abs(scaled, r, MPFR_RNDN);
    mpfr_mul_2si(scaled, scaled, -last_place, MPFR_RNDN);
    const u64 significand = mpfr_get_ui(scaled, MPFR_RNDN);
    mpfr_clear(scaled);
    return sign | (significand + (subnormal ? 0 : static_cast<u64>(last_place - f.least) << (f.precision - 1)));
  }
  // Truncated, brought into range; of integers the low bits are kept by the caller.
  u64 truncated(Type t) const {
    if (mpfr_nan_p(value_) != 0) return 0;
    const int width = bits_of(t);
    const u64 mask = width == 64 ? ~u64{0} : (u64{1} << width) - 1;
    if (is_signed(t)) {
      const i64 most = static_cast<i64>(mask >> 1), least = -most - 1;
      if (mpfr_cmp_si(value_, most) >= 0) return static_cast<u64>(most);
      if (mpfr_cmp_si(value_, least) <= 0) return static_cast<u64>(least) & mask;
      return static_cast<u64>(mpfr_get_si(value_, MPFR_RNDZ)) & mask;
    }
    if (mpfr_cmp_ui(value_, mask) >= 0) return mask;
    return mpfr_sgn(value_) <= 0 ? 0 : mpfr_get_ui(value_, MPFR_RNDZ);
  }
  mpfr_t value_;
};

// Integer to integer: the low bits.
inline u64 low_bits(Type to, Type from, u64 bits) {
  const int unused = 64 - bits_of(from), width = bits_of(to);
  const u64 whole = is_signed(from) ? static_cast<u64>(static_cast<i64>(bits << unused) >> unused) : bits;
  return width == 64 ? whole : whole & ((u64{1} << width) - 1);
}
inline u64 cast(Type to, Type from, u64 bits, Number& room) {
  if (is_integer(from) && is_integer(to)) return low_bits(to, from, bits);
  room.set(from, bits);
  return room.cast_to(to);
}
}  // namespace exact
