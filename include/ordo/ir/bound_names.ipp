#pragma once
#include <string>
#include "ordo/ir/bound_names.hpp"
#include "ordo/ir/post_order.hpp"

namespace ordo::ir {
namespace detail_bound_names {
inline bool is_cut(Ref axis) {
  const Order order = axis_facts(axis).order;
  return order == Order::cut_outer || order == Order::cut_inner;
}
inline bool has(const std::vector<Ref>& list, Ref node) {
  for (Ref r : list)
    if (r == node) return true;
  return false;
}
inline u64 hash_of(const std::vector<u32>& numbers) {
  u64 h = 0x2545f4914f6cdd1du;
  for (u32 n : numbers) h = (h ^ n) * 0x9e3779b97f4a7c15u, h ^= h >> 31;
  return h;
}
// Leaves that bind or hold nothing; the sources of Extent and Axis are sizes.
inline bool opaque(Ref raw) { return raw->op == Op::Extent || raw->op == Op::Tensor || class_of(raw->op) == OpClass::leaf; }
}  // namespace detail_bound_names

ORDO_INLINE std::vector<Ref> axes_bound_by(Ref raw_reduce) {
  const ReduceView view(raw_reduce);
  std::vector<Ref> bound(raw_reduce->src, raw_reduce->src + view.facts.axes);
  for (std::size_t k = 0; k < bound.size(); ++k)
    if (detail_bound_names::is_cut(bound[k]) && !detail_bound_names::has(bound, bound[k]->src[0])) bound.push_back(bound[k]->src[0]);
  return bound;
}

ORDO_INLINE BoundNames::BoundNames() : sets_(1), table_(64, 0), recent_(256, Union{0, 0, 0}) {}

ORDO_INLINE u32 BoundNames::number_of(Ref name) {
  if (u32* known = numbers_.find(name)) return *known;
  names_.push_back(name);
  return numbers_.insert(name, static_cast<u32>(names_.size() - 1));
}
ORDO_INLINE BoundNames::Set BoundNames::intern(const Numbers& numbers) {
  if (numbers.empty()) return 0;
  std::size_t mask = table_.size() - 1, slot = static_cast<std::size_t>(detail_bound_names::hash_of(numbers)) & mask;
  for (; table_[slot] != 0; slot = (slot + 1) & mask)
    if (sets_[table_[slot] - 1] == numbers) return table_[slot] - 1;
  sets_.push_back(numbers);
  table_[slot] = static_cast<u32>(sets_.size());
  if (2 * sets_.size() > table_.size()) {
    std::vector<u32> larger(table_.size() * 2, 0);
    mask = larger.size() - 1;
    for (u32 s = 1; s < sets_.size(); ++s) {
      slot = static_cast<std::size_t>(detail_bound_names::hash_of(sets_[s])) & mask;
      while (larger[slot] != 0) slot = (slot + 1) & mask;
      larger[slot] = s + 1;
    }
    table_.swap(larger);
  }
  return static_cast<Set>(sets_.size() - 1);
}

ORDO_INLINE BoundNames::Set BoundNames::unite(Set a, Set b) {
  if (a == b || b == 0) return a;
  if (a == 0) return b;
  Union& recent = recent_[(a * 0x9e3779b1u ^ b * 0x85ebca6bu) >> 24];
  if (recent.a == a && recent.b == b) return recent.result;
  Numbers merged;
  const Numbers &x = sets_[a], &y = sets_[b];
  for (std::size_t i = 0, j = 0; i < x.size() || j < y.size();) {
    const bool take_x = j == y.size() || (i < x.size() && x[i] <= y[j]);
    const u32 n = take_x ? x[i] : y[j];
    if (i < x.size() && x[i] == n) ++i;
    if (j < y.size() && y[j] == n) ++j;
    merged.push_back(n);
  }
  recent = {a, b, intern(merged)};
  return recent.result;
}
ORDO_INLINE bool BoundNames::contains(Set set, Ref name) {
  const u32 n = number_of(name);
  for (u32 m : sets_[set])
    if (m == n) return true;
  return false;
}
ORDO_INLINE bool BoundNames::subset(Set a, Set b) const {
  if (a == b || a == 0) return true;
  const Numbers &x = sets_[a], &y = sets_[b];
  std::size_t j = 0;
  for (u32 n : x) {
    while (j < y.size() && y[j] < n) ++j;
    if (j == y.size() || y[j] != n) return false;
  }
  return true;
}
ORDO_INLINE std::vector<Ref> BoundNames::members(Set set) const {
  std::vector<Ref> members;
  for (u32 n : sets_[set]) members.push_back(names_[n]);
  return members;
}
ORDO_INLINE BoundNames::Set BoundNames::without(Set set, const std::vector<Ref>& names) {
  Numbers kept;
  for (u32 n : sets_[set])
    if (!detail_bound_names::has(names, names_[n])) kept.push_back(n);
  return intern(kept);
}

ORDO_INLINE BoundNames::Set BoundNames::sources(Ref raw, u32 first, u32 last) {
  Set all = 0;
  for (u32 k = first; k < last; ++k) all = unite(all, *known_.find(raw->src[k]));
  return all;
}
ORDO_INLINE void BoundNames::check_reduction(Ref reduce, Set body, Set merge) {
  const ReduceView view(reduce);
  for (Ref axis : axes_bound_by(reduce))
    if (contains(merge, axis))
      fail("lang.axis", reduce->at, (std::string("the merge of a reduction mentions its axis `") + axis->name + "`").c_str());
  for (u32 k = 0; view.facts.merge && k < view.facts.fields; ++k)
    if (contains(body, view.other(k))) fail("lang.state", reduce->at, "the step of a reduction mentions the state that its merge joins");
}
ORDO_INLINE BoundNames::Set BoundNames::reduction(Ref reduce) {
  const ReduceView view(reduce);
  const u32 axes = view.facts.axes, fields = view.facts.fields;
  const Set init = sources(reduce, axes + 1, axes + 1 + fields);
  const Set body = unite(sources(reduce, axes, axes + 1), sources(reduce, axes + 1 + 2 * fields, axes + 1 + 3 * fields));
  const Set merge = view.facts.merge ? sources(reduce, axes + 1 + 4 * fields, axes + 1 + 5 * fields) : 0;
  check_reduction(reduce, body, merge);
  std::vector<Ref> bound = axes_bound_by(reduce);
  for (u32 k = 0; k < fields; ++k) {
    bound.push_back(view.state(k));
    if (view.facts.merge) bound.push_back(view.other(k));
  }
  const Set free = unite(init, without(unite(body, merge), bound));
  for (Ref name : members(free))
    if (name->op == Op::State)
      fail("lang.state", reduce->at, "a reduction mentions the state of another reduction: that is a recurrence",
           "  help: define a tensor along a Scan axis by scan(...)");
  return free;
}
ORDO_INLINE BoundNames::Set BoundNames::compute(Ref raw) {
  if (raw->op == Op::Axis || raw->op == Op::State) return intern({number_of(raw)});
  if (detail_bound_names::opaque(raw)) return raw->op == Op::Inside ? sources(raw, 0, 1) : 0;
  return raw->op == Op::Reduce ? reduction(raw) : sources(raw, 0, raw->count);
}
ORDO_INLINE BoundNames::Set BoundNames::of(Ref raw) {
  if (Set* known = known_.find(raw)) return *known;
  post_order(
      raw, [this](Ref e) { return known_.find(e) != nullptr; }, [this](Ref e) { known_.insert(e, compute(e)); });
  return *known_.find(raw);
}
}  // namespace ordo::ir
