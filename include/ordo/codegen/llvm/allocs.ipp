#pragma once
#include <algorithm>
#include "ordo/codegen/llvm/function.hpp"

namespace ordo::codegen::llvm::detail_allocs {
inline void heap(Function& f, Ref n) {
  Unit& u = f.unit;
  const kernel::Buffer& b = u.kernel.buffers[n->arg];
  ++f.statement;
  Value bytes = LLVMBuildMul(f.at, value(f, b.elements), LLVMConstInt(u.int64, static_cast<u64>(bytes_of(b.type)), 0), "");
  Value block = call_hook(f, 1, u.pointer, {f.frame, bytes});
  LLVMBasicBlockRef there = new_block(f, "allocated"), lacking = new_block(f, "lacking"), done = new_block(f, "released");
  LLVMBuildCondBr(f.at, LLVMBuildIsNull(f.at, block, ""), lacking, there);
  LLVMPositionBuilderAtEnd(f.at, lacking);
  report(f, -1, bytes);
  LLVMBuildBr(f.at, done);
  LLVMPositionBuilderAtEnd(f.at, there);
  f.places[n->arg] = {block, {}};
  enter(f, nullptr);
  statement(f, n->src[0]);
  leave(f);
  f.places[n->arg] = {};
  call_hook(f, 2, u.nothing, {f.frame, block, bytes});
  LLVMBuildBr(f.at, done);
  LLVMPositionBuilderAtEnd(f.at, done);
}
inline Value array(Function& f, const kernel::Buffer& b) {
  if (b.elements == nullptr || b.elements->op != ir::Op::Const)
    fail_internal("codegen.buffer", (b.name + ": its size is no constant").c_str());
  const u64 elements = std::max<u64>(b.elements->arg, 1);
  return stack_slot(f, array_type(stored_type(f.unit, b.type, 1), elements), b.alignment);
}
}  // namespace ordo::codegen::llvm::detail_allocs

namespace ordo::codegen::llvm {
ORDO_INLINE Value stack_slot(Function& f, LLVMTypeRef type, u32 alignment) {
  Value slot = LLVMBuildAlloca(f.entry, type, "");
  if (alignment != 0) LLVMSetAlignment(slot, alignment);
  return slot;
}
ORDO_INLINE void alloc(Function& f, Ref n) {
  const kernel::Buffer& b = f.unit.kernel.buffers[n->arg];
  if (b.space == kernel::Space::heap) return detail_allocs::heap(f, n);
  Place place;
  const Tile& tile = f.unit.tiles[n->arg];
  if (b.space == kernel::Space::registers && tile.pieces)
    for (const auto& [at, lanes] : tile.accesses) place.pieces.push_back(stack_slot(f, stored_type(f.unit, b.type, lanes), 0));
  else
    place.base = detail_allocs::array(f, b);
  f.places[n->arg] = place;
  statement(f, n->src[0]);
  f.places[n->arg] = {};
}
}  // namespace ordo::codegen::llvm
