// Stages computed in turns of a loop of another one, each as much as that turn reads: their nests stand in that loop, before what
// is inside it, and what they hold is a tile of their tensor.
//   before: E: for i, for j: ...   Y: for i, for j: ...        after: for i: { alloc E's row; E: for j: ...; Y: for j: ... }
#pragma once
#include <algorithm>
#include <memory>
#include "ordo/ir/visit.hpp"
#include "ordo/kernel/lowering.hpp"

namespace ordo::kernel::detail_lower {
ORDO_INLINE Lowering& Lowering::hold(std::unique_ptr<Lowering> guest) {
  guest->host_ = this;
  guests_.push_back(std::move(guest));
  return *guests_.back();
}
ORDO_INLINE Lowering* Lowering::lowering_of(int stage) {
  if (stage_.definition == stage) return this;
  for (const auto& g : guests_)
    if (Lowering* found = g->lowering_of(stage)) return found;
  return nullptr;
}
ORDO_INLINE const nest::Region* Lowering::region_of(Ref axis) const {
  for (std::size_t d = 0; is_placed() && d < definition_.axes.size(); ++d)
    if (definition_.axes[d] == axis) return &stage_.placed.regions[d];
  return nullptr;
}

ORDO_INLINE Ref Lowering::at_turn(Ref expression) {
  if (const auto it = turn_values_.find(expression); it != turn_values_.end()) return it->second;
  const Ref own = size(expression);
  std::vector<Replacement> to;
  visit_once(own, [&](Ref e) {
    int stage = -1, loop = -1;
    if (!nest::is_loop_var(e, stage, loop)) return;
    const Lowering* around = this;
    while (around != nullptr && around->stage_.definition != stage) around = around->host_;
    if (around == nullptr) fail_internal("lower.turn", e->name);
    to.push_back({e, loop == nest::warm_loop ? around->warm_ : around->var_[static_cast<std::size_t>(loop)]});
  });
  const Ref r = to.empty() ? own : simplify(make_.arena(), substitute(make_.arena(), own, to.data(), to.size()));
  turn_values_.emplace(expression, r);
  return r;
}

ORDO_INLINE Ref Lowering::in_turn(i64 started) {
  const auto forget = [&] {
    forget_values();
    turn_values_.clear();
    exact_.clear();
    clamped_.clear();
  };
  forget();
  started_ = stage_.placed.along ? started : 0;
  const Ref r = stage_.placed.stored.slides < 0 ? whole_nest() : pieces();
  started_ = 0;
  forget();
  return r;
}

//   after: for warm in select(v == 0, 0, 2)..3: what is new in the turn, or in one so many before it
ORDO_INLINE Ref Lowering::pieces() {
  const nest::Storage& stored = stage_.placed.stored;
  Ref first = nullptr;
  for (const int loop : stored.first)
    first = make_.both(first, make_.equal(host_->var_[static_cast<std::size_t>(loop)], make_.integer(0)));
  const Ref begin[] = {first, make_.integer(0), make_.integer(stored.before)};
  warm_ = make_.arena().make(Op::Var, Type::i64, nullptr, 0, kernel_.next_var++, "warm");
  const Ref from = Make::is_constant(first) ? begin[first->arg != 0 ? 1 : 2] : make_.op(Op::Select, begin, 3, Type::i64);
  const Ref body = whole_nest();
  return make_.loop(LoopMode::serial, warm_, from, make_.integer(stored.before + 1), body);
}

// Memory of stages that are stored in each turn of a loop, or around all of them.
ORDO_INLINE Ref Lowering::stored_at(int loop, Ref statement) {
  for (const auto& g : guests_) {
    const nest::Placement& p = g->stage_.placed;
    if (p.along || (p.stored.loop == nest::Storage::turn ? p.turn : p.stored.loop) != loop) continue;
    for (const u32 b : g->tile_buffers()) statement = make_.alloc(b, statement);
  }
  return statement;
}

// Its own, and those of what is computed in its turns and read after it.
ORDO_INLINE std::vector<u32> Lowering::tile_buffers() {
  std::vector<u32> all{buffer_of(definition_.tensor)};
  for (const auto& g : guests_)
    if (g->stage_.placed.outlives)
      for (const u32 b : g->tile_buffers()) all.push_back(b);
  return all;
}
ORDO_INLINE Ref Lowering::stored_along(int loop, Ref statement) {
  for (const auto& g : guests_)
    if (g->stage_.placed.turn == loop && g->stage_.placed.along && !g->stage_.placed.outlives)
      for (const u32 b : g->tile_buffers()) statement = make_.alloc(b, statement);
  return statement;
}

// Of the recurrences that do a step in each turn of the loop: the stage's own over this time, and those that go along.
ORDO_INLINE i64 Lowering::longest_lag_at(int loop) {
  i64 lag = loop == stage_.recurrence.time && !stage_.placed.along ? longest_lag() : 0;
  for (const auto& g : guests_)
    if (g->stage_.placed.turn == loop && g->stage_.placed.along) lag = std::max(lag, g->longest_lag());
  return lag;
}

ORDO_INLINE const std::vector<nest::Region>& Lowering::regions_of(int tensor) const {
  const int by = program_.tensors[static_cast<std::size_t>(tensor)].definition;
  return plan_.nest.stages[static_cast<std::size_t>(by)].placed.regions;
}
ORDO_INLINE Ref Lowering::tile_size(int tensor, std::size_t d) {
  const nest::Region& r = regions_of(tensor)[d];
  return size(r.room != nullptr ? r.room : r.kept != nullptr ? r.kept : r.extent);
}
ORDO_INLINE Ref Lowering::tile_index(int tensor, std::size_t d, Ref index) {
  const nest::Region& r = regions_of(tensor)[d];
  const Ref room = tile_size(tensor, d);
  const bool lanes = vector_ >= 0 && mentions(index, var_[static_cast<std::size_t>(vector_)]);  // of a loop with one turn, cut up
  if (Make::is(room, 1) && !lanes) return make_.integer(0);
  const int by = program_.tensors[static_cast<std::size_t>(tensor)].definition;
  if (plan_.nest.stages[static_cast<std::size_t>(by)].placed.stored.folded == static_cast<int>(d)) return make_.op(Op::FloorMod, index, room);
  if (r.kept != nullptr) return r.covers ? make_.op(Op::FloorMod, index, room) : index;
  const Ref from = r.held != nullptr ? r.held : r.base;
  return Make::is(from, 0) ? index : simplify(make_.arena(), make_.sub(index, at_turn(from)));
}
// Does memory hold a place for whatever index a read takes?
ORDO_INLINE bool Lowering::covered(Ref load) const {
  const int tensor = static_cast<int>(load->src[0]->arg);
  if (plan_.slots[static_cast<std::size_t>(tensor)].in != plan::Slot::In::turn) return false;
  const std::vector<nest::Region>& regions = regions_of(tensor);
  return std::all_of(regions.begin(), regions.end(), [](const nest::Region& r) { return r.covers; });
}

ORDO_INLINE u16 in_turns(const plan::Plan& plan, const plan::Group& group, const Layout& layout, const Target& target,
                         const Planted& planted, Kernel& kernel, Buffers& buffers) {
  const auto lowering = [&](int s) { return std::make_unique<Lowering>(plan, s, -1, layout, target, planted, kernel, buffers); };
  const std::unique_ptr<Lowering> root = lowering(group.stage);
  const auto fill = [&](const auto& self, Lowering& host) -> void {
    for (const int s : host.guest_stages()) self(self, host.hold(lowering(s)));
  };
  fill(fill, *root);
  u16 lanes = 0;
  for (const int s : group.stages()) {
    Lowering& l = *root->lowering_of(s);
    l.prepare();
    lanes = lanes == 0 ? l.lanes() : std::min(lanes, l.lanes());
  }
  kernel.body = root->whole_nest();
  return lanes;
}
}  // namespace ordo::kernel::detail_lower
