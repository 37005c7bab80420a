// Fuses a loop with the one directly inside it.
//   before: for i 0..M
//             for j 0..N
//   after:  for i*j 0..M * N                        fuse(i, j)
// Keeps: every position is run once, in the same order; only loops of one kind, so that an ordered loop stays one.
#pragma once
#include "ordo/ir/simplify.hpp"
#include "ordo/nest/body.hpp"

namespace ordo::nest {
namespace detail_fuse {
inline constexpr i64 largest_extent = i64{1} << 62;

inline Refusal unlike(const Edit& e, int outer, int inner) {
  const Loop& a = e.stage.loop(outer);
  const Loop& b = e.stage.loop(inner);
  const auto text = [&](int loop, const Loop& l) {
    return ticked(l.name) + " is " +
           (l.kind == Kind::ordered ? "ordered"
            : l.reduction           ? "a free loop of a reduction"
                                    : "free") +
           " (" + kind_of(e.stage, loop) + ")";
  };
  if (a.kind == b.kind && a.reduction == b.reduction) return {};
  return {"fuse.kind", cannot(e.directive) + ": " + text(outer, a) + " and " + text(inner, b),
          "fuse two free loops, or two neighbouring loops of one reduction", outer};
}
}  // namespace detail_fuse

ORDO_INLINE Refusal directive::fuse(Edit& e) {
  int outer = -1, inner = -1;
  if (Refusal r = find_loop(e, e.directive.loops[0], outer)) return r;
  if (Refusal r = find_loop(e, e.directive.loops[1], inner)) return r;
  if (outer == inner)
    return {"fuse.same", cannot(e.directive) + ": they are one loop", "name the loop and the one directly inside it", outer};
  for (const int loop : {outer, inner}) {
    if (Refusal r = not_serial(e, loop)) return r;
    if (Refusal r = pinned(e, loop)) return r;
  }
  if (Refusal r = detail_fuse::unlike(e, outer, inner)) return r;
  Stage& stage = e.stage;
  const int place = stage.place(outer);
  if (stage.place(inner) != place + 1) {
    const bool reversed = stage.place(inner) < place;
    std::vector<int> first{outer, inner};
    for (int k = place + 1; k < stage.place(inner); ++k) first.push_back(stage.order[static_cast<std::size_t>(k)]);
    return {"fuse.adjacent",
            cannot(e.directive) + ": " + name_of(stage, inner) + (reversed ? " is outside " : " is not directly inside ") +
                name_of(stage, outer),
            reversed ? "name the outer loop first" : call_of(stage, "reorder", first) + " first", outer};
  }
  const i64 a = constant_extent(stage.loop(outer)), b = constant_extent(stage.loop(inner));
  if (a > 0 && b > detail_fuse::largest_extent / a)
    return {"fuse.extent", cannot(e.directive) + ": they have more than 2^62 positions together", "split by smaller factors", outer};
  ir::Arena& arena = e.nest.program.arena;
  Loop fused = stage.loop(outer);
  fused.name = unused_name(stage, stage.loop(outer).name + "*" + stage.loop(inner).name);
  fused.extent = ir::simplify(arena, arena.make(ir::Op::Mul, Type::i64, {stage.loop(outer).extent, stage.loop(inner).extent}));
  const int parent = static_cast<int>(stage.loops.size());
  stage.loops.push_back(fused);
  stage.loop(outer).consumed_by = stage.loop(inner).consumed_by = static_cast<int>(stage.relations.size());
  stage.relations.push_back({Relation::Op::fuse, parent, outer, inner, nullptr, Tail::mask, e.directive.at});
  stage.order[static_cast<std::size_t>(place)] = parent;
  stage.order.erase(stage.order.begin() + place + 1);
  return {};
}

ORDO_INLINE ir::Ref fuse(const StageHandle* s, ir::Ref outer, ir::Ref inner, Where at) {
  Call call(s, "fuse", at);
  call.loop(outer);
  call.loop(inner);
  call.apply();
  ir::Ref made = nullptr;
  call.made_by_last(&made, 1);
  return made;
}
}  // namespace ordo::nest
