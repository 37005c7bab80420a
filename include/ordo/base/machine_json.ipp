#pragma once
#include <algorithm>
#include <type_traits>
#include <vector>
#include <nlohmann/json.hpp>
#include "ordo/base/machine_json.hpp"

namespace ordo {
namespace detail_machine_json {
using Json = nlohmann::ordered_json;
[[noreturn]] inline void no(const std::string& why, Where at) { fail("machine.json", at, ("cannot read the machine: " + why).c_str()); }

inline std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}
template <class T>
void read(const Json& value, const char* name, T& fact, Where at) {
  if constexpr (std::is_same_v<T, bool>) {
    if (!value.is_boolean()) no("\"" + std::string(name) + "\" is not true or false", at);
    fact = value.get<bool>();
  } else {
    if (!value.is_number_integer()) no("\"" + std::string(name) + "\" is not an integer", at);
    constexpr i64 most = std::is_same_v<T, int> ? (i64{1} << 31) - 1 : (i64{1} << 62);
    const bool fits = value.is_number_unsigned() ? value.get<u64>() <= static_cast<u64>(most) : value.get<i64>() >= -most;
    if (!fits) no("\"" + std::string(name) + "\" is too large", at);
    fact = value.get<T>();
  }
}
}  // namespace detail_machine_json

ORDO_INLINE std::string to_json(const Machine& machine) {
  detail_machine_json::Json json = {{"format", "ordo machine"}, {"version", 1}};
  each_fact(machine, [&](const char* name, auto value, i64, i64) { json[name] = value; });
  return json.dump(1);
}
ORDO_INLINE Machine machine_from_json(const char* text, const Machine& start, Where at) {
  using namespace detail_machine_json;
  if (text == nullptr) no("there is no text", at);
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) no("this is no JSON", at);
  if (!json.is_object() || !json.contains("format") || json["format"] != "ordo machine")
    no("this is no machine: \"format\" is not \"ordo machine\"", at);
  if (!json.contains("version") || json["version"] != 1) {
    const bool plain = json.contains("version") && !json["version"].is_structured();  // else writing it out may go very deep
    no("version " + (plain ? json["version"].dump() : "?") + " is not known; this library reads version 1", at);
  }
  Machine machine = start;
  std::size_t known = 2;
  std::vector<std::string> names;
  each_fact(machine, [&](const char* name, auto& fact, i64, i64) {
    names.push_back(name);
    if (!json.contains(name)) return;
    ++known;
    read(json[name], name, fact, at);
  });
  if (known != json.size())
    for (const auto& item : json.items())
      if (item.key() != "format" && item.key() != "version" && std::find(names.begin(), names.end(), item.key()) == names.end())
        no("\"" + item.key() + "\" is no fact of a machine; facts are " + listed(names), at);
  check(machine, at);
  return machine;
}
}  // namespace ordo
