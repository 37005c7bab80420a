#pragma once
#include "ordo/codegen/llvm/function.hpp"
#include "ordo/codegen/llvm/llvm.hpp"
#include "ordo/codegen/llvm/object.hpp"

namespace ordo::codegen::llvm {
ORDO_INLINE const Backend& backend() {
  static constexpr Backend table = {"llvm", version, generate, load, entry, unload};
  return table;
}
ORDO_INLINE std::string version() {
  unsigned major = 0, minor = 0, patch = 0;
  LLVMGetVersion(&major, &minor, &patch);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}
ORDO_INLINE Code generate(const kernel::Kernel& kernel, const Target& target, bool texts) {
  Machine machine(new_machine(target));
  Unit unit(kernel, target);
  make_module(unit);
  LLVMSetTarget(unit.module, "x86_64-unknown-linux-gnu");
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  LLVMSetModuleDataLayout(unit.module, layout);
  LLVMDisposeTargetData(layout);
  optimise(unit.module, machine);
  Code code;
  if (texts) {
    code.ir = Text(LLVMPrintModuleToString(unit.module));
    const Module copy(LLVMCloneModule(unit.module));
    code.assembly = emitted(copy, machine, LLVMAssemblyFile);
  }
  code.object = emitted(unit.module, machine, LLVMObjectFile);
  return code;
}
}  // namespace ordo::codegen::llvm
