// Metrics of a scheduled nest, computed without running it: what a tuner reads and explain() prints. Sizes are i64 expressions over
// Dims, numbers where sizes are given.
//   traffic: Olivry, Iooss, Tollenaere, Rountev, Sadayappan, Rastello: IOOpt, PLDI 2021, section 5: a memory that holds one turn of a
//   loop loads what the turn reads once; what the next turns of the loops around share stays, up to and with the first loop along
//   which it moves, whose overlaps stay too; all other loops load it again. An upper bound, whole elements, no cache lines;
//   as if one core ran it all.
#pragma once
#include <string>
#include <vector>
#include "ordo/base/machine.hpp"
#include "ordo/ir/element.hpp"
#include "ordo/nest/nest.hpp"

namespace ordo::metrics {
using ir::Ref;
struct Share {  // over / of, of whole numbers
  Ref over = nullptr, of = nullptr;
  double value() const;  // NaN where a size is not known
};
struct Held {
  std::string name;  // of a tensor or a copy
  Ref bytes;         // that one turn touches
  Ref moved;         // by the stage alone, into or out of a memory that holds one turn
};
struct Level {       // one turn of a loop, with all that is computed in it
  std::string loop;  // "": all of the stage; "C/i": of a host that it is computed in
  std::vector<Held> tensors;
  Ref bytes = nullptr, moved = nullptr;
};
struct Cache {
  const char* name;  // "l1"
  i64 bytes;
  std::string holds;  // the outermost loop, one turn of which is known to fit; "": all of the stage
  Ref moved;          // by the stage, past it
};
enum class Reach : u8 { same, contiguous, strided, gathered };  // how a read goes along the vector loop
struct Read {
  std::string name;
  Reach reach;
};
struct StageMetrics {
  std::string name;
  Ref operations = nullptr;   // a fused multiply-add is two; functions count the operations that define them
  std::vector<Level> levels;  // outermost first; unrolled and vectorized loops are part of the innermost
  std::vector<Cache> caches;
  Ref tasks = nullptr;         // turns of its parallel loops that threads take; nullptr: it runs where it is called
  Share balance;               // of tasks, of what all cores could do until the last is done
  bool chained = false;        // some loop waits for its turn before
  Ref accumulators = nullptr;  // vectors that do not wait for each other in a turn of that loop
  i64 wanted = 0;              // latency x ports
  i64 registers = 0;           // vectors alive in the innermost block; more than the machine has are spilled
  i64 lanes = 1;               // of one vector
  Share vectors;               // lanes used, of lanes of the vectors that run
  Share mask;                  // positions that exist, of positions computed
  Share remainder;             // positions outside of whole tiles, of all
  std::vector<Read> reads;
  i64 code_bytes = 0;  // an estimate
};
struct Metrics {
  std::vector<StageMetrics> stages;  // those that are not inlined, in program order
  Ref operations = nullptr;
  std::vector<Cache> caches;  // of all stages; `holds` is empty
};
// `nest` gets new nodes in its arena and is otherwise left as it is. Code metrics.size: no Dim of that name, one
// given twice, a size that no Dim has, or figures of 2^63 or more.
Metrics measure(const nest::Nest& nest, const Machine& machine, const std::vector<ir::KnownSize>& sizes = {}, Where at = {});
double intensity(Ref operations, Ref moved);  // operations a byte; NaN where a size is not known
std::string print(const Metrics& metrics, const Machine& machine);
}  // namespace ordo::metrics
#if !defined(ORDO_COMPILED)
#include "ordo/metrics/known.ipp"
#include "ordo/metrics/spans.ipp"
#include "ordo/metrics/uses.ipp"
#include "ordo/metrics/traffic.ipp"
#include "ordo/metrics/work.ipp"
#include "ordo/metrics/block.ipp"
#include "ordo/metrics/tails.ipp"
#include "ordo/metrics/measure.ipp"
#include "ordo/metrics/print.ipp"
#endif
