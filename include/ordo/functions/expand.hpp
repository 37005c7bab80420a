// A function of its operands becomes the expression that defines it, in the arena of its operands, with their lanes.
#pragma once
#include "ordo/ir/arena.hpp"

namespace ordo::functions {
// Those of the target that recipes may use; the values are the same with and without.
struct Instructions {
  bool fma = false, lookups = false;
};
ir::Ref expand(ir::Arena& arena, ir::Op function, const ir::Ref* operands, Instructions target);
}  // namespace ordo::functions
#if !defined(ORDO_COMPILED)
#include "ordo/functions/exponential.ipp"
#include "ordo/functions/logarithm.ipp"
#include "ordo/functions/trigonometric.ipp"
#include "ordo/functions/inverse.ipp"
#include "ordo/functions/error.ipp"
#include "ordo/functions/root.ipp"
#include "ordo/functions/power.ipp"
#include "ordo/functions/approx.ipp"
#include "ordo/functions/quick.ipp"
#include "ordo/functions/expand.ipp"
#endif
