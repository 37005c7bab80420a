// The passes over a module. No loop pass but licm: loops arrive in the form they should have.
#pragma once
#include "ordo/codegen/llvm/object.hpp"

namespace ordo::codegen::llvm {
ORDO_INLINE void optimise(LLVMModuleRef module, LLVMTargetMachineRef machine) {
  PassOptions options(LLVMCreatePassBuilderOptions());
  const char* env = getenv("ORDO_PASSES");
  const std::string text = text_of(LLVMRunPasses(module, env ? env : "function(sroa,early-cse<memssa>,loop-mssa(licm),instcombine,simplifycfg)", machine, options));
  if (!text.empty()) fail_internal("codegen.passes", text.c_str());
}
}  // namespace ordo::codegen::llvm
