// A raw expression at other places: names replaced wherever it mentions them and does not bind them itself.
//   replace(sum(k, A(i, k)) + B(i), i -> t - 1)    sum(k, A(t - 1, k)) + B(t - 1)
// What mentions none of the names stays the same node.
#pragma once
#include <vector>
#include "ordo/ir/bound_names.hpp"
#include "ordo/ir/builder.hpp"
#include "ordo/ir/post_order.hpp"

namespace ordo::ir {
namespace detail_replace {
inline const StandIn* of(const StandIn* list, u32 count, Ref name) {
  for (u32 k = 0; k < count; ++k)
    if (list[k].name == name) return &list[k];
  return nullptr;
}
// Those of the list that a Reduce does not bind: they alone reach its condition, step and merge.
inline std::vector<StandIn> inside(Ref reduce, const StandIn* list, u32 count) {
  std::vector<StandIn> kept;
  const std::vector<Ref> bound = axes_bound_by(reduce);
  for (u32 k = 0; k < count; ++k) {
    bool binds = false;
    for (Ref axis : bound) binds = binds || axis == list[k].name;
    if (!binds) kept.push_back(list[k]);
  }
  return kept;
}
inline bool is_init(const ReduceView& view, u32 source) {
  return source > view.facts.axes && source <= view.facts.axes + view.facts.fields;
}
}  // namespace detail_replace

ORDO_INLINE Ref Builder::replace(Ref root, const StandIn* list, u32 count) {
  if (count == 0) return root;
  RefMap<Ref> made;
  const auto known = [&](Ref e) { return e->op == Op::Tensor || made.find(e) != nullptr; };
  const auto now = [&](Ref e) { return e->op == Op::Tensor ? e : *made.find(e); };
  const auto rebuilt = [&](Ref e) -> Ref {
    if (e->op == Op::Extent) {
      const StandIn* r = detail_replace::of(list, count, e->src[0]);
      return r != nullptr && r->extent != nullptr ? r->extent : e;
    }
    if (e->op == Op::Axis || e->op == Op::State) {
      const StandIn* r = detail_replace::of(list, count, e);
      return r != nullptr ? r->by : e;
    }
    std::vector<Ref> sources(e->src, e->src + e->count);
    if (e->op == Op::Reduce) {
      const ReduceView view(e);
      const std::vector<StandIn> kept = detail_replace::inside(e, list, count);
      for (u32 k = view.facts.axes; k < e->count; ++k)
        sources[k] = kept.size() == count || detail_replace::is_init(view, k)
                         ? now(e->src[k])
                         : replace(e->src[k], kept.data(), static_cast<u32>(kept.size()));
    } else {
      for (Ref& s : sources) s = now(s);
    }
    bool same = true;
    for (u32 k = 0; k < e->count; ++k) same = same && sources[k] == e->src[k];
    return same ? e : make(e->op, e->type, sources.data(), e->count, e->arg, e->name, e->at);
  };
  post_order(root, known, [&](Ref e) { made.insert(e, rebuilt(e)); });
  return now(root);
}

ORDO_INLINE std::vector<Ref> free_names(Ref raw) {
  BoundNames names;
  return names.members(names.of(raw));
}
}  // namespace ordo::ir
