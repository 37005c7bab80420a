#pragma once
#include <algorithm>
#include "ordo/codegen/llvm/seldom.hpp"

namespace ordo::codegen::llvm::detail_values {
using ir::Op;

inline const Known* find(const Function& f, Ref n) {
  const auto it = f.known.find(n);
  if (it == f.known.end() || (it->second.reads && it->second.statement != f.statement)) return nullptr;
  return &it->second;
}
// What must be emitted before `n`: an address is not one value, but a sum that is taken apart.
template <class Visit> inline void operands(const Function& f, Ref n, const Visit& visit) {
  Tail tail;
  if (tail_of(f, n, &tail)) {
    for (Ref term : tail.position.terms) visit(term);
    return visit(tail.limit);
  }
  if (ir::is_seldom(n)) {
    visit(n->src[0]);
    visit(n->src[2]);
    return arguments_of_seldom(f, n->src[1], visit);
  }
  u32 first = 0;
  if (n->op == Op::Read) {
    const Offset o = offset(n->src[0]);
    for (Ref term : o.terms) visit(term);
    for (Ref step : o.steps) visit(step);
    if (o.general != nullptr) visit(o.general);
    first = 1;
  }
  for (u32 k = first; k < n->count; ++k) visit(n->src[k]);
}
inline Known home(const Function& f, Ref n) {
  if (n->op == Op::Var) {
    const auto it = f.vars.find(n->arg);
    if (it == f.vars.end()) fail_internal("codegen.var", ("variable " + std::to_string(n->arg) + " is not bound").c_str());
    return it->second;
  }
  Known k{nullptr, 0, n->op == Op::Read, f.statement};
  operands(f, n, [&](Ref s) {
    const Known& source = known(f, s);
    k.reads |= source.reads;
    k.level = source.level > k.level ? source.level : k.level;
  });
  if (k.reads) k.level = f.current();
  else if (n->count > 0) k.level = std::max(k.level, floor_level(f));
  return k;
}
inline void emit(Function& f, Ref n) {
  Known k = home(f, n);
  if (k.value == nullptr && n->count == 0) k.value = make(f, n);       // a constant, or loaded in the entry block
  if (k.value == nullptr) {
    LLVMBasicBlockRef here = LLVMGetInsertBlock(f.at);
    go_to_level(f, k.level);
    k.value = make(f, n);
    if (k.level != f.current()) go_back(f, here);
  }
  f.known[n] = k;
  f.levels[static_cast<std::size_t>(k.level)].made.push_back(n);
}
}  // namespace ordo::codegen::llvm::detail_values

namespace ordo::codegen::llvm {
ORDO_INLINE Function::Function(Unit& of, Value function, Value frame_value, Value status_value)
    : unit(of), self(function), at(LLVMCreateBuilderInContext(of.context)), entry(LLVMCreateBuilderInContext(of.context)),
      frame(frame_value), status(status_value), places(of.kernel.buffers.size()) {
  LLVMBasicBlockRef head = LLVMAppendBasicBlockInContext(of.context, function, "entry");
  LLVMBasicBlockRef body = LLVMAppendBasicBlockInContext(of.context, function, "body");
  LLVMPositionBuilderAtEnd(at, head);
  LLVMPositionBuilderBefore(entry, LLVMBuildBr(at, body));
  LLVMPositionBuilderAtEnd(at, body);
  enter(*this, nullptr);
}
ORDO_INLINE LLVMBasicBlockRef new_block(Function& f, const char* name) {
  return LLVMAppendBasicBlockInContext(f.unit.context, f.self, name);
}
ORDO_INLINE void enter(Function& f, LLVMBasicBlockRef before) { f.levels.push_back({before, {}, {}}); }
ORDO_INLINE void leave(Function& f) {
  for (Ref n : f.levels.back().made) f.known.erase(n);
  for (const auto& p : f.levels.back().pointers) f.pointers.erase(p);
  f.levels.pop_back();
}
ORDO_INLINE int floor_level(const Function& f) {
  int level = f.current();
  while (level > 0 && f.levels[static_cast<std::size_t>(level)].before != nullptr) --level;
  return level;
}
ORDO_INLINE void go_to_level(Function& f, int level) {
  if (level == f.current()) return;
  LLVMPositionBuilderBefore(f.at, LLVMGetBasicBlockTerminator(f.levels[static_cast<std::size_t>(level) + 1].before));
}
ORDO_INLINE void go_back(Function& f, LLVMBasicBlockRef here) { LLVMPositionBuilderAtEnd(f.at, here); }
ORDO_INLINE bool is_known(const Function& f, Ref node) { return detail_values::find(f, node) != nullptr; }
ORDO_INLINE const Known& known(const Function& f, Ref node) { return *detail_values::find(f, node); }

ORDO_INLINE Value value(Function& f, Ref root) {
  std::vector<Ref> work{root};
  while (!work.empty()) {
    Ref n = work.back();
    const std::size_t before = work.size();
    if (detail_values::find(f, n) == nullptr) {
      detail_values::operands(f, n, [&](Ref s) { if (detail_values::find(f, s) == nullptr) work.push_back(s); });
      if (work.size() != before) continue;
      detail_values::emit(f, n);
    }
    work.pop_back();
  }
  return known(f, root).value;
}
}  // namespace ordo::codegen::llvm
