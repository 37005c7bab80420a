// The walk of what only collects: every node that a root reaches, once each, in no order that matters, no recursion.
#pragma once
#include <type_traits>
#include <unordered_set>
#include <vector>
#include "ordo/ir/node.hpp"

namespace ordo::ir {
using Visited = std::unordered_set<Ref>;

// A `visit` that returns false keeps the walk out of that node's sources. One `visited` may serve several roots.
template <class Visit>
void visit_once(Ref root, Visited& visited, const Visit& visit) {
  std::vector<Ref> work{root};
  while (!work.empty()) {
    const Ref e = work.back();
    work.pop_back();
    if (!visited.insert(e).second) continue;
    if constexpr (std::is_void_v<decltype(visit(e))>) {
      visit(e);
    } else if (!visit(e)) {
      continue;
    }
    work.insert(work.end(), e->src, e->src + e->count);
  }
}
template <class Visit>
void visit_once(Ref root, const Visit& visit) {
  Visited visited;
  visit_once(root, visited, visit);
}
// A node of operation `op` that `root` reaches, or nullptr.
inline Ref first_of(Ref root, Op op) {
  Ref found = nullptr;
  visit_once(root, [&](Ref e) {
    if (found == nullptr && e->op == op) found = e;
    return found == nullptr;
  });
  return found;
}
}  // namespace ordo::ir
