// A select whose second operand is seldom needed: that operand becomes a function of its own, one for equal expressions, which is
// called where some lane needs it.
//
//   before: s = select<seldom>(c, slow(x), fast)        after: if any lane of c: call slow(x), blend      s = phi(blend, fast)
//
// Its arguments are the values known where it is needed; what one unary operation makes of a known value is made again.
#pragma once
#include "ordo/codegen/llvm/seldom.hpp"
#include "ordo/ir/simplify.hpp"

namespace ordo::codegen::llvm::detail_seldom {
inline Value outlined(Unit& u, Ref body, const std::vector<Ref>& parameters, const std::vector<LLVMTypeRef>& types) {
  if (const auto it = u.seldom.find(body); it != u.seldom.end()) return it->second;
  const std::string name = u.kernel.name + ".seldom" + std::to_string(u.seldom.size());
  LLVMTypeRef type = LLVMFunctionType(value_type(u, body->type, body->lanes), const_cast<LLVMTypeRef*>(types.data()),
                                      static_cast<unsigned>(types.size()), 0);
  Value function = new_function(u, name.c_str(), type, false);
  for (const char* fact : {"noinline", "cold", "willreturn", "memory"}) add_attribute(function, attribute(u, fact));
  u.seldom.emplace(body, function);
  Function g(u, function, nullptr, nullptr);
  for (std::size_t k = 0; k < parameters.size(); ++k)
    g.vars[parameters[k]->arg] = {LLVMGetParam(function, static_cast<unsigned>(k)), 0, false, 0};
  LLVMBuildRet(g.at, value(g, body));
  return function;
}
inline Value call(Function& f, Ref root) {
  std::vector<ir::Replacement> changes;
  std::vector<Ref> parameters;
  std::vector<Value> values;
  std::vector<LLVMTypeRef> types;
  arguments_of_seldom(f, root, [&](Ref n) {
    const u64 number = ~static_cast<u64>(parameters.size());
    parameters.push_back(f.unit.arena.make(ir::Op::Var, n->type, nullptr, 0, number, "", {}, n->lanes));
    changes.push_back({n, parameters.back()});
    values.push_back(known(f, n).value);
    types.push_back(LLVMTypeOf(values.back()));
  });
  const Ref body = ir::substitute(f.unit.arena, root, changes.data(), changes.size());
  Value function = outlined(f.unit, body, parameters, types);
  return LLVMBuildCall2(f.at, LLVMGlobalGetValueType(function), function, values.data(), static_cast<unsigned>(values.size()), "");
}
inline void expect_no(Function& f, Value branch) {
  LLVMContextRef c = f.unit.context;
  const auto weight = [&](u64 w) { return LLVMValueAsMetadata(LLVMConstInt(f.unit.int32, w, 0)); };
  LLVMMetadataRef facts[3] = {LLVMMDStringInContext2(c, "branch_weights", 14), weight(1), weight(4000)};
  LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(c, "prof", 4), LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, facts, 3)));
}
}  // namespace ordo::codegen::llvm::detail_seldom

namespace ordo::codegen::llvm {
ORDO_INLINE Value seldom(Function& f, Ref n) {
  Value condition = known(f, n->src[0]).value, often = known(f, n->src[2]).value;
  LLVMBasicBlockRef here = LLVMGetInsertBlock(f.at);
  if (LLVMGetBasicBlockTerminator(here) != nullptr)  // hoisted out of a loop: not worth a branch
    return choose(f, n, condition, detail_seldom::call(f, n->src[1]), often);
  Value any = condition;
  if (n->lanes > 1) any = intrinsic(f, "llvm.vector.reduce.or", {LLVMTypeOf(condition)}, {condition});
  LLVMBasicBlockRef rare = new_block(f, "seldom"), join = new_block(f, "join");
  detail_seldom::expect_no(f, LLVMBuildCondBr(f.at, any, rare, join));
  LLVMPositionBuilderAtEnd(f.at, rare);
  Value values[2] = {often, choose(f, n, condition, detail_seldom::call(f, n->src[1]), often)};
  LLVMBasicBlockRef blocks[2] = {here, LLVMGetInsertBlock(f.at)};
  LLVMBuildBr(f.at, join);
  LLVMPositionBuilderAtEnd(f.at, join);
  Value result = LLVMBuildPhi(f.at, LLVMTypeOf(often), "");
  LLVMAddIncoming(result, values, blocks, 2);
  return result;
}
}  // namespace ordo::codegen::llvm
