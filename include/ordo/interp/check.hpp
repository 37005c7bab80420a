// What a call must satisfy before memory is touched.
#pragma once
#include <vector>
#include "ordo/base/argument.hpp"
#include "ordo/ir/program.hpp"

namespace ordo::interp {
// Codes run.count, run.rank, run.type, run.shape, run.size, run.null; gives the Dims by number.
std::vector<i64> check(const ir::Program& program, const Argument* arguments, int count, Where at);
}  // namespace ordo::interp
#if !defined(ORDO_COMPILED)
#include "ordo/interp/check.ipp"
#endif
