#pragma once
#include <algorithm>
#include <vector>
#include "ordo/nest/edit.hpp"
#include "ordo/nest/recipe.hpp"

namespace ordo {
namespace nest::detail_recipe {
inline bool on_the_same(const Directive& a, const Directive& b) {
  return a.name == b.name && a.stage == b.stage && a.loops == b.loops && a.tensor == b.tensor;
}
inline bool same(const Directive& a, const Directive& b) { return on_the_same(a, b) && print_directive(a) == print_directive(b); }

// Lengths of the longest common sequence of what follows a[x] and b[y].
inline std::vector<std::vector<int>> lengths(const Trace& a, const Trace& b) {
  std::vector<std::vector<int>> common(a.size() + 1, std::vector<int>(b.size() + 1, 0));
  for (std::size_t x = a.size(); x-- > 0;)
    for (std::size_t y = b.size(); y-- > 0;)
      common[x][y] = same(a[x], b[y]) ? common[x + 1][y + 1] + 1 : std::max(common[x + 1][y], common[x][y + 1]);
  return common;
}
// What stands between two common directives: those on the same loops are changed, in the order of b.
inline std::string gap(std::vector<const Directive*> gone, const std::vector<const Directive*>& come) {
  std::string text;
  const auto lose = [&](std::vector<const Directive*>::iterator end) {
    for (auto it = gone.begin(); it != end; ++it) text += "- " + print_directive(**it) + "\n";
  };
  for (const Directive* d : come) {
    const auto it = std::find_if(gone.begin(), gone.end(), [&](const Directive* g) { return on_the_same(*g, *d); });
    const bool changed = it != gone.end();
    if (changed) {
      lose(it);
      gone.erase(gone.begin(), it + 1);
    }
    text += (changed ? "~ " : "+ ") + print_directive(*d) + "\n";
  }
  lose(gone.end());
  return text;
}
inline std::string renamed_name(const std::string& name, const std::string& from, const std::string& to) {
  const std::size_t slash = name.find('/');
  std::string stage = name.substr(0, slash), copy = slash == std::string::npos ? "" : name.substr(slash + 1);
  if (stage == from) stage = to;
  if (copy == from + ".pack") copy = to + ".pack";
  return copy.empty() ? stage : stage + "/" + copy;
}
inline void check_name(const char* name, Where at) {
  if (name == nullptr) fail("recipe.name", at, "a name is a null pointer", "  help: give a text, as in recipe(\"blocks\", s)");
}
}  // namespace nest::detail_recipe

ORDO_INLINE Recipe recipe(const char* name, const Schedule& schedule, Where at) {
  nest::detail_recipe::check_name(name, at);
  return {name, nest::trace_of(schedule.body())};
}
ORDO_INLINE Recipe then(const Recipe& first, const Recipe& next) {
  Recipe both{first.name + ", then " + next.name, first.trace};
  both.trace.insert(both.trace.end(), next.trace.begin(), next.trace.end());
  return both;
}
ORDO_INLINE Recipe renamed(const Recipe& recipe, const char* from, const char* to, Where at) {
  nest::detail_recipe::check_name(from, at);
  nest::detail_recipe::check_name(to, at);
  Recipe made = recipe;
  for (nest::Directive& d : made.trace) {
    d.stage = nest::detail_recipe::renamed_name(d.stage, from, to);
    if (d.tensor == from) d.tensor = to;
  }
  return made;
}
ORDO_INLINE void apply(const Schedule& schedule, const Recipe& recipe, Where at) {
  nest::Trace trace = recipe.trace;
  for (nest::Directive& d : trace) d.at = at;
  nest::apply(schedule.body(), trace, recipe.name.c_str());
}

ORDO_INLINE std::string diff(const nest::Trace& a, const nest::Trace& b) {
  using namespace nest::detail_recipe;
  const std::vector<std::vector<int>> common = lengths(a, b);
  std::vector<const nest::Directive*> gone, come;
  std::string text;
  bool differs = false;
  for (std::size_t x = 0, y = 0; x < a.size() || y < b.size();) {
    const bool both = x < a.size() && y < b.size() && same(a[x], b[y]);
    if (!both) {
      differs = true;
      if (y == b.size() || (x < a.size() && common[x + 1][y] >= common[x][y + 1])) gone.push_back(&a[x++]);
      else come.push_back(&b[y++]);
      continue;
    }
    text += gap(gone, come) + "  " + nest::print_directive(a[x]) + "\n";
    gone.clear();
    come.clear();
    ++x, ++y;
  }
  return differs ? text + gap(gone, come) : "";
}
ORDO_INLINE std::string diff(const Recipe& a, const Recipe& b) { return diff(a.trace, b.trace); }
ORDO_INLINE std::string diff(const Schedule& a, const Schedule& b) { return diff(nest::trace_of(a.body()), nest::trace_of(b.body())); }
}  // namespace ordo
