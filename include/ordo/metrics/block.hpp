// The innermost block of a stage: the unrolled and vectorized loops that nothing else runs inside of.
#pragma once
#include "ordo/metrics/traffic.hpp"
#include "ordo/metrics/work.hpp"

namespace ordo::metrics {
struct Block {
  int from = 0;     // its first place in the order of loops
  i64 lanes = 1;    // of one vector of the machine
  i64 vectors = 1;  // that one turn of the vectorized loop takes
  i64 copies = 1;   // of free unrolled loops
  i64 chained = 1;  // of ordered ones
  int vector_loop = -1;
};
Block block_of(const nest::Nest& nest, int stage, const Machine& machine);
void add_block(Known& known, const std::vector<Use>& uses, int stage, const Machine& machine, StageMetrics& to);
void add_tails(Known& known, int stage, const Block& block, StageMetrics& to);
}  // namespace ordo::metrics
