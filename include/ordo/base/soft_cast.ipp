#pragma once
#include "ordo/base/soft.hpp"
#include "ordo/base/soft_format.hpp"

namespace ordo::soft::detail_cast {
using namespace detail_format;

template <class F> inline u64 to_integer(Type to, u64 a) {
  const u64 m = a & F::magnitude;
  const bool sign = (a & F::sign) != 0;
  if (m > F::inf || m < F::one) return 0;
  const u64 top = u64{1} << (bits_of(to) - 1);
  const u64 limit = !is_signed(to) ? (sign ? 0 : mask_of(to)) : sign ? top : top - 1;
  u64 size = limit;
  if (m != F::inf) {
    const Parts p = parts<F>(a);
    if (p.exp < 64 && p.sig >> (63 - p.exp) < limit) size = p.sig >> (63 - p.exp);
  }
  return wrap(compute_type(to), sign ? -size : size);
}
template <class F> inline u64 from_integer(Type from, u64 a) {
  const bool sign = negative(from, a);
  const u64 size = sign ? wrap(from, -a) : a;
  return size == 0 ? 0 : normalised<F>(sign, 63, size);
}
template <class F> inline u64 to_float(Type from, u64 a) {
  if (from == Type::f32) return converted<F, F32>(a);
  if (from == Type::f64) return converted<F, F64>(a);
  return from_integer<F>(from, a);
}
}  // namespace ordo::soft::detail_cast

namespace ordo::soft {
ORDO_INLINE ORDO_NOINLINE u64 cast(Type to, Type from, u64 a) {
  namespace d = detail_cast;
  from = compute_type(from);
  switch (to) {
    case Type::f64: return d::to_float<d::F64>(from, a);
    case Type::f32: return d::to_float<d::F32>(from, a);
    case Type::f16: return d::converted<d::F32, d::F16>(d::to_float<d::F16>(from, a));
    case Type::bf16: return d::converted<d::F32, d::BF16>(d::to_float<d::BF16>(from, a));
    case Type::boolean:
      if (from == Type::f32) return (a & d::F32::magnitude) != 0;
      return from == Type::f64 ? (a & d::F64::magnitude) != 0 : a != 0;
    case Type::i8: case Type::u8: case Type::i16: case Type::u16:
    case Type::i32: case Type::u32: case Type::i64: case Type::u64:
      if (from == Type::f32) return d::to_integer<d::F32>(to, a);
      if (from == Type::f64) return d::to_integer<d::F64>(to, a);
      return d::wrap(compute_type(to), static_cast<u64>(d::as_signed(to, d::wrap(to, static_cast<u64>(d::as_signed(from, a))))));
    case Type::none: break;
  }
  return 0;
}
}  // namespace ordo::soft
