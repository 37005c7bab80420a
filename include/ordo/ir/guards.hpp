// Under which conditions is a node of an expression evaluated? The conditions that hold on every way to it.
#pragma once
#include <vector>
#include "ordo/ir/arena.hpp"
#include "ordo/ir/form.hpp"
#include "ordo/ir/post_order.hpp"

namespace ordo::ir {
class Guards {
 public:
  Guards(Arena& arena, Ref root) : arena_(arena) {
    RefMap<bool> seen;
    post_order(
        root, [&](Ref e) { return seen.find(e) != nullptr; },
        [&](Ref e) {
          seen.insert(e, true);
          order_.push_back(e);
          any_ = any_ || e->op == Op::Select || e->op == Op::And || e->op == Op::Or || e->op == Op::Reduce;
        });
    if (!any_) return;
    give(root, 0, nullptr);
    for (std::size_t k = order_.size(); k-- > 0;) visit(order_[k]);  // users before their sources
  }
  // Canonical bool expressions, outermost first; of the expression as it was given.
  const std::vector<Ref>& of(Ref node) { return sets_[any_ ? *of_.find(node) : 0]; }

 private:
  using Set = std::vector<Ref>;
  void visit(Ref e) {
    const u32 here = *of_.find(e);
    if (e->op == Op::Select) {
      give(e->src[0], here, nullptr);
      give(e->src[1], here, e->src[0]);
      give(e->src[2], here, negation(e->src[0]));
    } else if (e->op == Op::And || e->op == Op::Or) {
      give(e->src[0], here, nullptr);
      give(e->src[1], here, e->op == Op::And ? e->src[0] : negation(e->src[0]));
    } else if (e->op == Op::Reduce) {
      const ReduceView view(e);
      const u32 inits = view.facts.axes + 1, after = inits + view.facts.fields;
      const bool always = view.where()->op == Op::Const;
      for (u32 k = 0; k < e->count; ++k) give(e->src[k], here, k < after || always ? nullptr : view.where());
    } else {
      for (u32 k = 0; k < e->count; ++k) give(e->src[k], here, nullptr);
    }
  }
  Ref negation(Ref condition) { return arena_.make(Op::Not, Type::boolean, {condition}); }
  void give(Ref to, u32 base, Ref condition) {
    const bool more = condition != nullptr && !has(sets_[base], condition);
    u32* known = of_.find(to);
    if (known != nullptr && (*known == 0 || (*known == base && !more))) return;
    u32 set = base;
    if (more) {
      set = static_cast<u32>(sets_.size());
      sets_.push_back(sets_[base]);
      sets_.back().push_back(condition);
    }
    if (known == nullptr) {
      of_.insert(to, set);
      return;
    }
    Set both;
    for (Ref c : sets_[*known])
      if (has(sets_[set], c)) both.push_back(c);
    *known = 0;
    if (both.empty()) return;
    *known = static_cast<u32>(sets_.size());
    sets_.push_back(both);
  }
  static bool has(const Set& set, Ref condition) {
    for (Ref c : set)
      if (c == condition) return true;
    return false;
  }
  Arena& arena_;
  bool any_ = false;
  std::vector<Ref> order_;
  RefMap<u32> of_;
  std::vector<Set> sets_ = std::vector<Set>(1);
};
}  // namespace ordo::ir
