#pragma once
#include "ordo/ir/draft.hpp"

namespace ordo::ir {
ORDO_INLINE void Draft::add_group(const Group& group) {
  for (u32 member : group) {
    check_scope(definitions[member]);
    definitions[member].number = add_tensor(definitions[member].tensor, false);
  }
  resolve(group);
  for (u32 member : group) translate(*this, definitions[member]);
}

namespace detail_snapshot {
inline void check_open(const Draft& draft) {
  if (draft.open.empty()) return;
  for (const DraftDefinition& d : draft.definitions)
    for (Ref read : d.reads)
      if (read == draft.open[0])
        fail("lang.undefined", draft.program.at,
             (std::string("`") + read->name + "` is read by `" + d.tensor->name + "` and is neither an input nor defined").c_str(),
             (std::string("  help: inputs(..., ") + read->name + ")").c_str());
  fail("lang.undefined", draft.program.at, (std::string("`") + draft.open[0]->name + "` is neither an input nor defined").c_str());
}
}  // namespace detail_snapshot

ORDO_INLINE Program snapshot(const Ref* inputs, int input_count, const Ref* outputs, int output_count, Where at, bool open_arguments) {
  Draft draft;
  draft.program.at = at;
  draft.open_dims = open_arguments;
  draft.gather(inputs, input_count, outputs, output_count);
  if (!open_arguments) detail_snapshot::check_open(draft);
  draft.find_groups(outputs, output_count);
  for (std::size_t g = 0; g < draft.groups.size(); ++g) {
    draft.check_group(draft.groups[g]);
    for (u32 member : draft.groups[g]) draft.definitions[member].group = static_cast<int>(g);
  }
  draft.bind_arguments(inputs, input_count, outputs, output_count);
  for (const Group& group : draft.groups) draft.add_group(group);
  draft.number_outputs(outputs, output_count);
#if !defined(NDEBUG)
  verify(draft.program);
#endif
  return std::move(draft.program);
}
}  // namespace ordo::ir
