// Evaluates a Program straight from NUMERICS.md, scalar by scalar: the oracle. It shares nothing with what is below ir.
#pragma once
#include "ordo/base/argument.hpp"
#include "ordo/ir/program.hpp"

namespace ordo {
// Arguments: inputs, then outputs, as listed in the program; shapes are checked (codes run.*), an index out of range
// ends with run.index. Outputs are written in canonical form (NaN 7fc00000).
void interpret(const ir::Program& program, const Argument* arguments, int count, Where at = Where::current());
}  // namespace ordo
#if !defined(ORDO_COMPILED)
#include "ordo/interp/interp.ipp"
#endif
