// A program that includes this anywhere runs its kernels on all cores unless told otherwise.
#pragma once
#include "ordo/runtime/executor.hpp"

namespace ordo::cpu {
inline const bool threads_are_default = (set_default_executor(threads()), true);
}  // namespace ordo::cpu
