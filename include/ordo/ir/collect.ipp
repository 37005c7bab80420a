// What decides the extents of the axes of a definition: the dimensions that they index, and under which guards.
#pragma once
#include "ordo/ir/draft.hpp"

namespace ordo::ir {
namespace detail_collect {
class Collect {
 public:
  Collect(Draft& draft, DraftDefinition& d) : draft_(draft), d_(d) {}
  void run() {
    for (int k = 0; k < rank_of(d_.tensor); ++k) {
      AxisUse& use = use_of(d_.raw->axes[k]);
      if (has_shape(d_.tensor)) use.direct.push_back({d_.tensor, static_cast<u32>(k), false});
    }
    push(d_.raw->value, 0);
    while (!stack_.empty()) {
      const Item item = stack_.back();
      stack_.pop_back();
      visit(item.node, item.guard);
    }
  }

 private:
  struct Item {
    Ref node;
    BoundNames::Set guard;
  };
  struct Visit {
    BoundNames::Set guard;
    u32 next;
  };

  AxisUse& use_of(Ref axis) {
    if (u32* known = d_.axis_number.find(axis)) return d_.axes[*known];
    d_.axis_number.insert(axis, static_cast<u32>(d_.axes.size()));
    d_.axes.emplace_back();
    d_.axes.back().raw = axis;
    return d_.axes.back();
  }
  // A visit under more guards than an earlier one says nothing new: a dimension that counts outside guards counts first.
  bool seen_before(Ref node, BoundNames::Set guard) {
    u32* first = visits_of_.find(node);
    for (u32 v = first == nullptr ? 0 : *first; v != 0; v = visits_[v - 1].next)
      if (draft_.names.subset(visits_[v - 1].guard, guard)) return true;
    visits_.push_back({guard, first == nullptr ? 0 : *first});
    const u32 number = static_cast<u32>(visits_.size());
    if (first == nullptr)
      visits_of_.insert(node, number);
    else
      *first = number;
    return false;
  }
  void push(Ref node, BoundNames::Set guard) { stack_.push_back({node, guard}); }
  BoundNames::Set under(BoundNames::Set guard, Ref condition) { return draft_.names.unite(guard, draft_.names.of(condition)); }

  void visit(Ref node, BoundNames::Set guard) {
    if (class_of(node->op) == OpClass::leaf && node->op != Op::Inside) return;
    if (seen_before(node, guard)) return;
    switch (node->op) {
      case Op::Load:
        load(node, guard);
        return;
      case Op::Inside:
        indices(node->src[0], guard);
        return;
      case Op::Select: {
        const BoundNames::Set inner = under(guard, node->src[0]);
        push(node->src[2], inner);
        push(node->src[1], inner);
        push(node->src[0], guard);
        return;
      }
      case Op::And:
      case Op::Or:
        push(node->src[1], under(guard, node->src[0]));
        push(node->src[0], guard);
        return;
      case Op::Reduce:
        reduction(node, guard);
        return;
      default:
        for (u32 k = node->count; k-- > 0;) push(node->src[k], guard);
    }
  }
  void reduction(Ref node, BoundNames::Set guard) {
    const ReduceView view(node);
    for (Ref axis : axes_bound_by(node)) use_of(axis);
    const BoundNames::Set inner = under(guard, view.where());
    const u32 inits = view.facts.axes + 1, steps = inits + view.facts.fields;
    for (u32 k = node->count; k-- > steps;) push(node->src[k], inner);
    for (u32 k = steps; k-- > inits;) push(node->src[k], guard);
    push(view.where(), guard);
  }
  void indices(Ref load, BoundNames::Set guard) {
    for (u32 k = load->count; k-- > 1;) push(load->src[k], guard);
  }
  void load(Ref node, BoundNames::Set guard) {
    for (u32 k = 1; k < node->count; ++k) {
      const Ref index = node->src[k];
      if (index->op == Op::Axis)
        direct(index, {node->src[0], k - 1, draft_.names.contains(guard, index)});
      else
        mark_larger(index);
    }
    indices(node, guard);
  }
  void direct(Ref axis, Direct found) {
    AxisUse& use = use_of(axis);
    const bool itself = found.tensor == d_.tensor && !has_shape(d_.tensor) && d_.raw->axes[found.dimension] == axis;
    if (itself) return;
    for (Direct& known : use.direct)
      if (known.tensor == found.tensor && known.dimension == found.dimension) {
        known.guarded = known.guarded && found.guarded;
        return;
      }
    use.direct.push_back(found);
  }
  // Axes in the arithmetic of one index; a read inside it has indices of its own.
  void mark_larger(Ref index) {
    std::vector<Ref> stack{index};
    while (!stack.empty()) {
      const Ref node = stack.back();
      stack.pop_back();
      if (node->op == Op::Axis) use_of(node).larger = true;
      if (node->op == Op::Load || class_of(node->op) == OpClass::leaf || marked_.find(node) != nullptr) continue;
      marked_.insert(node, true);
      for (u32 k = 0; k < node->count; ++k) stack.push_back(node->src[k]);
    }
  }
  Draft& draft_;
  DraftDefinition& d_;
  std::vector<Item> stack_;
  RefMap<u32> visits_of_;
  std::vector<Visit> visits_;
  RefMap<bool> marked_;
};
}  // namespace detail_collect

ORDO_INLINE void Draft::collect_axes(DraftDefinition& d) { detail_collect::Collect(*this, d).run(); }
}  // namespace ordo::ir
