// The walk that all passes over expressions share: no recursion, each node once, sources before their users.
#pragma once
#include <vector>
#include "ordo/ir/node.hpp"

namespace ordo::ir {
// `known(node)` says that a node was finished before (here or earlier); `finish(node)` is called for every other node,
// once, and must make it known.
template <class Known, class Finish>
void post_order(Ref root, Known known, Finish finish) {
  struct Frame {
    Ref node;
    u32 next;
  };
  if (known(root)) return;
  std::vector<Frame> stack{{root, 0}};
  while (!stack.empty()) {
    Frame& top = stack.back();
    while (top.next < top.node->count && known(top.node->src[top.next])) ++top.next;
    if (top.next < top.node->count) {
      stack.push_back({top.node->src[top.next++], 0});
      continue;
    }
    const Ref done = top.node;
    stack.pop_back();
    finish(done);
  }
}
}  // namespace ordo::ir
