// Footprints and traffic of a stage at each loop of its path: the loops around it, of its hosts, then its own.
#pragma once
#include <vector>
#include "ordo/metrics/uses.hpp"

namespace ordo::metrics {
struct Step {
  int stage, loop, place;
  Ref turns;
};
class Traffic {
 public:
  Traffic(Known& known, const std::vector<std::vector<Use>>& uses, int stage);
  const std::vector<Step>& path() const { return path_; }
  std::size_t hosts() const { return hosts_; }  // steps of the path that are loops of hosts
  // `fixed` steps of the path stand still: what one turn of the last of them touches and, by the stage alone, moves.
  Level level(std::size_t fixed);
  std::size_t fitting(i64 bytes);             // steps that stand still around the outermost turn that is known to fit
  std::string turn(std::size_t fixed) const;  // "C/i", "C/" for all of the outermost stage

 private:
  const nest::Stage& at(int stage) const { return known_.nest.stages[static_cast<std::size_t>(stage)]; }
  Running running(std::size_t fixed) const;
  std::vector<const Use*> inside(std::size_t fixed) const;
  void add_inside(int stage, int from, std::vector<const Use*>& to) const;
  std::size_t lives_after(const Use& use) const;  // steps around its memory; 0: it outlives all
  Ref held(const Use& use, std::size_t fixed);
  Ref turns(std::size_t steps, bool once_reduced = false);            // of the outermost steps; those of the stage's reduction left out
  Ref walked(const Use& use, std::size_t& fixed, std::size_t first);  // what stays while `fixed` goes outwards
  Ref moved(const Use& use, std::size_t fixed);
  Known& known_;
  const std::vector<std::vector<Use>>& uses_;
  int stage_;
  std::size_t hosts_ = 0;
  std::vector<Step> path_;
};
}  // namespace ordo::metrics
