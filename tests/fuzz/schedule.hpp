// Random schedules: directives are tried one by one; a refused one leaves the nest as it was and is counted.
#pragma once
#include "fuzz/random.hpp"
#include "ordo/nest/nest.hpp"

namespace fuzz {
struct Tried {
  ordo::nest::Trace trace;       // those applied
  int refused = 0;
  int nested = 0, inner = 0, along = 0, sliding = 0;     // placements in a placed stage, at another than the outermost loop, of recurrences
                                                         // that go along, of windows that slide
};
Tried random_schedule(const ordo::ir::Program& staged, Random& random, int directives);
}  // namespace fuzz
