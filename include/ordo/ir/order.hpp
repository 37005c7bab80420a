// In which order the terms of one element are summed, as text: what the declaration and the extents at hand say.
//   y[2] = sum(lanes<4> l < 10, X[2, l])
//     step    s = s + X[2, l], from s = 0.0
//     p0      t0 + t4 + t8
//     ...
//     order   (p0 + p2) + (p1 + p3)
#pragma once
#include <string>
#include "ordo/ir/element.hpp"
#include "ordo/ir/program.hpp"

namespace ordo::ir {
// Codes explain.tensor, explain.rank, explain.index, explain.size.
std::string explain_order(const Program& program, const ElementAsked& element, Where at);
}  // namespace ordo::ir
#if !defined(ORDO_COMPILED)
#include "ordo/ir/order.ipp"
#endif
