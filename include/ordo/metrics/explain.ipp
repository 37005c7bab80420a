#pragma once
#include "ordo/metrics/explain.hpp"

namespace ordo {
ORDO_INLINE std::string explain(const Schedule& schedule, const Machine& machine, const Sizes& sizes, Where at) {
  check(machine, at);
  const nest::Nest& nest = nest::nest_of(schedule.body());
  return nest::print(nest) + metrics::print(metrics::measure(nest, machine, sizes, at), machine);
}
}  // namespace ordo
