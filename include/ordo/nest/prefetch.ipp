// Asks the caches for what a stage's reads of a tensor will find some turns of a loop later.
//   before: for i 0..M                              after: for i 0..M                    prefetch(X, i, 2)
//             for j 0..N                                     prefetch X, 2 ahead
//                                                            for j 0..N
// Keeps: every value; a prefetch reads nothing that a program sees, and an address outside of the tensor is no error.
#pragma once
#include <algorithm>
#include "ordo/nest/body.hpp"

namespace ordo::nest {
namespace detail_prefetch {
inline Refusal no(const Edit& e, const char* code, const std::string& why, const std::string& help, int arrow = -1) {
  return {code, cannot(e.directive) + ": " + why, help, arrow};
}
inline Refusal find_tensor(const Edit& e, int& tensor) {
  std::vector<std::string> read;
  for (const int t : reads_through(e.nest, e.number)) read.push_back(e.nest.names[static_cast<std::size_t>(t)]);
  const auto it = std::find(e.nest.names.begin(), e.nest.names.end(), e.directive.tensor);
  const std::string near = did_you_mean(e.directive.tensor, read), by = ticked(e.stage.name);
  if (it == e.nest.names.end())
    return no(e, "prefetch.tensor", ticked(e.directive.tensor) + " is no tensor of this program",
              !near.empty() ? near : by + " reads " + listed(read));
  tensor = static_cast<int>(it - e.nest.names.begin());
  if (std::find(read.begin(), read.end(), e.directive.tensor) == read.end())
    return no(e, "prefetch.tensor", by + " does not read it", read.empty() ? by + " reads no tensor" : by + " reads " + listed(read));
  for (const Prefetch& p : e.stage.prefetches)
    if (p.tensor == tensor)
      return no(e, "prefetch.twice", "it is prefetched already (" + at_line("prefetch", p.line) + ")", "prefetch a tensor along one loop",
                p.loop);
  return {};
}
// Which of its reads follow the loop; their places must be known ahead.
inline Refusal bad_access(const Edit& e, int tensor, int loop) {
  bool follows = false;
  for (const Access& a : accesses(e.nest, e.stage, tensor)) {
    if (a.gather) return no(e, "prefetch.access", "its indices depend on data", "prefetch a tensor that is indexed by loops alone", loop);
    for (const ir::Ref axis : a.axes) {
      const std::vector<int> of = loops_of(e.stage, axis);
      follows = follows || std::find(of.begin(), of.end(), loop) != of.end();
    }
  }
  if (follows) return {};
  return no(e, "prefetch.loop", name_of(e.stage, loop) + " does not index it: each turn reads the same elements",
            "prefetch along a loop that indexes it", loop);
}
inline Refusal read_distance(Edit& e, int loop, ir::Ref& distance) {
  std::string wrong;
  distance = e.directive.factors.size() == 1 ? parse_size(e.nest, e.directive.factors[0], wrong) : nullptr;
  if (distance == nullptr)
    return no(e, "prefetch.distance", wrong.empty() ? "it has one distance" : wrong, "a distance is an integer or an expression of Dims",
              loop);
  if (at_least_one(e.nest, distance)) return {};
  return no(e, "prefetch.distance", "a distance is at least 1 turn", "use a distance from 1 on", loop);
}
// Why a tensor is not where a prefetch would look for it, or "".
inline std::string elsewhere(const Edit& e, int tensor) {
  const int producer = e.nest.program.tensors[static_cast<std::size_t>(tensor)].definition;
  if (producer == e.stage.definition) return "it is the stage's own";
  if (producer >= 0) {
    const Stage& from = e.nest.stages[static_cast<std::size_t>(producer)];
    if (from.inlined) return "it is inlined (" + at_line("inline_", from.line) + ") and never stored";
    if (from.placed.stage >= 0)
      return "it is computed in the turns of " + ticked(e.nest.stages[static_cast<std::size_t>(from.placed.stage)].name) + " (" +
             at_line("compute_at", from.placed.line) + ") and not there before";
    if (e.stage.recurrence.first >= 0 && producer >= e.stage.recurrence.first && producer <= e.stage.recurrence.last)
      return "it is part of the same recurrence and not there before";
  }
  for (const Pack& p : e.stage.packs)
    if (p.tensor == tensor) return "it is read from the copy " + ticked(p.name) + " (" + at_line("pack", p.line) + ")";
  return "";
}
}  // namespace detail_prefetch

ORDO_INLINE Refusal directive::prefetch(Edit& e) {
  using namespace detail_prefetch;
  int loop = -1, tensor = -1;
  ir::Ref distance = nullptr;
  if (Refusal r = find_tensor(e, tensor)) return r;
  if (const std::string why = elsewhere(e, tensor); !why.empty())
    return no(e, "prefetch.tensor", why, "prefetch what is stored before " + ticked(e.stage.name) + " runs");
  if (Refusal r = find_loop(e, e.directive.loops[0], loop)) return r;
  if (e.stage.loop(loop).mark == Mark::vectorized)
    return no(e, "prefetch.loop", "its turns run at once (" + at_line("vectorize", e.stage.loop(loop).marked) + ")",
              "prefetch along a loop outside it", loop);
  if (Refusal r = bad_access(e, tensor, loop)) return r;
  if (Refusal r = read_distance(e, loop, distance)) return r;
  e.stage.prefetches.push_back({tensor, loop, distance, e.directive.at});
  return {};
}

// Of the stage at hand, and of those that read it when it moves.
ORDO_INLINE Refusal prefetch_broken(const Edit& e) {
  const auto broken = [&](const Stage& s, const Prefetch& p, const std::string& why) {
    return Refusal{"schedule.prefetch",
                   cannot(e.directive) + ": " + ticked(e.nest.names[static_cast<std::size_t>(p.tensor)]) + " is prefetched in " +
                       ticked(s.name) + " (" + at_line("prefetch", p.line) + "), " + why,
                   "schedule it first, and prefetch last", -1};
  };
  for (const Pack& pack : e.stage.packs)
    for (const Prefetch& p : e.stage.prefetches)
      if (p.tensor == pack.tensor) return broken(e.stage, p, "and would be read from a copy");
  if (!e.stage.inlined && e.stage.placed.stage < 0) return {};
  const int own = definition_of(e.nest, e.stage).tensor;
  const std::vector<int> below = e.stage.inlined ? reads_through(e.nest, e.number) : std::vector<int>{};
  for (const int reader : final_readers(e.nest, e.number)) {
    const Stage& s = e.nest.stages[static_cast<std::size_t>(reader)];
    for (const Prefetch& p : s.prefetches)
      if (p.tensor == own || std::find(below.begin(), below.end(), p.tensor) != below.end())
        return broken(s, p, p.tensor == own ? "and would not be stored before" : "and " + ticked(e.stage.name) + " reads it too");
  }
  return {};
}

ORDO_INLINE void prefetch(const StageHandle* s, ir::Ref raw_tensor, ir::Ref loop, ir::Ref distance, Where at) {
  Call call(s, "prefetch", at);
  call.tensor(raw_tensor);
  call.loop(loop);
  call.factor(distance);
  call.apply();
}
}  // namespace ordo::nest
