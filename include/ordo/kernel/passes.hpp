// Passes of the kernel level: each takes the body and returns another that means the same, byte for byte (`walk`).
#pragma once
#include "ordo/ir/simplify.hpp"
#include "ordo/kernel/fold.hpp"

namespace ordo::kernel {
ir::Ref vectorize(Kernel& kernel, ir::Ref body, u16 lanes);
ir::Ref unroll(Kernel& kernel, ir::Ref body);
ir::Ref hoist(Kernel& kernel, ir::Ref body);
ir::Ref expand_functions(Kernel& kernel, ir::Ref body, bool fma, bool lookups);
// Replaces nodes and folds what becomes plain; memoised. A For whose variable is replaced must not be in `e`.
ir::Ref substitute_folded(const Make& make, ir::Ref e, const ir::Replacement* to, std::size_t count);
// A copy of statements binds variables of its own: a pass that makes several calls this for each.
ir::Ref with_own_variables(Kernel& kernel, ir::Ref copy);
}  // namespace ordo::kernel
#if !defined(ORDO_COMPILED)
#include "ordo/kernel/unroll.ipp"
#include "ordo/kernel/hoist.ipp"
#include "ordo/kernel/vectorize.ipp"
#include "ordo/kernel/expand_functions.ipp"
#endif
