// Computes a stage anew in each turn of the outermost loop of a stage that reads it, and stores what that turn needs.
//   before: E: for i, for j                         after: Y: for i                          compute_at(Y, i) of E
//           Y: for i, for j                                  E: for j
//                                                            Y: for j
// Keeps: each element is computed once, before it is read, since all readers stand in the same turn and read that turn's own.
#pragma once
#include <algorithm>
#include "ordo/ir/simplify.hpp"
#include "ordo/nest/body.hpp"

namespace ordo::nest {
namespace detail_compute_at {
inline std::string placed(const Stage& stage) { return ticked(stage.name) + " is computed in its turns"; }
inline Refusal no(const Edit& e, const char* code, const std::string& why, const std::string& help, int stage = -1, int loop = -1) {
  return {code, cannot(e.directive) + ": " + why, help, loop, stage};
}

// May `s` be computed in the turns of another stage, or hold such stages?
inline std::string unfit(const Nest& nest, const Stage& s) {
  if (s.inlined) return ticked(s.name) + " is inlined (" + at_line("inline_", s.line) + ")";
  if (s.recurrence.first >= 0) return ticked(s.name) + " is part of a recurrence";
  if (s.placed.stage >= 0)
    return ticked(s.name) + " is computed in the turns of " + ticked(nest.stages[static_cast<std::size_t>(s.placed.stage)].name) + " (" +
           at_line("compute_at", s.placed.line) + ")";
  return "";
}

// The whole axis that a live loop runs over, or nullptr.
inline ir::Ref whole_axis(const Stage& s, int loop) {
  for (const Root& r : s.roots)
    if (r.loop == loop && r.part == ir::AxisPart::whole && s.loop(loop).consumed_by == Loop::live && !s.loop(loop).reduction) return r.axis;
  return nullptr;
}

// The dimension in which every reader reads just what belongs to its own turn; -1 and why when there is none.
inline int shared_dimension(const Edit& e, int host, ir::Ref turn, std::string& why) {
  const ir::Definition& from = definition_of(e.nest, e.stage);
  std::vector<bool> fits(from.axes.size(), true);
  for (const int number : final_readers(e.nest, e.number)) {
    const Stage& reader = e.nest.stages[static_cast<std::size_t>(number)];
    if (number != host && reader.placed.stage != host) {
      why = ticked(reader.name) + " reads it too, and is not computed there";
      return -1;
    }
    const ir::Ref own = number == host ? turn : whole_axis(reader, reader.placed.loop);
    const std::vector<Access> found = accesses(e.nest, reader, from.tensor);
    for (const Access& a : found) {
      if (found.size() >= 16) {
        why = ticked(reader.name) + " reads it at too many places";
        return -1;
      }
      for (std::size_t d = 0; d < fits.size(); ++d) fits[d] = fits[d] && a.at[d] == own;
    }
  }
  for (std::size_t d = 0; d < fits.size(); ++d)
    if (fits[d] && ir::provably_equal(ir::extent_of(from.axes[d]), ir::extent_of(turn))) return static_cast<int>(d);
  why = "its readers read more of it than belongs to one turn of " + ticked(turn->name);
  return -1;
}
}  // namespace detail_compute_at

ORDO_INLINE Refusal directive::compute_at(Edit& e) {
  using namespace detail_compute_at;
  const int host = stage_index(e.nest, e.directive.tensor);
  if (host < 0) return no_stage(e.nest, e.directive.tensor);
  const Stage& reader = e.nest.stages[static_cast<std::size_t>(host)];
  const ir::Definition& definition = definition_of(e.nest, e.stage);
  const char* const root = "leave it computed on its own";
  if (e.nest.program.tensors[static_cast<std::size_t>(definition.tensor)].output)
    return no(e, "compute_at.stage", "it is an output and must be stored", root);
  if (!e.stage.guests.empty()) return no(e, "compute_at.stage", "other stages are computed in its turns", root);
  for (const Stage* s : {&static_cast<const Stage&>(e.stage), &reader})
    if (const std::string why = unfit(e.nest, *s); !why.empty()) return no(e, "compute_at.stage", why, root);
  int loop = -1;
  const Edit at_host{e.nest, e.directive, host, -1, reader};
  if (Refusal r = find_loop(at_host, e.directive.loops[0], loop)) {
    r.stage = host;
    return r;
  }
  const ir::Ref turn = whole_axis(reader, loop);
  if (turn == nullptr || reader.order.front() != loop)
    return no(e, "compute_at.loop",
              name_of(reader, loop) + " of " + ticked(reader.name) + " is not its outermost loop over a whole axis of the output",
              "compute it at the outermost loop, before that is split", host, loop);
  std::string why;
  const int dimension = shared_dimension(e, host, turn, why);
  if (dimension < 0) return no(e, "compute_at.reads", why, root, host);
  int own = -1;
  for (const int l : e.stage.order)
    if (whole_axis(e.stage, l) == definition.axes[static_cast<std::size_t>(dimension)]) own = l;
  if (own < 0 || e.stage.loop(own).mark != Mark::serial)
    return no(e, "compute_at.loop",
              "its own loop over " + ticked(definition.axes[static_cast<std::size_t>(dimension)]->name) + " is scheduled already",
              "place it before it is scheduled");
  e.stage.order.erase(e.stage.order.begin() + e.stage.place(own));
  e.stage.order.insert(e.stage.order.begin(), own);
  e.stage.placed = {host, loop, own, dimension, e.directive.at};
  e.other_number = host;
  e.other = reader;
  e.other.guests.push_back(e.number);
  return {};
}

// What a placement asks of the stage in which others are computed, and of those.
ORDO_INLINE Refusal placement_broken(const Edit& e, const Stage& s, int number) {
  using namespace detail_compute_at;
  if (s.placed.stage < 0 && s.guests.empty()) return {};
  const bool guest = s.placed.stage >= 0;
  const int front = s.order.empty() ? -1 : s.order.front();
  const Mark mark = front < 0 ? Mark::serial : s.loop(front).mark;
  const int stands = guest ? s.placed.loop : e.nest.stages[static_cast<std::size_t>(s.guests.front())].placed.turn;
  const bool fits = front == stands && whole_axis(s, front) != nullptr && (mark == Mark::serial || (!guest && mark == Mark::parallel));
  const Stage& named = e.nest.stages[static_cast<std::size_t>(guest ? number : s.guests.front())];
  const Where line = guest ? s.placed.line : named.placed.line;
  if (!fits)
    return no(e, "compute_at.placed",
              (guest ? "it is computed in the turns of another stage (" : ticked(named.name) + " is computed in its turns (") +
                  at_line("compute_at", line) + "), so " + name_of(s, stands) + " stays outermost, whole and " +
                  (guest ? "serial" : "serial or parallel"),
              "schedule the loops inside it", number == e.number ? -1 : number);
  for (const Pack& p : s.packs) {
    const int by = e.nest.program.tensors[static_cast<std::size_t>(p.tensor)].definition;
    if (p.at < 0 && by >= 0 && e.nest.stages[static_cast<std::size_t>(by)].placed.stage >= 0)
      return no(e, "compute_at.placed",
                ticked(e.nest.names[static_cast<std::size_t>(p.tensor)]) + " is computed anew in each turn, after the copy " + ticked(p.name) +
                    " would be made",
                "copy inside " + name_of(s, front), number == e.number ? -1 : number);
  }
  return {};
}

ORDO_INLINE Refusal turns_broken(const Edit& e) {
  if (e.directive.name != "compute_at") return {};
  const Stage& host = e.nest.stages[static_cast<std::size_t>(e.other_number)];
  if (Refusal r = placement_broken(e, host, e.other_number)) return r;
  for (const int guest : host.guests)
    if (Refusal r = placement_broken(e, e.nest.stages[static_cast<std::size_t>(guest)], guest)) return r;
  return {};
}

ORDO_INLINE void compute_at(const StageHandle* s, const StageHandle* host, ir::Ref loop, Where at) {
  Call call(s, "compute_at", at);
  call.loop_of(host, loop);
  call.apply();
}
}  // namespace ordo::nest
