// Default schedules of reductions whose condition holds one index of the output to a value: scatters, histograms.
#pragma once
#include "ordo/base/machine.hpp"
#include "ordo/auto/writer.hpp"

namespace ordo::detail_auto {
// false: it is none. `tasks`: large enough to share.
bool scattered(Writer& w, const nest::Stage& stage, const ir::Definition& d, const Shape& s, const Machine& machine, i64 lanes, bool tasks);
}  // namespace ordo::detail_auto
#if !defined(ORDO_COMPILED)
#include "ordo/auto/scatter.ipp"
#endif
