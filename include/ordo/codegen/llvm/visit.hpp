// Every node that a root reaches, once each.
#pragma once
#include <unordered_set>
#include <vector>
#include "ordo/ir/node.hpp"

namespace ordo::codegen::llvm {
using Seen = std::unordered_set<ir::Ref>;

template <class Visit> void visit_once(ir::Ref root, Seen& seen, const Visit& visit) {
  std::vector<ir::Ref> work{root};
  while (!work.empty()) {
    ir::Ref n = work.back();
    work.pop_back();
    if (!seen.insert(n).second) continue;
    visit(n);
    for (u32 k = 0; k < n->count; ++k) work.push_back(n->src[k]);
  }
}
}  // namespace ordo::codegen::llvm
