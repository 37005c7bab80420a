// Vectors of a stage go to memory past the caches.
//   before: Y:                                      after: Y: stored past the caches     store_nontemporal()
//             for i, for j.0, for j.1 vectorized           for i, for j.0, for j.1 vectorized
// Keeps: every value. A vector whose address is no multiple of its size, a masked one and a single element are stored plainly; all
// are in memory before a thread hands over.
#pragma once
#include "ordo/nest/body.hpp"

namespace ordo::nest {
namespace detail_store_nontemporal {
// The vectorized loop whose lanes are neighbours in the last dimension, or -1.
inline int vector_loop(const Stage& s, ir::Ref axis) {
  for (const Root& root : s.roots) {
    if (root.axis != axis) continue;
    int loop = root.loop;
    while (s.loop(loop).consumed_by >= 0) {
      const Relation& r = s.relations[static_cast<std::size_t>(s.loop(loop).consumed_by)];
      if (r.op != Relation::Op::split) return -1;
      loop = r.inner;
    }
    return s.loop(loop).mark == Mark::vectorized ? loop : -1;
  }
  return -1;
}
inline Refusal no(const Edit& e, const char* code, const std::string& why, const std::string& help) {
  return {code, cannot(e.directive) + " past the caches: " + why, help, -1};
}
inline std::string read_back(const Edit& e) {
  if (e.stage.placed.stage >= 0)
    return "it is computed in the turns of " + ticked(e.nest.stages[static_cast<std::size_t>(e.stage.placed.stage)].name) + " (" +
           at_line("compute_at", e.stage.placed.line) + "), which read it at once";
  if (e.stage.recurrence.first >= 0) return "it is part of a recurrence, whose next step reads it";
  return "";
}
}  // namespace detail_store_nontemporal

ORDO_INLINE Refusal directive::store_nontemporal(Edit& e) {
  using namespace detail_store_nontemporal;
  if (e.stage.nontemporal)
    return no(e, "store_nontemporal.twice", "it is asked for already (" + at_line("store_nontemporal", e.stage.past_caches) + ")",
              "ask once");
  if (const std::string why = read_back(e); !why.empty()) return no(e, "store_nontemporal.read", why, "store it plainly");
  const ir::Definition& d = definition_of(e.nest, e.stage);
  const int loop = d.axes.empty() ? -1 : vector_loop(e.stage, d.axes.back());
  if (loop < 0)
    return no(
        e, "store_nontemporal.vector",
        d.axes.empty() ? "it has one element" : "no loop over neighbours along " + ticked(d.axes.back()->name) + " is vectorized",
        d.axes.empty() ? "store it plainly" : "split(" + std::string(d.axes.back()->name) + ", 16) and vectorize the inner part first");
  constexpr i64 least_bytes = 16;
  const ir::TensorInfo& t = e.nest.program.tensors[static_cast<std::size_t>(d.tensor)];
  if (constant_extent(e.stage.loop(loop)) * bytes_of(t.type) < least_bytes)
    return no(e, "store_nontemporal.vector", "the vectors along " + name_of(e.stage, loop) + " have less than 16 bytes",
              "vectorize a longer loop");
  e.stage.nontemporal = true;
  e.stage.past_caches = e.directive.at;
  return {};
}

ORDO_INLINE Refusal stores_broken(const Edit& e) {
  using namespace detail_store_nontemporal;
  if (!e.stage.nontemporal) return {};
  const std::string why = read_back(e);
  if (why.empty()) return {};
  return {"store_nontemporal.read",
          cannot(e.directive) + ": it is stored past the caches (" + at_line("store_nontemporal", e.stage.past_caches) +
              "), and would be read at once",
          "store it plainly", -1};
}

ORDO_INLINE void store_nontemporal(const StageHandle* s, Where at) { Call(s, "store_nontemporal", at).apply(); }
}  // namespace ordo::nest
