// Kernel -> LLVM IR (C API) -> object code -> entry in this process.
#pragma once
#include <string>
#include "ordo/base/target.hpp"
#include "ordo/kernel/abi.hpp"
#include "ordo/kernel/kernel.hpp"

namespace ordo::codegen::llvm {
struct Code {                    // relocatable object code of one kernel, with the texts asked for
  std::string object;            // ELF bytes: what the disk cache keeps
  std::string ir, assembly;      // filled when `texts`
};
// Pure: same kernel and target, same bytes. Codes codegen.*. Thread-safe.
Code generate(const kernel::Kernel& kernel, const Target& target, bool texts);
std::string version();           // "19.1.7": part of every key

struct Loaded;                   // code linked into this process, visible to gdb and perf
Loaded* load(const std::string& object, const char* name);     // code codegen.load
kernel::Entry entry_of(const Loaded* loaded);
void unload(Loaded* loaded);
}  // namespace ordo::codegen::llvm
#if !defined(ORDO_COMPILED)
#include "ordo/codegen/llvm/emit.ipp"
#include "ordo/codegen/llvm/jit.ipp"
#endif
