#pragma once
#include <unordered_map>
#include "ordo/auto/shape.hpp"
#include "ordo/ir/simplify.hpp"

namespace ordo::detail_auto {
using namespace ir;

inline Read read_of(Ref load, Ref axis) {
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

ORDO_INLINE Shape shape_of(const ir::Program& program, const Definition& definition) {
  Shape s;
  s.left = definition.axes;
  std::vector<Ref> work{definition.value}, loads;
  std::unordered_map<Ref, bool> seen;
  while (!work.empty()) {
    const Ref e = work.back();
    work.pop_back();
    if (!seen.emplace(e, true).second) continue;
    if (e->op == Op::Reduce)
      for (u32 k = 0; k < ReduceView(e).facts.axes; ++k) s.reductions.push_back(ReduceView(e).axis(k));
    if (e->op == Op::Load) loads.push_back(e);
    work.insert(work.end(), e->src, e->src + e->count);
  }
  if (s.left.empty()) return s;
  s.vector_axis = s.left.back();
  for (const Ref l : loads) {
    s.reads.push_back(read_of(l, s.vector_axis));
    if (s.reads.back().varies && !s.reads.back().unit) s.contiguous = false;
  }
  if (s.reductions.empty()) return s;
  for (std::size_t a = s.left.size() - 1; a-- > 0 && s.row_axis == nullptr;)
    for (const Read& r : s.reads) {
      bool reduces = false;
      for (const Ref k : s.reductions) reduces = reduces || mentions(r.load, k);
      if (!r.varies || !reduces || mentions(r.load, s.left[a])) continue;
      s.row_axis = s.left[a];
      int same = 0;
      for (const Read& o : s.reads) same += o.load->src[0] == r.load->src[0];
      s.packable = same == 1 ? static_cast<int>(r.load->src[0]->arg) : -1;
      break;
    }
  (void)program;
  return s;
}

ORDO_INLINE i64 known(Ref extent) { return extent->op == Op::Const ? static_cast<i64>(extent->arg) : -1; }
}  // namespace ordo::detail_auto
