// Regions: what one turn of a loop reads of a stage that is computed there. The hull, over all readers, of their accesses while the
// loops around stand still and the others run.
//   S[h, t] read as S[h, kb * 64 + u], u in 0..64, at loop kb:   h from h, 1 of it;   t from kb * 64, 64 of it
#pragma once
#include <algorithm>
#include <optional>
#include "ordo/ir/simplify.hpp"
#include "ordo/ir/visit.hpp"
#include "ordo/nest/edit.hpp"

namespace ordo::nest {
namespace detail_region {
inline constexpr u64 loop_flag = u64{1} << 62;
struct Span {  // low .. low + extent - 1; low == nullptr: not known
  ir::Ref low = nullptr, extent = nullptr;
};

class Regions {
 public:
  Regions(Nest& nest, int number, const Placement& placed) : nest_(nest), arena_(nest.program.arena), number_(number), placed_(placed) {}
  // "" or why not.
  std::string derive(std::vector<Region>& regions, bool& along, bool& outlives);
  // What the turns of a loop around hold together of what one of them reads.
  Region held(std::size_t dimension, const Span& read) {
    return region_of(confined(read), ir::extent_of(definition(number_).axes[dimension]));
  }
  const std::vector<Span>& spans() const { return spans_; }

 private:
  const Stage& stage(int n) const { return nest_.stages[static_cast<std::size_t>(n)]; }
  const ir::Definition& definition(int n) const { return nest_.program.definitions[static_cast<std::size_t>(stage(n).definition)]; }
  ir::Ref op(ir::Op o, ir::Ref a, ir::Ref b) { return ir::simplify(arena_, arena_.make(o, Type::i64, {a, b})); }
  ir::Ref add(ir::Ref a, ir::Ref b) { return op(ir::Op::Add, a, b); }
  ir::Ref sub(ir::Ref a, ir::Ref b) { return op(ir::Op::Sub, a, b); }
  ir::Ref times(ir::Ref a, i64 by) { return op(ir::Op::Mul, a, arena_.integer(by)); }
  ir::Ref less_one(ir::Ref a) { return sub(a, arena_.integer(1)); }
  ir::Ref size(ir::Ref e) { return ir::simplify(arena_, e); }
  ir::Ref turns(int s, int loop) {
    return loop == warm_loop ? arena_.integer(stage(s).placed.stored.before + 1) : size(stage(s).loop(loop).extent);
  }
  ir::Ref var(int s, int loop) { return loop_var(arena_, s, loop, stage(s).loop(loop).name.c_str()); }
  static i64 constant(ir::Ref e) { return e->op == ir::Op::Const ? static_cast<i64>(e->arg) : -1; }

  bool fixed(int s, int loop) const;  // around the stage
  bool some_fixed(int s, int loop) const;
  Span of_loop(int s, int loop);
  Span of_axis(int s, ir::Ref axis);
  Span of_index(int s, ir::Ref index);
  Span confined(Span span);  // without loops that are not around the stage
  Span hull(const Span& a, const Span& b);
  Span product(const Span& span, i64 by);
  ir::Ref largest(ir::Ref e);  // over all turns of all loops; nullptr: not known
  bool inside(int reader, int host, int turn) const;
  Region region_of(const Span& span, ir::Ref whole);
  std::string time_region(std::size_t d, const std::optional<Span>& in, const std::optional<Span>& out, Region& region, bool& along);
  std::string not_along(ir::Ref whole, const std::optional<Span>& in, const std::optional<Span>& out);
  i64 reach() const;      // how many steps the recurrence reads back
  bool in_place() const;  // each element reads back itself only, and is stored when all of it is computed

