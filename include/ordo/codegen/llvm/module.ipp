#pragma once
#include <algorithm>
#include <cstring>
#include "ordo/codegen/llvm/function.hpp"

namespace ordo::codegen::llvm {
ORDO_INLINE Value new_function(Unit& u, const char* name, LLVMTypeRef type, bool exported) {
  Value function = LLVMAddFunction(u.module, name, type);
  if (!exported) LLVMSetLinkage(function, LLVMInternalLinkage);
  const auto add = [&](LLVMAttributeRef a) { add_attribute(function, a); };
  add(attribute(u, "nounwind"));
  add(attribute(u, "uwtable", 2));         // debuggers and profilers can walk through it
  const std::string bits = std::to_string(u.target.vector_bits);
  add(attribute(u, "target-features", u.target.features));
  add(attribute(u, "tune-cpu", u.target.cpu));
  add(attribute(u, "prefer-vector-width", bits.c_str()));
  add(attribute(u, "min-legal-vector-width", bits.c_str()));
  if (std::strstr(u.target.features, "+sve") != nullptr)         // vectors of 128 times 1 to 16 bits: at least ours
    add(attribute(u, "vscale_range", static_cast<u64>(u.target.vector_bits / 128) << 32 | 16));
  return function;
}
ORDO_INLINE void make_module(Unit& u) {
  open(u);
  make_scopes(u);
  make_tiles(u);
  Value entry = new_function(u, u.symbol, LLVMFunctionType(u.int32, &u.pointer, 1, 0), true);
  Function f(u, entry, LLVMGetParam(entry, 0), nullptr);
  if (u.can_fail) {
    f.status = stack_slot(f, u.int32, 4);
    LLVMSetAlignment(LLVMBuildStore(f.entry, LLVMConstInt(u.int32, 0, 0), f.status), 4);
  }
  statement(f, u.kernel.body);
  hand_over(f);
  Value result = LLVMConstInt(u.int32, 0, 0);
  if (u.can_fail) {
    result = LLVMBuildLoad2(f.at, u.int32, f.status, "");
    LLVMSetAlignment(result, 4);
  }
  LLVMBuildRet(f.at, result);
  if (!u.kernel.name.empty() && u.kernel.name != u.symbol)      // what debuggers and profilers show
    LLVMSetLinkage(LLVMAddAlias2(u.module, LLVMGlobalGetValueType(entry), 0, entry, u.kernel.name.c_str()), LLVMInternalLinkage);
  Text message;
  if (LLVMVerifyModule(u.module, LLVMReturnStatusAction, message.out()) != 0) fail_internal("codegen.verify", message);
}
}  // namespace ordo::codegen::llvm
