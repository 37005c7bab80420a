#pragma once
#include <cstring>
#include "ordo/codegen/llvm/architectures.hpp"
#include "ordo/codegen/llvm/object.hpp"

namespace ordo::codegen::llvm::detail_object {
inline bool start_x86() {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  return true;
}
inline bool start_all() {          // what this LLVM was built with
  LLVMInitializeAllTargetInfos();
  LLVMInitializeAllTargets();
  LLVMInitializeAllTargetMCs();
  LLVMInitializeAllAsmPrinters();
  return true;
}
inline void start(const char* triple) {
  static const bool x86 = start_x86();
  if (x86 && std::strcmp(triple, x86_triple) == 0) return;
  static const bool all = start_all();
  (void)all;
}
inline const char* base_cpu(const char* triple) {
  if (std::strcmp(triple, x86_triple) == 0) return "x86-64";
  return std::strcmp(triple, riscv64_triple) == 0 ? "generic-rv64" : "generic";
}
}  // namespace ordo::codegen::llvm::detail_object

namespace ordo::codegen::llvm {
ORDO_INLINE std::string known_triples() {
  std::string all = x86_triple;
  for (const char* triple : {aarch64_triple, riscv64_triple}) all += std::string(", ") + triple;
  return all;
}
ORDO_INLINE bool knows(const Target& target) {
  bool ours = false;
  for (const char* triple : {x86_triple, aarch64_triple, riscv64_triple}) ours = ours || std::strcmp(target.triple, triple) == 0;
  if (!ours) return false;
  detail_object::start(target.triple);
  LLVMTargetRef found = nullptr;
  Text message;
  return LLVMGetTargetFromTriple(target.triple, &found, message.out()) == 0;
}
ORDO_INLINE LLVMTargetMachineRef new_machine(const char* triple, const char* features) {
  detail_object::start(triple);
  LLVMTargetRef found = nullptr;
  Text message;
  if (LLVMGetTargetFromTriple(triple, &found, message.out()) != 0) fail_internal("codegen.target", message);
  return LLVMCreateTargetMachine(found, triple, detail_object::base_cpu(triple), features, LLVMCodeGenLevelDefault, LLVMRelocPIC,
                                 LLVMCodeModelSmall);
}
ORDO_INLINE void describe_machine(LLVMModuleRef module, LLVMTargetMachineRef machine) {
  const Text triple(LLVMGetTargetMachineTriple(machine));
  LLVMSetTarget(module, triple);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  LLVMSetModuleDataLayout(module, layout);
  LLVMDisposeTargetData(layout);
  if (std::strcmp(triple, riscv64_triple) != 0) return;
  LLVMContextRef context = LLVMGetModuleContext(module);         // floats in registers, as Linux passes them
  LLVMAddModuleFlag(module, LLVMModuleFlagBehaviorError, "target-abi", 10, LLVMMDStringInContext2(context, "lp64d", 5));
}
ORDO_INLINE std::string emitted(LLVMModuleRef module, LLVMTargetMachineRef machine, LLVMCodeGenFileType kind) {
  Memory memory;
  Text message;
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, kind, message.out(), memory.out()) != 0) fail_internal("codegen.emit", message);
  return {LLVMGetBufferStart(memory), LLVMGetBufferSize(memory)};
}
}  // namespace ordo::codegen::llvm
