// What a stage touches: reads, also of what is inlined into it, its own tensor, copies. Reads of a tensor at places a constant apart
// are one use.
#pragma once
#include <string>
#include <vector>
#include "ordo/metrics/spans.hpp"

namespace ordo::metrics {
struct Use {
  std::string name;
  int stage;               // whose axes the indices are of
  int tensor;              // number in the program; -1: a copy
  std::vector<Ref> index;  // by dimension; nullptr: depends on data
  std::vector<i64> more;   // elements further that other reads of it reach
  std::vector<Ref> shape;
  i64 bytes;  // of an element
  std::vector<int> loops = {};
  bool written = false;
  int copied_at = -1;  // only read by a copy made in each turn of the loop at this place of the stage (-1: before all)
  bool by_copy = false;
  int lives_in = -1, lives_at = -1;  // memory of one turn of the loop at that place of that stage; -1: it outlives all
};
std::vector<Use> uses_of(Known& known, int stage);
// Bytes that it touches while those loops run.
Ref footprint(Known& known, const Use& use, const Running& running);
}  // namespace ordo::metrics
