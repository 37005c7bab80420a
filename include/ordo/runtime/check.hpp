// Everything that a call must satisfy, made ready once a kernel. Binds the Dims; touches no memory of the arguments.
#pragma once
#include <vector>
#include "ordo/base/argument.hpp"
#include "ordo/plan/plan.hpp"
#include "ordo/runtime/in_place.hpp"
#include "ordo/runtime/overlap.hpp"
#include "ordo/runtime/size.hpp"

namespace ordo::runtime {
inline constexpr u64 largest_extent = u64{1} << 40;      // an extent lies below it, as ir/simplify.hpp assumes

struct Declared { Type type; int rank; const char* name; };      // of an argument
struct Binder { int argument, dimension; };              // of a Dim
struct ShapeRule { int argument, dimension; Size size; };
struct AgreeRule { Size left, right; std::size_t number; };      // of ir::Program::checks
struct RangeRule { Size low, high, extent, turns; std::size_t number; };   // of plan::Plan::ranges
struct PromiseRule { int argument; i64 bytes; Where promised; };      // of nest::Promise
struct Checks {
  const ir::Program* program = nullptr;
  const plan::Plan* plan = nullptr;      // nullptr: the interpreter runs, which tests each access
  int inputs = 0;
  std::vector<Declared> declared;        // inputs, then outputs
  std::vector<Binder> binders;           // by Dim
  std::vector<ShapeRule> shapes;         // but for the binders
  std::vector<AgreeRule> agree;
  std::vector<RangeRule> ranges;         // but for those shown at compile time
  std::vector<PromiseRule> promises;
  InPlace in_place;
  int count() const { return static_cast<int>(declared.size()); }
};
// Pointers into the program and the plan, which must outlive the Checks. `plan` may be nullptr.
Checks make_checks(const ir::Program& program, const plan::Plan* plan);
void add_promises(Checks& checks, const nest::Nest& nest);         // of a schedule of that program

// Codes run.*; fills dims[0, binders) and spans[0, count). True when an output takes the place of an input.
bool check_call(const Checks& checks, const Argument* arguments, int count, i64* dims, Span* spans, Where at);
// Does `output` (an argument number) take the place of `input`, which the program allows?
inline bool takes_place(const Checks& checks, const Argument* arguments, int input, int output) {
  return arguments[input].data == arguments[output].data && checks.in_place.allows(input, output - checks.inputs) &&
         same_places(arguments[input], arguments[output]);
}
}  // namespace ordo::runtime
#if !defined(ORDO_COMPILED)
#include "ordo/runtime/check.ipp"
#endif
