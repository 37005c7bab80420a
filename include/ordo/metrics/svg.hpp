// A picture of a schedule: loops as boxes inside each other, copies where they are made, stages inside the loops that they are computed
// in, what one turn of each touches. One self-contained SVG, readable on light and dark pages. Regions and copies for certain sizes are
// not drawn.
#pragma once
#include <string>
#include "ordo/metrics/explain.hpp"

namespace ordo {
namespace metrics {
std::string svg(const nest::Nest& nest, const std::vector<ir::KnownSize>& sizes = {}, Where at = {});
}
std::string svg(const Schedule& schedule, const Sizes& sizes = {}, Where at = Where::current());  // code metrics.size
}  // namespace ordo
#if !defined(ORDO_COMPILED)
#include "ordo/metrics/svg.ipp"
#endif
