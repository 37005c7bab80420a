// The order of definitions. Those that read each other in a circle are a recurrence: they go step by step together.
#pragma once
#include <algorithm>
#include <cstring>
#include "ordo/base/soft.hpp"
#include "ordo/interp/machine.hpp"

namespace ordo::interp {
namespace detail_recurrence {
// Tarjan's strongly connected components, without recursion; a component comes after those that it reads.
class Circles {
 public:
  explicit Circles(std::vector<std::vector<u32>> reads)
      : reads_(std::move(reads)), order_(reads_.size(), 0), low_(reads_.size(), 0), open_(reads_.size(), 0) {}
  std::vector<std::vector<u32>> find() {
    for (u32 d = 0; d < reads_.size(); ++d)
      if (order_[d] == 0) visit(d);
    return std::move(found_);
  }

 private:
  struct Call { u32 at; std::size_t next; };
  void enter(u32 d) {
    order_[d] = low_[d] = ++count_;
    stack_.push_back(d);
    open_[d] = 1;
    calls_.push_back({d, 0});
  }
  void visit(u32 root) {
    enter(root);
    while (!calls_.empty()) {
      const u32 d = calls_.back().at;
      if (calls_.back().next < reads_[d].size()) {
        const u32 to = reads_[d][calls_.back().next++];
        if (order_[to] == 0) enter(to);
        else if (open_[to] != 0) low_[d] = std::min(low_[d], order_[to]);
        continue;
      }
      calls_.pop_back();
      if (!calls_.empty()) low_[calls_.back().at] = std::min(low_[calls_.back().at], low_[d]);
      if (low_[d] == order_[d]) close(d);
    }
  }
  void close(u32 d) {
    std::vector<u32> members;
    for (u32 m = d + 1; m != d;) {
      members.push_back(m = stack_.back());
      open_[m] = 0;
      stack_.pop_back();
      if (m == d) break;
    }
    std::sort(members.begin(), members.end());
    found_.push_back(std::move(members));
  }
  std::vector<std::vector<u32>> reads_, found_;
  std::vector<u32> order_, low_, stack_;
  std::vector<u8> open_;
  std::vector<Call> calls_;
  u32 count_ = 0;
};
}  // namespace detail_recurrence

ORDO_INLINE std::vector<std::vector<Machine::Recurring>> Machine::groups() const {
  std::vector<std::vector<u32>> reads(codes_.size());
  std::vector<u8> itself(codes_.size(), 0);
  for (u32 d = 0; d < codes_.size(); ++d) {
    for (const Code* code : {&codes_[d], &inits_[d]})
      for (const Read& r : code->reads)
        if (const int to = program_.tensors[r.tensor].definition; to >= 0) {
          reads[d].push_back(static_cast<u32>(to));
          itself[d] |= static_cast<u8>(static_cast<u32>(to) == d);
        }
  }
  std::vector<std::vector<Recurring>> made;
  for (const std::vector<u32>& circle : detail_recurrence::Circles(std::move(reads)).find()) {
    std::vector<Recurring> members;
    const bool recurs = circle.size() > 1 || itself[circle[0]] != 0;
    for (u32 d : circle) members.push_back({d, recurs ? scan_dimension(d, circle) : -1});
    made.push_back(std::move(members));
  }
  return made;
}
// The dimension of `definition` along which the recurrence runs: that of the axis of one of its scans.
ORDO_INLINE int Machine::scan_dimension(u32 definition, const std::vector<u32>& circle) const {
  const auto raw_of = [](const ir::Definition& d, Ref axis) -> const void* {
    for (const ir::Handle& h : d.handles)
      if (h.axis == axis) return h.raw;
    return nullptr;
  };
  const ir::Definition& d = program_.definitions[definition];
  for (const u32 m : circle) {
    const ir::Definition& scan = program_.definitions[m];
    if (scan.value->op != Op::Scan) continue;
    const Ref along = scan.value->src[0];
    const void* raw = raw_of(scan, along);
    for (std::size_t k = 0; k < d.axes.size(); ++k) {
      if (ir::axis_facts(d.axes[k]).order != ir::Order::scan) continue;
      const bool same = raw != nullptr ? raw_of(d, d.axes[k]) == raw : std::strcmp(d.axes[k]->name, along->name) == 0;
      if (same) return static_cast<int>(k);
    }
  }
  fail_internal("interp.cycle", "a definition reads itself, and no scan goes along an axis on its left");
}

ORDO_INLINE void Machine::run() {
  for (u32 d = 0; d < codes_.size(); ++d) prepare(d);
  for (const std::vector<Recurring>& members : groups()) {
    if (members.size() == 1 && members[0].axis < 0) evaluate_all(members[0].definition);
    else evaluate_recurrence(members);
  }
}
ORDO_INLINE void Machine::evaluate_recurrence(const std::vector<Recurring>& members) {
  i64 steps = 0;
  for (const Recurring& m : members) {
    Array& a = arrays_[static_cast<std::size_t>(program_.definitions[m.definition].tensor)];
    a.done.assign(static_cast<std::size_t>(a.elements), 0);
    steps = std::max(steps, a.elements == 0 ? 0 : a.shape[m.axis]);
  }
  for (i64 t = 0; t < steps; ++t)
    for (const Recurring& m : members) evaluate_slice(m, t);
  for (const Recurring& m : members) arrays_[static_cast<std::size_t>(program_.definitions[m.definition].tensor)].done.clear();
}
ORDO_INLINE void Machine::evaluate_slice(const Recurring& member, i64 t) {
  const Array& a = arrays_[static_cast<std::size_t>(program_.definitions[member.definition].tensor)];
  if (a.elements == 0 || t >= a.shape[member.axis]) return;
  i64 index[max_rank] = {}, at = t * a.stride[member.axis];
  index[member.axis] = t;
  for (;;) {
    if (a.done[static_cast<std::size_t>(at)] == 0) demand(member.definition, index);
    int d = a.rank - 1;
    for (; d >= 0; --d) {
      if (d == member.axis) continue;
      at += a.stride[d];
      if (++index[d] < a.shape[d]) break;
      at -= a.shape[d] * a.stride[d];
      index[d] = 0;
    }
    if (d < 0) return;
  }
}
ORDO_INLINE void Machine::demand(u32 definition, const i64* index) {
  Code& code = codes_[definition];
  if (code.busy) fail_internal("interp.cycle", "an element depends on itself");
  move_to(code, index);
  element(definition, index);
}
// What a recurrence reads below its first element: the value of its start, which no tensor has narrowed.
ORDO_INLINE u64 Machine::before_first(u32 definition, const i64* index) {
  Code& code = inits_[definition];
  if (code.busy) fail_internal("interp.cycle", "the start of a recurrence depends on itself");
  move_to(code, index);
  code.busy = true;
  run_region(code, code.root_region);
  code.busy = false;
  if (failed_ != 0) code.stamp.assign(code.stamp.size(), 0);
  const Type type = program_.tensors[static_cast<std::size_t>(program_.definitions[definition].tensor)].type;
  return soft::cast(compute_type(type), code.values[code.root].type, code.bits[code.root]);
}
}  // namespace ordo::interp
