// Keeps the sums that are not finished in memory of their own, as much as one turn of a loop computes, in the order of the loops
// inside and in the type that they are computed in.
//   before: C:                                      after: C:                            cache_write(i.0)
//             for i.0, for k.0                               for i.0
//               for i.1, for k.1, for j vectorized             C.cache[i.1, j], until finished
//                                                              for k.0, for i.1, for k.1, for j vectorized
// Keeps: every value. The output is stored once, by the turn of the reduction that finishes an element.
#pragma once
#include <algorithm>
#include "ordo/nest/body.hpp"

namespace ordo::nest {
namespace detail_cache_write {
// Why a turn of `loop` would have nothing to hold; "" when it has. `at`: the loop in question.
inline std::string unfit(const Edit& e, const Stage& s, int loop, std::string& help, int& at) {
  at = loop;
  const std::string name = name_of(s, loop);
  if (s.loop(loop).reduction) {
    help = "cache at a loop outside the reduction";
    return "it is a loop of the reduction, and its turns continue the same sums";
  }
  if (s.loop(loop).mark == Mark::vectorized) {
    help = "cache at a loop outside it";
    return "it is vectorized (" + at_line("vectorize", s.loop(loop).marked) + "), and its turns run at once";
  }
  const int place = s.place(loop);
  for (int k = 0; k < place; ++k) {
    const int outer = s.order[static_cast<std::size_t>(k)];
    if (!s.loop(outer).reduction) continue;
    at = outer;
    help = "cache at a loop outside " + name_of(s, outer) + ", or " + call_of(s, "reorder", {loop, outer}) + " first";
    return name + " runs inside " + name_of(s, outer) + ", a loop of the reduction, and no turn of it finishes a sum";
  }
  const int tile = static_cast<int>(tile_of(e.nest, s));
  help = "leave it out";
  if (place >= tile) return "the sums of its turns stay in registers from the first step to the last";
  for (int k = place + 1; k < tile; ++k)
    if (s.loop(s.order[static_cast<std::size_t>(k)]).reduction) return "";
  return "nothing waits in a turn of " + name + ": all loops of the reduction are in the tile, whose sums stay in registers";
}
}  // namespace detail_cache_write

ORDO_INLINE Refusal directive::cache_write(Edit& e) {
  const auto no = [&](const char* code, const std::string& why, const std::string& help, int loop) {
    return Refusal{code, cannot(e.directive) + ": " + why, help, loop};
  };
  if (!has_reduction(e.stage))
    return no("cache_write.reduction", ticked(e.stage.name) + " has no reduction: each element is finished at once", "leave it out", -1);
  int loop = -1;
  if (Refusal r = find_loop(e, e.directive.loops[0], loop)) return r;
  if (e.stage.cached_at >= 0)
    return no("cache_write.twice", "its sums are kept already (" + at_line("cache_write", e.stage.cached) + ")", "cache once",
              e.stage.cached_at);
  std::string help;
  int at = loop;
  if (const std::string why = detail_cache_write::unfit(e, e.stage, loop, help, at); !why.empty())
    return no("cache_write.loop", why, help, at);
  e.stage.cached_at = loop;
  e.stage.cached = e.directive.at;
  return {};
}

ORDO_INLINE Refusal caches_broken(const Edit& e) {
  const auto broken = [&](const Stage& s) -> Refusal {
    if (s.cached_at < 0) return {};
    std::string why = "it has no reduction any more", help;
    int at = s.cached_at;
    if (has_reduction(s)) why = detail_cache_write::unfit(e, s, s.cached_at, help, at);
    if (why.empty()) return {};
    return {"schedule.cache_write",
            cannot(e.directive) + ": unfinished sums of " + ticked(s.name) + " are kept in the turns of " + name_of(s, s.cached_at) + " (" +
                at_line("cache_write", s.cached) + "), and " + why,
            "cache_write last", at, &s == &e.stage ? -1 : e.other_number};
  };
  if (Refusal r = broken(e.stage)) return r;
  return e.other_number >= 0 ? broken(e.other) : Refusal{};
}

ORDO_INLINE void cache_write(const StageHandle* s, ir::Ref loop, Where at) {
  Call call(s, "cache_write", at);
  call.loop(loop);
  call.apply();
}
}  // namespace ordo::nest
