// Operations of a stage's value and of what is inlined into it.
#pragma once
#include "ordo/metrics/known.hpp"

namespace ordo::metrics {
struct Operations {
  i64 steps = 0, elements = 0;  // of one step of its reduction; of an element beside that. A fused multiply-add is two
  i64 step_instructions = 0, element_instructions = 0;  // the same, a fused multiply-add being one
  int fields = 0;                                       // of the reduction's state
};
Operations operations_of(const nest::Nest& nest, int stage);
Ref elements_of(Known& known, int stage);  // of its tensor that it computes, again in each turn of its hosts
Ref steps_of(Known& known, int stage);     // of its reduction, for one element
}  // namespace ordo::metrics
