// Computes a stage anew in each turn of a loop of a stage that reads it, as much as that turn reads, and stores that.
//   before: E: for i, for j                         after: Y: for i.0                        compute_at(Y, i.0) of E
//           Y: for i.0, for i.1 0..8, for j                  E: for i 0..8, for j
//                                                            Y: for i.1 0..8, for j
// A recurrence whose last step that a turn of a loop over its time reads is that turn's goes along: it does one step in each turn,
// and as many are kept as are read.
//   before: m: for t   Y: for t: reads m[t], m[t - 1]          after: Y: for t: { m: one step, two are kept   Y }
// Keeps: each element is computed before it is read, since all readers stand in the same turn and read that turn's own.
#pragma once
#include <algorithm>
#include "ordo/ir/simplify.hpp"
#include "ordo/nest/body.hpp"

namespace ordo::nest {
namespace detail_compute_at {
inline Refusal no(const Edit& e, const char* code, const std::string& why, const std::string& help, int stage = -1, int loop = -1) {
  return {code, cannot(e.directive) + ": " + why, help, loop, stage};
}

// May `s` be computed in the turns of another stage, or hold such stages?
inline std::string unfit(const Stage& s) {
  if (s.inlined) return ticked(s.name) + " is inlined (" + at_line("inline_", s.line) + ")";
  if (s.recurrence.together()) return ticked(s.name) + " is part of a recurrence of several stages";
  return "";
}

// The loop over each dimension of a placed stage.
inline int loop_over(const Stage& s, ir::Ref axis) {
  for (const Root& root : s.roots)
    if (root.axis == axis) return root.loop;
  return -1;
}

// Is `other` among what a stage is computed from? Itself included.
inline bool needs(const Nest& nest, int number, int other) {
  std::vector<int> work{number};
  std::vector<bool> seen(static_cast<std::size_t>(number) + 1);
  while (!work.empty()) {
    const int n = work.back();
    work.pop_back();
    if (n == other) return true;
    if (n < other || seen[static_cast<std::size_t>(n)]) continue;      // a stage reads earlier ones, recurrences of several aside
    seen[static_cast<std::size_t>(n)] = true;
    for (const int tensor : reads_of(definition_of(nest, nest.stages[static_cast<std::size_t>(n)]).value))
      if (const int by = nest.program.tensors[static_cast<std::size_t>(tensor)].definition; by >= 0 && by < n) work.push_back(by);
  }
  return false;
}

// Why no stage may be computed in the turns of a loop; "": some may.
inline std::string unfit_loop(const Stage& host, int turn) {
  for (int k = 0; k <= host.place(turn); ++k) {
    const Loop& l = host.loop(host.order[static_cast<std::size_t>(k)]);
    if (l.reduction) return ticked(l.name) + " of " + ticked(host.name) + " belongs to its reduction";
    if (l.mark == Mark::unrolled || l.mark == Mark::vectorized)
      return ticked(l.name) + " of " + ticked(host.name) + " is " + word_of(l.mark);
  }
  return "";
}
}  // namespace detail_compute_at

// Its loops run over its regions. Those that stand still go outermost.
ORDO_INLINE Refusal resize_loops(const Edit& e, Stage& s, const Placement* placed) {
  using namespace detail_compute_at;
  const ir::Definition& d = e.nest.program.definitions[static_cast<std::size_t>(s.definition)];
  std::vector<int> still;
  for (std::size_t k = 0; k < d.axes.size(); ++k) {
    const int loop = loop_over(s, d.axes[k]);
    const ir::Ref extent = placed != nullptr ? placed->regions[k].extent : ir::extent_of(d.axes[k]);
    Loop& l = s.loop(loop);
    if (ir::provably_equal(l.extent, extent)) continue;
    if (l.consumed_by != Loop::live || l.mark != Mark::serial)
      return no(e, "compute_at.loop",
                "its own loop over " + ticked(d.axes[k]->name) + " is scheduled already and would run over " + print_size(extent) +
                    " instead of " + print_size(l.extent),
                placed != nullptr ? "place it before it is scheduled" : "leave it there, or schedule it after compute_root()");
    l.extent = extent;
    if (constant_extent(l) == 1 && (!s.recurrence.across || static_cast<int>(k) == s.recurrence.axis)) still.push_back(loop);
  }
  if (placed == nullptr) return {};
  std::erase_if(s.order, [&](int n) { return std::find(still.begin(), still.end(), n) != still.end(); });
  s.order.insert(s.order.begin(), still.begin(), still.end());
  return {};
}

ORDO_INLINE Refusal directive::compute_at(Edit& e) {
  using namespace detail_compute_at;
  const int host = stage_index(e.nest, e.directive.tensor);
  if (host < 0) return no_stage(e.nest, e.directive.tensor);
  const Stage& reader = e.nest.stages[static_cast<std::size_t>(host)];
  const ir::Definition& definition = definition_of(e.nest, e.stage);
  const char* const root = "leave it computed on its own";
  if (e.nest.program.tensors[static_cast<std::size_t>(definition.tensor)].output)
    return no(e, "compute_at.stage", "it is an output and must be stored", root);
  if (!e.stage.guests.empty()) return no(e, "compute_at.stage", "other stages are computed in its turns", "place it before those");
  if (e.stage.placed.stage >= 0)
    return no(e, "compute_at.stage",
              ticked(e.stage.name) + " is computed in the turns of " +
                  ticked(e.nest.stages[static_cast<std::size_t>(e.stage.placed.stage)].name) + " (" +
                  at_line("compute_at", e.stage.placed.line) + ")",
              "compute_root() it first");
  for (const Stage* s : {&static_cast<const Stage&>(e.stage), &reader})
    if (const std::string why = unfit(*s); !why.empty()) return no(e, "compute_at.stage", why, root);
  if (needs(e.nest, e.number, host)) return no(e, "compute_at.stage", "it needs " + ticked(reader.name), "name a stage that reads it");
  for (const Pack& p : e.stage.packs)
    if (p.options.constant)
      return no(e, "compute_at.stage", ticked(p.name) + " is copied once for all calls (" + at_line("pack", p.line) + ")", root);
  int loop = -1;
  const Edit at_host{e.nest, e.directive, host, -1, reader};
  if (Refusal r = find_loop(at_host, e.directive.loops[0], loop)) {
    r.stage = host;
    return r;
  }
  if (const std::string why = unfit_loop(reader, loop); !why.empty())
    return no(e, "compute_at.loop", why, "compute it at a serial or parallel loop outside of those", host, loop);
  Placement placed{host, loop, false, false, {}, e.directive.at};
  if (Refusal r = derive_regions(e.nest, e, e.number, placed)) return r;
  if (Refusal r = resize_loops(e, e.stage, &placed)) return r;
  e.stage.placed = std::move(placed);
  e.other_number = host;
  e.other = reader;
  e.other.guests.insert(std::upper_bound(e.other.guests.begin(), e.other.guests.end(), e.number), e.number);
  return {};
}

// What a placement asks of the stage in which others are computed, and of those.
ORDO_INLINE Refusal placement_broken(const Edit& e, const Stage& s, int number) {
  using namespace detail_compute_at;
  for (const int n : s.guests) {
    const Stage& guest = e.nest.stages[static_cast<std::size_t>(n)];
    const std::string in_turns = ticked(guest.name) + " is computed in the turns of " + name_of(s, guest.placed.turn) + " (" +
                                 at_line("compute_at", guest.placed.line) + ")";
    const int shown = number == e.number ? -1 : number;
    if (s.place(guest.placed.turn) < 0)
      return no(e, "compute_at.placed", in_turns, "schedule the other loops, or place it after the loops are split and fused", shown);
    if (const std::string why = unfit_loop(s, guest.placed.turn); !why.empty())
      return no(e, "compute_at.placed", in_turns + ", and " + why, "schedule the loops inside it", shown);
    if (const std::string why = guest.placed.stored.loop == Storage::turn ? "" : unfit_storage(s, guest.placed); !why.empty())
      return no(e, "store_at.placed",
                ticked(guest.name) + " is stored around the turns of " + name_of(s, guest.placed.turn) + " (" +
                    at_line("store_at", guest.placed.stored.line) + "), and " + why,
                "schedule the loops outside of both", shown);
    for (const Pack& p : s.packs)
      if (p.tensor == e.nest.program.definitions[static_cast<std::size_t>(n)].tensor &&
          (p.at < 0 || s.place(p.at) < s.place(guest.placed.turn)))
        return no(e, "compute_at.placed", in_turns + ", after the copy " + ticked(p.name) + " would be made", "copy inside that loop",
                  shown);
  }
  if (s.placed.stage >= 0)
    for (const Pack& p : s.packs)
      if (p.options.constant)
        return no(e, "compute_at.placed",
                  ticked(s.name) + " is computed anew in each turn of another stage (" + at_line("compute_at", s.placed.line) + "), and " +
                      ticked(p.name) + " would be copied once for all calls",
                  "copy it in each turn");
  return {};
}

namespace detail_compute_at {
inline void add_tree(const Nest& nest, int number, std::vector<int>& to) {
  while (nest.stages[static_cast<std::size_t>(number)].placed.stage >= 0)
    number = nest.stages[static_cast<std::size_t>(number)].placed.stage;
  std::vector<int> work{number};
  while (!work.empty()) {
    const int n = work.back();
    work.pop_back();
    const Stage& s = nest.stages[static_cast<std::size_t>(n)];
    if (s.placed.stage >= 0) to.push_back(n);
    work.insert(work.end(), s.guests.begin(), s.guests.end());
  }
}
// After its host and its readers, as far as they are placed too: regions depend on theirs.
inline void add_after(const Nest& nest, int number, std::vector<int>& to) {
  const Stage& s = nest.stages[static_cast<std::size_t>(number)];
  if (s.placed.stage < 0 || std::find(to.begin(), to.end(), number) != to.end()) return;
  add_after(nest, s.placed.stage, to);
  for (const int reader : final_readers(nest, number)) add_after(nest, reader, to);
  to.push_back(number);
}
}  // namespace detail_compute_at

ORDO_INLINE Refusal refresh_regions(const Edit& e, Placements& before) {
  using namespace detail_compute_at;
  std::vector<int> concerned;
  const bool moved = e.directive.name == "compute_at" || e.directive.name == "compute_root" || e.directive.name == "inline_";
  std::vector<int> touched{e.number};
  if (e.other_number >= 0) touched.push_back(e.other_number);
  for (const int n : touched) {
    add_tree(e.nest, n, concerned);
    if (!moved) continue;
    for (const int tensor : reads_through(e.nest, n))
      if (const int by = e.nest.program.tensors[static_cast<std::size_t>(tensor)].definition; by >= 0)
        if (e.nest.stages[static_cast<std::size_t>(by)].placed.stage >= 0) add_tree(e.nest, by, concerned);
  }
  std::vector<int> in_order;
  for (const int n : concerned) add_after(e.nest, n, in_order);
  for (const int n : in_order) {
    Stage& s = e.nest.stages[static_cast<std::size_t>(n)];
    const Placement old = s.placed;
    Placement now = old;
    before.emplace_back(n, old);
    if (Refusal r = placement_broken(e, e.nest.stages[static_cast<std::size_t>(old.stage)], old.stage)) return r;
    const auto refused = [&](const std::string& why) {
      return no(e, "compute_at.placed",
                ticked(s.name) + " is computed in the turns of " + ticked(e.nest.stages[static_cast<std::size_t>(old.stage)].name) + " (" +
                    at_line("compute_at", old.line) + "), and " + why,
                "place it after this, or leave it computed on its own", n == e.number ? -1 : n);
    };
    if (Refusal r = derive_regions(e.nest, e, n, now)) return refused(r.message.substr(cannot(e.directive).size() + 2));
    const ir::Definition& d = definition_of(e.nest, s);
    for (std::size_t k = 0; k < now.regions.size(); ++k)
      if (!ir::provably_equal(s.loop(loop_over(s, d.axes[k])).extent, now.regions[k].extent))
        return refused("one of them would read " + print_size(now.regions[k].extent) + " of " + ticked(d.axes[k]->name) + " instead of " +
                       print_size(s.loop(loop_over(s, d.axes[k])).extent));
    s.placed = now;
  }
  return {};
}

ORDO_INLINE void compute_at(const StageHandle* s, const StageHandle* host, ir::Ref loop, Where at) {
  Call call(s, "compute_at", at);
  call.loop_of(host, loop);
  call.apply();
}
}  // namespace ordo::nest
