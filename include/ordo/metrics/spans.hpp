// How many elements of a dimension an index meets while some loops stand still and the others run.
#pragma once
#include <vector>
#include "ordo/metrics/known.hpp"

namespace ordo::metrics {
// Of each stage the place in its order from which on loops run; those further out stand still.
struct Running {
  std::vector<int> from;
  bool runs(int stage, int place) const { return place >= from[static_cast<std::size_t>(stage)]; }
};
struct Span {
  Ref count = nullptr;  // different values; nullptr: not known
  Ref reach = nullptr;  // from the smallest to the largest
  explicit operator bool() const { return count != nullptr; }
};
class Spans {
 public:
  Spans(Known& known, const Running& running) : known_(known), running_(running) {}
  Span of_index(int stage, Ref index);  // an expression of the stage's axes and of loops around it
  Span of_loop(int stage, int loop);    // live or not

 private:
  Span one() { return {known_.number(1), known_.number(1)}; }
  Span of_axis(int stage, Ref axis);
  Span of_atom(int stage, Ref atom);
  Span of_warm_loop(int stage);
  bool stands(int stage, int loop);  // some part of it stands still
  Span all_of_fused(int stage, const nest::Relation& r, bool outer);
  const nest::Stage& at(int stage) const { return known_.nest.stages[static_cast<std::size_t>(stage)]; }
  Known& known_;
  const Running& running_;
};
}  // namespace ordo::metrics
