// Tarjan's strongly connected components (SIAM J. Comput. 1, 1972), without recursion; then the rules of a recurrence.
#pragma once
#include "ordo/ir/draft.hpp"

namespace ordo::ir {
ORDO_INLINE Ref scan_of(const RawDefinition* definition) { return definition->value->op == Op::Scan ? definition->value : nullptr; }

ORDO_INLINE i64 lag_of(Ref index, Ref axis) {
  u64 offset = 0;
  while (index->op == Op::Add || index->op == Op::Sub) {
    const bool right = index->src[1]->op == Op::Const;
    if (!right && (index->op == Op::Sub || index->src[0]->op != Op::Const)) return -1;
    const u64 constant = index->src[right ? 1 : 0]->arg;
    offset += index->op == Op::Sub ? constant : 0 - constant;
    index = index->src[right ? 0 : 1];
  }
  const i64 lag = static_cast<i64>(offset);
  return index == axis && lag >= 0 ? lag : -1;
}

ORDO_INLINE void Draft::find_groups(const Ref* outputs, int output_count) {
  struct Frame {
    u32 node;
    std::size_t next;
  };
  const u32 none = ~u32{0};
  std::vector<u32> order(definitions.size(), none), low(definitions.size(), 0), open_nodes;
  std::vector<bool> is_open(definitions.size(), false);
  u32 counter = 0;
  std::vector<Frame> stack;
  const auto enter = [&](u32 d) {
    order[d] = low[d] = counter++;
    open_nodes.push_back(d);
    is_open[d] = true;
    stack.push_back({d, 0});
  };
  const auto close = [&](u32 d) {
    if (low[d] != order[d]) return;
    Group group;
    for (u32 member = none; member != d;) {
      member = open_nodes.back();
      open_nodes.pop_back();
      is_open[member] = false;
      group.push_back(member);
    }
    groups.emplace_back(group.rbegin(), group.rend());
  };
  for (int k = 0; k < output_count; ++k) {
    if (order[*definition_of_raw.find(outputs[k])] == none) enter(*definition_of_raw.find(outputs[k]));
    while (!stack.empty()) {
      const u32 d = stack.back().node;
      const std::vector<Ref>& reads = definitions[d].reads;
      if (stack.back().next == reads.size()) {
        stack.pop_back();
        if (!stack.empty() && low[d] < low[stack.back().node]) low[stack.back().node] = low[d];
        close(d);
        continue;
      }
      const u32* target = definition_of_raw.find(reads[stack.back().next++]);
      if (target == nullptr) continue;
      if (order[*target] == none)
        enter(*target);
      else if (is_open[*target] && order[*target] < low[d])
        low[d] = order[*target];
    }
  }
}

namespace detail_recurrence {
inline std::string quoted(Ref named) { return std::string("`") + named->name + "`"; }

struct Read {
  u32 from, to;
  i64 lag;
};  // numbers in the group

class Check {
 public:
  Check(Draft& draft, Group& group) : draft_(draft), group_(group) {
    for (u32 k = 0; k < group.size(); ++k) place_.insert(member(k).tensor, k);
  }
  void run() {
    for (u32 k = 0; k < group_.size(); ++k) check_scan(k);
    if (group_.size() == 1 && !reads_itself()) return;
    if (axis_ == nullptr) fail_without_scan();
    for (u32 k = 0; k < group_.size(); ++k) check_left(k);
    for (u32 k = 0; k < group_.size(); ++k) collect_reads(k);
    sort();
  }

