// Which stages form a recurrence, along which axis, and what that asks of their loops.
#pragma once
#include <algorithm>
#include "ordo/ir/visit.hpp"
#include "ordo/nest/edit.hpp"

namespace ordo::nest {
namespace detail_recurrence {
inline std::vector<ir::Ref> loads(ir::Ref value) {
  std::vector<ir::Ref> found;
  ir::visit_once(value, [&](ir::Ref e) {
    if (e->op == ir::Op::Load) found.push_back(e);
  });
  return found;
}
inline int definition_read(const ir::Program& program, ir::Ref load) { return program.tensor_of(load).definition; }
inline int axis_in(const ir::Definition& d, ir::Ref expression) {
  for (std::size_t k = 0; k < d.axes.size(); ++k)
    if (ir::mentions(expression, d.axes[k])) return static_cast<int>(k);
  return -1;
}

// The axis of a scan is written there; who reads a member at `t - c` goes along t too.
inline void find_axes(const ir::Program& program, std::vector<Recurrence>& found, int first, int last) {
  const auto at = [&](int d) -> Recurrence& { return found[static_cast<std::size_t>(d)]; };
  const auto definition = [&](int d) -> const ir::Definition& { return program.definitions[static_cast<std::size_t>(d)]; };
  int unknown = 0;
  for (int d = first; d <= last; ++d) {
    at(d).first = first;
    at(d).last = last;
    if (definition(d).value->op == ir::Op::Scan) at(d).axis = axis_in(definition(d), definition(d).value->src[0]);
    else ++unknown;
  }
  for (bool moved = true; unknown > 0 && moved;) {
    moved = false;
    for (int d = first; d <= last; ++d) {
      if (at(d).axis >= 0) continue;
      for (const ir::Ref load : loads(definition(d).value)) {
        const int read = definition_read(program, load);
        if (read < first || read > last || at(read).axis < 0) continue;
        at(d).axis = axis_in(definition(d), load->src[at(read).axis + 1]);
        moved = true;
        --unknown;
        break;
      }
    }
  }
  if (unknown > 0) fail_internal("nest.verify", "a recurrence has an axis");
}

inline Refusal together_broken(const Edit& e) {
  const Stage& s = e.stage;
  const int time = s.recurrence.time;
  if (s.order.front() == time && s.loop(time).mark == Mark::serial) return {};
  std::vector<std::string> names;
  for (int n = s.recurrence.first; n <= s.recurrence.last; ++n) names.push_back(e.nest.stages[static_cast<std::size_t>(n)].name);
  return {
      "recurrence.together",
      cannot(e.directive) + ": " + listed(names) + " form one recurrence and go through " + name_of(s, time) + " together, step by step",
      "leave " + name_of(s, time) + " outermost, whole and serial, and schedule the loops inside it", time};
}
}  // namespace detail_recurrence

ORDO_INLINE std::vector<Recurrence> recurrences(const ir::Program& program) {
  using namespace detail_recurrence;
  const int count = static_cast<int>(program.definitions.size());
  std::vector<Recurrence> found(static_cast<std::size_t>(count));
  std::vector<int> last_read;
  for (const ir::Definition& d : program.definitions) {
    last_read.push_back(-1);
    for (const ir::Ref load : loads(d.value)) last_read.back() = std::max(last_read.back(), definition_read(program, load));
  }
  for (int first = 0; first < count;) {  // definitions that read forward, up to the last one read: as ir::stages leaves them
    int last = first;
    bool recurs = false;
    for (int d = first; d <= last; ++d) {
      last = std::max(last, last_read[static_cast<std::size_t>(d)]);
      recurs = recurs || last_read[static_cast<std::size_t>(d)] >= d;
    }
    if (recurs) find_axes(program, found, first, last);
    first = last + 1;
  }
  return found;
}

ORDO_INLINE bool recurs_across(const ir::Definition& definition, const Recurrence& recurrence, std::size_t axis) {
  if (static_cast<int>(axis) == recurrence.axis) return false;
  for (const ir::Ref load : detail_recurrence::loads(definition.value))
    if (static_cast<int>(load->src[0]->arg) == definition.tensor && load->src[axis + 1] != definition.axes[axis]) return true;
  return false;
}

ORDO_INLINE bool starts_from(const Nest& nest, const Stage& stage, int tensor) {
  const auto stage_of = [&](int t) { return nest.program.tensors[static_cast<std::size_t>(t)].definition; };
  for (int n = stage.recurrence.first; n >= 0 && n <= stage.recurrence.last; ++n) {
    const ir::Ref value = nest.program.definitions[static_cast<std::size_t>(n)].value;
    if (value->op != ir::Op::Scan) continue;
    for (const int read : reads_of(value->src[1])) {
      if (read == tensor) return true;
      if (stage_of(read) < 0 || !nest.stages[static_cast<std::size_t>(stage_of(read))].inlined) continue;
      const std::vector<int> below = reads_through(nest, stage_of(read));
      if (std::find(below.begin(), below.end(), tensor) != below.end()) return true;
    }
  }
  return false;
}

// Time runs outside every loop whose turns read one another, and outside every reduction: an element is finished in its turn.
ORDO_INLINE Refusal recurrence_broken(const Edit& e) {
  const Stage& s = e.stage;
  if (s.recurrence.first < 0) return {};
  if (s.recurrence.together()) return detail_recurrence::together_broken(e);
  const ir::Definition& definition = definition_of(e.nest, s);
  const std::vector<int> times = parts_of(s, s.recurrence.time);
  const int time = times.back(), last_time = s.place(time);
  const auto inside = [&](const char* code, const std::string& why, int loop) {
    return Refusal{code,
                   cannot(e.directive) + ": " + why + ", so " + name_of(s, loop) + " cannot run outside " + name_of(s, time) + " (" +
                       kind_of(s, time) + ")",
                   "keep " + name_of(s, time) + " outside " + name_of(s, loop), loop};
  };
  for (std::size_t k = 0; k < definition.axes.size(); ++k) {
    if (!recurs_across(definition, s.recurrence, k)) continue;
    for (const int loop : loops_of(s, definition.axes[k]))
      if (s.place(loop) <= last_time)
        return inside("reorder.recurrence", ticked(s.name) + " reads itself at other places of " + ticked(definition.axes[k]->name), loop);
  }
  for (int place = 0; place < last_time; ++place) {
    const int loop = s.order[static_cast<std::size_t>(place)];
    if (s.loop(loop).reduction)
      return inside("recurrence.reduction",
                    "the elements of " + ticked(s.name) + " are finished one step of " + name_of(s, time) + " after the other", loop);
    if (s.loop(loop).mark == Mark::vectorized)
      return inside("recurrence.vectorized", "the lanes of a vector go through each step of " + name_of(s, time) + " at once", loop);
  }
  return {};
}
}  // namespace ordo::nest
