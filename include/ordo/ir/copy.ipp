#pragma once
#include "ordo/ir/form.hpp"
#include "ordo/ir/post_order.hpp"
#include "ordo/ir/program.hpp"

namespace ordo::ir {
namespace detail_copy {
class Copier {
 public:
  explicit Copier(Arena& to) : to_(to) {}
  Ref operator()(Ref expression) {
    if (expression == nullptr) return nullptr;
    post_order(expression, [this](Ref e) { return made_.find(e) != nullptr; }, [this](Ref e) { made_.insert(e, rebuilt(e)); });
    return *made_.find(expression);
  }

 private:
  Ref rebuilt(Ref e) {
    sources_.clear();
    for (u32 k = 0; k < e->count; ++k) sources_.push_back(*made_.find(e->src[k]));
    return to_.make(e->op, e->type, sources_.data(), e->count, e->arg, e->name, e->at, e->lanes);
  }
  Arena& to_;
  RefMap<Ref> made_;
  std::vector<Ref> sources_;
};
}  // namespace detail_copy

ORDO_INLINE Ref copy(Ref expression, Arena& to) { return detail_copy::Copier(to)(expression); }

ORDO_INLINE Program copy(const Program& program) {
  Program made;
  detail_copy::Copier copier(made.arena);
  made.at = program.at;
  made.inputs = program.inputs;
  made.outputs = program.outputs;
  made.dims = program.dims;
  for (DimInfo& d : made.dims) d.name = made.arena.intern(d.name), d.node = copier(d.node);
  made.tensors = program.tensors;
  for (TensorInfo& t : made.tensors) {
    t.name = made.arena.intern(t.name);
    t.node = copier(t.node);
    for (Ref& size : t.shape) size = copier(size);
  }
  made.definitions = program.definitions;
  for (Definition& d : made.definitions) {
    for (Ref& axis : d.axes) axis = copier(axis);
    d.value = copier(d.value);
    for (Handle& h : d.handles) h.axis = copier(h.axis);
  }
  made.checks = program.checks;
  for (SizeCheck& c : made.checks) {
    c = {copier(c.left), copier(c.right), made.arena.intern(c.left_name), made.arena.intern(c.right_name), c.at};
  }
  return made;
}

ORDO_INLINE bool mentions(Ref expression, Ref node) {
  RefMap<bool> seen;
  bool found = false;
  post_order(expression, [&](Ref e) { return found || seen.find(e) != nullptr; },
             [&](Ref e) {
               found = found || e == node;
               seen.insert(e, true);
             });
  return found;
}

namespace detail_copy {
using Axes = std::vector<Ref>;
inline bool has(const Axes& axes, Ref axis) {
  for (Ref a : axes)
    if (a == axis) return true;
  return false;
}
inline void add(Axes& axes, Ref axis) {        // ascending by level
  if (has(axes, axis)) return;
  std::size_t place = axes.size();
  while (place > 0 && axis_facts(axes[place - 1]).level > axis_facts(axis).level) --place;
  axes.insert(axes.begin() + static_cast<std::ptrdiff_t>(place), axis);
}

// Sets are shared: a node with the set of one of its sources points to that one.
class FreeAxes {
 public:
  const Axes& of(Ref expression) {
    post_order(expression, [this](Ref e) { return known_.find(e) != nullptr; }, [this](Ref e) { known_.insert(e, compute(e)); });
    return sets_[*known_.find(expression)];
  }

 private:
  u32 compute(Ref e) {
    if (e->op == Op::Axis) return keep({e});
    u32 result = 0;
    if (e->op != Op::Reduce) {
      for (u32 k = 0; k < e->count; ++k) result = unite(result, *known_.find(e->src[k]));
      return result;
    }
    const ReduceView view(e);
    u32 init = 0;
    const u32 inits = view.facts.axes + 1, after = inits + view.facts.fields;
    for (u32 k = inits; k < after; ++k) init = unite(init, *known_.find(e->src[k]));
    result = *known_.find(view.where());
    for (u32 k = after; k < e->count; ++k) result = unite(result, *known_.find(e->src[k]));
    Axes outside;
    for (Ref axis : sets_[result]) {
      bool bound = false;
      for (u32 k = 0; k < view.facts.axes; ++k) bound = bound || view.axis(k) == axis;
      if (!bound) outside.push_back(axis);
    }
    return unite(keep(outside), init);
  }
  u32 unite(u32 a, u32 b) {
    bool more = false;
    for (Ref axis : sets_[b]) more = more || !has(sets_[a], axis);
    if (!more) return a;
    Axes all = sets_[a];
    for (Ref axis : sets_[b]) add(all, axis);
    return all.size() == sets_[b].size() ? b : keep(all);
  }
  u32 keep(const Axes& axes) {
    if (axes.empty()) return 0;
    if (axes.size() == 1) {
      if (u32* known = single_.find(axes[0])) return *known;
      single_.insert(axes[0], static_cast<u32>(sets_.size()));
    }
    sets_.push_back(axes);
    return static_cast<u32>(sets_.size() - 1);
  }
  RefMap<u32> known_, single_;
  std::vector<Axes> sets_ = std::vector<Axes>(1);
};
}  // namespace detail_copy

ORDO_INLINE std::vector<Ref> free_axes(Ref expression) { return detail_copy::FreeAxes().of(expression); }
}  // namespace ordo::ir
