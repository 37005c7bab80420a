// A Kernel made ready for walk: a number for each value, and for each statement the values that it computes, in order.
// Values without Var and Read are computed once a call; all others each time their statement runs.
#pragma once
#include <vector>
#include "ordo/kernel/kernel.hpp"

namespace ordo::kernel {
struct WalkValue {
  ir::Op op;
  Type type, from;               // from: of the operand that is computed with
  u16 lanes;
  u16 count;
  u64 arg;
  u32 bits;                      // where its lanes begin in WalkCode::bits
  u32 src[3];                    // where those of its operands begin
};
struct WalkStatement {
  ir::Ref node;
  std::vector<u32> values;       // to be computed when it begins
  u32 operand[3];                // where its own values begin: offset, value, mask; var, begin, end; condition; elements
  u32 child[2];
  std::vector<u32> block;
};
struct WalkCode {
  std::vector<WalkValue> values;
  std::vector<u32> fixed;        // values without Var and Read
  std::vector<WalkStatement> statements;
  std::vector<u32> elements;     // by buffer: where the number of its elements is; ~0: not known
  std::vector<u64> bits;
  u32 body = 0;
};
WalkCode walk_code(const Kernel& kernel);
}  // namespace ordo::kernel
#if !defined(ORDO_COMPILED)
#include "ordo/kernel/walk_code.ipp"
#endif
