// The passes over a module. No loop pass but licm: loops arrive in the form they should have.
#pragma once
#include "ordo/codegen/llvm/object.hpp"

namespace ordo::codegen::llvm::detail_passes {
#if LLVM_VERSION_MAJOR >= 18     // later versions abort when one round of instcombine was not enough, unless told not to
inline constexpr const char* pipeline = "function(sroa,early-cse<memssa>,loop-mssa(licm),instcombine<no-verify-fixpoint>,simplifycfg)";
#else
inline constexpr const char* pipeline = "function(sroa,early-cse<memssa>,loop-mssa(licm),instcombine,simplifycfg)";
#endif
}  // namespace ordo::codegen::llvm::detail_passes

namespace ordo::codegen::llvm {
ORDO_INLINE void optimise(LLVMModuleRef module, LLVMTargetMachineRef machine) {
  PassOptions options(LLVMCreatePassBuilderOptions());
  const std::string text = text_of(LLVMRunPasses(module, detail_passes::pipeline, machine, options));
  if (!text.empty()) fail_internal("codegen.passes", text.c_str());
}
}  // namespace ordo::codegen::llvm
