// Directives of one stage, as a default schedule writes them.
#pragma once
#include <string>
#include <utility>
#include <vector>
#include "ordo/auto/shape.hpp"
#include "ordo/nest/nest.hpp"

namespace ordo::detail_auto {
class Writer {
 public:
  Writer(nest::Trace& trace, std::string stage) : trace_(trace), stage_(std::move(stage)) {}
  nest::Directive& add(const char* name, std::vector<std::string> loops) {
    nest::Directive d;
    d.name = name;
    d.stage = stage_;
    d.loops = std::move(loops);
    trace_.push_back(std::move(d));
    return trace_.back();
  }
  // Threads take as many turns in a row as make a task worth handing out.
  void parallel(const std::string& loop, i64 grain = 1) {
    nest::Directive& d = add("parallel", {loop});
    if (grain > 1) d.factors.push_back(std::to_string(grain));
  }
  void split(const std::string& loop, std::vector<i64> factors, Tail tail) {
    nest::Directive& d = add("split", {loop});
    for (const i64 f : factors) d.factors.push_back(std::to_string(f));
    d.tail = tail;
  }

 private:
  nest::Trace& trace_;
  std::string stage_;
};

// The first loop of an axis, or of a part of it; "" when it has none.
inline std::string loop_name(const nest::Stage& stage, ir::Ref axis, ir::AxisPart part = ir::AxisPart::whole) {
  for (const nest::Root& r : stage.roots)
    if (r.axis == axis && r.part == part) return stage.loops[static_cast<std::size_t>(r.loop)].name;
  return "";
}
// The loop whose turns threads share: the outermost that keeps all cores busy, else the one that does so best.
struct Shared {
  std::string loop;
  i64 turns;  // -1: not known, taken to be many
};
inline std::string shared_loop(const std::vector<Shared>& loops, int cores) {
  double best = 0;
  std::string found;
  for (const Shared& l : loops) {
    const i64 turns = l.turns < 0 ? 1 << 20 : l.turns < 1 ? 1 : l.turns, each = (turns + cores - 1) / cores;
    const double busy = static_cast<double>(turns) / static_cast<double>(each * cores);
    if (!found.empty() && busy < best + 0.1) continue;
    best = busy;
    found = l.loop;
  }
  return found;
}
// Constants get remainders of their own size; a size known at the call only, one masked version.
inline Tail tail_for(i64 extent, i64 factor) { return extent >= 0 && extent % factor != 0 ? Tail::peel : Tail::mask; }
}  // namespace ordo::detail_auto
