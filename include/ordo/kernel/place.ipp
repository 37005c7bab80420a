// The loops around the tile.
#pragma once
#include "ordo/ir/visit.hpp"
#include "ordo/kernel/lowering.hpp"

namespace ordo::kernel::detail_lower {
ORDO_INLINE Ref Lowering::nest_from(std::size_t depth) {
  if (depth == tile_) return tile();
  const bool pins = pinned_ >= 0 && depth == pin_from_ && pin_phase_ == Pinned::none;
  const auto inside = [&] { return pins ? pinned_nest() : loop_around(depth); };
  if (!parks_in_turn() || depth != park_at_ || pin_phase_ != Pinned::none) return inside();
  make_parks();
  const std::vector<u32> parks = parks_;
  Ref body = inside();
  if (parts_outside_) {
    std::vector<Ref> keep = var_;
    for (std::size_t l = 0; l < keep.size(); ++l)
      if (part_[l]) bind(static_cast<int>(l), make_.integer(0));
    in_join_nest_ = true;
    body = make_.block({body, join_nest(depth)});
    in_join_nest_ = false;
    var_.swap(keep);
    exact_.clear();
    clamped_.clear();
  }
  for (const u32 buffer : parks) body = make_.alloc(buffer, body);
  return body;
}

// The loops over the output around what joins the parts and stores.
ORDO_INLINE Ref Lowering::join_nest(std::size_t depth) {
  if (depth == tile_) return tile();
  const int loop = stage_.order[depth];
  return stage_.loops[static_cast<std::size_t>(loop)].reduction ? join_nest(depth + 1) : loop_around(depth);
}

ORDO_INLINE Ref Lowering::loop_around(std::size_t depth) { return stored_along(stage_.order[depth], bare_loop(depth)); }
ORDO_INLINE Ref Lowering::bare_loop(std::size_t depth) {
  const int loop = stage_.order[depth];
  if (passes_over(loop)) return nest_from(depth + 1);
  const nest::Loop& l = stage_.loops[static_cast<std::size_t>(loop)];
  const std::vector<int> inner(stage_.order.begin() + static_cast<std::ptrdiff_t>(depth) + 1, stage_.order.end());
  std::vector<std::size_t> settled;
  Ref end = extent(loop);
  if (l.mark == nest::Mark::serial || l.mark == nest::Mark::parallel) end = clipped(loop, end, inner, settled);
  if (l.reduction && pin_phase_ == Pinned::none &&
      !(Make::is_constant(end) && static_cast<i64>(end->arg) >= 1)) {  // its accumulators start here: run once even over nothing
    end = make_.max(make_.integer(1), end);
    settled.clear();
    forced_[static_cast<std::size_t>(loop)] = true;
  }
  end_[static_cast<std::size_t>(loop)] = end;
  const LoopMode mode = l.mark == nest::Mark::parallel   ? LoopMode::parallel
                        : l.mark == nest::Mark::unrolled ? LoopMode::unrolled
                                                         : LoopMode::serial;
  const auto body = [&] {
    return in_join_nest_ ? join_nest(depth + 1) : with_guests(loop, [&] { return with_packs(loop, [&] { return nest_from(depth + 1); }); });
  };
  if (loop == pinned_ && pin_phase_ == Pinned::steps) {
    const Turns one = pinned_turns(end);
    return turns(loop, mode, one.begin, one.end, settled, body);
  }
  if (longest_lag_at(loop) > 0 && mode == LoopMode::serial) return steps(loop, end, settled, body);
  if (const int by = covering(loop); by >= 0 && mode != LoopMode::unrolled) return covered_turns(by, mode, end, settled, body);
  for (std::size_t g = 0; g < guards_.size(); ++g) {
    if (holds_[g] || guards_[g].tail != Tail::peel || guards_[g].relation < 0) continue;
    const nest::Relation& r = stage_.relations[static_cast<std::size_t>(guards_[g].relation)];
    bool open = true;
    for (const std::size_t s : settled) open = open && s != g;
    if (r.outer != loop || !open || mode == LoopMode::unrolled) continue;
    const Ref whole = make_.min(simplify(make_.arena(), make_.op(Op::Div, extent(r.parent), size(r.factor))), end);
    std::vector<std::size_t> assumed = settled;
    assumed.push_back(g);
    const Ref main = turns(loop, mode, make_.integer(0), whole, assumed, body);
    return make_.block({main, turns(loop, mode, whole, end, settled, body)});
  }
  return turns(loop, mode, make_.integer(0), end, settled, body);
}

ORDO_INLINE Ref Lowering::first_turn() {
  Ref first = nullptr;
  for (std::size_t d = 0; d < tile_; ++d)
    if (stage_.loops[static_cast<std::size_t>(stage_.order[d])].reduction && !is_part(stage_.order[d]))
      first = make_.both(first, make_.equal(var_[static_cast<std::size_t>(stage_.order[d])], make_.integer(0)));
  return first;
}
ORDO_INLINE Ref Lowering::last_turn() {
  Ref last = nullptr;
  for (std::size_t d = 0; d < tile_; ++d) {
    const std::size_t l = static_cast<std::size_t>(stage_.order[d]);
    if (stage_.loops[l].reduction && !is_part(stage_.order[d]))
      last = make_.both(last, make_.equal(make_.add(var_[l], make_.integer(1)), end_[l]));
  }
  return last;
}

// Where accumulators wait between turns of reduction loops outside the tile: in the output, when it has their type and
// no input may lawfully share its memory; else in memory of their own, in their own type.
ORDO_INLINE void Lowering::choose_park() {
  if (reduce_ == nullptr || parks_in_turn() || first_turn() == nullptr) return;
  const TensorInfo& t = program_.tensors[static_cast<std::size_t>(definition_.tensor)];
  const ReduceView r(reduce_);
  bool in_output = r.facts.fields == 1 && r.init(0)->type == t.type && !stage_.nontemporal;
  Visited visited;
  const auto look = [&](Ref root) {
    visit_once(root, visited, [&](Ref e) {
      if (e == reduce_ && pinned_ >= 0) return false;
      if (e->op != Op::Load || e->count != definition_.axes.size() + 1) return true;
      bool same = program_.tensor_of(e).input;
      for (u32 d = 0; d + 1 < e->count && same; ++d) same = e->src[d + 1] == definition_.axes[d];
      in_output = in_output && !same;
      return true;
    });
  };
  look(definition_.value);
  if (pinned_ >= 0) {            // all initial values are read before the first of them is overwritten by a step
    look(r.where());
    for (u32 f = 0; f < r.facts.fields; ++f) look(r.step(f));
  }
  if (in_output) {
    parks_.push_back(buffer_of(definition_.tensor));
    parks_in_output_ = true;
    kernel_.starts_first = pinned_ >= 0;
    return;
  }
  Ref elements = make_.integer(1);
  for (std::size_t d = 0; d < t.shape.size(); ++d)
    elements = make_.mul(elements, is_placed() ? tile_size(definition_.tensor, d) : size(t.shape[d]));
  for (u32 f = 0; f < r.facts.fields; ++f) {
    Buffer b;
    b.name = std::string(t.name) + ".park" + (f > 0 ? std::to_string(f) : "");
    b.type = r.init(f)->type;
    b.space = Space::heap;
    b.elements = simplify(make_.arena(), elements);
    kernel_.buffers.push_back(std::move(b));
    parks_.push_back(static_cast<u32>(kernel_.buffers.size()) - 1);
  }
}

ORDO_INLINE Ref Lowering::parked(Ref body) {
  if (parks_in_output_ || parks_in_turn()) return body;
  for (const u32 buffer : parks_) body = make_.alloc(buffer, body);
  return body;
}
}  // namespace ordo::kernel::detail_lower
