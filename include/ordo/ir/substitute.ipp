#pragma once
#include "ordo/ir/form.hpp"
#include "ordo/ir/simplify.hpp"

namespace ordo::ir {
namespace detail_substitute {
inline Ref rebuilt(Arena& arena, Ref e, RefMap<Ref>& done, std::vector<Ref>& sources, bool all) {
  sources.clear();
  bool changed = false;
  for (u32 k = 0; k < e->count; ++k) {
    const Ref* to = done.find(e->src[k]);
    sources.push_back(to != nullptr ? *to : e->src[k]);
    changed = changed || sources.back() != e->src[k];
  }
  return changed || all ? arena.make(e->op, e->type, sources.data(), e->count, e->arg, e->name, e->at, e->lanes) : e;
}
}  // namespace detail_substitute

namespace detail_substitute {
inline Ref walk(Arena& arena, Ref expression, RefMap<Ref>& done, bool all) {
  struct Frame { Ref node; u32 next; };
  std::vector<Frame> stack;
  std::vector<Ref> sources;
  if (done.find(expression) == nullptr) stack.push_back({expression, 0});
  while (!stack.empty()) {
    Frame& top = stack.back();
    if (top.next < top.node->count) {
      const Ref child = top.node->src[top.next++];
      if ((child->count == 0 && !all) || done.find(child) != nullptr) continue;
      stack.push_back({child, 0});
      continue;
    }
    const Ref node = top.node;
    stack.pop_back();
    if (done.find(node) == nullptr) done.insert(node, detail_substitute::rebuilt(arena, node, done, sources, all));
  }
  return *done.find(expression);
}
}  // namespace detail_substitute

ORDO_INLINE Ref substitute(Arena& arena, Ref expression, const Replacement* replacements, std::size_t count) {
  RefMap<Ref> done;
  for (std::size_t k = 0; k < count; ++k)
    if (done.find(replacements[k].from) == nullptr) done.insert(replacements[k].from, replacements[k].to);
  return detail_substitute::walk(arena, expression, done, false);
}
ORDO_INLINE Ref copied(Arena& arena, Ref expression) {
  RefMap<Ref> done;
  return detail_substitute::walk(arena, expression, done, true);
}
}  // namespace ordo::ir
