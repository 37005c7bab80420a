#pragma once
#include "ordo/codegen/llvm/function.hpp"

namespace ordo::codegen::llvm::detail_statements {
using ir::Op;

inline void arm(Function& f, Ref body, LLVMBasicBlockRef block, LLVMBasicBlockRef join) {
  LLVMPositionBuilderAtEnd(f.at, block);
  enter(f, nullptr);
  statement(f, body);
  leave(f);
  LLVMBuildBr(f.at, join);
}
inline void choose(Function& f, Ref n) {
  ++f.statement;
  Value condition = value(f, n->src[0]);
  LLVMBasicBlockRef yes = new_block(f, "then"), no = n->count > 2 ? new_block(f, "else") : nullptr, join = new_block(f, "endif");
  LLVMBuildCondBr(f.at, condition, yes, no != nullptr ? no : join);
  arm(f, n->src[1], yes, join);
  if (no != nullptr) arm(f, n->src[2], no, join);
  LLVMPositionBuilderAtEnd(f.at, join);
}
inline void let(Function& f, Ref n) {
  ++f.statement;
  value(f, n->src[1]);
  Known bound = known(f, n->src[1]);
  bound.reads = false;             // a value from now on
  f.vars[n->src[0]->arg] = bound;
  statement(f, n->src[2]);
}
inline void fail(Function& f, Ref n) {
  ++f.statement;
  report(f, static_cast<i64>(n->arg), value(f, n->src[0]));
}
}  // namespace ordo::codegen::llvm::detail_statements

namespace ordo::codegen::llvm {
ORDO_INLINE Value call_hook(Function& f, int index, LLVMTypeRef result, std::initializer_list<Value> arguments) {
  std::vector<Value> values(arguments);
  std::vector<LLVMTypeRef> types;
  for (Value v : values) types.push_back(LLVMTypeOf(v));
  const auto count = static_cast<unsigned>(values.size());
  return LLVMBuildCall2(f.at, LLVMFunctionType(result, types.data(), count, 0), hook(f, index), values.data(), count, "");
}
// Execution goes on after a failure; several threads may store the same 1.
ORDO_INLINE void report(Function& f, i64 failure, Value about) {
  call_hook(f, 3, f.unit.nothing, {f.frame, LLVMConstInt(f.unit.int64, static_cast<u64>(failure), 0), about});
  Value store = LLVMBuildStore(f.at, LLVMConstInt(f.unit.int32, 1, 0), f.status);
  LLVMSetAlignment(store, 4);
  LLVMSetOrdering(store, LLVMAtomicOrderingMonotonic);
}
ORDO_INLINE void statement(Function& f, Ref n) {
  using ir::Op;
  switch (n->op) {
    case Op::Block:
      if (transposed(f, n)) return;
      for (u32 k = 0; k < n->count;) {
        const u32 together = interleaves(f, n, k);
        if (together == 0) statement(f, n->src[k]);
        k += together == 0 ? 1 : together;
      }
      return;
    case Op::Write: return write(f, n);
    case Op::For:
      if (dots(f, n)) return;
      return n->arg == static_cast<u64>(ir::LoopMode::parallel) ? parallel(f, n) : loop(f, n);
    case Op::If: return detail_statements::choose(f, n);
    case Op::Let: return detail_statements::let(f, n);
    case Op::Alloc: return alloc(f, n);
    case Op::Prefetch: return prefetch(f, n);
    case Op::Fail: return detail_statements::fail(f, n);
    default: fail_internal("codegen.op", (std::string("not a statement: ") + name_of(n->op)).c_str());
  }
}
}  // namespace ordo::codegen::llvm
