// Splits a loop: each factor cuts the inner part once more.
//   before: for i 0..M
//   after:  for i.0 0..floor_div(M + 7, 8)          split(i, 8)
//             for i.1 0..8
//   after:  for i.0, for i.1 0..8, for i.2 0..48    split(i, {384, 48})
// Keeps: every position of the loop is run once, in the same order; positions past the extent do not exist.
#pragma once
#include <algorithm>
#include "ordo/ir/simplify.hpp"
#include "ordo/nest/body.hpp"

namespace ordo::nest {
namespace detail_split {
inline constexpr i64 largest_factor = (i64{1} << 31) - 1;

inline std::string divisors(i64 of, i64 near) {
  std::vector<i64> found;
  for (i64 d = 1; d <= of / d; ++d)
    if (of % d == 0) {
      if (d > 1) found.push_back(d);
      if (of / d != d && d > 1) found.push_back(of / d);
    }
  const auto distance = [&](i64 d) { return d > near ? d - near : near - d; };
  std::sort(found.begin(), found.end(), [&](i64 a, i64 b) { return distance(a) != distance(b) ? distance(a) < distance(b) : a < b; });
  std::string text;
  for (std::size_t k = 0; k < found.size() && k < 8; ++k) text += (k == 0 ? "" : ", ") + std::to_string(found[k]);
  return text;
}

inline Refusal not_exact(const Edit& e, int loop, ir::Ref extent, ir::Ref factor) {
  const bool constant = factor->op == ir::Op::Const;
  if (constant && ir::provably_multiple(extent, static_cast<i64>(factor->arg))) return {};
  if (ir::provably_equal(extent, factor)) return {};
  const bool known = constant && extent->op == ir::Op::Const;
  std::string help = "use Tail::guard (always legal)";
  if (known && static_cast<i64>(extent->arg) < i64{1} << 40) {
    const std::string others = divisors(static_cast<i64>(extent->arg), static_cast<i64>(factor->arg));
    if (!others.empty()) help += ", or a divisor of " + std::to_string(extent->arg) + ": " + others;
  }
  return {"split.tail",
          cannot(e.directive) + ": extent " + print_size(extent) + (known ? " is not" : " is not known to be") + " a multiple of " +
              print_size(factor) + " and tail is Tail::exact",
          help, loop};
}

inline Refusal read_factors(const Edit& e, int loop, std::vector<ir::Ref>& factors) {
  for (const std::string& text : e.directive.factors) {
    std::string wrong;
    const ir::Ref factor = parse_size(e.nest, text, wrong);
    if (factor == nullptr)
      return {"split.factor", cannot(e.directive) + ": " + wrong, "a factor is an integer or an expression of Dims", loop};
    if (!at_least_one(e.nest, factor)) {
      const bool constant = factor->op == ir::Op::Const;
      return {"split.factor", cannot(e.directive) + ": a factor is at least 1" + (constant ? "" : ", and " + text + " can be less"),
              constant ? "use a factor from 1 on" : "use maximum(" + text + ", 1)", loop};
    }
    if (factor->op == ir::Op::Const && static_cast<i64>(factor->arg) > largest_factor)
      return {"split.factor", cannot(e.directive) + ": a factor is at most " + std::to_string(largest_factor), "use a smaller factor",
              loop};
    factors.push_back(factor);
  }
  return {};
}

// What one turn of some loop needs, and a copy of it, must have a number: 2^56 positions are days of any machine.
inline Refusal too_many(const Edit& e, int loop) {
  constexpr i64 most = i64{1} << 56;
  i64 all = 1;
  for (const int l : e.stage.order) {
    const i64 n = std::max<i64>(1, constant_extent(e.stage.loop(l)));
    if (all > most / n)
      return {"split.extent", cannot(e.directive) + ": the loops of known extents would have more than 2^56 positions together",
              "split by smaller factors", loop};
    all *= n;
  }
  return {};
}

inline int add_part(Stage& stage, int of, const std::string& name, ir::Ref extent) {
  Loop part = stage.loop(of);
  part.name = unused_name(stage, name);
  part.extent = extent;
  part.consumed_by = Loop::live;
  part.between = false;
  stage.loops.push_back(part);
  return static_cast<int>(stage.loops.size()) - 1;
}
}  // namespace detail_split

ORDO_INLINE Refusal directive::split(Edit& e) {
  using namespace detail_split;
  int loop = -1;
  if (Refusal r = find_loop(e, e.directive.loops[0], loop)) return r;
  if (Refusal r = not_serial(e, loop)) return r;
  if (Refusal r = pinned(e, loop)) return r;
  if (e.directive.tail == Tail::shift_in)
    if (Refusal r = not_shifted(e, loop)) return r;
  std::vector<ir::Ref> factors;
  if (Refusal r = read_factors(e, loop, factors)) return r;
  if (e.directive.tail == Tail::cover)
    if (Refusal r = not_covered(e, loop, factors)) return r;
  ir::Arena& arena = e.nest.program.arena;
  Stage& stage = e.stage;
  const std::string base = stage.loop(loop).name;
  const int whole = loop;
  ir::Ref second = nullptr, turns = nullptr;
  if (e.directive.tail == Tail::cover) {
    second = factors[1];
    factors.pop_back();
    const Tiles t = tiles(arena, stage.loop(loop).extent, static_cast<i64>(factors[0]->arg), static_cast<i64>(second->arg));
    turns = ir::simplify(arena, arena.make(ir::Op::Add, Type::i64, {t.first, t.second}));
  }
  for (std::size_t k = 0; k < factors.size(); ++k) {
    if (e.directive.tail == Tail::exact)
      if (Refusal r = not_exact(e, whole, stage.loop(loop).extent, factors[k])) return r;
    std::string rest;  // the inner part: what later factors cut again
    for (std::size_t part = k + 1; part <= factors.size(); ++part) rest += (rest.empty() ? "" : "+") + base + "." + std::to_string(part);
    const int outer = add_part(stage, loop, base + "." + std::to_string(k),
                               turns != nullptr ? turns : ceil_div(arena, stage.loop(loop).extent, factors[k]));
    const int inner = add_part(stage, loop, rest, factors[k]);
    stage.loop(inner).between = k + 1 < factors.size();
    stage.loop(loop).consumed_by = static_cast<int>(stage.relations.size());
    stage.relations.push_back({Relation::Op::split, loop, outer, inner, factors[k], e.directive.tail, e.directive.at, second});
    const auto place = stage.order.begin() + stage.place(loop);
    *place = outer;
    stage.order.insert(place + 1, inner);
    loop = inner;
  }
  return too_many(e, whole);
}

ORDO_INLINE void split(const StageHandle* s, ir::Ref loop, const ir::Ref* factors, int count, Tail tail, ir::Ref* made, Where at) {
  Call call(s, "split", at);
  call.loop(loop);
  for (int k = 0; k < count; ++k) call.factor(factors[k]);
  call.directive.tail = tail;
  if (tail == Tail::cover) call.no(two_factors(call.directive));
  call.apply();
  call.made_by_last(made, count + 1);
}
ORDO_INLINE void cover(const StageHandle* s, ir::Ref loop, i64 first, i64 second, ir::Ref* made, Where at) {
  Call call(s, "split", at);
  call.loop(loop);
  call.directive.factors = {std::to_string(first), std::to_string(second)};
  call.directive.tail = Tail::cover;
  call.apply();
  call.made_by_last(made, 2);
}
}  // namespace ordo::nest