  Nest& nest_;
  ir::Arena& arena_;
  const int number_;
  const Placement& placed_;
  std::vector<Span> spans_ = {}; // by dimension: as read, before it is cut
};

inline bool Regions::fixed(int s, int loop) const {
  for (int host = placed_.stage, turn = placed_.turn; host >= 0; turn = stage(host).placed.turn, host = stage(host).placed.stage)
    if (host == s) return loop == warm_loop || (stage(host).place(loop) >= 0 && stage(host).place(loop) <= stage(host).place(turn));
  return false;
}
inline bool Regions::some_fixed(int s, int loop) const {
  for (const int part : parts_of(stage(s), loop))
    if (fixed(s, part)) return true;
  return false;
}
inline Span Regions::of_loop(int s, int loop) {
  const Loop& l = stage(s).loop(loop);
  const ir::Ref extent = size(l.extent);
  if (l.consumed_by == Loop::live && fixed(s, loop)) return {constant(extent) == 1 ? arena_.integer(0) : var(s, loop), arena_.integer(1)};
  const bool apart = l.consumed_by >= 0 && stage(s).relations[static_cast<std::size_t>(l.consumed_by)].op == Relation::Op::split;
  if (!apart || !some_fixed(s, loop)) return {arena_.integer(0), extent};  // of fused loops: all of it
  const Relation& r = stage(s).relations[static_cast<std::size_t>(l.consumed_by)];
  const Span outer = of_loop(s, r.outer), inner = of_loop(s, r.inner);
  ir::Ref start = op(ir::Op::Mul, outer.low, r.factor);
  if (r.tail == Tail::cover) {
    const ir::Ref first = tiles(arena_, extent, constant(r.factor), constant(r.second)).first;
    const ir::Ref later = op(ir::Op::Max, sub(outer.low, first), arena_.integer(0));
    start = add(op(ir::Op::Mul, op(ir::Op::Min, outer.low, first), r.factor), op(ir::Op::Mul, later, r.second));
  }
  if (r.tail == Tail::shift_in) start = op(ir::Op::Min, start, op(ir::Op::Max, sub(extent, r.factor), arena_.integer(0)));
  const ir::Ref low = add(start, inner.low);
  return {low, add(op(ir::Op::Mul, less_one(outer.extent), r.factor), inner.extent)};
}
inline Span Regions::product(const Span& span, i64 by) {
  if (by >= 0) return {times(span.low, by), add(times(less_one(span.extent), by), arena_.integer(1))};
  const ir::Ref reach = times(less_one(span.extent), -by);
  return {sub(times(span.low, by), reach), add(reach, arena_.integer(1))};
}
inline Span Regions::of_axis(int s, ir::Ref axis) {
  const ir::AxisFacts facts = ir::axis_facts(axis);
  Span all{arena_.integer(0), nullptr};
  for (const Root& root : stage(s).roots) {
    if (root.axis != axis) continue;
    const i64 by = root.part == ir::AxisPart::step ? std::max<i64>(facts.lanes, 1) : root.part == ir::AxisPart::block ? facts.block : 1;
    const Span part = product(of_loop(s, root.loop), by);
    all.low = add(all.low, part.low);
    all.extent = all.extent == nullptr ? part.extent : add(all.extent, less_one(part.extent));
  }
  if (all.extent == nullptr) return {};
  const ir::Definition& d = definition(s);
  for (std::size_t k = 0; k < d.axes.size() && stage(s).placed.stage >= 0; ++k) {
    if (d.axes[k] != axis) continue;
    const Region& r = stage(s).placed.regions[k];
    if (r.window != nullptr && !fixed(s, warm_loop)) return {r.window, r.window_extent};  // in a first turn all of it
    all.low = add(all.low, r.base);
  }
  return all;
}
inline Span Regions::of_index(int s, ir::Ref index) {
  const ir::Linear form = ir::linear(index);
  Span all{arena_.integer(form.constant), arena_.integer(1)};
  for (const ir::Linear::Term& term : form.terms) {
    Span part;
    const bool divided = (term.atom->op == ir::Op::FloorDiv || term.atom->op == ir::Op::Div) && constant(term.atom->src[1]) > 0;
    if (term.atom->op == ir::Op::Axis) part = of_axis(s, term.atom);
    if (term.atom->op == ir::Op::Dim) part = {term.atom, arena_.integer(1)};
    if (divided) {
      const i64 by = constant(term.atom->src[1]);
      const Span of = of_index(s, term.atom->src[0]);
      if (of.low != nullptr && (term.atom->op == ir::Op::FloorDiv || ir::provably_less_equal(arena_.integer(0), of.low))) {
        const i64 more = ir::provably_multiple(of.low, by) ? 0 : by - 1;  // where in a block it starts
        part = {op(term.atom->op, of.low, arena_.integer(by)),
                add(op(ir::Op::FloorDiv, add(less_one(of.extent), arena_.integer(more)), arena_.integer(by)), arena_.integer(1))};
      }
    }
    if (part.low == nullptr) return {};
    part = product(part, term.coefficient);
    all = {add(all.low, part.low), add(all.extent, less_one(part.extent))};
  }
  return all;
}
inline Span Regions::confined(Span span) {
  if (span.low == nullptr) return {};
  const ir::Linear form = ir::linear(span.low);
  for (const ir::Linear::Term& term : form.terms) {
    int s = -1, loop = -1;
    if (is_loop_var(term.atom, s, loop)) {
      if (fixed(s, loop)) continue;
      const ir::Ref own = times(term.atom, term.coefficient), reach = less_one(turns(s, loop));
      const Span over = product({arena_.integer(0), add(reach, arena_.integer(1))}, term.coefficient);
      span = {add(sub(span.low, own), over.low), add(span.extent, less_one(over.extent))};
      continue;
    }
    bool open = false;
    ir::visit_once(term.atom, [&](ir::Ref e) { open = open || (is_loop_var(e, s, loop) && !fixed(s, loop)); });
    if (open) return {};
  }
  return span;
}
inline Span Regions::hull(const Span& a, const Span& b) {
  if (a.low == nullptr || b.low == nullptr) return {};
  if (a.low == b.low) {
    if (ir::provably_less_equal(a.extent, b.extent)) return b;
    return ir::provably_less_equal(b.extent, a.extent) ? a : Span{};
  }
  const ir::Ref gap = sub(b.low, a.low);
  if (gap->op != ir::Op::Const) return {};
  if (static_cast<i64>(gap->arg) < 0) return hull(b, a);
  const ir::Ref end = add(b.extent, gap);
  if (ir::provably_less_equal(a.extent, end)) return {a.low, end};
  return ir::provably_less_equal(end, a.extent) ? a : Span{};
}
inline ir::Ref Regions::largest(ir::Ref e) {
  const ir::Linear form = ir::linear(e);
  ir::Ref all = arena_.integer(form.constant);
  for (const ir::Linear::Term& term : form.terms) {
    int s = -1, loop = -1;
    const bool is_var = is_loop_var(term.atom, s, loop);
    if (!is_var && term.atom->op != ir::Op::Dim) return nullptr;
    if (is_var && term.coefficient < 0) continue;
    all = add(all, times(is_var ? less_one(turns(s, loop)) : term.atom, term.coefficient));
  }
  return all;
}
// Does `reader` run inside that loop, or is it the stage that has it?
inline bool Regions::inside(int reader, int host, int turn) const {
  if (reader == host) return true;
  for (int r = reader; stage(r).placed.stage >= 0; r = stage(r).placed.stage)
    if (stage(r).placed.stage == host) return stage(host).place(stage(r).placed.turn) >= stage(host).place(turn);
  return false;
}
inline Region Regions::region_of(const Span& span, ir::Ref whole) {
  Region r;
  r.base = arena_.integer(0);
  r.extent = size(whole);
  if (span.low == nullptr) return r;
  if (ir::provably_less_equal(r.extent, span.extent)) {
    const ir::Ref last = largest(span.low);
    r.covers = last != nullptr && ir::provably_less_equal(arena_.integer(0), span.low) &&
               ir::provably_less_equal(add(last, span.extent), r.extent);
    return r;
  }
  r.base = ir::provably_less_equal(arena_.integer(0), span.low) ? span.low : op(ir::Op::Max, span.low, arena_.integer(0));
  r.extent = span.extent;
  r.covers = r.base == span.low;
  const ir::Ref last = largest(r.base);
  r.cut = last == nullptr || !ir::provably_less_equal(add(last, r.extent), size(whole));
  return r;
}

inline i64 Regions::reach() const {
  const Stage& s = stage(number_);
  i64 back = 1;
  ir::visit_once(definition(number_).value, [&](ir::Ref e) {
    if (e->op != ir::Op::Load || static_cast<int>(e->src[0]->arg) != definition(number_).tensor) return;
    back = std::max(back, -ir::linear(e->src[s.recurrence.axis + 1]).constant);
  });
  return back;
}
inline bool Regions::in_place() const {
  const Stage& s = stage(number_);
  if (s.recurrence.across) return false;
  bool reduction = false;
  for (const int n : s.order) {
    const Loop& l = s.loop(n);
    if (l.reduction && l.kind == Kind::free) return false;
    reduction = reduction || l.reduction;
    if (reduction && !l.reduction && l.mark != Mark::unrolled && l.mark != Mark::vectorized) return false;
  }
  return true;
}

// One step in each turn, when that is the last that the turn reads; else all steps anew in each turn, up to the last that it reads.
inline std::string Regions::time_region(std::size_t d, const std::optional<Span>& in, const std::optional<Span>& out, Region& region,
                                        bool& along) {
  const ir::Ref whole = size(ir::extent_of(definition(number_).axes[d])), turn = var(placed_.stage, placed_.turn);
  ir::Ref room = arena_.integer(reach() + (in_place() ? 0 : 1));
  for (const std::optional<Span>* read : {&in, &out})
    if (*read && (*read)->low != nullptr) room = op(ir::Op::Max, room, (*read)->extent);
  const std::string why = not_along(whole, in, out);
  along = why.empty();
  if (along) {
    region = {turn, arena_.integer(1), nullptr, room, false, true};
    return "";
  }
  if (!in || out) return why;
  region = {arena_.integer(0), whole, nullptr, whole, false, false};
  if (in->low == nullptr) return "";
  region.end = add(in->low, in->extent);
  region.cut = !ir::provably_equal(region.end, whole);
  if (!region.cut) region.end = nullptr;
  if (constant(room) > 0) region.kept = room, region.covers = true;
  return "";
}
inline std::string Regions::not_along(ir::Ref whole, const std::optional<Span>& in, const std::optional<Span>& out) {
  const Stage& host = stage(placed_.stage);
  const ir::Ref turn = var(placed_.stage, placed_.turn), axis = whole_axis(host, placed_.turn);
  const std::string name = ticked(host.loop(placed_.turn).name);
  if (in && (in->low == nullptr || constant(in->extent) < 0 || constant(sub(add(in->low, in->extent), turn)) != 1))
    return "what a turn of " + name + " reads of it does not end with the step of that turn";
  if (axis == nullptr || host.loop(placed_.turn).mark != Mark::serial || !ir::provably_equal(size(ir::extent_of(axis)), whole))
    return name + " is not a serial loop over a whole axis of as many steps";
  const Region* of_host = nullptr;
  for (std::size_t k = 0; k < definition(placed_.stage).axes.size() && host.placed.stage >= 0; ++k)
    if (definition(placed_.stage).axes[k] == axis) of_host = &host.placed.regions[k];
  if (of_host != nullptr && (constant(of_host->base) != 0 || !ir::provably_equal(of_host->extent, whole)))
    return name + " does not run over all steps";
  const ir::Ref last = of_host != nullptr && of_host->end != nullptr ? of_host->end : whole;
  if (out && (out->low == nullptr || constant(out->extent) < 0 || !ir::provably_equal(add(out->low, out->extent), last)))
    return "what is read of it after " + name + " does not end with the last step of that loop";
  return "";
}

inline std::string Regions::derive(std::vector<Region>& regions, bool& along, bool& outlives) {
  const Stage& own = stage(number_);
  const ir::Definition& from = definition(number_);
  const Stage& host = stage(placed_.stage);
  const bool recurs = own.recurrence.first >= 0;
  const std::size_t time = static_cast<std::size_t>(std::max(own.recurrence.axis, 0));
  std::vector<std::optional<Span>> in(from.axes.size()), out(from.axes.size());
  bool read_inside = false;
  outlives = false;
  for (const int number : final_readers(nest_, number_)) {
    const Stage& reader = stage(number);
    const bool here = inside(number, placed_.stage, placed_.turn);
    const bool sibling = reader.placed.stage == host.placed.stage && reader.placed.turn == host.placed.turn && number > placed_.stage;
    const bool after = !here && recurs && host.placed.stage >= 0 && (number == host.placed.stage || sibling);
    if (!here && !after) return ticked(reader.name) + " reads it too, and is not computed there";
    if (starts_from(nest_, reader, from.tensor)) return ticked(reader.name) + " starts from it";
    const std::vector<Access> found = accesses(nest_, reader, from.tensor);
    for (const Access& a : found) {
      if (found.size() >= 16) return ticked(reader.name) + " reads it at too many places";
      for (std::size_t d = 0; d < from.axes.size(); ++d) {
        const ir::Ref index = a.through ? a.at[d] : a.load->src[d + 1];  // in the terms of the reader; nullptr: not known
        const Span span = index == nullptr ? Span{} : confined(of_index(number, index));
        std::optional<Span>& to = (here ? in : out)[d];
        to = to ? hull(*to, span) : span;
      }
    }
    read_inside = read_inside || here;
    outlives = outlives || after;
  }
  regions.assign(from.axes.size(), {});
  spans_.assign(from.axes.size(), {});
  along = false;
  if (recurs)
    if (const std::string why = time_region(time, in[time], out[time], regions[time], along); !why.empty()) return why;
  for (std::size_t d = 0; d < from.axes.size(); ++d) {
    if (recurs && d == time) continue;
    Span span = in[d] && out[d] ? hull(*in[d], *out[d]) : in[d] ? *in[d] : *out[d];
    if (recurs && recurs_across(from, own.recurrence, d)) span = {};
    spans_[d] = span;
    regions[d] = region_of(span, ir::extent_of(from.axes[d]));
    if (along && ir::mentions(regions[d].base, var(placed_.stage, placed_.turn)))
      return "each turn of " + ticked(host.loop(placed_.turn).name) + " reads another part of it, and it reads its earlier steps";
  }
  if (outlives && !along) return "it is read after " + ticked(host.loop(placed_.turn).name) + " too";
  return "";
}
}  // namespace detail_region

ORDO_INLINE ir::Ref loop_var(ir::Arena& arena, int stage, int loop, const char* name) {
  return arena.make(ir::Op::Var, Type::i64, nullptr, 0, detail_region::loop_flag | static_cast<u64>(stage) << 24 | static_cast<u64>(loop),
                    arena.intern(name));
}
ORDO_INLINE bool is_loop_var(ir::Ref e, int& stage, int& loop) {
  if (e->op != ir::Op::Var || (e->arg & detail_region::loop_flag) == 0 || (e->arg & ir::any_value) != 0) return false;
  stage = static_cast<int>((e->arg & ~detail_region::loop_flag) >> 24);
  loop = static_cast<int>(e->arg & 0xffffff);
  return true;
}
ORDO_INLINE ir::Ref whole_axis(const Stage& s, int loop) {
  for (const Root& r : s.roots)
    if (r.loop == loop && r.part == ir::AxisPart::whole && s.loop(loop).consumed_by == Loop::live && !s.loop(loop).reduction) return r.axis;
  return nullptr;
}
ORDO_INLINE int innermost_dimension(const Stage& stage, const ir::Definition& definition) {
  for (const Root& root : stage.roots)
    for (const int part : parts_of(stage, root.loop))
      for (std::size_t d = 0; d < definition.axes.size() && stage.loop(part).mark == Mark::vectorized; ++d)
        if (definition.axes[d] == root.axis) return static_cast<int>(d);
  return static_cast<int>(definition.axes.size()) - 1;
}

ORDO_INLINE Refusal derive_regions(Nest& nest, const Edit& e, int number, Placement& placed) {
  detail_region::Regions regions(nest, number, placed);
  const std::string why = regions.derive(placed.regions, placed.along, placed.outlives);
  if (!why.empty()) return {"compute_at.reads", cannot(e.directive) + ": " + why, "leave it computed on its own", -1, placed.stage};
  if (placed.stored.loop == Storage::turn) return {};
  Placement outer = placed;
  outer.turn = placed.stored.loop;
  detail_region::Regions around(nest, number, outer);
  std::vector<Region> held;
  for (std::size_t d = 0; d < placed.regions.size(); ++d) held.push_back(around.held(d, regions.spans()[d]));
  return derive_storage(nest, e, number, placed, held);
}
}  // namespace ordo::nest
