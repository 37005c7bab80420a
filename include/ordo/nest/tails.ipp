// Tails that more than the split itself decides.
//   shift_in: for i.0, for i.1 0..8 over 0..M: the tile starts at minimum(i.0 * 8, M - 8), or at 0 where M is less than 8
// Keeps: an element that two tiles compute is given the same value by both, from what neither of them writes.
#pragma once
#include <algorithm>
#include "ordo/nest/edit.hpp"

namespace ordo::nest {
namespace detail_tails {
inline const char* const elsewhere = "use Tail::mask, Tail::guard or Tail::peel";
}

// Of the loop and its stage; what the order of the loops decides is `tails_broken`.
ORDO_INLINE Refusal not_shifted(const Edit& e, int loop) {
  const auto no = [&](const std::string& why) {
    return Refusal{"split.shift_in", cannot(e.directive) + ": " + why + ", and Tail::shift_in computes some elements twice",
                   detail_tails::elsewhere, loop};
  };
  if (e.stage.loop(loop).reduction) return no("it runs over what a reduction takes, each element once");
  if (e.stage.recurrence.first >= 0) return no(ticked(e.stage.name) + " is a recurrence, whose steps read what the stage writes");
  return {};
}

// An unfinished sum that waits in memory must not be taken up by both tiles: they run one after the other, each with all of its sums.
ORDO_INLINE Refusal tails_broken(const Edit& e, const Stage& s, int number) {
  int reduction = -1, waits = -1;
  std::vector<int> inside;       // loops inside a reduction loop
  for (const int n : s.order) {
    const Loop& l = s.loop(n);
    if (l.reduction && reduction < 0) reduction = n;
    if (reduction >= 0) inside.push_back(n);
    if (reduction >= 0 && !l.reduction && l.mark != Mark::unrolled && l.mark != Mark::vectorized && waits < 0) waits = n;
  }
  for (const Relation& r : s.relations) {
    if (r.op != Relation::Op::split || r.tail != Tail::shift_in) continue;
    const auto no = [&](int loop, const std::string& why, const std::string& help) {
      return Refusal{"split.shifted",
                     cannot(e.directive) + ": " + name_of(s, loop) + " would run " + why + ", and the last tile of " + name_of(s, r.parent) +
                         " (" + at_line("split", r.line) + ", Tail::shift_in) computes some elements twice",
                     help + ", or split with Tail::mask", loop, number == e.number ? -1 : number};
    };
    for (const int n : parts_of(s, r.outer)) {
      if (std::find(inside.begin(), inside.end(), n) != inside.end())
        return no(n, "inside " + name_of(s, reduction) + ", where sums are unfinished", "leave it outside of the reduction");
      if (s.loop(n).mark == Mark::parallel && waits >= 0)
        return no(n, "in parallel, while unfinished sums wait in memory for the turns of " + name_of(s, waits),
                  "unroll or vectorize " + name_of(s, waits) + " or move it out of " + name_of(s, reduction) + " first");
    }
  }
  return {};
}
}  // namespace ordo::nest
