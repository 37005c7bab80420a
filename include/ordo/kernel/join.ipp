// Joins parts by the declared trees, the last place of their number first: NUMERICS.md, "Reductions".
//   halving:  for l in 0..4: acc[l] = merge(acc[l], acc[l + 4]); for l in 0..2: ... + 2; acc[0] = merge(acc[0], acc[1])
//   pairwise: for m in 0..ceil((n - 1) / 2): acc[2 m] = merge(acc[2 m], acc[2 m + 1]); then neighbours 2 apart, 4 apart, ...
// In the tile on its accumulators, unrolled and vectorized as it is; else in memory, where they are parked.
#pragma once
#include "ordo/kernel/lowering.hpp"
#include "ordo/kernel/passes.hpp"

namespace ordo::kernel::detail_lower {
// Every axis has an element: else nothing is joined.
ORDO_INLINE Ref Lowering::any_element() {
  if (presence_ != Presence::extents) return nullptr;
  Ref all = nullptr;
  const ReduceView r(reduce_);
  for (u32 k = 0; k < r.facts.axes; ++k) {
    const Ref whole = size(extent_of(r.axis(k)));
    if (!provably_less_equal(make_.integer(1), whole)) all = make_.both(all, make_.less(make_.integer(0), whole));
  }
  return all;
}

ORDO_INLINE Ref Lowering::join_in_tile() {
  std::vector<Ref> all;
  for (std::size_t p = places_.size(); p-- > joined_from_;) {
    joining_ = p;
    suffix_joined_ = true;
    all.push_back(join_over(joined_from_, [&] { return tile_nest(tile_, Phase::join); }));
    suffix_joined_ = false;
  }
  return make_.when(any_element(), make_.block(all));
}

// The parks' turn: loops over parts around the tile's loops over the output.
ORDO_INLINE Ref Lowering::join_in_memory() {
  std::vector<Ref> all;
  in_memory_ = true;
  for (std::size_t p = joined_from_; p-- > 0;) {
    joining_ = p;
    all.push_back(join_over(0, [&] { return tile_nest(tile_, Phase::join); }));
  }
  in_memory_ = false;
  return make_.when(any_element(), make_.block(all));
}

// Whether the loop over a place of joined parts is straight code. The vectorized one stays a vector where halves are contiguous.
ORDO_INLINE LoopMode Lowering::join_mode(std::size_t p) const {
  if (in_memory_ || mode_ == Mode::guarded || kernel_.buffers[accumulators_[0]].space != Space::registers) return LoopMode::serial;
  return vector_ >= 0 && depends(places_[p].loop, vector_) && (p != joining_ || places_[p].halves) && !planted_.wrong_tree
             ? LoopMode::vectorized
             : LoopMode::unrolled;
}

Ref Lowering::each(LoopMode mode, const char* name, Ref end, const auto& body) {
  if (Make::is(end, 1)) return body(make_.integer(0));
  const Ref var = make_.arena().make(Op::Var, Type::i64, nullptr, 0, kernel_.next_var++, make_.arena().intern(name));
  return make_.loop(mode, var, make_.integer(0), end, body(var));
}

// `leaf` for each pair of place `joining_`, at every number of the places before that are not joined yet.
Ref Lowering::join_over(std::size_t p, const auto& leaf) {
  const Place& place = places_[p];
  const std::string name = stage_.loops[static_cast<std::size_t>(place.loop)].name;
  if (p < joining_) {
    const Ref r = each(join_mode(p), name.c_str(), place.count, [&](Ref number) {
      at_[p] = number;
      return join_over(p + 1, leaf);
    });
    at_[p] = nullptr;
    return r;
  }
  for (std::size_t q = p + 1; q < places_.size(); ++q) at_[q] = make_.integer(0);
  std::vector<Ref> all;
  const auto pairs = [&](Ref count, Ref scale, Ref apart) {
    all.push_back(each(join_mode(p), name.c_str(), count, [&](Ref number) {
      low_ = make_.mul(number, scale);
      high_ = make_.add(low_, apart);
      return leaf();
    }));
  };
  const i64 parts = Make::is_constant(place.count) ? static_cast<i64>(place.count->arg) : -1;
  if (place.halves != planted_.wrong_tree && parts > 0) {
    for (i64 half = (parts + 1) / 2, n = parts; n > 1; n = half, half = (half + 1) / 2)
      pairs(make_.integer(n - half), make_.integer(1), make_.integer(half));
  } else if (parts > 0) {
    for (i64 apart = 1; apart < parts; apart *= 2)
      pairs(make_.integer((parts + apart - 1) / (2 * apart)), make_.integer(2 * apart), make_.integer(apart));
  } else if (planted_.wrong_tree) {
    all.push_back(each(LoopMode::serial, name.c_str(), make_.sub(place.count, make_.integer(1)), [&](Ref number) {
      low_ = make_.integer(0);
      high_ = make_.add(number, make_.integer(1));
      return leaf();
    }));
  } else {
    constexpr i64 most_levels = 48;
    all.push_back(each(LoopMode::serial, "level", make_.integer(most_levels), [&](Ref level) {
      const Ref apart = make_.op(Op::Shl, make_.integer(1), level), twice = make_.mul(apart, make_.integer(2));
      pairs(make_.op(Op::Div, make_.sub(make_.add(place.count, apart), make_.integer(1)), twice), twice, apart);
      const Ref r = all.back();
      all.pop_back();
      return make_.when(make_.less(apart, place.count), r);
    }));
  }
  for (std::size_t q = p + 1; q < places_.size(); ++q) at_[q] = nullptr;
  return make_.block(all);
}

// Where an accumulator of the pair at hand lies.
ORDO_INLINE Ref Lowering::pair_offset(Ref number, u32 accumulator) {
  const Ref keep = at_[joining_];
  at_[joining_] = number;
  const Ref offset = in_memory_ ? among_parts(park_at_, false) : tile_offset(accumulator);
  at_[joining_] = keep;
  return offset;
}

// low = merge(low, high); nothing where high is absent, high itself where low is.
ORDO_INLINE Ref Lowering::join_leaf() {
  forget_values();
  merging_ = true;
  const ReduceView r(reduce_);
  const std::vector<u32>& buffers = in_memory_ ? parks_ : accumulators_;
  const std::vector<u32> now = accumulators_now();
  std::vector<Ref> vars, merged, both, alone;
  for (const u32 f : now) {
    if (f == r.facts.fields) continue;
    const Ref low = pair_offset(low_, f);
    merged.push_back(guarded_value(r.merged(f), make_.yes(), true));  // no call has checked what is read here only
    vars.push_back(make_.arena().make(Op::Var, merged.back()->type, nullptr, 0, kernel_.next_var++, "joined"));
    both.push_back(make_.write(buffers[f], low, vars.back()));
    alone.push_back(make_.write(buffers[f], low, make_.read(merged.back()->type, buffers[f], pair_offset(high_, f))));
  }
  Ref body = make_.block(both);
  const Replacement plain{vars.empty() ? nullptr : vars[0], vars.empty() ? nullptr : merged[0]};
  if (vars.size() == 1) body = substitute_folded(make_, body, &plain, 1);
  for (std::size_t k = vars.size(); vars.size() > 1 && k-- > 0;) body = make_.let(vars[k], merged[k], body);
  body = tested(body);
  if (presence_ == Presence::extents) {
    const Ref keep = at_[joining_];
    at_[joining_] = high_;
    body = make_.when(lane_present(joining_), body);
    at_[joining_] = keep;
  } else if (presence_ == Presence::flagged) {
    const u32 flag = r.facts.fields;
    const Ref low = pair_offset(low_, flag);
    std::vector<Ref> all{make_.when(make_.read(Type::boolean, buffers[flag], low), body, make_.block(alone))};
    if (now.back() == flag) all.push_back(make_.write(buffers[flag], low, make_.yes()));
    body = make_.when(make_.read(Type::boolean, buffers[flag], pair_offset(high_, flag)), make_.block(all));
  }
  merging_ = false;
  forget_values();
  return body;
}
}  // namespace ordo::kernel::detail_lower
