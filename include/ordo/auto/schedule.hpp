// The default schedule: an analytic one, for any program. Deterministic: same program, same description, same directives.
#pragma once
#include "ordo/base/machine.hpp"
#include "ordo/nest/nest.hpp"

namespace ordo {
// `nest` is plain (nest::make): the trace applies to it.
nest::Trace default_schedule(const nest::Nest& nest, const Target& target);      // on this machine: detect(target)
nest::Trace default_schedule(const nest::Nest& nest, const Machine& machine);
namespace detail_auto {
nest::Trace written(const nest::Nest& nest, const Machine& machine);     // before what no directive takes is left out, for tests
}
}  // namespace ordo
#if !defined(ORDO_COMPILED)
#include "ordo/auto/schedule.ipp"
#endif
