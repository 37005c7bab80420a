// Default schedules of reductions whose elements may be taken side by side: over Lanes, Blocks, and those whose order is free.
#pragma once
#include "ordo/base/machine.hpp"
#include "ordo/auto/writer.hpp"

namespace ordo::detail_auto {
// false: nothing here fits. `tasks`: large enough to share; `beyond`: reads what no cache holds, and may cut its outer loops.
bool side_by_side(Writer& w, const nest::Stage& stage, const ir::Definition& d, const Shape& s, const Machine& machine, i64 lanes,
                  bool tasks, bool beyond);
}  // namespace ordo::detail_auto
#if !defined(ORDO_COMPILED)
#include "ordo/auto/parts.ipp"
#endif
