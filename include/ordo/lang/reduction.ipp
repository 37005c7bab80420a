#pragma once
#include <unordered_set>
#include <vector>
#include "ordo/lang/reduction.hpp"

namespace ordo::lang {
ORDO_INLINE void Axes::add(const Reduction& axis) {
  if (count == most) fail("lang.axes", axis.node->at, "a reduction lists at most 16 axes");
  node[count++] = axis.node;
}
ORDO_INLINE ir::Ref mean_divisor(const Axes& axes, Type type, Where at) {
  ir::Ref n = front().extent(axes.node[0], 0);
  for (int k = 1; k < axes.count; ++k) n = front().binary(ir::Op::Mul, n, front().extent(axes.node[k], 0), at);
  return front().cast(type, n, at);
}

namespace detail_reduction {
// The reduction axes of a raw expression, but for those of reductions inside it.
inline std::vector<ir::Ref> open_axes(ir::Ref root) {
  std::vector<ir::Ref> found, stack{root};
  std::unordered_set<ir::Ref> seen, bound;
  while (!stack.empty()) {
    const ir::Ref node = stack.back();
    stack.pop_back();
    if (node == nullptr || !seen.insert(node).second || node->op == ir::Op::Tensor) continue;
    const bool axis = node->op == ir::Op::Axis;
    if (axis && ir::axis_facts(node).order > ir::Order::scan) found.push_back(node);
    if (node->op == ir::Op::Reduce)
      for (u32 k = 0; k < ir::reduce_facts(node->arg).axes; ++k) bound.insert(node->src[k]);
    for (u32 k = 0; !axis && k < node->count; ++k) stack.push_back(node->src[k]);
  }
  std::erase_if(found, [&](ir::Ref axis) { return bound.count(axis) > 0; });
  return found;
}
}  // namespace detail_reduction

ORDO_INLINE ir::Ref scatter(ir::Ref left, ir::Ref tensor, ir::Ref index, ir::Ref term, Where at) {
  const auto axes = detail_reduction::open_axes(index);
  if (axes.size() != 1)
    fail("lang.scatter", at, "the index of scatter_add mentions one Chain, over which it runs",
         "  help: for several write sum({n, m}, x, index == v).from(D(v))\n");
  const ir::Ref start = front().load(tensor, left->src + 1, static_cast<int>(left->count) - 1, at);
  const ir::Ref here = front().binary(ir::Op::Eq, index, left->src[1], at);
  return front().fold(ir::Fold::sum, term->type, axes.data(), 1, term, here, start, at);
}
}  // namespace ordo::lang
