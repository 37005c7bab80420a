#pragma once
#include <cctype>
#include "ordo/nest/edit.hpp"

namespace ordo::nest {
namespace detail_print_trace {
// "i.0*j.1" -> i0_j1, "l.lane" -> l.lane(): how C++ source calls a loop.
inline std::string loop(const std::string& name) {
  for (const char* part : {".lane", ".step", ".block"}) {
    const std::string suffix = part;
    if (name.size() > suffix.size() && name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0) return name + "()";
  }
  std::string text;
  for (const char c : name) {
    if (c == '*')
      text += '_';
    else if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_')
      text += c;
  }
  return text;
}
inline bool is_word(const std::string& name) {
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') return false;
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0;
}
inline std::string stage(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    std::string text = name;
    for (char& c : text)
      if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    return text;
  }
  return is_word(name) ? "s[" + name + "]" : "s.stage(\"" + name + "\")";
}
inline std::string tail(Tail t) {
  constexpr const char* name[] = {"mask", "guard", "peel", "cover", "shift_in", "exact"};
  return std::string("Tail::") + name[static_cast<int>(t)];
}
inline std::string options(const PackOptions& o) {
  constexpr const char* memory[] = {"automatic", "registers", "stack", "heap", "shared"};
  std::string text;
  const auto add = [&](const std::string& field) { text += (text.empty() ? "" : ", ") + field; };
  if (o.memory != Memory::automatic) add(std::string(".memory = Memory::") + memory[static_cast<int>(o.memory)]);
  if (o.pad != 0) add(".pad = " + std::to_string(o.pad));
  if (o.constant) add(".constant = true");
  return text;
}

// What a directive's handles are called: parts of a split, a fusion, a copy.
inline std::string result(const Directive& d) {
  if (d.loops.empty() && d.name != "pack") return "";
  if (d.name == "split") {
    std::string text;
    const std::size_t parts = d.tail == Tail::cover ? 2 : d.factors.size() + 1;
    for (std::size_t k = 0; k < parts; ++k) text += (k == 0 ? "" : ", ") + loop(d.loops[0] + "." + std::to_string(k));
    return "auto [" + text + "] = ";
  }
  if (d.name == "fuse" && d.loops.size() == 2) return "auto " + loop(d.loops[0] + "*" + d.loops[1]) + " = ";
  if (d.name == "pack") return "auto " + stage(d.stage + "/" + d.tensor + ".pack") + " = ";
  return "";
}
}  // namespace detail_print_trace

ORDO_INLINE std::string print_directive(const Directive& d) {
  using namespace detail_print_trace;
  std::string arguments;
  const auto add = [&](const std::string& text) { arguments += (arguments.empty() ? "" : ", ") + text; };
  if (!d.tensor.empty()) add(of_host(d) ? stage(d.tensor) : d.tensor);
  for (const std::string& name : d.loops) add(loop(name));
  if (d.factors.size() == 1)
    add(d.factors[0]);
  else if (!d.factors.empty()) {
    std::string list;
    for (const std::string& factor : d.factors) list += (list.empty() ? "" : ", ") + factor;
    add((d.tail == Tail::cover ? "Cover{" : "{") + list + "}");
  }
  if (d.tail != Tail::mask && d.tail != Tail::cover) add(tail(d.tail));
  const std::string chosen = options(d.pack);
  if (!chosen.empty()) add("{" + chosen + "}");
  return result(d) + stage(d.stage) + "." + d.name + "(" + arguments + ");";
}

ORDO_INLINE std::string print(const Trace& trace) {
  std::string text;
  for (const Directive& directive : trace) text += print_directive(directive) + "\n";
  return text;
}
}  // namespace ordo::nest
