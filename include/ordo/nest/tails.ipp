// Tails that more than the split itself decides.
//   shift_in: for i.0, for i.1 0..8 over 0..M: the tile starts at minimum(i.0 * 8, M - 8), or at 0 where M is less than 8
//   cover: for i.0, for i.1 of 6 and 5 over 0..127: 17 tiles of 6 elements, then 5 of 5
// Keeps: an element that two tiles compute is given the same value by both, from what neither of them writes.
#pragma once
#include <algorithm>
#include <numeric>
#include "ordo/ir/simplify.hpp"
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

// Fewest tiles of the second factor such that those of the first fill the rest: with g their common divisor and n = ceil(extent / g),
// b is n / (second / g) modulo first / g. Where the extent is too short for those, tiles of the second factor alone.
ORDO_INLINE Tiles tiles(ir::Arena& arena, ir::Ref extent, i64 first, i64 second) {
  const i64 g = std::gcd(first, second), f = first / g, s = second / g;
  i64 inverse = 1;
  while (inverse * s % f != 1 % f) ++inverse;
  const auto op = [&](ir::Op o, ir::Ref a, ir::Ref b) { return ir::simplify(arena, arena.make(o, Type::i64, {a, b})); };
  const auto mod = [&](ir::Ref a) { return op(ir::Op::FloorMod, a, arena.integer(f)); };
  const ir::Ref n = ceil_div(arena, extent, arena.integer(g));
  const ir::Ref wanted = mod(op(ir::Op::Mul, mod(n), arena.integer(inverse)));
  const ir::Ref rest = op(ir::Op::Sub, n, op(ir::Op::Mul, wanted, arena.integer(s)));
  return {op(ir::Op::Max, arena.integer(0), op(ir::Op::FloorDiv, rest, arena.integer(f))),
          op(ir::Op::Min, wanted, ceil_div(arena, n, arena.integer(s)))};
}

ORDO_INLINE Refusal two_factors(const Directive& d) {
  return {"split.cover", cannot(d) + ": Tail::cover takes two factors and makes two loops", "write split(" + d.loops[0] + ", Cover{6, 5})", -1};
}
ORDO_INLINE Refusal not_covered(const Edit& e, int loop, const std::vector<ir::Ref>& factors) {
  constexpr i64 largest = 1 << 16;
  if (factors.size() != 2) {
    Refusal r = two_factors(e.directive);
    r.arrow = loop;
    return r;
  }
  const bool constant = factors[0]->op == ir::Op::Const && factors[1]->op == ir::Op::Const;
  if (!constant || factors[0]->arg > largest || factors[1]->arg >= factors[0]->arg)
    return {"split.cover", cannot(e.directive) + ": the factors of Tail::cover are integers of at most 65536, the larger one first",
            "write split(" + e.stage.loop(loop).name + ", Cover{6, 5})", loop};
  const Loop& l = e.stage.loop(loop);
  if (l.reduction && l.kind == Kind::free)
    return {"split.cover", cannot(e.directive) + ": it runs over parts of a reduction, each with an accumulator of its own",
            detail_tails::elsewhere, loop};
  if (!l.reduction && l.kind == Kind::ordered)
    return {"split.cover", cannot(e.directive) + ": it runs over the time of a recurrence", detail_tails::elsewhere, loop};
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
