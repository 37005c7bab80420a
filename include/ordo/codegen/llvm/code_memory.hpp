// Memory of one linked object: code and data in one mapping, so that what is addressed relative to the code is always in
// reach; writable until it is finished, then executable.
#pragma once
#include "ordo/codegen/llvm/api.hpp"

namespace ordo::codegen::llvm {
// The layer of LLJIT that links objects, each into a mapping of its own.
LLVMOrcObjectLayerRef new_layer(void* unused, LLVMOrcExecutionSessionRef session, const char* triple);
// Maps memory for the object that this thread links next; code codegen.load when there is none. `forget` after linking.
void prepare_memory(std::size_t object_bytes);
void forget_memory();
}  // namespace ordo::codegen::llvm
#if !defined(ORDO_COMPILED)
#include "ordo/codegen/llvm/code_memory.ipp"
#endif
