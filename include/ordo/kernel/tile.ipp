// The tile: unrolled and vectorized loops around straight code, with the reduction loops inside it.
#pragma once
#include <algorithm>
#include "ordo/kernel/lowering.hpp"
#include "ordo/kernel/passes.hpp"

namespace ordo::kernel::detail_lower {
ORDO_INLINE bool Lowering::in_tile(int loop) const {
  return std::find(stage_.order.begin() + static_cast<std::ptrdiff_t>(tile_), stage_.order.end(), loop) != stage_.order.end();
}

// Conjunction of the open guards of free (or reduction) axes that vary by lane, that do not, or of all.
ORDO_INLINE Ref Lowering::guard_condition(bool reductions, Vary vary) {
  Ref all = nullptr;
  for (std::size_t g = 0; g < guards_.size(); ++g) {
    if (holds_[g] || guards_[g].reduction != reductions) continue;
    const bool varies = vector_ >= 0 && std::find(guards_[g].loops.begin(), guards_[g].loops.end(), vector_) != guards_[g].loops.end();
    if (vary != Vary::any && varies != (vary == Vary::by_lane)) continue;
    all = make_.both(all, make_.less(position(guards_[g]), bound(guards_[g])));
  }
  return all;
}

//   after: if every element of the tile exists { the full version } else { the masked or guarded one }
ORDO_INLINE Ref Lowering::tile() {
  const std::vector<bool> keep = holds_;
  Ref outside = nullptr, all = nullptr;
  Mode partial = Mode::masked;
  for (std::size_t g = 0; g < guards_.size(); ++g) {
    if (holds_[g] || guards_[g].reduction) continue;
    std::vector<int> inner;
    for (const int l : guards_[g].loops)
      if (in_tile(l)) inner.push_back(l);
    const Ref room = inner.empty() ? nullptr : fits(guards_[g]);
    const Ref holds = room != nullptr         ? room
                      : rises(guards_[g], inner) ? make_.less(position_at(guards_[g], inner, true), bound(guards_[g]))
                                                 : make_.negate(make_.yes());
    if (inner.empty()) {
      outside = make_.both(outside, holds);
      holds_[g] = true;
    } else if (Make::is_constant(holds) && holds->arg != 0) {
      holds_[g] = true;
    } else {
      all = make_.both(all, holds);
      if (guards_[g].tail == Tail::guard) partial = Mode::guarded;
    }
  }
  Ref other = nullptr, whole = nullptr;
  if (all != nullptr && !planted_.drop_tail) other = tile_version(partial);
  if (all == nullptr || !Make::is_constant(all)) {
    for (std::size_t g = 0; g < guards_.size(); ++g)
      if (!guards_[g].reduction) holds_[g] = true;
    whole = tile_version(Mode::full);
  }
  holds_ = keep;
  return make_.when(outside, whole == nullptr ? (other == nullptr ? make_.block({}) : other) : make_.when(all, whole, other));
}

ORDO_INLINE Ref Lowering::tile_version(Mode mode) {
  mode_ = tested_late() ? Mode::guarded : mode;
  Ref r;
  if (in_join_nest_) r = joined();
  else if (pin_phase_ != Pinned::none) r = pinned_tile();
  else if (reduce_ != nullptr) r = reduction();
  else r = make_.block({tile_nest(tile_, Phase::check_finish), tile_nest(tile_, Phase::finish)});
  mode_ = Mode::full;
  return r;
}

ORDO_INLINE i64 Lowering::tile_elements(u32 accumulator) {
  return static_cast<i64>(make_.mul(left_number(tile_, true, static_cast<int>(accumulator)), part_count(true))->arg);
}
ORDO_INLINE Ref Lowering::tile_offset(u32 accumulator) {
  const int a = static_cast<int>(accumulator);
  return places_.empty() ? left_number(tile_, false, a) : among_parts(tile_, true, a);
}
ORDO_INLINE std::vector<u32> Lowering::accumulators_now() const {
  if (member_ >= 0) return members_[static_cast<std::size_t>(member_)].accumulators;
  std::vector<u32> all(accumulators_.size());
  for (u32 f = 0; f < all.size(); ++f) all[f] = f;
  return all;
}

ORDO_INLINE void Lowering::make_accumulators() {
  const ReduceView r(reduce_);
  const Space space = mode_ == Mode::guarded || !parts_in_registers() ? Space::stack : Space::registers;
  accumulators_.clear();
  for (u32 f = 0; f < accumulator_count(); ++f) {
    Buffer b;
    b.name = f == r.facts.fields ? "seen" : r.facts.fields == 1 ? "acc" : "acc" + std::to_string(f);
    b.type = accumulator_type(f);
    b.space = space;
    b.elements = make_.integer(tile_elements(f));
    kernel_.buffers.push_back(std::move(b));
    accumulators_.push_back(static_cast<u32>(kernel_.buffers.size()) - 1);
  }
}

//   after: acc = zero, or what was parked; reduction loops: acc = step(acc); store value(acc), or park it
ORDO_INLINE Ref Lowering::reduction() {
  make_accumulators();
  const Ref first = first_turn(), last = last_turn();
  const Ref init = make_.block({tile_nest(tile_, Phase::check_init), tile_nest(tile_, Phase::init)});
  const Ref start = make_.when(first, init, first == nullptr ? nullptr : tile_nest(tile_, Phase::park_in));
  std::vector<int> clipped;
  for (std::size_t d = tile_; d < stage_.order.size(); ++d)
    if (stage_.loops[static_cast<std::size_t>(stage_.order[d])].reduction &&
        stage_.loops[static_cast<std::size_t>(stage_.order[d])].mark == nest::Mark::serial)
      clipped.push_back(stage_.order[d]);
  const Ref steps = make_.when(nonempty(clipped), make_.block({tile_nest(tile_, Phase::check_step), tile_nest(tile_, Phase::step)}));
  Ref finish = nullptr;
  if (!parts_outside_)
    finish = make_.block({join_in_tile(), tile_nest(tile_, Phase::check_finish), finished()});
  const bool same = last == nullptr || (parks_in_output_ && definition_.value->op == Op::Field);     // parking is finishing
  Ref end;
  if (parts_outside_) {
    const Ref join = join_in_tile();
    suffix_joined_ = true;
    end = make_.block({join, tile_nest(tile_, Phase::park_out)});
    suffix_joined_ = false;
  } else {
    end = same ? finish : make_.when(last, finish, tile_nest(tile_, Phase::park_out));
  }
  Ref body = make_.block({start, steps, end});
  for (const u32 a : accumulators_) body = make_.alloc(a, body);
  return body;
}

//   after: parks joined by the trees; acc = the first of them; store value(acc)
ORDO_INLINE Ref Lowering::joined() {
  make_accumulators();
  Ref body = make_.block({join_in_memory(), tile_nest(tile_, Phase::park_in), tile_nest(tile_, Phase::check_finish),
                          tile_nest(tile_, Phase::finish)});
  for (const u32 a : accumulators_) body = make_.alloc(a, body);
  return body;
}

// Phases that write accumulators: each of them once.
ORDO_INLINE bool Lowering::grouped(Phase phase) const {
  switch (phase) {
    case Phase::init: case Phase::park_in: case Phase::ahead: case Phase::step: case Phase::set_aside: return true;
    case Phase::join: return !in_memory_;
    case Phase::finish: case Phase::park_out: case Phase::check_init: case Phase::check_step: case Phase::check_finish: return false;
  }
  return false;
}

// Does a loop over parts run in a phase? Else its part is the first.
ORDO_INLINE bool Lowering::runs(int loop, Phase phase) const {
  if (phase == Phase::finish || phase == Phase::set_aside || phase == Phase::check_init || phase == Phase::check_finish) return false;
  if (!suffix_joined_) return true;
  for (std::size_t p = joined_from_; p < places_.size(); ++p)
    if (depends(places_[p].loop, loop)) return false;
  return true;
}

ORDO_INLINE Ref Lowering::tile_nest(std::size_t depth, Phase phase) {
  const bool check = phase == Phase::check_init || phase == Phase::check_step || phase == Phase::check_finish;
  if (check && (mode_ == Mode::guarded || !to_check(phase))) return make_.block({});
  if (depth == split_at_ && member_ < 0 && !members_.empty() && grouped(phase)) {
    std::vector<Ref> all;
    for (std::size_t m = 0; m < members_.size(); ++m) {
      member_ = static_cast<int>(m);
      all.push_back(tile_nest(depth, phase));
    }
    member_ = -1;
    return make_.block(all);
  }
  if (depth == stage_.order.size()) return leaf(phase);
  const int loop = stage_.order[depth];
  const nest::Loop& l = stage_.loops[static_cast<std::size_t>(loop)];
  if (is_part(loop) && in_join_nest_) return tile_nest(depth + 1, phase);
  const bool passed = member_ >= 0 && !members_[static_cast<std::size_t>(member_)].spans[static_cast<std::size_t>(loop)];
  if (passed || (is_part(loop) && !runs(loop, phase))) {
    const Ref keep = var_[static_cast<std::size_t>(loop)];
    bind(loop, make_.integer(0));
    const Ref r = tile_nest(depth + 1, phase);
    bind(loop, keep);
    return r;
  }
  if (phase == Phase::ahead && (l.reduction || !moves_prefetch(loop))) {
    const Ref keep = var_[static_cast<std::size_t>(loop)];
    bind(loop, make_.integer(0));
    const Ref r = tile_nest(depth + 1, phase);
    bind(loop, keep);
    return r;
  }
  if (l.reduction && !is_part(loop))
    return phase == Phase::step || phase == Phase::check_step ? tile_reduction_loop(depth, phase) : tile_nest(depth + 1, phase);
  const bool serial = mode_ == Mode::guarded || check || (in_aside_ && l.mark != nest::Mark::vectorized);
  if (in_aside_ && !serial)
    if (const Ref r = vectors_in_turn(loop, [&] { return tile_nest(depth + 1, phase); })) return r;
  const LoopMode mode = serial || l.mark == nest::Mark::serial ? LoopMode::serial
                        : l.mark == nest::Mark::vectorized     ? LoopMode::vectorized
                                                               : LoopMode::unrolled;
  return turns(loop, mode, make_.integer(0), extent(loop), {}, [&] { return tile_nest(depth + 1, phase); });
}

// A reduction loop is clipped; where loops unrolled or vectorized inside it may still run past the end, its last turns are apart.
//   before: for k.0 in 0..ceil(K / 4): for k.1 in 0..4 unrolled, guarded
//   after:  for k.0 in 0..K / 4: (all four); for k.0 in K / 4..ceil(K / 4): (each guarded)
ORDO_INLINE Ref Lowering::tile_reduction_loop(std::size_t depth, Phase phase) {
  const int loop = stage_.order[depth];
  const nest::Loop& l = stage_.loops[static_cast<std::size_t>(loop)];
  if (phase == Phase::step)
    if (const std::vector<std::size_t> lines = lines_from(depth); !lines.empty()) return lines_ahead(depth, lines);
  const std::vector<int> inner(stage_.order.begin() + static_cast<std::ptrdiff_t>(depth) + 1, stage_.order.end());
  const auto body = [&] { return tile_nest(depth + 1, phase); };
  const bool unrolled = l.mark == nest::Mark::unrolled;
  std::vector<std::size_t> settled;
  Ref end = extent(loop);
  if (!unrolled) end = clipped(loop, end, inner, settled);
  const LoopMode mode = unrolled && mode_ != Mode::guarded && phase == Phase::step ? LoopMode::unrolled : LoopMode::serial;
  if (planted_.reverse_chain && phase == Phase::step) {
    const Ref keep = var_[static_cast<std::size_t>(loop)];
    const Ref back = make_.arena().make(Op::Var, Type::i64, nullptr, 0, kernel_.next_var++, keep->name);
    bind(loop, make_.sub(make_.sub(end, make_.integer(1)), back));
    bound_[static_cast<std::size_t>(loop)] = true;
    const std::vector<bool> held = holds_;
    for (const std::size_t g : settled) holds_[g] = true;
    const Ref r = make_.loop(LoopMode::serial, back, make_.integer(0), end, body());
    holds_ = held;
    bind(loop, keep);
    bound_[static_cast<std::size_t>(loop)] = false;
    return r;
  }
  if (const int by = covering(loop); by >= 0 && !unrolled) return covered_turns(by, mode, end, settled, body);
  std::vector<std::size_t> assumed = settled;
  Ref whole = end;
  for (std::size_t g = 0; g < guards_.size(); ++g) {
    if (unrolled || holds_[g] || std::find(settled.begin(), settled.end(), g) != settled.end()) continue;
    Ref all = nullptr;
    if (guards_[g].relation < 0) {
      all = turns_with_all(guards_[g], loop, inner);
    } else {
      const nest::Relation& r = stage_.relations[static_cast<std::size_t>(guards_[g].relation)];
      if (r.outer == loop && r.tail != Tail::cover) all = simplify(make_.arena(), make_.op(Op::Div, extent(r.parent), size(r.factor)));
    }
    if (all == nullptr) continue;
    whole = make_.min(all, whole);
    assumed.push_back(g);
  }
  if (assumed.size() == settled.size()) return turns(loop, mode, make_.integer(0), end, settled, body);
  const Ref main = turns(loop, mode, make_.integer(0), whole, assumed, body);
  return make_.block({main, turns(loop, mode, whole, end, settled, body)});
}

ORDO_INLINE Ref Lowering::leaf(Phase phase) {
  forget_values();
  checks_.clear();
  Ref body = nullptr;
  std::vector<Ref> all;
  switch (phase) {
    case Phase::check_init: case Phase::check_step: case Phase::check_finish: return checks_leaf(phase);
    case Phase::step: body = step_leaf(); break;
    case Phase::ahead: return prefetches(step_values());
    case Phase::join: body = join_leaf(); break;
    case Phase::init:
      for (const u32 f : accumulators_now()) {
        const bool flag = f == ReduceView(reduce_).facts.fields;
        const Ref first = flag ? make_.negate(make_.yes()) : first_value(f, value(ReduceView(reduce_).init(f)));
        all.push_back(make_.write(accumulators_[f], tile_offset(f), first));
      }
      body = tested(make_.block(all));
      break;
    case Phase::park_in:
      for (const u32 f : accumulators_now()) {
        const Ref at = left_offset(definition_.tensor, mode_ == Mode::masked);
        const Ref from = parks_in_turn() ? among_parts(park_at_, false) : parks_in_output_ ? at : park_offset();
        all.push_back(make_.write(accumulators_[f], tile_offset(f),
                                  make_.read(accumulator_type(f), parks_[f], from, parks_in_turn() ? nullptr : lane_mask(at))));
      }
      body = make_.block(all);
      break;
    case Phase::set_aside:
      for (const u32 f : accumulators_now()) {
        const Ref acc = make_.read(accumulator_type(f), accumulators_[f], tile_offset(f));
        all.push_back(make_.write(aside_[f], tile_offset(f), acc));
      }
      body = make_.block(all);
      break;
    case Phase::finish: return store_leaf(true);
    case Phase::park_out: return store_leaf(false);
  }
  return mode_ == Mode::guarded ? make_.when(guard_condition(false, Vary::any), body) : body;
}

// Dense row-major place of the element at hand in a park of its own.
ORDO_INLINE Ref Lowering::park_offset() {
  if (is_placed()) return left_offset(definition_.tensor, mode_ == Mode::masked);
  const TensorInfo& t = program_.tensors[static_cast<std::size_t>(definition_.tensor)];
  Ref offset = make_.integer(0);
  for (std::size_t d = 0; d < definition_.axes.size(); ++d)
    offset = make_.add(make_.mul(offset, size(t.shape[d])), axis_index(definition_.axes[d], mode_ == Mode::masked));
  return offset;
}

ORDO_INLINE Ref Lowering::step_leaf() {
  const ReduceView r(reduce_);
  const Ref ahead = prefetches(step_values());
  // Each inside the other: what a condition reads is there only where those around it hold.
  const Ref here = guard_condition(true, Vary::not_by_lane), lanes = guard_condition(true, Vary::by_lane);
  const bool always = r.where()->op == Op::Const && r.where()->arg != 0;
  const Ref where = always ? nullptr : value(r.where());
  std::vector<Check> of_where;
  of_where.swap(checks_);
  const auto guarded = [&](Ref body) {
    const Ref taken = make_.when(where, tested(body));
    of_where.swap(checks_);
    return make_.block({ahead, make_.when(here, make_.when(lanes, tested(taken)))});
  };
  std::vector<Ref> next, vars, writes;
  for (const u32 f : accumulators_now()) {
    if (f == r.facts.fields) {
      writes.insert(writes.begin(), make_.write(accumulators_[f], tile_offset(f), make_.yes()));
      continue;
    }
    next.push_back(always ? value(r.step(f)) : guarded_value(r.step(f), r.where(), true));
    vars.push_back(make_.arena().make(Op::Var, next.back()->type, nullptr, 0, kernel_.next_var++, "next"));
    writes.push_back(make_.write(accumulators_[f], tile_offset(f), vars.back()));
  }
  if (next.size() == 1) {                                // no old value is needed after it
    const Replacement plain{vars[0], next[0]};
    return guarded(substitute_folded(make_, make_.block(writes), &plain, 1));
  }
  Ref body = make_.block(writes);
  for (std::size_t k = next.size(); k-- > 0;) body = make_.let(vars[k], next[k], body);
  return guarded(body);
}

// Every reduction axis has an element. Loops outside the tile run once even when one has none; a loop of `inside` that the
// guard of the whole axis clips then runs no turn, and makes the test needless.
ORDO_INLINE Ref Lowering::nonempty(const std::vector<int>& inside) {
  Ref all = nullptr;
  for (const nest::Root& root : stage_.roots) {
    const bool forced = std::any_of(stage_.order.begin(), stage_.order.end(),
                                    [&](int l) { return forced_[static_cast<std::size_t>(l)] && depends(root.loop, l); });
    const bool guarded = std::any_of(guards_.begin(), guards_.end(), [&](const Guard& g) { return g.parent == root.loop && !g.width; });
    const bool clips = guarded && std::any_of(inside.begin(), inside.end(), [&](int l) { return growth(root.loop, l) != nullptr; });
    if (forced && !clips) all = make_.both(all, make_.less(make_.integer(0), size(extent_of(root.axis))));
  }
  return all;
}

ORDO_INLINE Ref Lowering::store_leaf(bool finish) {
  std::vector<Ref> all;
  for (u32 f = 0; f < accumulators_.size() && !finish && parks_in_turn(); ++f)
    all.push_back(make_.write(parks_[f], among_parts(park_at_, false), make_.read(accumulator_type(f), accumulators_[f], tile_offset(f))));
  if (!all.empty()) return make_.block(all);
  if (finish) all.push_back(prefetches({definition_.value}));
  const u32 fields = finish ? 1 : static_cast<u32>(accumulators_.size());
  for (u32 f = 0; f < fields; ++f) {
    const bool output = finish || parks_in_output_;
    const Ref offset = output ? left_offset(definition_.tensor, mode_ == Mode::masked) : park_offset();
    const Ref v = finish ? value(definition_.value) : make_.read(accumulator_type(f), accumulators_[f], tile_offset(f));
    const u32 to = output ? buffer_of(definition_.tensor) : parks_[f];
    if (finish && carry_ != ~0u) {
      const Ref last = make_.arena().make(Op::Var, v->type, nullptr, 0, kernel_.next_var++, "last");
      all.push_back(make_.let(
          last, v, make_.block({make_.write(to, offset, last, lane_mask(offset)), make_.write(carry_, left_number(tile_, false), last)})));
    } else {
      all.push_back(make_.write(to, offset, v, lane_mask(offset)));
    }
  }
  const Vary vary = mode_ == Mode::guarded ? Vary::any : Vary::not_by_lane;
  return make_.when(mode_ == Mode::full ? nullptr : guard_condition(false, vary), tested(make_.block(all)));
}

// May what an access reads depend on an accumulator, or does a join decide whether it is made? Then it can be tested only where it
// stands, element by element.
ORDO_INLINE bool Lowering::tested_late() {
  if (reduce_ == nullptr) return false;
  const ReduceView r(reduce_);
  bool late = accumulates(definition_.value);
  for (u32 f = 0; f < r.facts.fields; ++f) late = late || accumulates(r.step(f)) || (!places_.empty() && sensitive(r.merged(f)));
  return late;
}

ORDO_INLINE bool Lowering::to_check(Phase phase) {
  if (phase == Phase::check_finish) return sensitive(definition_.value);
  const ReduceView r(reduce_);
  bool any = phase == Phase::check_step && sensitive(r.where());
  for (u32 f = 0; f < r.facts.fields; ++f) any = any || sensitive(phase == Phase::check_step ? r.step(f) : r.init(f));
  return any;
}

// `body` after the tests that the values in it asked for. A masked or full tile has made them before, in loops of their own.
ORDO_INLINE Ref Lowering::tested(Ref body) {
  std::vector<Ref> all;
  if (mode_ == Mode::guarded || all_clamped_)
    for (const Check& c : checks_) {
      kernel_.failures.push_back({c.text});
      all.push_back(make_.when(c.outside, make_.arena().make(Op::Fail, Type::none, {c.index}, kernel_.failures.size() - 1)));
    }
  checks_.clear();
  all.push_back(body);
  return make_.block(all);
}

// Tests of the accesses that nothing has shown to be in range, all indices clamped: each tests an element that exists.
ORDO_INLINE Ref Lowering::checks_leaf(Phase phase) {
  const Mode keep = mode_;
  mode_ = Mode::masked;
  all_clamped_ = true;
  exact_.clear();
  clamped_.clear();
  Ref condition = nullptr;
  if (phase == Phase::check_finish) {
    value(definition_.value);
  } else {
    const ReduceView r(reduce_);
    if (phase == Phase::check_step) {
      condition = guard_condition(true, Vary::any);
      value(r.where());
    }
    for (u32 f = 0; f < r.facts.fields; ++f) phase == Phase::check_step ? guarded_value(r.step(f), r.where(), true) : value(r.init(f));
  }
  const Ref tests = tested(make_.block({}));
  forget_values();
  all_clamped_ = false;
  mode_ = keep;
  exact_.clear();
  clamped_.clear();
  return make_.when(condition, tests);
}
}  // namespace ordo::kernel::detail_lower
