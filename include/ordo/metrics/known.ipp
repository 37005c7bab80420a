#pragma once
#include <limits>
#include "ordo/metrics/known.hpp"
#include "ordo/nest/edit.hpp"

namespace ordo::metrics {
ORDO_INLINE Known::Known(const nest::Nest& of, const std::vector<ir::KnownSize>& sizes, Where at)
    : nest(of), arena_(const_cast<ir::Arena&>(of.program.arena)), simple_(arena_) {
  for (const ir::KnownSize& s : sizes) {
    std::vector<std::string> known;
    bool found = false;
    for (const ir::DimInfo& d : nest.program.dims) {
      known.push_back(d.name);
      if (s.raw != nullptr ? s.raw != d.origin : known.back() != s.name) continue;
      found = true;
      given_.push_back({d.node, arena_.integer(s.value)});
    }
    const std::string name = s.raw != nullptr ? s.raw->name : s.name;
    if (!found) {
      const std::string near = nest::did_you_mean(name, known);
      const std::string help = !near.empty() ? near : known.empty() ? "all its sizes are numbers" : "its sizes are " + nest::listed(known);
      fail("metrics.size", at, ("`" + name + "` is no size of this program").c_str(), ("  help: " + help).c_str());
    }
    if (s.value < 0)
      fail("metrics.size", at, ("`" + name + "` cannot be " + std::to_string(s.value)).c_str(), "  help: a size is 0 or more");
  }
}
ORDO_INLINE Ref Known::operator()(Ref size) {
  return simple_(given_.empty() ? size : ir::substitute(arena_, size, given_.data(), given_.size()));
}
ORDO_INLINE Ref Known::least(Ref a, Ref b) { return a != b && ir::provably_less_equal(b, a) ? b : a; }

ORDO_INLINE double Share::value() const { return intensity(over, of); }
ORDO_INLINE double intensity(Ref over, Ref of) {
  if (constant(over) < 0 || constant(of) < 0) return std::numeric_limits<double>::quiet_NaN();
  return constant(of) == 0 ? 1 : static_cast<double>(constant(over)) / static_cast<double>(constant(of));
}
}  // namespace ordo::metrics
