// The kernel level: statements of one group of stages. Here an index first becomes an address.
//
// Body: a statement node (Block, For, If, Let, Alloc, Write, Fail). Every For has step 1 and its own Var. Values are
// explicit vectors where lanes > 1: element-wise operations need equal lanes in all sources, a Select's condition too;
// memory operations carry masks, arithmetic does not. Read of a narrow buffer widens, Write narrows once (as the
// definitions of soft::load and soft::store); a Write to an argument or workspace that is an output's makes NaN canonical.
// A Prefetch has no effect and may name any place.
// A masked-off lane of a Read is 0 and touches no memory; masks are allowed on scalars too. An If has a scalar condition
// once vectorized loops are gone. Before their passes, unrolled and vectorized loops mean what serial ones do.
#pragma once
#include <string>
#include <vector>
#include "ordo/ir/arena.hpp"

namespace ordo::kernel {
enum class Space : u8 {
  argument,      // memory of the caller: address = data + offset, offset built from Stride nodes
  workspace,     // an intermediate tensor or packed copy made by the runtime before the call, dense row-major
  heap,          // allocated by its Alloc, from the pool of the thread that runs it
  stack,         // small, constant size, allocated by its Alloc
  registers,     // like stack, but every offset is a constant once loops are unrolled: a register tile
};
struct Buffer {
  std::string name;
  Type type;             // as stored
  Space space;
  int slot = -1;         // argument: its number among the kernel's arguments; workspace: its number in the Plan
  int rank = 0;          // argument: number of Stride nodes it has
  ir::Ref elements =
      nullptr;  // heap, workspace, stack, registers: i64 over Dims and Vars in scope at the Alloc; a Const for stack and registers
  bool nontemporal = false;      // whole vectors are stored past the caches; nothing here reads them
  bool apart = false;            // an input that no output of a call may share memory with: it is read at neighbours of an element
  bool canonical = false;        // NaN is canonical in it: every Write of a float makes it so
  u32 promised = 0;              // argument: bytes that divide its first byte and its strides but the last; 0: none known
  u32 alignment = 64;            // of its first byte, except arguments (alignment of the element type)
};
struct Failure { std::string text; };    // what Fail number k means: text with %lld for the offending value
struct Kernel {
  std::string name;
  ir::Arena arena;
  std::vector<Buffer> buffers;
  std::vector<Failure> failures;
  ir::Ref body = nullptr;
  int arguments = 0;             // of a call: argument a is Frame::data[a], workspace w is Frame::data[arguments + w]
  bool starts_first = false;     // unfinished values lie in the output, all after the last read of an input that may lie there
  u64 next_var = 0;              // Vars are numbered uniquely within a Kernel
};
std::string print(const Kernel& kernel);
std::string print_statement(const Kernel& kernel, ir::Ref statement, int indent = 0);
void verify(const Kernel& kernel);       // rules above, plus: every Var bound, buffers in range, register offsets constant when `unrolled`
}  // namespace ordo::kernel
#if !defined(ORDO_COMPILED)
#include "ordo/kernel/print.ipp"
#include "ordo/kernel/verify.ipp"
#endif
