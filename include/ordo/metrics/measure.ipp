#pragma once
#include <algorithm>
#include <map>
#include <utility>
#include "ordo/metrics/block.hpp"
#include "ordo/metrics/metrics.hpp"
#include "ordo/nest/edit.hpp"

namespace ordo::metrics {
namespace detail_measure {
struct CacheOf {
  const char* name;
  i64 Machine::*bytes;
};
inline constexpr CacheOf caches[] = {{"l1", &Machine::l1_bytes}, {"l2", &Machine::l2_bytes}, {"l3", &Machine::l3_bytes}};

// Turns of parallel loops, by their grains; those of hosts are shared by what runs in them.
inline void add_tasks(Known& known, const Traffic& traffic, const Machine& machine, StageMetrics& to) {
  for (const Step& step : traffic.path()) {
    const nest::Loop& l = known.nest.stages[static_cast<std::size_t>(step.stage)].loop(step.loop);
    if (l.mark != nest::Mark::parallel) continue;
    const Ref turns = known.ceil_div(step.turns, known.number(l.grain));
    to.tasks = to.tasks == nullptr ? turns : known.mul(to.tasks, turns);
  }
  const Ref tasks = to.tasks == nullptr ? known.number(1) : to.tasks, cores = known.number(std::max(1, machine.cores));
  to.balance = {tasks, known.mul(known.ceil_div(tasks, cores), cores)};
}
// What several stages touch in one turn is moved for the first of them.
struct Moved {
  std::map<std::pair<std::string, std::string>, Ref> by_turn = {};  // of a loop, a tensor
  Ref all = nullptr;
  void add(Known& known, const std::string& turn, const Level& level) {
    for (const Held& t : level.tensors) {
      const auto [it, first] = by_turn.try_emplace({turn, t.name}, t.moved);
      if (first) all = known.add(all, t.moved);
      if (first || known.least(t.moved, it->second) == t.moved) continue;
      all = known.add(all, known.sub(t.moved, it->second));
      it->second = t.moved;
    }
  }
};
}  // namespace detail_measure

ORDO_INLINE Metrics measure(const nest::Nest& nest, const Machine& machine, const std::vector<ir::KnownSize>& sizes, Where at) {
  using namespace detail_measure;
  Known known(nest, sizes, at);
  const int count = static_cast<int>(nest.stages.size());
  std::vector<std::vector<Use>> uses(nest.stages.size());
  for (int s = 0; s < count; ++s)
    if (!nest.stages[static_cast<std::size_t>(s)].inlined) uses[static_cast<std::size_t>(s)] = uses_of(known, s);
  Metrics all;
  all.operations = known.number(0);
  std::vector<Moved> moved(std::size(caches));
  for (Moved& m : moved) m.all = known.number(0);
  for (int s = 0; s < count; ++s) {
    const nest::Stage& stage = nest.stages[static_cast<std::size_t>(s)];
    if (stage.inlined) continue;
    StageMetrics& to = all.stages.emplace_back();
    to.name = stage.name;
    const Operations work = operations_of(nest, s);
    to.operations = known.mul(elements_of(known, s), known.add(known.mul(steps_of(known, s), work.steps), known.number(work.elements)));
    all.operations = known.add(all.operations, to.operations);
    Traffic traffic(known, uses, s);
    const Block block = block_of(nest, s, machine);
    const std::size_t first = traffic.hosts(), last = first + static_cast<std::size_t>(block.from);
    for (std::size_t fixed = first; fixed <= last; ++fixed) to.levels.push_back(traffic.level(fixed));
    for (std::size_t c = 0; c < std::size(caches); ++c) {
      const std::size_t around = traffic.fitting(machine.*caches[c].bytes);
      const Level level = traffic.level(around);
      to.caches.push_back({caches[c].name, machine.*caches[c].bytes, level.loop, level.moved});
      moved[c].add(known, traffic.turn(around), level);
    }
    add_tasks(known, traffic, machine, to);
    add_block(known, uses[static_cast<std::size_t>(s)], s, machine, to);
    add_tails(known, s, block, to);
  }
  for (std::size_t c = 0; c < std::size(caches); ++c) all.caches.push_back({caches[c].name, machine.*caches[c].bytes, "", moved[c].all});
  return all;
}
}  // namespace ordo::metrics
