// The name of a piece of code: everything that reaches it, and nothing else.
#pragma once
#include "ordo/runtime/body.hpp"

namespace ordo::runtime {
ir::Digest code_key(const KernelBody& body, std::size_t group, const kernel::Layout& layout);
}  // namespace ordo::runtime
#if !defined(ORDO_COMPILED)
#include "ordo/runtime/key.ipp"
#endif
