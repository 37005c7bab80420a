#pragma once
#include <cstring>
#include "ordo/base/soft.hpp"
#include "ordo/base/soft_format.hpp"

namespace ordo::soft {
ORDO_INLINE ORDO_NOINLINE u64 load(Type t, const void* address) {
  namespace d = detail_format;
  u8 b1 = 0;
  u16 b2 = 0;
  u32 b4 = 0;
  u64 b8 = 0;
  switch (t) {
    case Type::boolean: std::memcpy(&b1, address, 1); return b1 != 0;
    case Type::i8: case Type::u8: std::memcpy(&b1, address, 1); return d::wrap(Type::i32, static_cast<u64>(d::as_signed(t, b1)));
    case Type::i16: case Type::u16: std::memcpy(&b2, address, 2); return d::wrap(Type::i32, static_cast<u64>(d::as_signed(t, b2)));
    case Type::f16: std::memcpy(&b2, address, 2); return d::converted<d::F32, d::F16>(b2);
    case Type::bf16: std::memcpy(&b2, address, 2); return d::converted<d::F32, d::BF16>(b2);
    case Type::i32: case Type::u32: case Type::f32: std::memcpy(&b4, address, 4); return b4;
    case Type::i64: case Type::u64: case Type::f64: std::memcpy(&b8, address, 8); return b8;
    case Type::none: break;
  }
  return 0;
}
ORDO_INLINE ORDO_NOINLINE void store(Type t, void* address, u64 value) {
  namespace d = detail_format;
  const u64 whole = canonical(t, value);
  const u8 b1 = static_cast<u8>(value);
  const u32 b4 = static_cast<u32>(whole);
  u16 b2 = static_cast<u16>(value);
  switch (t) {
    case Type::boolean: *static_cast<u8*>(address) = value != 0; break;
    case Type::i8: case Type::u8: std::memcpy(address, &b1, 1); break;
    case Type::i16: case Type::u16: std::memcpy(address, &b2, 2); break;
    case Type::f16: b2 = static_cast<u16>(d::converted<d::F16, d::F32>(value)); std::memcpy(address, &b2, 2); break;
    case Type::bf16: b2 = static_cast<u16>(d::converted<d::BF16, d::F32>(value)); std::memcpy(address, &b2, 2); break;
    case Type::i32: case Type::u32: case Type::f32: std::memcpy(address, &b4, 4); break;
    case Type::i64: case Type::u64: case Type::f64: std::memcpy(address, &whole, 8); break;
    case Type::none: break;
  }
}
ORDO_INLINE ORDO_NOINLINE u64 from_double(Type t, double value) {
  u64 bits = 0;
  std::memcpy(&bits, &value, 8);
  return cast(t, Type::f64, bits);
}
}  // namespace ordo::soft
