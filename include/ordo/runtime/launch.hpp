// One call of a kernel's code: frames, workspaces, the floating-point environment, failures.
#pragma once
#include "ordo/runtime/body.hpp"

namespace ordo::runtime {
// Arguments and Dims have been checked. Throws run.index, run.memory, run.executor after all chunks have returned.
void launch(const KernelBody& body, const Variant& variant, const Argument* arguments, const i64* dims, Where at);
}  // namespace ordo::runtime
#if !defined(ORDO_COMPILED)
#include "ordo/runtime/launch.ipp"
#endif
