// Keeps what the turns of a placed stage have computed until a loop around them ends: each turn computes only what is new in it.
//   before: by: for v.0: for v.1: { bx: three rows   by: one row }
//   after:  by: for v.0: { bx stored   for v.1: { bx: one row, three in the first turn   by: one row } }       store_at(by, v.0) of bx
// Keeps: each element is computed before it is read: in this turn, or in one before, since the loops between are serial.
#pragma once
#include "ordo/nest/body.hpp"

namespace ordo::nest {
namespace detail_store_at {
inline Refusal no(const Edit& e, const char* code, const std::string& why, const std::string& help, int stage = -1, int loop = -1) {
  return {code, cannot(e.directive) + ": " + why, help, loop, stage};
}
}  // namespace detail_store_at

ORDO_INLINE std::string unfit_storage(const Stage& host, const Placement& placed) {
  const int from = host.place(placed.stored.loop), to = host.place(placed.turn);
  const std::string turn = name_of(host, placed.turn);
  if (placed.stored.loop >= 0 && from < 0) return "its values are kept along a loop of " + ticked(host.name) + " that is no more";
  if (from >= to) return name_of(host, placed.stored.loop) + " is not around " + turn + ", in whose turns it is computed";
  for (int k = from + 1; k <= to; ++k) {
    const Loop& l = host.loop(host.order[static_cast<std::size_t>(k)]);
    if (l.mark != Mark::serial)
      return ticked(l.name) + " is " + word_of(l.mark) + ": its turns do not come one after the other";
  }
  return "";
}

ORDO_INLINE Refusal directive::store_at(Edit& e) {
  using namespace detail_store_at;
  const int host = stage_index(e.nest, e.directive.tensor);
  if (host < 0) return no_stage(e.nest, e.directive.tensor);
  const Stage& reader = e.nest.stages[static_cast<std::size_t>(host)];
  Placement& placed = e.stage.placed;
  if (placed.stage < 0)
    return no(e, "store_at.stage", "it is computed on its own, and stored as a whole", "compute_at() it first, in turns of a loop");
  if (placed.stage != host)
    return no(e, "store_at.stage",
              "it is computed in the turns of " + ticked(e.nest.stages[static_cast<std::size_t>(placed.stage)].name) + " (" +
                  at_line("compute_at", placed.line) + ")",
              "name a loop of that stage");
  if (e.stage.recurrence.first >= 0) return no(e, "store_at.stage", "a recurrence keeps the steps that it needs by itself", "leave it");
  if (!e.stage.guests.empty()) return no(e, "store_at.stage", "other stages are computed in its turns", "store it before those are placed");
  if (placed.stored.loop != Storage::turn)
    return no(e, "store_at.twice", "its place is chosen already (" + at_line("store_at", placed.stored.line) + ")",
              "compute_root() it first");
  int loop = Storage::whole;
  if (!e.directive.loops.empty()) {
    const Edit at_host{e.nest, e.directive, host, -1, reader};
    if (Refusal r = find_loop(at_host, e.directive.loops[0], loop)) {
      r.stage = host;
      return r;
    }
  }
  placed.stored = {};
  placed.stored.loop = loop;
  placed.stored.line = e.directive.at;
  if (const std::string why = unfit_storage(reader, placed); !why.empty())
    return no(e, "store_at.loop", why, "store it at a loop with serial ones between", host, loop);
  if (Refusal r = derive_regions(e.nest, e, e.number, placed)) return r;
  return resize_loops(e, e.stage, &placed);
}

ORDO_INLINE void store_at(const StageHandle* s, const StageHandle* host, ir::Ref loop, Where at) {
  Call call(s, "store_at", at);
  call.loop_of(host, loop);
  call.apply();
}
}  // namespace ordo::nest
