#pragma once
#include "ordo/codegen/llvm/object.hpp"

namespace ordo::codegen::llvm::detail_object {
inline bool start() {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  return true;
}
inline constexpr const char* triple = "x86_64-unknown-linux-gnu";
}  // namespace ordo::codegen::llvm::detail_object

namespace ordo::codegen::llvm {
ORDO_INLINE void start_x86() {
  static const bool started = detail_object::start();
  (void)started;
}
ORDO_INLINE LLVMTargetMachineRef new_machine(const Target& target) {
  start_x86();
  LLVMTargetRef found = nullptr;
  Text message;
  if (LLVMGetTargetFromTriple(detail_object::triple, &found, message.out()) != 0) fail_internal("codegen.target", message);
  return LLVMCreateTargetMachine(found, detail_object::triple, "x86-64", target.features, LLVMCodeGenLevelDefault, LLVMRelocPIC,
                                 LLVMCodeModelSmall);
}
ORDO_INLINE void describe_machine(LLVMModuleRef module, LLVMTargetMachineRef machine) {
  LLVMSetTarget(module, detail_object::triple);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  LLVMSetModuleDataLayout(module, layout);
  LLVMDisposeTargetData(layout);
}
ORDO_INLINE std::string emitted(LLVMModuleRef module, LLVMTargetMachineRef machine, LLVMCodeGenFileType kind) {
  Memory memory;
  Text message;
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, kind, message.out(), memory.out()) != 0) fail_internal("codegen.emit", message);
  return {LLVMGetBufferStart(memory), LLVMGetBufferSize(memory)};
}
}  // namespace ordo::codegen::llvm
