// Object code with a seal: LLVM's linker trusts its input, so bytes that are not exactly what was made never reach it.
#pragma once
#include <string>
#include "ordo/base/types.hpp"

namespace ordo::codegen::llvm {
std::string sealed(std::string object);
bool unsealed(const std::string& bytes, std::size_t* object_bytes);      // false: damaged, truncated or foreign
}  // namespace ordo::codegen::llvm
#if !defined(ORDO_COMPILED)
#include "ordo/codegen/llvm/seal.ipp"
#endif
