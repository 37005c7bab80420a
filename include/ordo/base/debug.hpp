// ORDO_DEBUG: a list of what to tell on stderr, as in "passes,time".
#pragma once
#include "ordo/base/config.hpp"

namespace ordo {
bool debug_wants(const char* what);
}  // namespace ordo
#if !defined(ORDO_COMPILED)
#include "ordo/base/debug.ipp"
#endif
