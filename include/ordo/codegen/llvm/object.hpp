// Module -> optimised module -> object code or assembly.
#pragma once
#include "ordo/codegen/llvm/unit.hpp"

namespace ordo::codegen::llvm {
LLVMTargetMachineRef new_machine(const char* triple, const char* features);     // the caller's to dispose
void describe_machine(LLVMModuleRef module, LLVMTargetMachineRef machine);      // triple and data layout
void optimise(LLVMModuleRef module, LLVMTargetMachineRef machine);
std::string emitted(LLVMModuleRef module, LLVMTargetMachineRef machine, LLVMCodeGenFileType kind);
}  // namespace ordo::codegen::llvm
#if !defined(ORDO_COMPILED)
#include "ordo/codegen/llvm/object.ipp"
#include "ordo/codegen/llvm/passes.ipp"
#endif
