// What a turn computes of a stage that is stored longer than the turn: what no turn before it has computed. A first turn computes that
// too, piece by piece, as often as the later turns compute a piece.
//   window of a turn: v + 0..3      new in each: v + 2, one row      before, in the first: v and v + 1
// Keeps: the windows of one loop only rise, by no more than a piece from turn to turn, and along one dimension alone. What a window holds beside its last piece was
// in the window of the turn before, all other loops standing where they stand.
#pragma once
#include <algorithm>
#include "ordo/ir/simplify.hpp"
#include "ordo/ir/visit.hpp"
#include "ordo/nest/edit.hpp"

namespace ordo::nest {
namespace detail_slide {
struct Along {                   // loops whose turns, one after the other, are one count
  std::vector<ir::Ref> var;      // outermost first
  std::vector<i64> extent;       // -1: no constant
};
inline bool moves(ir::Ref e, const Along& along) {
  return std::any_of(along.var.begin(), along.var.end(), [&](ir::Ref v) { return ir::mentions(e, v); });
}
// How much an expression grows in a turn at most; -1: it may fall, or that is not known.
inline i64 rise(ir::Ref e, const Along& along) {
  if (!moves(e, along)) return 0;
  const ir::Linear form = ir::linear(e);
  if (form.terms.size() == 1 && form.terms[0].atom == e && std::find(along.var.begin(), along.var.end(), e) == along.var.end()) {
    const i64 a = rise(e->src[0], along);
    if (e->op == ir::Op::Max || e->op == ir::Op::Min) {
      const i64 b = rise(e->src[1], along);
      return a < 0 || b < 0 ? -1 : std::max(a, b);
    }
    if (e->op != ir::Op::FloorDiv || e->src[1]->op != ir::Op::Const || static_cast<i64>(e->src[1]->arg) <= 0 || a < 0) return -1;
    return (a + static_cast<i64>(e->src[1]->arg) - 1) / static_cast<i64>(e->src[1]->arg);
  }
  std::vector<i64> by(along.var.size(), 0);
  i64 all = 0;
  for (const ir::Linear::Term& t : form.terms) {
    if (const auto it = std::find(along.var.begin(), along.var.end(), t.atom); it != along.var.end()) {
      by[static_cast<std::size_t>(it - along.var.begin())] = t.coefficient;
      continue;
    }
    const i64 of = rise(t.atom, along);
    if (of < 0 || (of > 0 && t.coefficient < 0)) return -1;
    all += of * t.coefficient;
  }
  if (std::all_of(by.begin(), by.end(), [](i64 b) { return b == 0; })) return all;
  for (std::size_t k = 0; k + 1 < by.size(); ++k)
    if (along.extent[k + 1] < 0 || by[k] != by[k + 1] * along.extent[k + 1]) return -1;
  return by.back() < 0 ? -1 : all + by.back();
}

struct Slide {
  std::vector<int> loops;        // of the host
  i64 piece = 0;
};
// Along as many of the loops between as go on where the loop inside them ends.
inline Slide slide_of(Nest& nest, const Placement& placed, const Region& r) {
  const Stage& host = nest.stages[static_cast<std::size_t>(placed.stage)];
  Slide s;
  Along along;
  for (int k = host.place(placed.stored.loop) + 1; k <= host.place(placed.turn); ++k) {
    const int loop = host.order[static_cast<std::size_t>(k)];
    const ir::Ref v = loop_var(nest.program.arena, placed.stage, loop, host.loop(loop).name.c_str());
    if (!ir::mentions(r.base, v)) continue;
    s.loops.push_back(loop);
    along.var.push_back(v);
    along.extent.push_back(constant_extent(host.loop(loop)));
  }
  while (!s.loops.empty() && (s.piece = rise(r.base, along)) < 0) {
    s.loops.erase(s.loops.begin());
    along.var.erase(along.var.begin());
    along.extent.erase(along.extent.begin());
  }
  return s;
}
// Does a turn of those loops lead to other places of another dimension too? Then it keeps nothing: a window along a diagonal.
inline bool moves_elsewhere(Nest& nest, const Placement& placed, std::size_t slides, const Slide& s) {
  const Stage& host = nest.stages[static_cast<std::size_t>(placed.stage)];
  for (std::size_t d = 0; d < placed.regions.size(); ++d)
    for (const int loop : s.loops)
      if (d != slides &&
          ir::mentions(placed.regions[d].base, loop_var(nest.program.arena, placed.stage, loop, host.loop(loop).name.c_str())))
        return true;
  return false;
}
}  // namespace detail_slide

ORDO_INLINE Refusal derive_storage(Nest& nest, const Edit& e, int number, Placement& placed, const std::vector<Region>& held) {
  using namespace detail_slide;
  const Stage& host = nest.stages[static_cast<std::size_t>(placed.stage)];
  ir::Arena& arena = nest.program.arena;
  const auto no = [&](const char* code, const std::string& why, const std::string& help) {
    return Refusal{code, cannot(e.directive) + ": " + why, help, -1, placed.stage};
  };
  Storage& stored = placed.stored;
  stored.slides = -1;
  Slide slide;
  for (std::size_t d = 0; d < placed.regions.size(); ++d) {
    const Region& r = placed.regions[d];
    if (r.extent->op != ir::Op::Const) continue;
    Slide s = slide_of(nest, placed, r);
    if (s.loops.empty() || s.piece < 1 || s.piece >= static_cast<i64>(r.extent->arg) || moves_elsewhere(nest, placed, d, s)) continue;
    if (stored.slides >= 0 && host.place(s.loops.front()) >= host.place(slide.loops.front())) continue;
    slide = std::move(s);
    stored.slides = static_cast<int>(d);
  }
  const Stage& own = nest.stages[static_cast<std::size_t>(number)];
  const std::string turn = ticked(host.loop(placed.turn).name);
  if (stored.slides < 0)
    return no("store_at.window", "no turn of " + turn + " reads a part of it, of a constant size, that a turn before has computed",
              "leave it stored in each turn of " + turn);
  for (std::size_t d = 0; d < placed.regions.size(); ++d) {
    Region& r = placed.regions[d];
    r.held = held[d].base;
    r.room = held[d].extent;
    r.covers = held[d].covers;
  }
  Region& r = placed.regions[static_cast<std::size_t>(stored.slides)];
  const i64 window = static_cast<i64>(r.extent->arg), piece = slide.piece, before = (window - 1) / piece,
            over = piece * (before + 1) - window;
  stored.first = slide.loops;
  stored.before = before;
  r.window = r.base;
  r.window_extent = r.extent;
  r.extent = arena.integer(piece);
  const auto op = [&](ir::Op o, ir::Ref a, ir::Ref b) { return ir::simplify(arena, arena.make(o, Type::i64, {a, b})); };
  const ir::Ref warm = loop_var(arena, number, warm_loop, "warm");
  r.base = op(ir::Op::Add, r.window, op(ir::Op::Sub, op(ir::Op::Mul, warm, arena.integer(piece)), arena.integer(over)));
  if (over > 0) r.base = op(ir::Op::Max, r.base, r.window);
  if (stored.folded < 0) return {};
  const std::string axis = ticked(definition_of(nest, own).axes[static_cast<std::size_t>(stored.folded)]->name);
  if (stored.folded != stored.slides)
    return no("fold_storage.loop", "no window slides along " + axis + ": later turns read all that is stored of it",
              "fold along the dimension that slides");
  for (int k = host.place(slide.loops.front()); k < host.place(slide.loops.back()); ++k)
    if (const int l = host.order[static_cast<std::size_t>(k)]; std::find(slide.loops.begin(), slide.loops.end(), l) == slide.loops.end())
      return no("fold_storage.loop", "between turns that go on along " + axis + ", " + ticked(host.loop(l).name) + " starts it anew",
                "reorder the loops, or leave it unfolded");
  if (stored.ring < window)
    return no("fold_storage.size", "a turn reads " + std::to_string(window) + " of it", "fold to " + std::to_string(window) + " or more");
  r.held = arena.integer(0);
  r.room = arena.integer(stored.ring);
  r.covers = true;
  return {};
}
}  // namespace ordo::nest
