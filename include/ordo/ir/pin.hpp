// Which free index a condition holds to one value: scatters and histograms take a step for one destination only.
#pragma once
#include <vector>
#include "ordo/ir/arena.hpp"

namespace ordo::ir {
// A conjunct `at == axis` (or `at == cast<through>(axis)`, whole numbers both) of a condition; `at` does not mention the axis.
struct Pin {
  Ref axis = nullptr, at = nullptr;
  i64 below = 0;  // it holds for one value of the axis at most where the axis has no more values than this
};
std::vector<Pin> pins(Ref condition, const std::vector<Ref>& axes);
}  // namespace ordo::ir
#if !defined(ORDO_COMPILED)
#include "ordo/ir/pin.ipp"
#endif
