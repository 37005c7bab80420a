// What the typed Schedule (nest/schedule.hpp) calls: untyped directives on a Nest, each applied at once or refused (strong guarantee).
// A loop handle is a Ref: a raw axis, a raw Component, or a Var made by an earlier directive of the same schedule.
#pragma once
#include "ordo/ir/node.hpp"

namespace ordo {
enum class Tail : u8 {   // what becomes of the last tile when a factor does not divide an extent
  mask,                  // one more version of the tile: lanes past the end are masked, other indices clamped
  guard,                 // the last tile element by element, each tested
  peel,                  // the last turns in loops of their own, of exact size where sizes are constants
  cover,                 // tiles of two factors, which fill the extent where they can; what remains is masked
  shift_in,              // the last tile moves back until it ends at the extent and computes some elements twice; masked where none fits
  exact,                 // refused unless the factor is shown to divide
};
struct Cover {           // tiles of `first` elements, then of `second`, which is smaller
  i64 first, second;
};
enum class Memory : u8 { // where a packed copy lives
  automatic,             // heap
  registers,             // not lowered yet: refused
  stack,                 // a constant size of at most 64 KiB
  heap,                  // from a pool of the thread that runs it
  shared,                // not lowered yet: refused
};

namespace nest {
struct Body;                     // a Nest, its trace and the handles it gave out; counted
struct StageHandle { Body* body; int stage; };           // owned by the Body, stable: what a typed Stage points to

Body* open(const ir::Ref* outputs, int count, Where at); // lang.* errors of the snapshot; count 1
void retain(Body* body);
void release(Body* body);
const StageHandle* stage_of(Body* body, ir::Ref raw_tensor, Where at);    // schedule.stage
const StageHandle* stage_named(Body* body, const char* name, Where at);   // with "did you mean"

struct PackOptions {
  Memory memory = Memory::automatic;
  i64 pad = 0;                   // elements added to each row of the copy
  bool constant = false;         // made once for each argument (memory, shape, strides) and kept with the kernel: the caller
                                 // promises not to change its bytes, or says so by Kernel::forget_constants()
};

void split(const StageHandle* s, ir::Ref loop, const ir::Ref* factors, int count, Tail tail, ir::Ref* made, Where at);
void cover(const StageHandle* s, ir::Ref loop, i64 first, i64 second, ir::Ref* made, Where at);      // split of Tail::cover: 2 loops
ir::Ref fuse(const StageHandle* s, ir::Ref outer, ir::Ref inner, Where at);
void reorder(const StageHandle* s, const ir::Ref* loops, int count, Where at);
void unroll(const StageHandle* s, ir::Ref loop, Where at);
void vectorize(const StageHandle* s, ir::Ref loop, Where at);
void parallel(const StageHandle* s, ir::Ref loop, i64 grain, Where at);
const StageHandle* pack(const StageHandle* s, ir::Ref raw_tensor, ir::Ref loop, PackOptions options,
                        Where at);  // loop nullptr: before all loops
void prefetch(const StageHandle* s, ir::Ref raw_tensor, ir::Ref loop, ir::Ref distance, Where at);
void store_nontemporal(const StageHandle* s, Where at);
void compute_root(const StageHandle* s, Where at);
void compute_at(const StageHandle* s, const StageHandle* host, ir::Ref loop, Where at);
void store_at(const StageHandle* s, const StageHandle* host, ir::Ref loop, Where at);    // loop nullptr: outside of all
void fold_storage(const StageHandle* s, ir::Ref loop, i64 ring, Where at);       // ring 0: chosen
void inline_(const StageHandle* s, Where at);
void cache_write(const StageHandle* s, ir::Ref loop, Where at);
void align(const StageHandle* s, ir::Ref raw_tensor, i64 bytes, Where at);
void layout(const StageHandle* s, const ir::Ref* places, int count, Where at);   // axes, axis / constant, axis % constant

void regions(const StageHandle* s, ir::Ref loop, const ir::Ref* places, int count, Where at);  // count + 1 of them
// Directives between them are of a region; not `done`: the stage is as if it had not been cut.
void begin_region(const StageHandle* s, int region);
void end_region(const StageHandle* s, bool done);
// Directives between them are of a copy of the schedule for calls whose sizes satisfy the condition; not `done`: as if never begun.
void begin_specialize(Body* body, ir::Ref condition, Where at);
void end_specialize(Body* body, bool done);

const char* text(Body* body);    // the loops of every stage, as scheduled; valid until the next directive
const char* trace(Body* body);   // the directives as C++-like source, one a line
}  // namespace nest
}  // namespace ordo
#if !defined(ORDO_COMPILED)
#include "ordo/nest/nest.hpp"
#endif
