// How names and constants are spelled in text, for printer and parser alike.
#pragma once
#include <charconv>
#include <cstring>
#include <string>
#include "ordo/base/types.hpp"

namespace ordo::ir {
constexpr bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool continues_name(char c) { return starts_name(c) || is_digit(c); }

// Words that no name may be without quotes. Names of functions are none of them: `(` follows those.
inline bool is_reserved(const std::string& word) {
  for (int t = 0; t < type_count; ++t) if (word == name_of(static_cast<Type>(t))) return true;
  for (const char* w :
       {"true", "false", "bits", "cast", "bitcast", "chain", "lanes", "blocks", "any", "scan", "input", "output", "dim", "check"})
    if (word == w) return true;
  return false;
}
// Letters, digits and _, also in parts joined by dots: `x`, `Y.sum`, `X.0`.
inline bool is_plain_name(const std::string& name) {
  if (name.empty() || !starts_name(name[0]) || is_reserved(name)) return false;
  for (std::size_t k = 1; k < name.size(); ++k)
    if (!continues_name(name[k]) && !(name[k] == '.' && k + 1 < name.size() && continues_name(name[k + 1]))) return false;
  return true;
}
inline std::string spelled(const std::string& name) {
  if (is_plain_name(name)) return name;
  constexpr const char* hex = "0123456789abcdef";
  std::string out = "`";
  for (const char c : name) {
    const auto u = static_cast<unsigned char>(c);
    if (c == '`' || c == '\\') out += '\\', out += c;
    else if (u < 32 || u == 127) out += "\\x", out += hex[u >> 4], out += hex[u & 15];
    else out += c;
  }
  return out + "`";
}

namespace detail_spelling {
inline std::string in_hex(u64 bits) {
  char text[17];
  return std::string("0x") + std::string(text, std::to_chars(text, text + sizeof text, bits, 16).ptr);
}
template <class F, class Bits>
std::string decimal(Bits bits) {       // shortest that reads back as the same value
  F value;
  std::memcpy(&value, &bits, sizeof value);
  char text[64];
  std::string out(text, std::to_chars(text, text + sizeof text, value).ptr);
  if (out.find_first_of(".e") == std::string::npos) out += ".0";
  return out;
}
// Zero or normal: what reads back as itself whatever mode the caller's floating-point unit is in.
inline bool is_decimal(Type t, u64 bits) {
  const u64 exponent = t == Type::f32 ? bits >> 23 & 0xff : bits >> 52 & 0x7ff, top = t == Type::f32 ? 0xff : 0x7ff;
  const u64 magnitude = t == Type::f32 ? bits & 0x7fffffff : bits & ~(u64{1} << 63);
  return exponent != top && (exponent != 0 || magnitude == 0);
}
}  // namespace detail_spelling

// i64 and f32 are the types of numbers without a suffix.
inline std::string literal(Type t, u64 bits) {
  using namespace detail_spelling;
  if (t == Type::boolean) return bits != 0 ? "true" : "false";
  if (is_float(t) && !is_decimal(t, bits)) return std::string("bits<") + name_of(t) + ">(" + in_hex(bits) + ")";
  if (t == Type::f32) return decimal<float>(static_cast<u32>(bits));
  if (t == Type::f64) return decimal<double>(bits) + "f64";
  const i64 value = t == Type::i32 ? static_cast<i32>(static_cast<u32>(bits)) : static_cast<i64>(bits);
  const std::string number = t == Type::u64 ? std::to_string(bits) : std::to_string(value);
  return t == Type::i64 ? number : number + name_of(t);
}
}  // namespace ordo::ir
