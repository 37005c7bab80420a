#pragma once
#include <algorithm>
#include "ordo/ir/simplify.hpp"
#include "ordo/kernel/lowering.hpp"

namespace ordo::kernel::detail_lower {
ORDO_INLINE Ref Lowering::size(Ref expression) {
  if (const auto it = sizes_.find(expression); it != sizes_.end()) return it->second;
  const Ref r = simplify(make_.arena(), copy(expression, make_.arena()));
  sizes_.emplace(expression, r);
  return r;
}

ORDO_INLINE void Lowering::collect_loops() {
  covers_.assign(stage_.relations.size(), Covers::any);
  forced_.assign(stage_.loops.size(), false);
  bound_.assign(stage_.loops.size(), false);
  fill_open_.assign(stage_.loops.size(), false);
  for (const nest::Loop& l : stage_.loops) {
    extent_.push_back(size(l.extent));
    var_.push_back(make_.arena().make(Op::Var, Type::i64, nullptr, 0, kernel_.next_var++, make_.arena().intern(l.name.c_str())));
    end_.push_back(extent_.back());
    if (l.consumed_by < 0 && l.mark == nest::Mark::vectorized) vector_ = static_cast<int>(var_.size()) - 1;
  }
}

// Is `live` one of the loops that the index of `loop` is put together from?
ORDO_INLINE bool Lowering::depends(int loop, int live) const {
  if (loop == live) return true;
  const int by = stage_.loops[static_cast<std::size_t>(loop)].consumed_by;
  if (by < 0) return false;
  const nest::Relation& r = stage_.relations[static_cast<std::size_t>(by)];
  if (r.op == nest::Relation::Op::fuse) return depends(r.parent, live);
  return depends(r.outer, live) || depends(r.inner, live);
}

ORDO_INLINE void Lowering::collect_guards() {
  const auto add = [&](Guard g, auto&& uses) {
    for (const int l : stage_.order)
      if (uses(l)) g.loops.push_back(l);
    guards_.push_back(std::move(g));
  };
  for (std::size_t r = 0; r < stage_.relations.size(); ++r) {
    const nest::Relation& rel = stage_.relations[r];
    if (rel.op != nest::Relation::Op::split) continue;
    const auto uses = [&](int l) { return depends(rel.parent, l); };
    const Guard own{static_cast<int>(r), rel.parent, stage_.loops[static_cast<std::size_t>(rel.parent)].reduction, rel.tail, {}};
    if (rel.tail == Tail::cover) {
      const nest::Tiles count = tiles(rel);
      const Ref all = make_.add(make_.mul(count.first, size(rel.factor)), make_.mul(count.second, size(rel.second)));
      Guard in_tile = own;
      in_tile.width = true;
      add(in_tile, uses);
      if (simplify(make_.arena(), all) != extent(rel.parent)) add(own, uses);
      continue;
    }
    const Ref factor = size(rel.factor), whole = extent(rel.parent);
    if (Make::is_constant(factor) && provably_multiple(whole, static_cast<i64>(factor->arg))) continue;
    if (factor == whole || (shifts(rel) && provably_less_equal(factor, whole))) continue;
    add(own, uses);
  }
  for (std::size_t k = 0; k < stage_.roots.size(); ++k) {
    const nest::Root& root = stage_.roots[k];
    if (root.part != AxisPart::step) continue;           // one guard an axis of parts
    const AxisFacts f = axis_facts(root.axis);
    if (provably_multiple(size(extent_of(root.axis)), static_cast<i64>(f.lanes) * std::max<u32>(f.block, 1))) continue;
    add({-1 - static_cast<int>(k), -1, true, Tail::mask, {}}, [&](int l) {
      return std::any_of(stage_.roots.begin(), stage_.roots.end(),
                         [&](const nest::Root& o) { return o.axis == root.axis && depends(o.loop, l); });
    });
  }
  for (std::size_t k = 0; k < stage_.roots.size(); ++k) {  // of a placed stage: its region may reach past the end
    const nest::Root& root = stage_.roots[k];
    if (const nest::Region* r = region_of(root.axis); r != nullptr && r->cut)
      add({-1 - static_cast<int>(k), -1, false, Tail::mask, {}}, [&](int l) { return depends(root.loop, l); });
  }
  holds_.assign(guards_.size(), false);
}

ORDO_INLINE void Lowering::bind(int loop, Ref value) {
  var_[static_cast<std::size_t>(loop)] = value;
  exact_.clear();
  clamped_.clear();
  if (!guests_.empty() && stage_.place(loop) < static_cast<int>(tile_)) turn_values_.clear();
}

ORDO_INLINE Ref Lowering::index(int loop, bool clamp) {
  const int by = stage_.loops[static_cast<std::size_t>(loop)].consumed_by;
  if (by < 0) return var_[static_cast<std::size_t>(loop)];
  std::unordered_map<int, Ref>& memo = clamp ? clamped_ : exact_;
  if (const auto it = memo.find(loop); it != memo.end()) return it->second;
  const nest::Relation& r = stage_.relations[static_cast<std::size_t>(by)];
  Ref i;
  if (r.op == nest::Relation::Op::fuse) {
    i = make_.op(loop == r.outer ? Op::Div : Op::Mod, index(r.parent, clamp), extent(r.inner));
  } else {
    i = make_.add(start(r, clamp), index(r.inner, clamp));
    if (clamp)
      for (std::size_t g = 0; g < guards_.size(); ++g)
        if (guards_[g].relation == by && !holds_[g] && (all_clamped_ || vector_ < 0 || !depends(loop, vector_)))
          i = make_.min(i, make_.sub(extent(loop), make_.integer(1)));
  }
  memo.emplace(loop, i);
  return i;
}

ORDO_INLINE Ref Lowering::axis_index(Ref axis, bool clamp) {
  Ref i = nullptr;
  const AxisFacts f = axis_facts(axis);
  bool found = false;
  for (const nest::Root& root : stage_.roots) {
    if (root.axis != axis) continue;
    found = true;
    Ref part = index(root.loop, clamp);
    if (root.part == AxisPart::step && f.lanes > 1) part = make_.mul(part, make_.integer(f.lanes));
    if (root.part == AxisPart::block) part = make_.mul(part, make_.integer(f.block));
    i = i == nullptr ? part : make_.add(i, part);
  }
  if (!found) fail_internal("lower.axis", axis->name);
  const nest::Region* region = region_of(axis);
  if (region == nullptr) return i;
  i = make_.add(at_turn(region->base), i);
  for (std::size_t g = 0; clamp && g < guards_.size(); ++g) {
    const bool own =
        guards_[g].relation < 0 && !guards_[g].reduction && stage_.roots[static_cast<std::size_t>(-1 - guards_[g].relation)].axis == axis;
    const bool lanes = !all_clamped_ && vector_ >= 0 && own &&
                       std::find(guards_[g].loops.begin(), guards_[g].loops.end(), vector_) != guards_[g].loops.end();
    if (own && !holds_[g] && !lanes) i = make_.min(i, make_.sub(bound(guards_[g]), make_.integer(1)));
  }
  return i;
}

ORDO_INLINE Ref Lowering::position(const Guard& g) {
  if (g.width) return index(stage_.relations[static_cast<std::size_t>(g.relation)].inner, false);
  return g.parent >= 0 ? index(g.parent, false) : axis_index(stage_.roots[static_cast<std::size_t>(-1 - g.relation)].axis, false);
}
ORDO_INLINE Ref Lowering::bound(const Guard& g) {
  if (g.width) return width(g);
  if (g.parent >= 0) return extent(g.parent);
  const Ref axis = stage_.roots[static_cast<std::size_t>(-1 - g.relation)].axis, whole = size(extent_of(axis));
  const nest::Region* region = region_of(axis);
  return region != nullptr && region->end != nullptr ? make_.min(at_turn(region->end), whole) : whole;
}

// The position of a guard when `loops` stand at their first (or last) turn.
ORDO_INLINE Ref Lowering::position_at(const Guard& g, const std::vector<int>& loops, bool last) {
  std::vector<Ref> keep;
  for (const int l : loops) {
    keep.push_back(var_[static_cast<std::size_t>(l)]);
    bind(l, last ? make_.sub(extent(l), make_.integer(1)) : make_.integer(0));
  }
  const Ref p = position(g);
  for (std::size_t k = 0; k < loops.size(); ++k) bind(loops[k], keep[k]);
  return p;
}

// Is the last turn of `loops` the largest position? Not when one was fused: a quotient and a remainder do not rise together.
ORDO_INLINE bool Lowering::rises(const Guard& g, const std::vector<int>& loops) {
  return std::all_of(loops.begin(), loops.end(), [&](int l) {
    if (g.width) return rises(stage_.relations[static_cast<std::size_t>(g.relation)].inner, l);
    if (g.parent >= 0) return rises(g.parent, l);
    const Ref axis = stage_.roots[static_cast<std::size_t>(-1 - g.relation)].axis;
    return std::all_of(stage_.roots.begin(), stage_.roots.end(),
                       [&](const nest::Root& root) { return root.axis != axis || !depends(root.loop, l) || rises(root.loop, l); });
  });
}
ORDO_INLINE bool Lowering::rises(int loop, int live) const {
  if (loop == live) return true;
  const int by = stage_.loops[static_cast<std::size_t>(loop)].consumed_by;
  if (by < 0) return false;
  const nest::Relation& r = stage_.relations[static_cast<std::size_t>(by)];
  return r.op == nest::Relation::Op::split && rises(depends(r.outer, live) ? r.outer : r.inner, live);
}

// How much the index of `loop` grows with one turn of `live`; nullptr when that is not one number.
ORDO_INLINE Ref Lowering::growth(int loop, int live) {
  if (loop == live) return make_.integer(1);
  const int by = stage_.loops[static_cast<std::size_t>(loop)].consumed_by;
  if (by < 0) return nullptr;
  const nest::Relation& r = stage_.relations[static_cast<std::size_t>(by)];
  if (r.op == nest::Relation::Op::fuse) return nullptr;
  const Covers covers = covers_[static_cast<std::size_t>(by)];
  if ((shifts(r) || (r.tail == Tail::cover && covers == Covers::any)) && depends(r.outer, live)) return nullptr;
  const Ref outer = growth(r.outer, live);
  return outer != nullptr ? make_.mul(outer, size(covers == Covers::second ? r.second : r.factor)) : growth(r.inner, live);
}

ORDO_INLINE Ref Lowering::growth(const Guard& g, int live) {
  if (g.width) return growth(stage_.relations[static_cast<std::size_t>(g.relation)].inner, live);
  if (g.parent >= 0) return growth(g.parent, live);
  const Ref axis = stage_.roots[static_cast<std::size_t>(-1 - g.relation)].axis;
  const AxisFacts f = axis_facts(axis);
  Ref by = nullptr;
  for (const nest::Root& root : stage_.roots) {
    if (root.axis != axis || !depends(root.loop, live)) continue;
    by = growth(root.loop, live);
    if (by == nullptr) return nullptr;
    if (root.part == AxisPart::step) by = make_.mul(by, make_.integer(f.lanes));
    if (root.part == AxisPart::block) by = make_.mul(by, make_.integer(f.block));
  }
  return by;
}

// How many turns of `loop`, from the first on, keep the guard of a whole axis at every turn of the loops inside; nullptr
// when that is not known.
ORDO_INLINE Ref Lowering::turns_with_all(const Guard& g, int loop, const std::vector<int>& inner) {
  const Ref by = growth(g, loop);
  if (by == nullptr || !rises(g, g.loops)) return nullptr;
  std::vector<int> last;
  for (const int l : g.loops) {
    if (l == loop) continue;
    if (std::find(inner.begin(), inner.end(), l) != inner.end()) last.push_back(l);
    else if (!bound_[static_cast<std::size_t>(l)]) return nullptr;
  }
  const Ref keep = var_[static_cast<std::size_t>(loop)];
  bind(loop, make_.integer(0));
  const Ref room = make_.sub(bound(g), position_at(g, last, true));
  bind(loop, keep);
  const Ref turns = simplify(make_.arena(), make_.ceil_div(room, by));
  return provably_less_equal(make_.integer(0), turns) ? turns : make_.max(make_.integer(0), turns);
}

// The end of a loop that runs only while the element at the first turn of the loops inside exists. Guards that this
// settles for good (no loop inside can break them) are added to `settled`.
ORDO_INLINE Ref Lowering::clipped(int loop, Ref end, const std::vector<int>& inner, std::vector<std::size_t>& settled) {
  for (std::size_t k = 0; k < guards_.size(); ++k) {
    const Guard& g = guards_[k];
    if (holds_[k] || std::find(g.loops.begin(), g.loops.end(), loop) == g.loops.end()) continue;
    if (is_part(loop) && (g.parent < 0 || ReduceView(reduce_).facts.free)) continue;     // a part without elements has an accumulator
    const Ref by = growth(g, loop);
    if (by == nullptr) continue;
    std::vector<int> zero{loop};
    bool known = true;
    for (const int l : g.loops) {
      if (l == loop) continue;
      if (std::find(inner.begin(), inner.end(), l) != inner.end()) zero.push_back(l);
      else known = known && bound_[static_cast<std::size_t>(l)];
    }
    if (!known || !rises(g, zero)) continue;       // where positions do not rise together, the first turn inside is not the least
    const Ref room = make_.sub(bound(g), position_at(g, zero, false));
    const Ref turns = simplify(make_.arena(), make_.ceil_div(room, by));
    if (turns != end && !provably_less_equal(end, turns)) end = make_.min(end, turns);
    if (zero.size() == 1) settled.push_back(k);
  }
  return end;
}
}  // namespace ordo::kernel::detail_lower
