// CPU targets (LLVM) and oneTBB: cpu::host(), cpu::named("x86-64-v3"), cpu::threads(4).
// A program that includes this anywhere runs its kernels on all cores unless told otherwise.
#pragma once
#include "ordo/base/target.hpp"
#include "ordo/runtime/threads_by_default.hpp"
#if !defined(ORDO_COMPILED)
#include "ordo/codegen/llvm/llvm.hpp"
#include "ordo/runtime/tbb.ipp"
#endif
