#pragma once
#include <algorithm>
#include <map>
#include "ordo/nest/edit.hpp"

namespace ordo::nest {
namespace detail_apply {
inline Refusal misshapen(const Directive& d, const directive::Row& row, bool on_copy) {
  const int loops = static_cast<int>(d.loops.size());
  if (loops < row.least_loops || loops > row.most_loops) {
    const std::string wanted = row.least_loops == row.most_loops ? std::to_string(row.least_loops)
                               : row.most_loops == 1             ? "at most 1"
                                                                 : "at least " + std::to_string(row.least_loops);
    return {"schedule.arguments",
            cannot(d) + ": " + d.name + " takes " + wanted + (wanted.back() == '1' ? " loop" : " loops") + ", not " + std::to_string(loops),
            "", -1};
  }
  if (row.factors && d.factors.empty()) return {"schedule.arguments", cannot(d) + ": " + d.name + " takes at least 1 factor", "", -1};
  if (row.no_factors && !d.factors.empty())
    return {"schedule.arguments", cannot(d) + ": " + d.name + " takes no factors", "leave them out", -1};
  if (!row.tensor && !d.tensor.empty()) return {"schedule.arguments", cannot(d) + ": " + d.name + " takes no tensor", "leave it out", -1};
  if (row.tensor && d.tensor.empty()) return {"schedule.arguments", cannot(d) + ": " + d.name + " takes a tensor", "", -1};
  if (on_copy && row.on_copy == nullptr)
    return {"schedule.copy", cannot(d) + ": " + ticked(d.stage) + " is a copy, and " + d.name + " has no meaning there",
            "use unroll, vectorize, parallel or reorder on a copy", -1};
  return {};
}

inline Refusal inlined(const Directive& d, const Stage& stage) {
  if (!stage.inlined || d.name == "compute_root" || d.name == "inline_") return {};
  return {"schedule.inlined",
          cannot(d) + ": " + ticked(stage.name) + " is inlined (" + at_line("inline_", stage.line) + ") and has no loops of its own",
          "schedule the stage that reads it, or compute_root() first", -1};
}
}  // namespace detail_apply

ORDO_INLINE const directive::Row* row_of(const std::string& name) {
  for (const directive::Row& row : directive::rows)
    if (name == row.name) return &row;
  return nullptr;
}
ORDO_INLINE int stage_index(const Nest& nest, const std::string& name) {
  const auto named = [&](int n) -> const std::string& { return nest.stages[static_cast<std::size_t>(n)].name; };
  const auto it =
      std::lower_bound(nest.by_name.begin(), nest.by_name.end(), name, [&](int n, const std::string& key) { return named(n) < key; });
  return it == nest.by_name.end() || named(*it) != name ? -1 : *it;
}
ORDO_INLINE int pack_index(const Stage& stage, const std::string& name) {
  for (std::size_t k = 0; k < stage.packs.size(); ++k)
    if (stage.packs[k].name == name) return static_cast<int>(k);
  return -1;
}

ORDO_INLINE Refusal attempt(Nest& nest, const Directive& d, int number, int pack) {
  const directive::Row* row = row_of(d.name);
  if (row == nullptr) {
    std::vector<std::string> known;
    for (const directive::Row& r : directive::rows) known.push_back(r.name);
    const std::string near = did_you_mean(d.name, known);
    return {"schedule.directive", "there is no directive " + ticked(d.name), near.empty() ? "directives: " + listed(known) : near, -1};
  }
  const Stage& stage = nest.stages[static_cast<std::size_t>(number)];
  if (Refusal r = detail_apply::misshapen(d, *row, pack >= 0)) return r;
  if (Refusal r = detail_apply::inlined(d, stage)) return r;
  Edit edit{nest, d, number, pack, stage};
  if (!stage.parts.empty())
    if (Refusal r = regions_broken(edit)) return r;
  if (Refusal r = (pack >= 0 ? row->on_copy : row->apply)(edit)) return r;
  if (Refusal r = regions_broken(edit)) return r;
  if (Refusal r = recurrence_broken(edit)) return r;
  if (Refusal r = placement_broken(edit, edit.stage, number)) return r;
  if (Refusal r = check_marks(edit)) return r;
  if (Refusal r = refresh_packs(edit)) return r;
  if (Refusal r = prefetch_broken(edit)) return r;
  if (Refusal r = stores_broken(edit)) return r;
  if (Refusal r = tails_broken(edit, edit.stage, number)) return r;
  if (edit.other_number >= 0)
    if (Refusal r = tails_broken(edit, edit.other, edit.other_number)) return r;
  if (Refusal r = caches_broken(edit)) return r;
  const auto swap = [&] {
    std::swap(nest.stages[static_cast<std::size_t>(number)], edit.stage);
    if (edit.other_number >= 0) std::swap(nest.stages[static_cast<std::size_t>(edit.other_number)], edit.other);
  };
  swap();
  Placements before;
  const Refusal r = refresh_regions(edit, before);
  if (!r) return r;
  for (auto it = before.rbegin(); it != before.rend(); ++it)
    nest.stages[static_cast<std::size_t>(it->first)].placed = std::move(it->second);
  swap();
  return r;
}

namespace detail_apply {
// The region stands where its stage is.
inline Refusal attempt_in_region(Nest& nest, const Directive& d, int number) {
  Stage& stage = nest.stages[static_cast<std::size_t>(number)];
  if (d.region >= static_cast<int>(stage.parts.size()))
    return {"regions.region", cannot(d) + ": " + ticked(stage.name) + " has no region " + std::to_string(d.region),
            stage.parts.empty() ? "it is not cut into regions" : "it has " + std::to_string(stage.parts.size()), -1};
  Stage part = std::move(stage.parts[static_cast<std::size_t>(d.region)]);
  Stage whole = std::move(stage);
  stage = std::move(part);
  Directive inside = d;
  inside.region = -1;
  const Refusal r = nest::attempt(nest, inside);
  whole.parts[static_cast<std::size_t>(d.region)] = std::move(stage);
  stage = std::move(whole);
  return r;
}
}  // namespace detail_apply

ORDO_INLINE Refusal attempt(Nest& nest, const Directive& d) {
  if (d.name == "specialize") return add_variant(nest, d);
  if (!d.when.empty() && nest.special_for != d.when) {
    Nest* const variant = variant_named(nest, d.when);
    return variant == nullptr ? no_variant(nest, d) : attempt(*variant, d);
  }
  const std::size_t slash = d.stage.find('/');
  int number = stage_index(nest, d.stage), pack = -1;
  const int owner = number >= 0 ? number : slash == std::string::npos ? -1 : stage_index(nest, d.stage.substr(0, slash));
  if (owner >= 0 && d.region >= 0) return detail_apply::attempt_in_region(nest, d, owner);
  if (number < 0 && slash != std::string::npos) {
    number = stage_index(nest, d.stage.substr(0, slash));
    if (number >= 0) pack = pack_index(nest.stages[static_cast<std::size_t>(number)], d.stage.substr(slash + 1));
    if (pack < 0) number = -1;
  }
  if (number < 0) return no_stage(nest, d.stage);
  return attempt(nest, d, number, pack);
}

ORDO_INLINE void apply(Nest& nest, const Directive& d) {
  if (Refusal r = attempt(nest, d)) {
    const Nest* shown = d.name == "specialize" ? nullptr : variant_named(nest, d.when);
    if (shown == nullptr) shown = &nest;
    refuse(*shown, stage_index(*shown, d.stage.substr(0, d.stage.find('/'))), r, d.at);
  }
}

ORDO_INLINE void apply(Nest& nest, const Trace& trace, const char* recipe) {
  std::map<int, Stage> before;    // of the stages that the trace touches
  std::vector<Variant> variants;  // as they were
  const bool special = std::any_of(trace.begin(), trace.end(), [](const Directive& d) { return !d.when.empty(); });
  if (special) variants = std::move(copy(nest).variants);
  const auto keep = [&](int n) { before.try_emplace(n, nest.stages[static_cast<std::size_t>(n)]); };
  for (std::size_t k = 0; k < trace.size(); ++k) {
    const Directive& d = trace[k];
    const int number = stage_index(nest, d.stage.substr(0, d.stage.find('/')));
    if (number >= 0 && d.when.empty()) {
      keep(number);
      const int placed = nest.stages[static_cast<std::size_t>(number)].placed.stage;
      if (const int host = d.name == "compute_at" ? stage_index(nest, d.tensor) : placed; host >= 0) keep(host);
      if (d.name == "inline_" || d.name == "compute_root")
        for (const int reader : nest.stages[static_cast<std::size_t>(number)].readers) keep(reader);
    }
    const Refusal r = attempt(nest, d);
    if (!r) continue;
    const Nest* shown = d.name == "specialize" ? nullptr : variant_named(nest, d.when);
    std::string inner = text_of(shown == nullptr ? nest : *shown, number, r, {});
    inner.insert(0, "  ");
    for (std::size_t at = inner.find('\n'); at != std::string::npos; at = inner.find('\n', at + 1)) inner.insert(at + 1, "  ");
    for (auto& [n, stage] : before) std::swap(nest.stages[static_cast<std::size_t>(n)], stage);
    for (std::size_t v = 0; v < variants.size(); ++v) std::swap(nest.variants[v].nest, variants[v].nest);
    if (special) nest.variants.erase(nest.variants.begin() + static_cast<std::ptrdiff_t>(variants.size()), nest.variants.end());
    const std::string text = "directive " + std::to_string(k + 1) + " of " + std::to_string(trace.size()) +
                             (recipe != nullptr ? " of " + ticked(recipe) : "") + " does not fit this program: " + print_directive(d);
    fail("trace.fit", d.at, text.c_str(), inner.c_str());
  }
}
}  // namespace ordo::nest
