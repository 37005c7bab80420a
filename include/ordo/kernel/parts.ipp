// Parts of a reduction: the loops over lanes and blocks are free, each part has an accumulator of its own.
//   before: for step, for lane: acc[lane] = step(acc[lane])       C = acc, joined by the trees (join.ipp)
// An accumulator is found by the numbers of its part: of its lane, of its block. Schedules split and fuse the loops, not these.
#pragma once
#include <algorithm>
#include "ordo/ir/visit.hpp"
#include "ordo/kernel/lowering.hpp"

namespace ordo::kernel::detail_lower {
namespace detail_parts {
// What leaves the other operand as it is, where `merged` is state + other or state * other, beside the initial value; false: none.
inline bool neutral_of(const ReduceView& r, u32 f, u64& bits) {
  const Ref m = r.merged(f), init = r.init(f);
  const bool fold = (m->op == Op::Add || m->op == Op::Mul) && is_float(m->type) && m->src[0] == r.state(f) && m->src[1] == r.other(f);
  if (!fold || init->op != Op::Const) return false;
  const u64 minus_zero = m->type == Type::f32 ? u64{1} << 31 : u64{1} << 63;
  bits = m->op == Op::Add ? minus_zero : m->type == Type::f32 ? 0x3f800000u : 0x3ff0000000000000u;
  return init->arg == bits || (m->op == Op::Add && init->arg == 0);
}
inline bool power_of_two(Ref e) { return Make::is_constant(e) && e->arg != 0 && (e->arg & (e->arg - 1)) == 0; }
}  // namespace detail_parts

// A free order has no parts of its own: what runs side by side has an accumulator each.
ORDO_INLINE void Lowering::collect_parts() {
  part_.assign(stage_.loops.size(), false);
  if (reduce_ == nullptr) return;
  const ReduceView r(reduce_);
  for (const int n : stage_.order) {
    if (!nest::runs_parts(stage_, n, r.facts.free)) continue;
    part_[static_cast<std::size_t>(n)] = true;
    if (r.facts.free) places_.push_back({n, nullptr, detail_parts::power_of_two(extent(n)), extent(n), false});
  }
  for (u32 k = 0; k < r.facts.axes && !r.facts.free; ++k)
    for (const nest::Root& root : stage_.roots) {
      if (root.axis != r.axis(k) || (root.part != AxisPart::lane && root.part != AxisPart::block)) continue;
      places_.push_back({root.loop, root.axis, root.part == AxisPart::lane, extent(root.loop), false});
    }
  if (places_.empty()) return;
  at_.assign(places_.size(), nullptr);
  const bool all = r.where()->op == Op::Const && r.where()->arg != 0;
  presence_ = r.facts.free ? Presence::certain : all ? Presence::neutral : Presence::flagged;
  for (u32 f = 0; f < r.facts.fields && presence_ == Presence::neutral; ++f) {
    neutral_.push_back(0);
    if (!detail_parts::neutral_of(r, f, neutral_.back())) presence_ = Presence::extents;
  }
}

// After the tile is known: which parts lie outside of it, and which places of the number are joined inside.
ORDO_INLINE void Lowering::settle_parts() {
  if (stage_.cached_at >= 0) park_at_ = static_cast<std::size_t>(stage_.place(stage_.cached_at)) + 1;
  if (places_.empty()) return;
  bool ordered_outside = false;
  std::size_t outermost = tile_;
  for (std::size_t d = tile_; d-- > 0;) {
    if (!stage_.loops[static_cast<std::size_t>(stage_.order[d])].reduction) continue;
    outermost = d;
    (part_[static_cast<std::size_t>(stage_.order[d])] ? parts_outside_ : ordered_outside) = true;
  }
  if (stage_.cached_at < 0) park_at_ = outermost;
  for (Place& p : places_)
    p.inside = std::all_of(stage_.order.begin(), stage_.order.begin() + static_cast<std::ptrdiff_t>(tile_),
                           [&](int l) { return !depends(p.loop, l); });
  joined_from_ = parts_outside_ && ordered_outside ? places_.size() : 0;
  for (std::size_t p = 0; p < places_.size(); ++p)
    if (!places_[p].inside) joined_from_ = std::max(joined_from_, p + 1);
  const auto shared = [&](std::size_t a, std::size_t b) {
    return std::any_of(stage_.order.begin(), stage_.order.end(),
                       [&](int l) { return depends(places_[a].loop, l) && depends(places_[b].loop, l); });
  };
  for (std::size_t q = joined_from_; q < places_.size(); ++q)
    for (std::size_t p = 0; p < joined_from_ && p < q; ++p)
      if (shared(p, q)) joined_from_ = q + 1;
  for (std::size_t p = 0; p < places_.size(); ++p) layout_of_places_.push_back(p);
  if (vector_ >= 0)  // what is vectorized is contiguous
    std::stable_partition(layout_of_places_.begin(), layout_of_places_.end(),
                          [&](std::size_t p) { return !depends(places_[p].loop, vector_); });
}

// May accumulators live in registers? Where a fused loop takes a number apart, or a loop in the tile is serial, no.
ORDO_INLINE bool Lowering::parts_in_registers() {
  for (std::size_t d = tile_; d < stage_.order.size(); ++d)
    if (part_[static_cast<std::size_t>(stage_.order[d])] &&
        stage_.loops[static_cast<std::size_t>(stage_.order[d])].mark == nest::Mark::serial)
      return false;
  for (const nest::Relation& rel : stage_.relations)
    if (rel.op == nest::Relation::Op::fuse)
      for (const Place& p : places_)
        if (depends(p.loop, rel.parent)) return false;
  return true;
}

// The largest number that `loop` takes, loops outside the tile at 0 when `inside`: then it is a constant.
ORDO_INLINE Ref Lowering::last_number(int loop, bool inside) {
  const int by = stage_.loops[static_cast<std::size_t>(loop)].consumed_by;
  const auto last = [&](Ref turns) {  // a loop over nothing runs once
    return provably_less_equal(make_.integer(1), turns) ? make_.sub(turns, make_.integer(1))
                                                        : make_.sub(make_.max(turns, make_.integer(1)), make_.integer(1));
  };
  if (by < 0) return inside && !in_tile(loop) ? make_.integer(0) : last(extent(loop));
  const nest::Relation& r = stage_.relations[static_cast<std::size_t>(by)];
  if (r.op == nest::Relation::Op::split)
    return make_.add(make_.mul(last_number(r.outer, inside), size(r.factor)), last_number(r.inner, inside));
  const Ref whole = last_number(r.parent, inside), inner = extent(r.inner);
  if (inside && !Make::is_constant(inner)) return whole;
  return loop == r.outer ? make_.op(Op::Div, whole, inner) : make_.min(whole, last(inner));
}

ORDO_INLINE Ref Lowering::place_size(std::size_t p, bool inside) {
  return simplify(make_.arena(), make_.add(last_number(places_[p].loop, inside), make_.integer(1)));
}

// Row-major number of the part at hand among those of the tile, or among all that are parked.
ORDO_INLINE Ref Lowering::part_offset(bool inside) {
  std::vector<std::pair<int, Ref>> keep;
  for (std::size_t d = 0; inside && d < tile_; ++d) {
    const int l = stage_.order[d];
    if (!part_[static_cast<std::size_t>(l)]) continue;
    keep.emplace_back(l, var_[static_cast<std::size_t>(l)]);
    bind(l, make_.integer(0));
  }
  Ref offset = make_.integer(0);
  for (const std::size_t p : layout_of_places_) {
    if (!inside && p >= joined_from_ && parts_outside_) continue;
    const Ref number = at_[p] != nullptr ? at_[p] : index(places_[p].loop, false);
    offset = make_.add(make_.mul(offset, place_size(p, inside)), number);
  }
  for (const auto& [l, v] : keep) bind(l, v);
  return offset;
}
ORDO_INLINE Ref Lowering::part_count(bool inside) {
  Ref all = make_.integer(1);
  for (const std::size_t p : layout_of_places_)
    if (inside || p < joined_from_ || !parts_outside_) all = make_.mul(all, place_size(p, inside));
  return all;
}

// Of the loops of the output from position `from` on (that an accumulator spans): the element at hand, and how many there are.
ORDO_INLINE Ref Lowering::left_number(std::size_t from, bool count, int accumulator) {
  Ref r = make_.integer(count ? 1 : 0);
  for (std::size_t d = from; d < stage_.order.size(); ++d) {
    const int l = stage_.order[d];
    if (stage_.loops[static_cast<std::size_t>(l)].reduction) continue;
    bool spans = true;
    for (const Members& m : members_)
      if (std::find(m.accumulators.begin(), m.accumulators.end(), static_cast<u32>(accumulator)) != m.accumulators.end())
        spans = m.spans[static_cast<std::size_t>(l)];
    if (!spans) continue;
    r = make_.mul(r, from == tile_ ? extent(l) : size(stage_.loops[static_cast<std::size_t>(l)].extent));      // of all tiles of a cover
    if (!count) r = make_.add(r, var_[static_cast<std::size_t>(l)]);
  }
  return r;
}
ORDO_INLINE Ref Lowering::among_parts(std::size_t from, bool inside, int accumulator) {
  const bool parts_outer = vector_ >= 0 && !stage_.loops[static_cast<std::size_t>(vector_)].reduction;
  const Ref left = left_number(from, false, accumulator), part = part_offset(inside);
  return parts_outer ? make_.add(make_.mul(part, left_number(from, true, accumulator)), left)
                     : make_.add(make_.mul(left, part_count(inside)), part);
}

// Has the part at hand an element? Asked of lanes only: a block that has none comes from an axis that has none.
ORDO_INLINE Ref Lowering::lane_present(std::size_t p) {
  const Place& place = places_[p];
  if (place.axis == nullptr || !place.halves) return nullptr;
  const AxisFacts f = axis_facts(place.axis);
  const Ref whole = size(extent_of(place.axis));
  if (f.block == 0 ? provably_less_equal(make_.integer(f.lanes), whole) : provably_multiple(whole, f.block)) return nullptr;
  Ref number = at_[p] != nullptr ? at_[p] : index(place.loop, false);
  if (f.block != 0) {  // its block is the place before
    const Ref block = at_[p - 1] != nullptr ? at_[p - 1] : index(places_[p - 1].loop, false);
    number = make_.add(make_.mul(block, make_.integer(f.block)), number);
  }
  return make_.less(number, make_.max(whole, make_.integer(1)));
}

// Where absent parts hold what leaves the other operand of a merge as it is, the first part, and all that have an
// element, start from the initial value.
ORDO_INLINE Ref Lowering::first_value(u32 f, Ref init) {
  if (presence_ != Presence::neutral || init->arg == neutral_[f]) return init;
  Ref present = nullptr;
  for (std::size_t p = 0; p < places_.size(); ++p) present = make_.both(present, lane_present(p));
  if (present == nullptr) return init;
  const Ref s[] = {present, init, make_.arena().constant(init->type, neutral_[f])};
  return make_.op(Op::Select, s, 3, init->type);
}

ORDO_INLINE void Lowering::make_parks() {
  parks_.clear();
  const Ref elements = simplify(make_.arena(), make_.mul(left_number(park_at_, true), part_count(false)));
  i64 bytes = 0;
  for (u32 f = 0; f < accumulator_count(); ++f) bytes += bytes_of(accumulator_type(f));
  constexpr i64 most_bytes = nest::most_stack_bytes / 4;
  const bool small = stage_.cached_at >= 0 && Make::is_constant(elements) && static_cast<i64>(elements->arg) <= most_bytes / bytes;
  for (u32 f = 0; f < accumulator_count(); ++f) {
    Buffer b;
    b.name = std::string(program_.tensors[static_cast<std::size_t>(definition_.tensor)].name) + (stage_.cached_at >= 0 ? ".cache" : ".park") + (f > 0 ? std::to_string(f) : "");
    b.type = accumulator_type(f);
    b.space = small ? Space::stack : Space::heap;
    b.elements = elements;
    kernel_.buffers.push_back(std::move(b));
    parks_.push_back(static_cast<u32>(kernel_.buffers.size()) - 1);
  }
}
ORDO_INLINE Type Lowering::accumulator_type(u32 accumulator) const {
  const ReduceView r(reduce_);
  return accumulator < r.facts.fields ? r.init(accumulator)->type : Type::boolean;
}
ORDO_INLINE u32 Lowering::accumulator_count() const { return ReduceView(reduce_).facts.fields + (presence_ == Presence::flagged ? 1 : 0); }
}  // namespace ordo::kernel::detail_lower
