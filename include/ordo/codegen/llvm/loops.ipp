// A serial loop, tested at its end: nothing needs to rotate it. Unrolled and vectorized loops that are still here are
// serial loops.
//
//   before: if begin < end: head      head: i = phi(begin, next); body; next = i + 1; if next < end: head; done
#pragma once
#include "ordo/codegen/llvm/function.hpp"

namespace ordo::codegen::llvm::detail_loops {
inline void bind(Function& f, Ref var, Value v, int level) {
  f.vars[var->arg] = {v, level, false, 0};
  f.counters.insert(var->arg);
}
}  // namespace ordo::codegen::llvm::detail_loops

namespace ordo::codegen::llvm {
ORDO_INLINE void loop(Function& f, Ref n) {
  ++f.statement;
  Value begin = value(f, n->src[1]), end = value(f, n->src[2]);
  const bool known_turns = LLVMIsAConstantInt(begin) != nullptr && LLVMIsAConstantInt(end) != nullptr;
  const i64 turns = known_turns ? LLVMConstIntGetSExtValue(end) - LLVMConstIntGetSExtValue(begin) : 0;
  if (known_turns && turns <= 0) return;
  if (known_turns && turns == 1) {
    detail_loops::bind(f, n->src[0], begin, 0);      // a constant
    return statement(f, n->src[3]);
  }
  LLVMBasicBlockRef before = LLVMGetInsertBlock(f.at), ahead = new_block(f, "ahead"), head = new_block(f, "loop"),
                    done = new_block(f, "done");
  if (known_turns) LLVMBuildBr(f.at, ahead);
  else LLVMBuildCondBr(f.at, icmp(f, LLVMIntSLT, begin, end), ahead, done);
  LLVMPositionBuilderAtEnd(f.at, ahead);
  LLVMBuildBr(f.at, head);
  LLVMPositionBuilderAtEnd(f.at, head);
  Value i = LLVMBuildPhi(f.at, f.unit.int64, n->src[0]->name);
  enter(f, before);
  detail_loops::bind(f, n->src[0], i, f.current());
  statement(f, n->src[3]);
  leave(f);
  Value next = LLVMBuildNSWAdd(f.at, i, LLVMConstInt(f.unit.int64, 1, 0), "");
  Value values[2] = {begin, next};
  LLVMBasicBlockRef blocks[2] = {ahead, LLVMGetInsertBlock(f.at)};
  LLVMAddIncoming(i, values, blocks, 2);
  LLVMBuildCondBr(f.at, icmp(f, LLVMIntSLT, next, end), head, done);
  LLVMPositionBuilderAtEnd(f.at, done);
}
}  // namespace ordo::codegen::llvm
