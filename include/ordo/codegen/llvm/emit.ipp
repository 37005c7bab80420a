#pragma once
#include <cfenv>
#include "ordo/codegen/llvm/function.hpp"
#include "ordo/codegen/llvm/llvm.hpp"
#include "ordo/codegen/llvm/object.hpp"
#include "ordo/codegen/llvm/seal.hpp"

namespace ordo::codegen::llvm::detail_emit {
// LLVM folds some constants with the host's arithmetic: it must not see the caller's floating-point environment.
class PlainArithmetic {
 public:
  PlainArithmetic() { std::fegetenv(&before_); std::fesetenv(FE_DFL_ENV); }
  PlainArithmetic(const PlainArithmetic&) = delete;
  PlainArithmetic& operator=(const PlainArithmetic&) = delete;
  ~PlainArithmetic() { std::fesetenv(&before_); }

 private:
  std::fenv_t before_;
};
// Module -> object, and its texts on the way.
inline Code finish(Unit& unit, LLVMTargetMachineRef machine, bool texts) {
  Code code;
  optimise(unit.module, machine);
  if (texts) {
    const Text ir(LLVMPrintModuleToString(unit.module));
    code.ir = std::string(ir);
    const Module copy(LLVMCloneModule(unit.module));
    code.assembly = emitted(copy, machine, LLVMAssemblyFile);
  }
  code.object = emitted(unit.module, machine, LLVMObjectFile);
  return code;
}
}  // namespace ordo::codegen::llvm::detail_emit

namespace ordo::codegen::llvm {
ORDO_INLINE const Backend& backend() {
  static constexpr Backend table = {"llvm", version, generate, load, entry, unload, cpu::runs_here};
  return table;
}
ORDO_INLINE std::string version() {
  unsigned major = 0, minor = 0, patch = 0;
  LLVMGetVersion(&major, &minor, &patch);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}
ORDO_INLINE Code unsealed_code(const kernel::Kernel& kernel, const Target& target, const char* symbol, bool texts) {
  const detail_emit::PlainArithmetic environment;
  const Machine machine(new_machine(target.triple, target.features));
  Unit unit(kernel, target, symbol);
  make_module(unit);
  describe_machine(unit.module, machine);
  return detail_emit::finish(unit, machine, texts);
}
ORDO_INLINE Code generate(const kernel::Kernel& kernel, const Target& target, bool texts) {
  Code code = unsealed_code(kernel, target, entry_symbol, texts);
  code.object = sealed(std::move(code.object));
  return code;
}
}  // namespace ordo::codegen::llvm
