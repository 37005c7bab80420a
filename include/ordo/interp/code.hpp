// What a definition becomes before it is evaluated: numbered values in order, and when each is out of date.
//
// Every binding (an axis, the state of a reduction) has a scope; a value belongs to the innermost scope that it depends
// on. Binding a name anew gives its scope a fresh stamp, and a value is up to date while it carries the stamp of its
// scope. What runs only sometimes (a side of a select, a step) is a region of its own: a list of values to bring up to
// date, in order.
#pragma once
#include <vector>
#include "ordo/ir/program.hpp"

namespace ordo::interp {
using ir::Op;
using ir::Ref;
inline constexpr u32 none = ~u32{0};

struct Value {
  Op op;
  Type type, from;               // from: the type of the first operand that is computed with
  u32 scope;
  u64 arg;
  u32 src[3];                    // value numbers; Load, Reduce: src[0] is an index into reads or reductions
  u32 lazy[2];                   // regions: the sides of a Select, the right side of And, Or
};
struct Read {
  u32 tensor;
  std::vector<u32> index;        // value numbers, i64
  int back = -1;                 // the dimension read at a Scan axis less a constant, if any
  Where at;
};
struct AxisRun {
  u32 value, scope;
  i64 extent;
  i64 lanes, block;              // 1 and 0 where the axis has none, or where the order is free
};
struct Reduction {
  std::vector<AxisRun> axes;
  std::vector<u32> init, state, step, other, merged;     // value numbers, one a component
  u32 where = none;              // none: always
  u32 state_scope = 0;
  u32 where_region = none, step_region = none, merge_region = none;
  std::vector<u64> result;
  std::vector<u64> parts, next;  // accumulators: parts.size() = parts * components
  std::vector<u8> present;
};
// One expression over the left axes of its definition, with all the storage that evaluating it takes.
struct Code {
  std::vector<Value> values;
  std::vector<Read> reads;
  std::vector<Reduction> reductions;
  std::vector<std::vector<u32>> regions;
  std::vector<u32> axes;         // value numbers of the left axes
  u32 root = 0, root_region = 0;
  std::vector<u64> bits, stamp;  // by value
  std::vector<u64> now;          // by scope; left axis d is scope d + 1, scope 0 never changes
  u64 last_stamp = 1;
  bool busy = false;

  void renew(u32 scope) { now[scope] = ++last_stamp; }
};

// `dims` by number; extents are evaluated here.
Code compile(const ir::Program& program, const std::vector<Ref>& left, Ref expression, const i64* dims);
}  // namespace ordo::interp
#if !defined(ORDO_COMPILED)
#include "ordo/interp/compile.ipp"
#endif
