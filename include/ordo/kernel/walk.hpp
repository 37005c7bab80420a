// Runs a Kernel directly, with soft arithmetic: the oracle of every kernel pass.
#pragma once
#include "ordo/kernel/abi.hpp"
#include "ordo/kernel/kernel.hpp"

namespace ordo::kernel {
// The same call as machine code: returns 0, or 1 after frame->hooks->fail. Parallel loops run in ascending order here.
i32 walk(const Kernel& kernel, const Frame* frame);
}  // namespace ordo::kernel
#if !defined(ORDO_COMPILED)
#include "ordo/kernel/walk.ipp"
#endif