 private:
  DraftDefinition& member(u32 k) { return draft_.definitions[group_[k]]; }
  bool reads_itself() {
    for (Ref read : member(0).reads)
      if (read == member(0).tensor) return true;
    return false;
  }
  int position(u32 k, Ref axis) {
    for (int d = 0; d < rank_of(member(k).tensor); ++d)
      if (member(k).raw->axes[d] == axis) return d;
    return -1;
  }
  void check_scan(u32 k) {
    const Ref scan = scan_of(member(k).raw);
    if (scan == nullptr) return;
    const Ref axis = scan->src[0];
    if (position(k, axis) < 0)
      fail("lang.recurrence", member(k).raw->at,
           (quoted(member(k).tensor) + " is a scan along " + quoted(axis) + ", which does not stand on its left").c_str());
    if (axis_ != nullptr && axis_ != axis)
      fail("lang.recurrence", member(k).raw->at,
           (quoted(member(k).tensor) + " is part of a recurrence along " + quoted(axis_) + " and scans along " + quoted(axis)).c_str());
    axis_ = axis;
  }
  [[noreturn]] void fail_without_scan() {
    const std::string name = quoted(member(0).tensor);
    const std::string what = group_.size() == 1
                                 ? name + " reads itself, and is no scan"
                                 : name + " and " + quoted(member(1).tensor) + " read each other, and none of them is a scan";
    fail("lang.recurrence", member(0).raw->at, what.c_str(),
         ("  help: " + std::string(member(0).tensor->name) + "(..., t) = scan(t, init, value);  with a Scan axis t").c_str());
  }
  void check_left(u32 k) {
    if (position(k, axis_) < 0)
      fail("lang.recurrence", member(k).raw->at,
           (quoted(member(k).tensor) + " is part of a recurrence along " + quoted(axis_) + ", which does not stand on its left").c_str());
  }
  void collect_reads(u32 k) {
    const Ref scan = scan_of(member(k).raw);
    if (scan != nullptr) walk(k, scan->src[1], true);
    walk(k, scan != nullptr ? scan->src[2] : member(k).raw->value, false);
  }
  void walk(u32 k, Ref root, bool init) {
    RefMap<u32> seen;
    std::vector<Ref> stack{root};
    while (!stack.empty()) {
      const Ref node = stack.back();
      stack.pop_back();
      if (seen.find(node) != nullptr) continue;
      seen.insert(node, 0);
      if (node->op == Op::Load) add_read(k, node, init);
      if (node->op == Op::Extent) continue;
      const u32 first = node->op == Op::Load ? 1 : 0;
      const bool size = node->op == Op::Axis || node->op == Op::Tensor;
      for (u32 s = node->count; !size && s-- > first;) stack.push_back(node->src[s]);
    }
  }
  void add_read(u32 k, Ref load, bool init) {
    const u32* target = place_.find(load->src[0]);
    if (target == nullptr) return;
    const std::string reader = quoted(member(k).tensor), read = quoted(load->src[0]);
    if (init)
      fail("lang.recurrence", load->at,
           ("the initial value of " + reader + " reads " + read + ", which is part of the recurrence").c_str());
    const i64 lag = lag_of(load->src[1 + position(*target, axis_)], axis_);
    if (lag < 0)
      fail("lang.recurrence", load->at,
           (reader + " reads " + read + ", which is part of its recurrence, at a place that is no " + quoted(axis_) + " - c").c_str(),
           "  help: c is a constant, at least 1 once around every cycle");
    if (lag > 0 && scan_of(member(*target).raw) == nullptr)
      fail("lang.recurrence", load->at,
           (reader + " reads " + read + " before its first element, and " + read + " is no scan: it has no initial value").c_str());
    reads_.push_back({k, *target, lag});
  }
  // Readers at the same place of the axis come after what they read.
  void sort() {
    std::vector<u32> waits(group_.size(), 0), ready, sorted;
    for (const Read& r : reads_) waits[r.from] += r.lag == 0;
    for (u32 k = static_cast<u32>(group_.size()); k-- > 0;)
      if (waits[k] == 0) ready.push_back(k);
    while (!ready.empty()) {
      const u32 k = ready.back();
      ready.pop_back();
      sorted.push_back(k);
      for (const Read& r : reads_)
        if (r.to == k && r.lag == 0 && --waits[r.from] == 0) ready.push_back(r.from);
    }
    if (sorted.size() < group_.size()) fail_cycle(waits);
    Group reordered;
    for (u32 k : sorted) reordered.push_back(group_[k]);
    group_ = reordered;
  }
  [[noreturn]] void fail_cycle(const std::vector<u32>& waits) {
    u32 first = 0;
    while (waits[first] == 0) ++first;
    fail("lang.recurrence", member(first).raw->at,
         (quoted(member(first).tensor) + " needs its own element: a cycle of the recurrence does not go back in " + quoted(axis_)).c_str(),
         ("  help: read one of its tensors at " + std::string(axis_->name) + " - 1").c_str());
  }
  Draft& draft_;
  Group& group_;
  RefMap<u32> place_;
  Ref axis_ = nullptr;
  std::vector<Read> reads_;
};
}  // namespace detail_recurrence

ORDO_INLINE void Draft::check_group(Group& group) { detail_recurrence::Check(*this, group).run(); }
}  // namespace ordo::ir
