// Which axes and states a raw expression mentions and does not bind itself. Sets are interned: equal sets, one number.
#pragma once
#include <vector>
#include "ordo/ir/form.hpp"

namespace ordo::ir {
class BoundNames {
 public:
  using Set = u32;  // 0: the empty one
  BoundNames();
  Set of(Ref raw);  // each raw node once; codes lang.state, lang.axis for reductions bound wrongly
  Set unite(Set a, Set b);
  bool contains(Set set, Ref name);
  bool subset(Set a, Set b) const;
  std::vector<Ref> members(Set set) const;

 private:
  using Numbers = std::vector<u32>;  // ascending
  Set intern(const Numbers& numbers);
  u32 number_of(Ref name);
  Set compute(Ref raw);
  Set sources(Ref raw, u32 first, u32 last);
  Set reduction(Ref reduce);
  void check_reduction(Ref reduce, Set body, Set merge);
  Set without(Set set, const std::vector<Ref>& names);
  RefMap<Set> known_;
  RefMap<u32> numbers_;
  std::vector<Ref> names_;
  std::vector<Numbers> sets_;
  std::vector<u32> table_;  // open addressing over sets_, entry = set + 1
  struct Union {
    Set a, b, result;
  };
  std::vector<Union> recent_;  // direct mapped
};

// The names that a raw Reduce binds: its axes, the axes that were cut into them, its states.
std::vector<Ref> axes_bound_by(Ref raw_reduce);
// The axes and states that a raw expression mentions and does not bind, in reading order.
std::vector<Ref> free_names(Ref raw);
}  // namespace ordo::ir
