// Nest: where and when each stage is computed. A value: directives are Nest -> Nest. It stores loop order, kinds,
// factors, tails, marks and places; regions, guards and masks are derived from the accesses when a Plan is made.
#pragma once
#include <string>
#include <vector>
#include "ordo/ir/program.hpp"
#include "ordo/ir/simplify.hpp"
#include "ordo/nest/calls.hpp"

namespace ordo::nest {
enum class Kind : u8 { free, ordered };
enum class Mark : u8 { serial, unrolled, vectorized, parallel };

inline constexpr i64 most_stack_bytes = 64 << 10;        // of a copy with Memory::stack: threads have stacks of 1 MiB and more
struct Loop {
  static constexpr int live = -1, given_back = -2;
  std::string name;              // "i", "i.0", "i.0*j.0", "l.lane"; unique in its stage
  Kind kind;
  bool reduction;                // belongs to a reduction axis (free ones of an order-free reduction included)
  ir::Ref extent;                // i64 over Dims, in the program's arena
  Mark mark = Mark::serial;
  int consumed_by = live;        // number of the relation that replaced it; live: in `order`; given_back: by compute_root
  i64 grain = 1;                 // parallel: turns in a row that one thread takes
  Where marked = {};             // the user's line of the mark
  bool between = false;          // made and cut again by one split of several factors
};
// How an index is put together again. split: index(parent) = index(outer) * factor + index(inner); a position at or past
// the parent's extent does not exist. fuse: index(outer) = index(parent) / extent(inner), index(inner) = index(parent) % ...
struct Relation {
  enum class Op : u8 { split, fuse } op;
  int parent, outer, inner;      // loop numbers
  ir::Ref factor;                // split: extent of inner
  Tail tail = Tail::mask;
  Where line = {};
  ir::Ref second = nullptr;      // Tail::cover: extent of inner in the last turns of outer
};
struct Tiles { ir::Ref first, second; };         // so many of each factor of a cover, over Dims
struct Root {                    // an axis of the definition (or a part of it) and its first loop
  ir::Ref axis;
  ir::AxisPart part;
  int loop;
  ir::Ref base = nullptr;        // of a region: where the loop starts
};
struct PackMark { int loop; Mark mark; Where line; };
struct Pack {                    // a copy of what the stage reads of a tensor inside loop `at`, laid out in loop order
  std::string name;              // "B.pack"
  int tensor;                    // number in the program
  int at;                        // loop number: copied anew in each turn of it; -1: once, before all loops
  PackOptions options;
  std::vector<int> order;        // the loops inside `at` that index the copy, outermost first: its layout and its copy loops
  std::vector<Mark> marks;       // of the copy loops, one for each of `order`
  std::vector<int> asked_order;  // a reorder of the copy loops, as asked for; empty: that of the stage
  std::vector<PackMark> asked;   // marks as asked for; the others are serial, but a vectorized loop that is innermost here too
  Where line = {}, reordered = {};
};
struct Prefetch {                // asks the caches for what the reads of a tensor will find `distance` turns of a loop later
  int tensor;                    // number in the program
  int loop;
  ir::Ref distance;
  Where line = {};
};
struct Promise {                 // of an argument: its first byte and its strides but the last are multiples
  int tensor;                    // number in the program
  i64 bytes;
  Where line = {};
};
inline constexpr i64 most_block = 4096;
struct Stored {                  // a place of the storage of a stage: a dimension, its blocks, or the elements of those
  enum class Part : u8 { whole, block, element };
  int dimension;
  Part part;
  i64 factor;                    // elements of a block
};
struct Recurrence {              // stages that read each other back in time: they go through it step by step, together
  int first = -1, last = -1;     // the stages; -1: none
  int axis = -1, time = -1;      // of the definition, and its first loop
  bool across = false;           // reads itself at other places of another axis too
  bool together() const { return last > first; }
};
struct Region {                  // what one turn of a placed stage holds along a dimension: cut to the dimension
  ir::Ref base = nullptr;        // from here on: i64 over Dims and the loops around (`loop_var`)
  ir::Ref extent = nullptr;      // so many elements, over Dims: what its loop runs over
  ir::Ref end = nullptr;         // of time: no step from here on is needed; nullptr: those of the dimension
  ir::Ref kept = nullptr;        // of time: so many steps have room, one after the other again and again; nullptr: no time
  bool cut = false;              // not shown to end inside the dimension
  bool covers = false;           // every read lies inside, also where a guard keeps it from being made
  ir::Ref held = nullptr;        // store_at: memory is of the elements from here on; nullptr: of the turn's own
  ir::Ref room = nullptr;        // so many; fold_storage: the last so many, one after the other again and again
  ir::Ref window = nullptr;      // of the dimension that slides: what a turn reads from here on, of which base and extent are the new part
  ir::Ref window_extent = nullptr;
};
// Where computed elements wait, when that is longer than a turn.
struct Storage {
  static constexpr int turn = -2, whole = -1;
  int loop = turn;               // of the host, around the placement's; whole: outside of all loops of the host
  int slides = -1;               // the dimension of which a turn computes only what no turn before it has
  std::vector<int> first;        // loops of the host: at the first turn of all of them there is nothing before
  i64 before = 0;                // so many new parts more are computed then: their number is `warm_loop`
  int folded = -1;               // dimension
  i64 ring = 0;                  // of it: so many elements have room
  Where line = {}, fold_line = {};
};
inline constexpr int warm_loop = 0xffffff;         // of a placed stage: the loop around all others, over the pieces that a first turn computes
struct Placement {               // compute_at: computed anew in each turn of a loop of another stage, as much as that turn reads
  int stage = -1;                // that stage; -1: computed on its own
  int turn = -1;                 // that loop
  bool along = false;            // a recurrence that does one step in each turn: what it keeps lives as long as the loop
  bool outlives = false;         // and longer: it is read after the loop
  std::vector<Region> regions = {};      // by dimension; derived from the accesses after each directive
  Where line = {};
  Storage stored = {};
};
struct Stage {
  std::string name;              // of its tensor
  int definition;                // number in the program
  std::vector<Loop> loops;       // all ever made; numbers are stable
  std::vector<int> order;        // live loops, outermost first
  std::vector<Relation> relations;
  std::vector<Root> roots;
  std::vector<Pack> packs;
  std::vector<Prefetch> prefetches;
  std::vector<Promise> promises;
  bool inlined = false;
  Where line = {};               // of inline_
  bool nontemporal = false;      // its vectors go to memory past the caches
  Where past_caches = {};        // of store_nontemporal
  std::vector<Stored> layout;    // outermost first; empty: its dimensions in turn
  Where laid_out = {};
  int cached_at = -1;            // loop in whose turns unfinished sums have memory of their own; -1: none
  Where cached = {};             // of cache_write
  std::vector<int> readers;      // stages that read its tensor, ascending, without itself
  Recurrence recurrence;
  Placement placed;
  std::vector<int> guests;       // stages computed in its turns, ascending
  std::vector<int> absorbed;     // stages inlined into this one whose reduction loops are here now
  std::vector<Stage> parts = {}; // regions: computed one after the other instead of the loops here
  Where cut = {};                // of regions
  bool part = false;             // is one of those
  Loop& loop(int n) { return loops[static_cast<std::size_t>(n)]; }
  const Loop& loop(int n) const { return loops[static_cast<std::size_t>(n)]; }
  int place(int loop) const;     // its place in `order`, or -1
};
struct Variant;
struct Nest {
  ir::Program program;           // staged (ir::stages)
  std::vector<Stage> stages;     // one a definition, same order
  std::vector<std::string> names;        // of the program's tensors, made unique
  std::vector<int> by_name;      // stages in ascending order of name
  std::vector<Variant> variants = {};    // specialize: for calls of certain sizes, in the order in which they are tried
  bool special = false;          // of a variant
  std::string special_for = {};  // "N == 1024"
  std::vector<ir::Replacement> facts = {};       // what takes the place of a Dim in it
};
struct Variant { Nest nest; ir::Ref condition; Where line; };    // the condition over Dims, in the arena of the general nest

// One directive as data: what a trace holds, what replays. Loops by name, sizes as expressions over named Dims.
struct Directive {
  std::string name;              // "split", "fuse", "reorder", "unroll", "vectorize", "parallel", "pack", "prefetch",
                                 // "store_nontemporal", "cache_write", "compute_root", "compute_at", "store_at", "fold_storage", "inline_",
                                 // "align", "layout", "regions", "specialize"
  std::string stage;             // "C" or, for a copy, "C/B.pack"
  std::vector<std::string> loops;
  std::vector<std::string> factors;      // as printed by ir::print; parallel: the grain; prefetch: the distance; fold_storage: the ring;
                                         // align: the bytes; layout: "c / 16", by the names of loops; regions: the places
  Tail tail = Tail::mask;
  std::string tensor;            // pack: what is copied; prefetch: what is read; align: an argument; compute_at, store_at: the stage whose
                                 // loop is named
  PackOptions pack;
  Where at;
  int region = -1;               // of that part of a stage that is cut into regions
  std::string when = {};         // specialize: the condition; others: of the copy that they change, "" of the general schedule
};
using Trace = std::vector<Directive>;

Nest make(ir::Program staged);                            // the plain nest: left axes, then reduction axes, all serial
Nest copy(const Nest& nest);
void apply(Nest& nest, const Directive& directive);       // or throws the refusal and leaves the nest as it was
// Stops at the first that does not fit (trace.fit), of the recipe of that name.
void apply(Nest& nest, const Trace& trace, const char* recipe = nullptr);
std::string print(const Nest& nest);
std::string print(const Stage& stage, const ir::Program& program, int arrow_at_loop = -1);
std::string print(const Trace& trace);
const Nest& nest_of(const Body* body);
const Trace& trace_of(const Body* body);
void apply(Body* body, const Trace& trace, const char* recipe = nullptr);      // to a schedule as it stands; all of it or nothing
Body* replay(ir::Program staged, const Trace& trace);     // a schedule for another program, or the same after a round trip
// A loop around a placed stage, as an atom of the bases of its regions.
ir::Ref loop_var(ir::Arena& arena, int stage, int loop, const char* name);
bool is_loop_var(ir::Ref e, int& stage, int& loop);
Tiles tiles(ir::Arena& arena, ir::Ref extent, i64 first, i64 second);
// Of the memory of a placed stage: its vector's, else the last.
int innermost_dimension(const Stage& stage, const ir::Definition& definition);
const Nest* fitting(const Nest& nest, const i64* dims);  // the variant for a call of these sizes, or nullptr: the nest itself
// The tile is the longest run of innermost loops whose free ones are unrolled or vectorized: what its reduction loops accumulate into
// stays in registers. Its first position in `order`; it may be empty.
std::size_t tile_of(const Nest& nest, const Stage& stage);
bool runs_parts(const Stage& stage, int loop, bool free_order);  // its turns are parts of a reduction, each with an accumulator of its own
std::string print_layout(const Stage& stage, const ir::Definition& definition);
const Promise* promise_of(const Nest& nest, int tensor);          // the largest of all stages, or nullptr
void verify(const Nest& nest);                            // internal error when a rule is broken
}  // namespace ordo::nest
#if !defined(ORDO_COMPILED)
#include "ordo/nest/make.ipp"
#include "ordo/nest/recurrence.ipp"
#include "ordo/nest/loops.ipp"
#include "ordo/nest/access.ipp"
#include "ordo/nest/size.ipp"
#include "ordo/nest/tile.ipp"
#include "ordo/nest/packs.ipp"
#include "ordo/nest/check.ipp"
#include "ordo/nest/marks.ipp"
#include "ordo/nest/refusal.ipp"
#include "ordo/nest/print.ipp"
#include "ordo/nest/print_trace.ipp"
#include "ordo/nest/verify.ipp"
#include "ordo/nest/tails.ipp"
#include "ordo/nest/split.ipp"
#include "ordo/nest/fuse.ipp"
#include "ordo/nest/reorder.ipp"
#include "ordo/nest/unroll.ipp"
#include "ordo/nest/vectorize.ipp"
#include "ordo/nest/parallel.ipp"
#include "ordo/nest/pack.ipp"
#include "ordo/nest/prefetch.ipp"
#include "ordo/nest/store_nontemporal.ipp"
#include "ordo/nest/compute_root.ipp"
#include "ordo/nest/region.ipp"
#include "ordo/nest/compute_at.ipp"
#include "ordo/nest/slide.ipp"
#include "ordo/nest/store_at.ipp"
#include "ordo/nest/fold_storage.ipp"
#include "ordo/nest/inline.ipp"
#include "ordo/nest/regions.ipp"
#include "ordo/nest/specialize.ipp"
#include "ordo/nest/cache_write.ipp"
#include "ordo/nest/align.ipp"
#include "ordo/nest/layout.ipp"
#include "ordo/nest/apply.ipp"
#include "ordo/nest/calls.ipp"
#endif
