// The default schedule as a recipe: to be applied, explained, drawn, compared.
#pragma once
#include "ordo/auto/schedule.hpp"
#include "ordo/nest/recipe.hpp"

namespace ordo {
// For the program of `schedule`, which has no directives yet. Code machine.value.
inline Recipe default_recipe(const Schedule& schedule, const Machine& machine, Where at = Where::current()) {
  check(machine, at);
  return {"default", default_schedule(nest::nest_of(schedule.body()), machine)};
}
}  // namespace ordo
