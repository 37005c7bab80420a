// Cuts a loop over an axis of the output at given places; each region has loops of its own, scheduled on their own.
//   before: Y: for i 0..N, for j 0..M              regions(i, {1, N - 1}, [&](int region) { if (region == 1) s.vectorize(...); })
//   after:  Y: i from 0: for i 0..1, for j 0..M; i from 1: for i 0..N - 2, for j 0..M; i from N - 1: for i 0..1, for j 0..M
// Keeps: every element is in one region, and computed there with all of its reductions. Places are brought into order: one below the
// place before it, or past the end, makes an empty region.
#pragma once
#include <algorithm>
#include "ordo/ir/simplify.hpp"
#include "ordo/nest/body.hpp"

namespace ordo::nest {
namespace detail_regions {
inline Refusal no(const Edit& e, const std::string& why, const std::string& help, int arrow) {
  return {"regions.loop", cannot(e.directive) + ": " + why, help, arrow};
}
inline Refusal unfit(const Edit& e, int loop) {
  const Stage& s = e.stage;
  if (s.part) return no(e, "it is a region already", "name all places at once", loop);
  if (s.recurrence.first >= 0) return no(e, ticked(s.name) + " is a recurrence, whose steps go through all of it", "leave it whole", loop);
  if (s.placed.stage >= 0 || !s.guests.empty())
    return no(e, "stages are computed in turns of one another's loops", "cut stages that stand on their own", loop);
  for (const Pack& p : s.packs)
    if (p.options.constant)
      return no(e, ticked(p.name) + " is copied once for all calls (" + at_line("pack", p.line) + ")", "copy it in each call", loop);
  if (whole_axis(s, loop) == nullptr)
    return no(e, "it is no whole axis of the output",
              s.loop(loop).reduction ? "cut an axis of the output" : "cut the axis before it is split or fused", loop);
  return {};
}
}  // namespace detail_regions

ORDO_INLINE Refusal directive::regions(Edit& e) {
  using namespace detail_regions;
  int loop = -1;
  if (Refusal r = find_loop(e, e.directive.loops[0], loop)) return r;
  if (Refusal r = not_serial(e, loop)) return r;
  if (Refusal r = pinned(e, loop)) return r;
  if (Refusal r = unfit(e, loop)) return r;
  ir::Arena& arena = e.nest.program.arena;
  const auto op = [&](ir::Op o, ir::Ref a, ir::Ref b) { return ir::simplify(arena, arena.make(o, Type::i64, {a, b})); };
  const auto larger = [&](ir::Ref a, ir::Ref b) { return ir::provably_less_equal(a, b) ? b : op(ir::Op::Max, a, b); };
  const auto smaller = [&](ir::Ref a, ir::Ref b) { return ir::provably_less_equal(a, b) ? a : op(ir::Op::Min, a, b); };
  const ir::Ref whole = e.stage.loop(loop).extent;
  std::vector<ir::Ref> places{arena.integer(0)};
  for (const std::string& text : e.directive.factors) {
    std::string wrong;
    const ir::Ref place = parse_size(e.nest, text, wrong);
    if (place == nullptr)
      return {"regions.place", cannot(e.directive) + ": " + wrong, "a place is an integer or an expression of Dims", loop};
    places.push_back(larger(places.back(), smaller(ir::simplify(arena, place), whole)));
  }
  places.push_back(whole);
  std::vector<Stage> parts;
  for (std::size_t k = 0; k + 1 < places.size(); ++k) {
    Stage part = e.stage;
    part.part = true;
    part.loop(loop).extent = op(ir::Op::Sub, places[k + 1], places[k]);
    for (Root& root : part.roots)
      if (root.loop == loop) root.base = places[k];
    parts.push_back(std::move(part));
  }
  e.stage.parts = std::move(parts);
  e.stage.cut = e.directive.at;
  return {};
}

// What is not done to a stage that has regions, to one of them, or to what a stage with regions reads.
ORDO_INLINE Refusal regions_broken(const Edit& e) {
  const Directive& d = e.directive;
  const auto no = [&](const std::string& why, const std::string& help) { return Refusal{"regions.cut", cannot(d) + ": " + why, help, -1}; };
  const auto cut = [&](const Stage& s) { return ticked(s.name) + " is cut into regions (" + at_line("regions", s.cut) + ")"; };
  const Stage& was = e.nest.stages[static_cast<std::size_t>(e.number)];
  if (!was.parts.empty()) return no(cut(was), "schedule each region inside regions(...)");
  const bool moves =
      d.name == "inline_" || d.name == "compute_at" || d.name == "compute_root" || d.name == "store_at" || d.name == "fold_storage";
  if (was.part && moves) return no("it is one region of " + ticked(was.name), "do that before regions");
  if (was.part && d.name == "align")
    return no("a promise is of all of an argument, not of what one region touches", "promise it before regions");
  if (was.part && d.name == "pack" && d.pack.constant)
    return no("a copy for all calls would be made in one region", "copy it in each call");
  if (!moves) return {};
  std::vector<int> touched = e.stage.readers;
  if (e.other_number >= 0) touched.push_back(e.other_number);
  for (const int n : touched)
    if (const Stage& s = e.nest.stages[static_cast<std::size_t>(n)]; s.part || !s.parts.empty())
      return no(s.part ? ticked(s.name) + " is being cut into regions" : cut(s), "do that before regions");
  return {};
}

ORDO_INLINE void not_in_region(const Body* body, const char* verb, Where at) {
  refuse(body->nest, body->region_of,
         {"regions.open",
          std::string("cannot ") + verb + ": region " + std::to_string(body->region) + " of " +
              ticked(body->nest.stages[static_cast<std::size_t>(body->region_of)].name) + " is being written",
          "do that before regions(...), or after it", -1},
         at);
}
ORDO_INLINE void regions(const StageHandle* s, ir::Ref loop, const ir::Ref* places, int count, Where at) {
  Body& body = *s->body;
  if (body.region >= 0) not_in_region(&body, "cut into regions", at);
  Call call(s, "regions", at);
  call.loop(loop);
  for (int k = 0; k < count; ++k) call.factor(places[k]);
  const Body::Before before = body.now();
  std::vector<Stage> uncut = body.nest.stages;
  call.apply();
  body.uncut.swap(uncut);
  body.before_cut = before;
}
ORDO_INLINE void begin_region(const StageHandle* s, int region) {
  Body& body = *s->body;
  Stage& stage = body.nest.stages[static_cast<std::size_t>(s->stage)];
  Stage part = std::move(stage.parts[static_cast<std::size_t>(region)]);
  body.whole = std::make_unique<Stage>(std::move(stage));
  stage = std::move(part);
  body.region = region;
  body.region_of = s->stage;
  body.region_scope = body.begin_scope("region " + std::to_string(region) + " of " + ticked(stage.name) +
                                       (body.when.empty() ? "" : " in " + body.scopes[static_cast<std::size_t>(body.variant_scope)]));
}
ORDO_INLINE void end_region(const StageHandle* s, bool done) {
  Body& body = *s->body;
  Stage& stage = body.nest.stages[static_cast<std::size_t>(s->stage)];
  body.whole->parts[static_cast<std::size_t>(body.region)] = std::move(stage);
  stage = std::move(*body.whole);
  body.whole.reset();
  body.region = body.region_of = -1;
  body.region_scope = Body::general_scope;
  if (done) return;
  body.nest.stages.swap(body.uncut);     // directives in the region may be of other stages
  body.undo(body.before_cut);
}
}  // namespace ordo::nest
