// Element types and their facts. Values are computed in bool, i32, u32, i64, u64, f32, f64; the narrow
// types are storage only: reading one widens exactly, defining one narrows once.
#pragma once
#include <cstddef>
#include <cstdint>
#include "ordo/base/config.hpp"

namespace ordo {
enum class Type : std::uint8_t { none, boolean, i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64 };
inline constexpr int type_count = 14;

using i8 = std::int8_t;
using u8 = std::uint8_t;
using i16 = std::int16_t;
using u16 = std::uint16_t;
using i32 = std::int32_t;
using u32 = std::uint32_t;
using i64 = std::int64_t;
using u64 = std::uint64_t;
struct f16 { u16 bits; };   // IEEE 754 binary16, as stored
struct bf16 { u16 bits; };  // the upper half of a binary32, as stored
using f32 = float;
using f64 = double;

constexpr bool is_float(Type t) { return t >= Type::f16; }
constexpr bool is_integer(Type t) { return t >= Type::i8 && t <= Type::u64; }
constexpr bool is_signed(Type t) { return t == Type::i8 || t == Type::i16 || t == Type::i32 || t == Type::i64; }
constexpr int bytes_of(Type t) {
  constexpr int size[type_count] = {0, 1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4, 8};
  return size[static_cast<int>(t)];
}
constexpr int bits_of(Type t) { return t == Type::boolean ? 1 : 8 * bytes_of(t); }
// The type in which a value of storage type `t` is computed.
constexpr Type compute_type(Type t) {
  switch (t) {
    case Type::i8: case Type::u8: case Type::i16: case Type::u16: return Type::i32;
    case Type::f16: case Type::bf16: return Type::f32;
    default: return t;
  }
}
constexpr bool is_compute(Type t) { return compute_type(t) == t && t != Type::none; }
// May a definition of storage type `to` take a value of compute type `from` without a written cast?
constexpr bool stores(Type to, Type from) {
  if (to == from) return true;
  if (to == Type::f16 || to == Type::bf16) return from == Type::f32;
  if (to == Type::i8 || to == Type::i16) return from == Type::i32;
  if (to == Type::u8 || to == Type::u16) return from == Type::i32 || from == Type::u32;
  return false;
}
constexpr const char* name_of(Type t) {
  constexpr const char* name[type_count] = {"none", "bool", "i8",  "u8",  "i16",  "u16", "i32",
                                            "u32",  "i64",  "u64", "f16", "bf16", "f32", "f64"};
  return name[static_cast<int>(t)];
}

template <class T> inline constexpr Type type_of = Type::none;
template <> inline constexpr Type type_of<bool> = Type::boolean;
template <> inline constexpr Type type_of<i8> = Type::i8;
template <> inline constexpr Type type_of<u8> = Type::u8;
template <> inline constexpr Type type_of<i16> = Type::i16;
template <> inline constexpr Type type_of<u16> = Type::u16;
template <> inline constexpr Type type_of<i32> = Type::i32;
template <> inline constexpr Type type_of<u32> = Type::u32;
template <> inline constexpr Type type_of<i64> = Type::i64;
template <> inline constexpr Type type_of<u64> = Type::u64;
template <> inline constexpr Type type_of<f16> = Type::f16;
template <> inline constexpr Type type_of<bf16> = Type::bf16;
template <> inline constexpr Type type_of<f32> = Type::f32;
template <> inline constexpr Type type_of<f64> = Type::f64;
}  // namespace ordo
