// A parallel loop: its body becomes `void (closure*, i64 index)`; what it uses from outside travels in the closure.
#pragma once
#include <algorithm>
#include <set>
#include "ordo/codegen/llvm/function.hpp"
#include "ordo/ir/visit.hpp"

namespace ordo::codegen::llvm::detail_parallel {
using ir::Op;

struct Free { std::set<u64> vars, buffers; };      // used in the body, bound outside
inline Free free_of(Ref body) {
  Free used, bound;
  ir::visit_once(body, [&](Ref n) {
    if (n->op == Op::Var) used.vars.insert(n->arg);
    if (n->op == Op::For || n->op == Op::Let) bound.vars.insert(n->src[0]->arg);
    if (n->op == Op::Read || n->op == Op::Write || n->op == Op::Prefetch) used.buffers.insert(n->arg);
    if (n->op == Op::Alloc) bound.buffers.insert(n->arg);
  });
  for (u64 v : bound.vars) used.vars.erase(v);
  for (u64 b : bound.buffers) used.buffers.erase(b);
  return used;
}
struct Captured {
  std::vector<u64> vars, buffers;                  // their values follow frame and status
  std::vector<Value> values;
  LLVMTypeRef type = nullptr;
};
inline Captured capture(Function& f, Ref n, Value begin) {
  Captured c;
  c.values = {f.frame, f.status != nullptr ? f.status : LLVMConstPointerNull(f.unit.pointer), begin};
  Free outer = free_of(n->src[3]);
  outer.vars.erase(n->src[0]->arg);
  for (u64 v : outer.vars) {
    const auto it = f.vars.find(v);
    if (it == f.vars.end()) continue;
    c.vars.push_back(v);
    c.values.push_back(it->second.value);
  }
  for (u64 b : outer.buffers) {
    const kernel::Space space = f.unit.kernel.buffers[b].space;
    if (space == kernel::Space::argument || space == kernel::Space::workspace) continue;
    c.buffers.push_back(b);
    c.values.push_back(base(f, static_cast<int>(b)));
  }
  std::vector<LLVMTypeRef> types;
  for (Value v : c.values) types.push_back(LLVMTypeOf(v));
  c.type = LLVMStructTypeInContext(f.unit.context, types.data(), static_cast<unsigned>(types.size()), 0);
  return c;
}
// A constant needs no place in memory, but keeping one makes the layout the same for all.
inline Value field(LLVMBuilderRef at, const Captured& c, Value closure, std::size_t k) {
  return LLVMBuildStructGEP2(at, c.type, closure, static_cast<unsigned>(k), "");
}
inline Value outline(Function& f, Ref n, const Captured& c) {
  Unit& u = f.unit;
  LLVMTypeRef parameters[2] = {u.pointer, u.int64};
  const std::string name = u.kernel.name + ".parallel" + std::to_string(u.outlined++);
  Value chunk = new_function(u, name.c_str(), LLVMFunctionType(u.nothing, parameters, 2, 0), false);
  Function g(u, chunk, nullptr, nullptr);
  const auto fetch = [&](std::size_t k) {
    if (LLVMIsConstant(c.values[k]) != 0) return c.values[k];
    return LLVMBuildLoad2(g.entry, LLVMTypeOf(c.values[k]), field(g.entry, c, LLVMGetParam(chunk, 0), k), "");
  };
  g.frame = fetch(0);
  g.status = f.status != nullptr ? fetch(1) : nullptr;
  Value index = LLVMBuildAdd(g.entry, LLVMGetParam(chunk, 1), fetch(2), n->src[0]->name);
  g.vars[n->src[0]->arg] = {index, 0, false, 0};
  g.counters = f.counters;
  g.counters.insert(n->src[0]->arg);
  std::size_t k = 3;
  for (u64 v : c.vars) g.vars[v] = {fetch(k++), 0, false, 0};
  for (u64 b : c.buffers) g.places[b] = {fetch(k++), {}};
  statement(g, n->src[3]);
  hand_over(g);
  LLVMBuildRetVoid(g.at);
  return chunk;
}
}  // namespace ordo::codegen::llvm::detail_parallel

namespace ordo::codegen::llvm {
ORDO_INLINE void parallel(Function& f, Ref n) {
  using namespace detail_parallel;
  ++f.statement;
  Value begin = value(f, n->src[1]), end = value(f, n->src[2]);
  const Captured c = capture(f, n, begin);
  Value chunk = outline(f, n, c);
  Value closure = stack_slot(f, c.type, 64);
  LLVMBasicBlockRef launch = new_block(f, "launch"), done = new_block(f, "joined");
  LLVMBuildCondBr(f.at, icmp(f, LLVMIntSLT, begin, end), launch, done);
  LLVMPositionBuilderAtEnd(f.at, launch);
  for (std::size_t k = 0; k < c.values.size(); ++k)
    if (LLVMIsConstant(c.values[k]) == 0) LLVMBuildStore(f.at, c.values[k], field(f.at, c, closure, k));
  call_hook(f, 0, f.unit.nothing, {f.frame, LLVMBuildSub(f.at, end, begin, ""), chunk, closure});
  LLVMBuildBr(f.at, done);
  LLVMPositionBuilderAtEnd(f.at, done);
}
}  // namespace ordo::codegen::llvm
