// Kernel -> LLVM IR (C API) -> object code -> entry in this process, visible to gdb and perf.
#pragma once
#include "ordo/codegen/backend.hpp"

namespace ordo::codegen::llvm {
const Backend& backend();
inline constexpr const char* entry_symbol = "ordo_kernel";     // in what `generate` makes
Code generate(const kernel::Kernel& kernel, const Target& target, bool texts);
// The same for a linker: Code::object is a relocatable file that exports `symbol`, a kernel::Entry, and asks for nothing but
// the routines of routines.hpp.
Code unsealed_code(const kernel::Kernel& kernel, const Target& target, const char* symbol, bool texts);
bool knows(const Target& target);        // its triple is one of ours, and this LLVM has it
std::string known_triples();
std::string version();
void* load(const std::string& object, const char* name);
kernel::Entry entry(const void* loaded);
void unload(void* loaded);
}  // namespace ordo::codegen::llvm
#if !defined(ORDO_COMPILED)
#include "ordo/codegen/llvm/emit.ipp"
#include "ordo/codegen/llvm/jit.ipp"
#include "ordo/codegen/llvm/target.ipp"
#endif
