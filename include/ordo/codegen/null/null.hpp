// The back-end that makes nothing: kernels are verified, code is empty, a launch does nothing. For tests and timings of
// everything above it.
#pragma once
#include "ordo/codegen/backend.hpp"

namespace ordo::codegen::null {
const Backend& backend();
}  // namespace ordo::codegen::null
#if !defined(ORDO_COMPILED)
#include "ordo/codegen/null/null.ipp"
#endif
