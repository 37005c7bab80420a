// What a schedule makes of its program, as text: loops, then metrics of each stage, but for regions and copies for certain sizes (what
// they leave out: README.md here). With sizes: numbers in place of Dims.
//   std::puts(explain(s, cpu::host(), {{N, 1024}}).c_str());
#pragma once
#include <string>
#include <vector>
#include "ordo/metrics/metrics.hpp"
#include "ordo/nest/schedule.hpp"

namespace ordo {
using Sizes = std::vector<ir::KnownSize>;
std::string explain(const Schedule& schedule, const Machine& machine, const Sizes& sizes = {},
                    Where at = Where::current());  // codes metrics.size, machine.value
inline std::string explain(const Schedule& schedule, const Target& target, const Sizes& sizes = {}, Where at = Where::current()) {
  return explain(schedule, detect(target), sizes, at);
}
}  // namespace ordo
#if !defined(ORDO_COMPILED)
#include "ordo/metrics/explain.ipp"
#endif
