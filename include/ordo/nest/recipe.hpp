// Schedules as values: named, applied to any schedule whose program they fit, one after the other, compared.
//   const Recipe blocks = recipe("blocks", s);
//   apply(t, then(blocks, vectors));
#pragma once
#include <string>
#include "ordo/nest/nest.hpp"
#include "ordo/nest/schedule.hpp"

namespace ordo {
struct Recipe {
  std::string name;
  nest::Trace trace;
};
// Code recipe.name: a name is nullptr.
Recipe recipe(const char* name, const Schedule& schedule, Where at = Where::current());               // what was done to it so far
Recipe then(const Recipe& first, const Recipe& next);                                                 // "first, then next"
Recipe renamed(const Recipe& recipe, const char* from, const char* to, Where at = Where::current());  // a stage or tensor of another name
// After what it has; all of it or nothing. Code trace.fit: the first directive that does not fit.
void apply(const Schedule& schedule, const Recipe& recipe, Where at = Where::current());

// A line a directive, as source: "  " in both, "- " only in a, "+ " only in b, "~ " in both with other factors or options (b's).
// "" when nothing differs.
std::string diff(const nest::Trace& a, const nest::Trace& b);
std::string diff(const Recipe& a, const Recipe& b);
std::string diff(const Schedule& a, const Schedule& b);
}  // namespace ordo
#if !defined(ORDO_COMPILED)
#include "ordo/nest/recipe.ipp"
#endif
