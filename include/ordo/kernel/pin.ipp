// A condition that holds for one turn of a free loop at most: only that turn runs. Initial values and results get loops of their own.
//   where id[n] == v
//   before: for n: for v: if n == 0: acc = init; if id[n] == v: acc = step(acc); if n == N - 1: store value(acc)
//   after:  for v: park = init   for n: for v in max(0, id[n])..min(V, id[n] + 1): if id[n] == v: park = step(park)   for v: store
//   value(park)
#pragma once
#include <algorithm>
#include <limits>
#include "ordo/ir/pin.hpp"
#include "ordo/ir/visit.hpp"
#include "ordo/kernel/lowering.hpp"

namespace ordo::kernel::detail_lower {
ORDO_INLINE void Lowering::find_pin() {
  if (reduce_ == nullptr || constant_ >= 0 || is_placed() || time_ != nullptr || !places_.empty() || !members_.empty() ||
      !stage_.packs.empty() || stage_.part)
    return;
  const ReduceView r(reduce_);
  const auto at = [&](int loop) {
    return static_cast<std::size_t>(std::find(stage_.order.begin(), stage_.order.end(), loop) - stage_.order.begin());
  };
  std::size_t from = 0;
  while (from < tile_ && !stage_.loops[static_cast<std::size_t>(stage_.order[from])].reduction) ++from;
  for (const Pin& pin : pins(r.where(), definition_.axes)) {
    if (sensitive(pin.at)) continue;
    int loop = -1;
    for (const nest::Root& root : stage_.roots)
      if (root.axis == pin.axis) loop = root.loop;
    const int root = loop, by = stage_.loops[static_cast<std::size_t>(loop)].consumed_by;
    if (by >= 0) {  // blocks of it outside of the reduction, the rest inside
      const nest::Relation& split = stage_.relations[static_cast<std::size_t>(by)];
      if (split.op != nest::Relation::Op::split || at(split.outer) >= from) continue;
      loop = split.inner;
    }
    const std::size_t place = at(loop);
    if (place <= from || place >= tile_ || stage_.loops[static_cast<std::size_t>(loop)].mark != nest::Mark::serial) continue;
    bool known = true;
    for (const nest::Root& other : stage_.roots)
      if (mentions(pin.at, other.axis))
        for (std::size_t d = place; d < stage_.order.size(); ++d) known = known && !depends(other.loop, stage_.order[d]);
    if (!known) continue;
    pin_ = pin;
    pinned_ = loop;
    pinned_root_ = root;
    pin_from_ = from;
    return;
  }
}

// Starts, steps, results.
ORDO_INLINE Ref Lowering::pinned_nest() {
  std::vector<Ref> all;
  for (const Pinned phase : {Pinned::start, Pinned::steps, Pinned::finish}) {
    if (phase == Pinned::finish && parks_in_output_ && definition_.value->op == Op::Field) continue;  // parking is finishing
    pin_phase_ = phase;
    forget_values();
    all.push_back(nest_from(pin_from_));
  }
  pin_phase_ = Pinned::none;
  forget_values();
  return make_.block(all);
}

ORDO_INLINE Ref Lowering::pinned_tile() {
  make_accumulators();
  Ref body = nullptr;
  switch (pin_phase_) {
    case Pinned::none: break;
    case Pinned::start:
      body = make_.block({tile_nest(tile_, Phase::check_init), tile_nest(tile_, Phase::init), tile_nest(tile_, Phase::park_out)});
      break;
    case Pinned::steps:
      body = make_.block({tile_nest(tile_, Phase::park_in), tile_nest(tile_, Phase::check_step), tile_nest(tile_, Phase::step),
                          tile_nest(tile_, Phase::park_out)});
      break;
    case Pinned::finish:
      body = make_.block({tile_nest(tile_, Phase::park_in), tile_nest(tile_, Phase::check_finish), tile_nest(tile_, Phase::finish)});
      break;
  }
  for (const u32 a : accumulators_) body = make_.alloc(a, body);
  return body;
}

// The turns that the condition may hold in. All of them where what it reads lies behind a guard that is still open.
ORDO_INLINE Lowering::Turns Lowering::pinned_turns(Ref end) {
  const Turns every{make_.integer(0), end};
  for (std::size_t g = 0; g < guards_.size(); ++g) {
    const bool around =
        std::any_of(guards_[g].loops.begin(), guards_[g].loops.end(), [&](int l) { return bound_[static_cast<std::size_t>(l)]; });
    if (around && !holds_[g] && !depends(pinned_root_, guards_[g].loops.back())) return every;
  }
  forget_values();
  Ref at = value(pin_.at);
  forget_values();
  if (at->type != Type::i64) at = make_.arena().make(Op::Cast, Type::i64, &at, 1, static_cast<u64>(Type::i64));
  bind(pinned_, make_.integer(0));
  const Ref turn = make_.sub(at, index(pinned_root_, false));
  const Turns one{make_.max(make_.integer(0), turn), make_.min(end, make_.add(turn, make_.integer(1)))};
  if (pin_.below == std::numeric_limits<i64>::max()) return one;
  const Ref few = make_.less_equal(size(extent_of(pin_.axis)), make_.integer(pin_.below));
  const auto chosen = [&](Ref pinned, Ref plain) {
    const Ref s[] = {few, pinned, plain};
    return make_.op(Op::Select, s, 3, Type::i64);
  };
  return {chosen(one.begin, every.begin), chosen(one.end, every.end)};
}
}  // namespace ordo::kernel::detail_lower
