#pragma once
#include <algorithm>
#include <unordered_map>
#include "ordo/auto/shape.hpp"
#include "ordo/ir/simplify.hpp"
#include "ordo/ir/visit.hpp"

namespace ordo::detail_auto {
using namespace ir;

ORDO_INLINE Read read_of(Ref load, Ref axis) {
  Read r{load, true, false};
  for (u32 d = 1; d < load->count; ++d) {
    if (!mentions(load->src[d], axis)) continue;
    r.varies = true;
    const Linear form = linear(load->src[d]);
    bool one = false;
    for (const Linear::Term& t : form.terms) one = one || (t.atom == axis && t.coefficient == 1);
    r.unit = r.unit && one && d + 1 == load->count;
  }
  return r;
}

inline bool gathers(Ref load) {          // an index depends on data: a copy would not know what to hold
  for (u32 d = 1; d < load->count; ++d)
    for (const Op from : {Op::Load, Op::State, Op::Field})
      if (first_of(load->src[d], from) != nullptr) return true;
  return false;
}

ORDO_INLINE bool copies(const Shape& s, const Read& r) {
  const auto same = [&](const Read& o) { return o.load->src[0] == r.load->src[0]; };
  return std::count_if(s.reads.begin(), s.reads.end(), same) == 1 && !r.guarded && !gathers(r.load);
}

struct Seen { Ref node; bool guarded; };
// Loads and reductions of a value; a load met both ways counts as not guarded.
inline void collect(Ref value, std::vector<Seen>& loads, std::vector<Ref>& reductions) {
  std::unordered_map<Ref, int> met;                      // 1: under a guard, 2: without one
  std::vector<Seen> work{{value, false}};
  while (!work.empty()) {
    const Seen now = work.back();
    const Ref e = now.node;
    work.pop_back();
    int& state = met[e];
    if (state >= (now.guarded ? 1 : 2)) continue;
    const bool first = state == 0;
    state = now.guarded ? 1 : 2;
    if (e->op == Op::Load) loads.push_back(now);
    bool skips = false;
    if (e->op == Op::Reduce) {
      skips = ReduceView(e).where()->op != Op::Const;
      for (u32 k = 0; first && k < ReduceView(e).facts.axes; ++k) reductions.push_back(ReduceView(e).axis(k));
    }
    const bool chooses = e->op == Op::Select || e->op == Op::And || e->op == Op::Or;
    for (u32 k = 0; k < e->count; ++k) work.push_back({e->src[k], now.guarded || skips || (chooses && k > 0)});
  }
}

ORDO_INLINE Shape shape_of(const Definition& definition) {
  Shape s;
  s.left = definition.axes;
  std::vector<Seen> loads;
  collect(definition.value, loads, s.reductions);
  if (!s.left.empty()) s.vector_axis = s.left.back();
  for (const Seen& l : loads) {
    s.reads.push_back(s.left.empty() ? Read{l.node, true, false} : read_of(l.node, s.vector_axis));
    s.reads.back().guarded = l.guarded;
    if (s.reads.back().varies && !s.reads.back().unit) s.contiguous = false;
  }
  if (s.reductions.empty() || s.left.empty()) return s;
  for (std::size_t a = s.left.size() - 1; a-- > 0 && s.row_axis == nullptr;)
    for (const Read& r : s.reads) {
      bool reduces = false;
      for (const Ref k : s.reductions) reduces = reduces || mentions(r.load, k);
      if (!r.varies || !reduces || mentions(r.load, s.left[a])) continue;
      s.row_axis = s.left[a];
      s.packable = copies(s, r) ? static_cast<int>(r.load->src[0]->arg) : -1;
      break;
    }
  return s;
}

ORDO_INLINE bool small(const Shape& s) {
  i64 elements = 1;
  for (const std::vector<Ref>* list : {&s.left, &s.reductions})
    for (const Ref axis : *list) {
      const i64 n = known(extent_of(axis));
      if (n < 0) return s.in_time;
      if (n > worth_sharing) return false;
      elements *= n == 0 ? 1 : n;
      if (elements > worth_sharing) return false;
    }
  return true;
}

ORDO_INLINE bool beyond_caches(const TensorInfo& t, const Machine& machine) {
  i64 bytes = bytes_of(t.type);
  for (const Ref extent : t.shape) {
    const i64 n = known(extent);
    if (n <= 0) return false;
    if (n > machine.l3_bytes / bytes) return true;
    bytes *= n;
  }
  return bytes > machine.l3_bytes;
}
ORDO_INLINE i64 grain_of(const Shape& s, const Machine& machine) {
  if (s.left.empty()) return 1;
  i64 elements = 1;
  for (const std::vector<Ref>* list : {&s.left, &s.reductions})
    for (const Ref axis : *list) {
      if (axis == s.left[0]) continue;
      const i64 n = known(extent_of(axis));
      if (n < 0 || n >= elements_of_a_task) return 1;
      elements *= std::max<i64>(n, 1);
      if (elements >= elements_of_a_task) return 1;
    }
  constexpr i64 tasks_of_a_core = 4;                     // so that none waits long for the last one
  const i64 rows = known(extent_of(s.left[0])), most = rows < 0 ? elements_of_a_task : rows / (tasks_of_a_core * machine.cores);
  return std::clamp<i64>(elements_of_a_task / elements, 1, std::max<i64>(most, 1));
}
ORDO_INLINE i64 known(Ref extent) { return extent->op == Op::Const ? static_cast<i64>(extent->arg) : -1; }
}  // namespace ordo::detail_auto
