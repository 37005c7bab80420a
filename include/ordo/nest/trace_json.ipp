#pragma once
#include <nlohmann/json.hpp>
#include "ordo/nest/edit.hpp"
#include "ordo/nest/trace_json.hpp"

namespace ordo {
namespace nest::detail_trace_json {
using Json = nlohmann::ordered_json;
inline constexpr const char* format = "ordo trace";
inline constexpr int version = 1;
inline constexpr const char* tails[] = {"mask", "guard", "peel", "cover", "shift_in", "exact"};
inline constexpr const char* memories[] = {"automatic", "registers", "stack", "heap", "shared"};

inline Json write(const Directive& d) {
  Json to = {{"do", d.name}};
  if (!d.when.empty()) to["when"] = d.when;
  if (d.name == "specialize") return to;
  to["stage"] = d.stage;
  if (!d.tensor.empty()) to["tensor"] = d.tensor;
  for (const std::string& loop : d.loops) to["loops"].push_back((of_host(d) ? d.tensor : d.stage) + "/" + loop);
  for (const std::string& factor : d.factors) to["factors"].push_back(factor);
  if (d.region >= 0) to["region"] = d.region;
  if (d.tail != Tail::mask) to["tail"] = tails[static_cast<int>(d.tail)];
  if (d.pack.memory != Memory::automatic) to["memory"] = memories[static_cast<int>(d.pack.memory)];
  if (d.pack.pad != 0) to["pad"] = d.pack.pad;
  if (d.pack.constant) to["constant"] = true;
  return to;
}

class Reader {
 public:
  Reader(const char* text, Where at) : text_(text), at_(at) {}
  Recipe all() {
    const Json json = parse();
    if (!json.is_object() || !json.contains("format") || json["format"] != format) no("this is no trace: \"format\" is not \"ordo trace\"");
    if (!json.contains("version") || json["version"] != version) {
      const bool plain = json.contains("version") && !json["version"].is_structured();  // else writing it out may go very deep
      no("version " + (plain ? json["version"].dump() : "?") + " is not known; this library reads version 1");
    }
    if (!json.contains("directives") || !json["directives"].is_array()) no("\"directives\" is not a list");
    Recipe recipe;
    if (json.contains("name")) recipe.name = text(json["name"], "name");
    for (const Json& entry : json["directives"]) {
      ++number_;
      recipe.trace.push_back(directive(entry));
    }
    return recipe;
  }

 private:
  [[noreturn]] void no(const std::string& why) const {
    const std::string where = number_ == 0 ? "" : "directive " + std::to_string(number_) + ": ";
    fail("trace.json", at_, ("cannot read the trace: " + where + why).c_str());
  }
  Json parse() const {
    if (text_ == nullptr) no("there is no text");
    try {
      return Json::parse(text_);
    } catch (const Json::parse_error& error) {
      int line = 1, column = 1;
      for (std::size_t k = 0; k + 1 < error.byte && text_[k] != '\0'; ++k) {
        column = text_[k] == '\n' ? 1 : column + 1;
        line += text_[k] == '\n' ? 1 : 0;
      }
      no("no JSON from line " + std::to_string(line) + ", column " + std::to_string(column) + " on");
    } catch (const Json::exception&) { no("it has a number that no number of the machine is as large as"); }
  }
  std::string text(const Json& value, const char* key) const {
    if (!value.is_string()) no(std::string("\"") + key + "\" is not a text");
    return value.get<std::string>();
  }
  std::vector<std::string> texts(const Json& value, const char* key) const {
    if (!value.is_array()) no(std::string("\"") + key + "\" is not a list");
    std::vector<std::string> list;
    for (const Json& entry : value) list.push_back(text(entry, key));
    return list;
  }
  template <std::size_t N>
  int choice(const Json& value, const char* key, const char* const (&names)[N]) const {
    const std::string chosen = text(value, key);
    for (std::size_t k = 0; k < N; ++k)
      if (chosen == names[k]) return static_cast<int>(k);
    const std::string near = did_you_mean(chosen, {names, names + N});
    no("\"" + std::string(key) + "\" cannot be " + ticked(chosen) + (near.empty() ? "" : "; " + near));
  }
  void read(Directive& d, const std::string& key, const Json& value) const {
    if (key == "do") d.name = text(value, "do");
    else if (key == "stage") d.stage = text(value, "stage");
    else if (key == "when") d.when = text(value, "when");
    else if (key == "region" && value.is_number_integer() && value.get<i64>() >= 0 && value.get<i64>() < 1 << 20)
      d.region = value.get<int>();
    else if (key == "region") no("\"region\" is no number of a region");
    else if (key == "tensor") d.tensor = text(value, "tensor");
    else if (key == "loops") d.loops = texts(value, "loops");
    else if (key == "factors") d.factors = texts(value, "factors");
    else if (key == "tail") d.tail = static_cast<Tail>(choice(value, "tail", tails));
    else if (key == "memory") d.pack.memory = static_cast<Memory>(choice(value, "memory", memories));
    else if (key == "pad" && value.is_number_integer()) d.pack.pad = value.get<i64>();
    else if (key == "pad") no("\"pad\" is not an integer");
    else if (key == "constant" && value.is_boolean()) d.pack.constant = value.get<bool>();
    else if (key == "constant") no("\"constant\" is not true or false");
    else no("\"" + key + "\" is not known");
  }
  Directive directive(const Json& entry) const {
    Directive d;
    d.at = at_;
    if (!entry.is_object()) no("it is not an object");
    for (const auto& item : entry.items()) read(d, item.key(), item.value());
    if (d.name.empty()) no("\"do\" is missing");
    if (d.name == "specialize" && d.when.empty()) no("\"when\" is missing");
    if (d.stage.empty() && d.name != "specialize") no("\"stage\" is missing");
    const std::string of = of_host(d) ? d.tensor : d.stage, prefix = of + "/";
    for (std::string& loop : d.loops) {
      if (loop.compare(0, prefix.size(), prefix) != 0) no("loop " + ticked(loop) + " is not of the stage " + ticked(of));
      loop.erase(0, prefix.size());
    }
    return d;
  }
  const char* text_;
  Where at_;
  int number_ = 0;
};
}  // namespace nest::detail_trace_json

ORDO_INLINE std::string to_json(const Recipe& recipe) {
  using namespace nest::detail_trace_json;
  Json list = Json::array();
  for (const nest::Directive& d : recipe.trace) list.push_back(write(d));
  Json all = {{"format", format}, {"version", version}};
  if (!recipe.name.empty()) all["name"] = recipe.name;
  all["directives"] = std::move(list);
  return all.dump(1, ' ', false, Json::error_handler_t::replace);
}
ORDO_INLINE std::string to_json(const nest::Trace& trace) { return to_json(Recipe{"", trace}); }
ORDO_INLINE Recipe recipe_from_json(const char* json, Where at) { return nest::detail_trace_json::Reader(json, at).all(); }
ORDO_INLINE nest::Trace trace_from_json(const char* json, Where at) { return recipe_from_json(json, at).trace; }
ORDO_INLINE std::string trace_json(const Schedule& schedule) { return to_json(nest::trace_of(schedule.body())); }
ORDO_INLINE void replay(const Schedule& schedule, const char* json, Where at) { nest::apply(schedule.body(), trace_from_json(json, at)); }
}  // namespace ordo
