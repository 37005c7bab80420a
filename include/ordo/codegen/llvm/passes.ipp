// The passes over a module. No loop pass but licm: loops arrive in the form they should have.
#pragma once
#include "ordo/codegen/llvm/object.hpp"

namespace ordo::codegen::llvm {
ORDO_INLINE void optimise(LLVMModuleRef module, LLVMTargetMachineRef machine) {
  const PassOptions options(LLVMCreatePassBuilderOptions());
  const std::string passes = std::string("function(sroa,early-cse<memssa>,loop-mssa(licm),") + instcombine_pass + ",simplifycfg)";
  const std::string text = text_of(LLVMRunPasses(module, passes.c_str(), machine, options));
  if (!text.empty()) fail_internal("codegen.passes", text.c_str());
}
}  // namespace ordo::codegen::llvm
