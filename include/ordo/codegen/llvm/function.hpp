// One LLVM function under construction.
//
// Values are memoised and hoisted as they are emitted: each lands in the outermost loop level whose variables it needs,
// but never above an If that encloses its use. What depends on memory stays in its statement.
#pragma once
#include <map>
#include <unordered_set>
#include "ordo/codegen/llvm/unit.hpp"

namespace ordo::codegen::llvm {
struct Known {
  Value value;
  int level;             // index in Function::levels
  bool reads;            // depends on memory: only valid inside `statement`
  u64 statement;
};
struct Level {
  LLVMBasicBlockRef before;                        // the block that enters a loop; nullptr where nothing may be hoisted out:
                                                   // the function itself, an arm of an If, the body of a heap Alloc
  std::vector<Ref> made;                           // what to forget on leaving
  std::vector<std::pair<Value, Value>> pointers;
};
struct Place {           // where a buffer is in this function
  Value base = nullptr;                            // address of its first element
  std::vector<Value> pieces;                       // of a Tile, instead
  bool loaded = false;                             // base comes from the Frame
};
struct Function {
  Function(Unit& of, Value function, Value frame_value, Value status_value);
  Unit& unit;
  Value self;
  Builder at;                                      // current position
  Builder entry;                                   // allocas and loads from the Frame, which dominate everything
  Value frame, status;                             // status: where to store 1, nullptr when the kernel cannot fail
  std::vector<Level> levels;
  std::unordered_map<Ref, Known> known;
  std::map<std::pair<Value, Value>, Value> pointers;      // (pointer, index) -> pointer
  std::unordered_map<u64, Known> vars;
  std::unordered_set<u64> counters;                       // those of vars that are loop variables
  std::unordered_map<u64, Value> frame_words;             // field << 32 | index -> loaded value
  std::vector<Place> places;
  u64 statement = 0;
  bool past_caches = false;                               // it has such stores
  int current() const { return static_cast<int>(levels.size()) - 1; }
};

// values.ipp
Value value(Function& f, Ref node);
bool is_known(const Function& f, Ref node);             // it has been emitted, and is still what it was
const Known& known(const Function& f, Ref node);       // `node` has been emitted
Value make(Function& f, Ref node);                 // from operands that have been emitted
int floor_level(const Function& f);                // the innermost level out of which nothing may be hoisted
void go_to_level(Function& f, int level);          // the builder emits at the end of that level ...
void go_back(Function& f, LLVMBasicBlockRef here); // ... and again at the end of `here`
void enter(Function& f, LLVMBasicBlockRef before);
void leave(Function& f);
LLVMBasicBlockRef new_block(Function& f, const char* name);

// lookup.ipp
Value lookup(Function& f, Ref n, Value index);
// seldom.ipp: a select whose second operand is seldom needed
Value seldom(Function& f, Ref n);

// operations.ipp, integers.ipp, floats.ipp, fma.ipp, casts.ipp, storage.ipp: one operation on emitted values
Value unary(Function& f, Ref n, Value a);
Value binary(Function& f, Ref n, Value a, Value b);
Value compare(Function& f, ir::Op op, Type t, Value a, Value b);
Value choose(Function& f, Ref n, Value condition, Value yes, Value no);      // of the Select `n`
Value integer_binary(Function& f, ir::Op op, Type t, Value a, Value b);
Value float_binary(Function& f, ir::Op op, Type t, Value a, Value b);
Value fma(Function& f, Type t, Value a, Value b, Value c);
Value routine(Function& f, const char* name, Type t, std::initializer_list<Value> arguments);      // lane by lane
Value fmod(Function& f, Type t, Value a, Value b);
Value cast(Function& f, Type to, Type from, Value a);
Value canonical(Function& f, Type t, Value a);
Value is_nan(Function& f, Value a);
// For a number that is compared and then selected. LLVM makes one instruction of both: right on x86-64, but fmaxnm and fminnm
// of AArch64 give NaN for a signalling one, and fmax and fmin of RISC-V order -0 and +0. Of two different values it does not.
Value quiet(Function& f, Type t, Value a);
Value to_odd(Function& f, Value a);                // f64 -> f32, rounded to odd
// An f64 from which one more rounding to f32, or two of which the first is to odd, gives what one would: 64-bit integers keep a
// sticky bit.
Value exact_double(Function& f, Type from, Value a);
Value narrow(Function& f, Type to, Type from, Value a);      // a value -> what memory holds
Value widen(Function& f, Type t, Value stored);              // and back
Value broadcast(Function& f, Value scalar, int lanes);
Value intrinsic(Function& f, const char* name, std::initializer_list<LLVMTypeRef> types, std::initializer_list<Value> arguments);
Value bits(Function& f, Type t, Value a);          // reinterpreted as an integer
Value from_bits(Function& f, Type t, Value a);
Value select(Function& f, Value condition, Value yes, Value no);
Value icmp(Function& f, LLVMIntPredicate p, Value a, Value b);
Value fcmp(Function& f, LLVMRealPredicate p, Value a, Value b);

// frame.ipp
Value dim(Function& f, u64 number);
Value stride(Function& f, u64 slot, u64 dimension);
Value base(Function& f, int buffer);
Value hook(Function& f, int index);

// address.ipp: an offset is a sum of scalar terms, plus step * lane
struct Offset {
  std::vector<Ref> terms;
  i64 constant = 0;
  std::vector<Ref> steps;                          // of Ramps, summed
  i64 step = 0;
  Ref general = nullptr;                           // a vector that is no such sum
  bool contiguous() const { return general == nullptr && steps.empty() && step == 1; }
  bool uniform() const { return general == nullptr && steps.empty() && step == 0; }
};
Offset offset(Ref node);
Value address(Function& f, int buffer, const Offset& o);      // of lane 0
Value addresses(Function& f, int buffer, const Offset& o, int lanes);

// tails.ipp
struct Tail {
  Offset position;                                 // base of the ramp
  Ref limit;                                       // scalar
};
bool tail_of(const Function& f, Ref node, Tail* out);
Value tail_mask(Function& f, const Tail& tail, int lanes);

// memory.ipp
Value read(Function& f, Ref node);
void write(Function& f, Ref node);
void prefetch(Function& f, Ref node);
void hand_over(Function& f);                       // at its end: what went past the caches is in memory

// dots.ipp: a loop that sums products of bytes, by the instruction that the target has for them; false for any other loop
bool dots(Function& f, Ref loop);
// transposes.ipp: a block of copies that read at a distance from lane to lane, square by square; false for any other block
bool transposed(Function& f, Ref block);
// interleaves.ipp: stores of a block, from that number on, that lie densely together; how many, or 0
u32 interleaves(Function& f, Ref block, u32 from);

// statements.ipp, loops.ipp, allocs.ipp, parallel.ipp
void statement(Function& f, Ref node);
void loop(Function& f, Ref node);
void alloc(Function& f, Ref node);
void parallel(Function& f, Ref node);
void report(Function& f, i64 failure, Value value);
Value stack_slot(Function& f, LLVMTypeRef type, u32 alignment);
Value call_hook(Function& f, int index, LLVMTypeRef result, std::initializer_list<Value> arguments);
}  // namespace ordo::codegen::llvm
#if !defined(ORDO_COMPILED)
#include "ordo/codegen/llvm/values.ipp"
#include "ordo/codegen/llvm/lookup.ipp"
#include "ordo/codegen/llvm/seldom.ipp"
#include "ordo/codegen/llvm/operations.ipp"
#include "ordo/codegen/llvm/integers.ipp"
#include "ordo/codegen/llvm/floats.ipp"
#include "ordo/codegen/llvm/fma.ipp"
#include "ordo/codegen/llvm/casts.ipp"
#include "ordo/codegen/llvm/storage.ipp"
#include "ordo/codegen/llvm/frame.ipp"
#include "ordo/codegen/llvm/address.ipp"
#include "ordo/codegen/llvm/tails.ipp"
#include "ordo/codegen/llvm/memory.ipp"
#include "ordo/codegen/llvm/dots.ipp"
#include "ordo/codegen/llvm/transposes.ipp"
#include "ordo/codegen/llvm/interleaves.ipp"
#include "ordo/codegen/llvm/statements.ipp"
#include "ordo/codegen/llvm/loops.ipp"
#include "ordo/codegen/llvm/allocs.ipp"
#include "ordo/codegen/llvm/parallel.ipp"
#include "ordo/codegen/llvm/tiles.ipp"
#include "ordo/codegen/llvm/module.ipp"
#endif
