// Offsets taken apart into scalar terms, so that what does not change inside a loop is added once outside of it.
#pragma once
#include <algorithm>
#include "ordo/codegen/llvm/function.hpp"

namespace ordo::codegen::llvm::detail_address {
using ir::Op;

// False when `n` is a vector that is no sum of ramps and scalars.
inline bool take_apart(Ref n, Offset& o) {
  if (n->op == Op::Const) { o.constant += static_cast<i64>(n->arg); return true; }
  if (n->op == Op::Add) return take_apart(n->src[0], o) && take_apart(n->src[1], o);
  if (n->op == Op::Sub && n->src[1]->op == Op::Const) {
    o.constant -= static_cast<i64>(n->src[1]->arg);
    return take_apart(n->src[0], o);
  }
  if (n->op == Op::Broadcast) return take_apart(n->src[0], o);
  if (n->op == Op::Ramp) {
    Ref step = n->src[1];
    if (step->op == Op::Const) o.step += static_cast<i64>(step->arg);
    else o.steps.push_back(step);
    return take_apart(n->src[0], o);
  }
  if (n->lanes != 1) return false;
  o.terms.push_back(n);
  return true;
}
inline LLVMTypeRef element(const Function& f, int buffer) {
  return stored_type(f.unit, f.unit.kernel.buffers[static_cast<std::size_t>(buffer)].type, 1);
}
inline Value moved(Function& f, int buffer, Value from, Value by) { return LLVMBuildGEP2(f.at, element(f, buffer), from, &by, 1, ""); }

// `from` + the terms of one level, emitted there and remembered as long as that level lasts.
inline Value moved_at(Function& f, int buffer, Value from, Value by, int level) {
  const auto key = std::make_pair(from, by);
  if (const auto it = f.pointers.find(key); it != f.pointers.end()) return it->second;
  Value pointer = moved(f, buffer, from, by);
  f.pointers.emplace(key, pointer);
  f.levels[static_cast<std::size_t>(level)].pointers.push_back(key);
  return pointer;
}
inline Value vector_step(Function& f, const Offset& o) {
  Value step = LLVMConstInt(f.unit.int64, static_cast<u64>(o.step), 0);
  for (Ref s : o.steps) step = LLVMBuildAdd(f.at, step, known(f, s).value, "");
  return step;
}
}  // namespace ordo::codegen::llvm::detail_address

namespace ordo::codegen::llvm {
ORDO_INLINE Offset offset(Ref node) {
  Offset o;
  if (detail_address::take_apart(node, o)) return o;
  Offset general;
  general.general = node;
  return general;
}
ORDO_INLINE Value address(Function& f, int buffer, const Offset& o) {
  Value pointer = base(f, buffer);
  const int lowest = floor_level(f);
  LLVMBasicBlockRef here = LLVMGetInsertBlock(f.at);
  std::size_t left = o.terms.size();
  for (int level = lowest; level <= f.current() && left > 0; ++level) {
    const auto belongs = [&](Ref term) { return std::max(known(f, term).level, lowest) == level; };
    const auto count = static_cast<std::size_t>(std::count_if(o.terms.begin(), o.terms.end(), belongs));
    if (count == 0) continue;
    left -= count;
    go_to_level(f, level);
    for (Ref term : o.terms)
      if (belongs(term)) pointer = detail_address::moved_at(f, buffer, pointer, known(f, term).value, level);
    if (level != f.current()) go_back(f, here);
  }
  if (o.constant == 0) return pointer;
  return detail_address::moved(f, buffer, pointer, LLVMConstInt(f.unit.int64, static_cast<u64>(o.constant), 0));
}
ORDO_INLINE Value addresses(Function& f, int buffer, const Offset& o, int lanes) {
  if (o.general != nullptr) return detail_address::moved(f, buffer, base(f, buffer), known(f, o.general).value);
  Value step = broadcast(f, detail_address::vector_step(f, o), lanes);
  Value by = LLVMBuildMul(f.at, iota(f.unit, f.unit.int64, lanes), step, "");
  return detail_address::moved(f, buffer, address(f, buffer, o), by);
}
}  // namespace ordo::codegen::llvm
