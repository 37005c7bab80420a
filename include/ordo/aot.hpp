// Object files of programs, for a linker; by LLVM.
#pragma once
#include "ordo/runtime/object.hpp"
#if !defined(ORDO_COMPILED)
#include "ordo/codegen/llvm/llvm.hpp"
#endif
