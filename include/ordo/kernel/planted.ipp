#pragma once
#include <vector>
#include "ordo/ir/post_order.hpp"
#include "ordo/ir/simplify.hpp"
#include "ordo/ir/visit.hpp"
#include "ordo/kernel/planted.hpp"

namespace ordo::kernel {
ORDO_INLINE ir::Program with_half_lanes(const ir::Program& program) {
  ir::Program made = ir::copy(program);
  std::vector<ir::Replacement> changes;
  ir::Visited visited;
  for (const ir::Definition& d : made.definitions)
    ir::visit_once(d.value, visited, [&](ir::Ref e) {
      if (e->op != ir::Op::Axis) return;
      ir::AxisFacts facts = ir::axis_facts(e);
      if (facts.lanes <= 2) return;
      facts.lanes /= 2;
      changes.push_back({e, made.arena.make(e->op, e->type, e->src, e->count, ir::pack(facts), e->name, e->at)});
    });
  const auto changed = [&](ir::Ref e) { return ir::substitute(made.arena, e, changes.data(), changes.size()); };
  for (ir::Definition& d : made.definitions) {
    d.value = changed(d.value);
    for (ir::Handle& h : d.handles) h.axis = changed(h.axis);
  }
  return made;
}

ORDO_INLINE ir::Ref with_split_fma(Kernel& kernel, ir::Ref body, u32 number) {
  ir::Visited known;
  ir::Ref fma = nullptr;
  ir::post_order(
      body, [&](ir::Ref e) { return known.count(e) != 0; },
      [&](ir::Ref e) {
        known.insert(e);
        if (e->op == ir::Op::Fma && number > 0 && --number == 0) fma = e;
      });
  if (fma == nullptr) return body;
  const auto made = [&](ir::Op op, ir::Ref a, ir::Ref b) { return kernel.arena.make(op, fma->type, {a, b}, 0, "", {}, fma->lanes); };
  const ir::Replacement change{fma, made(ir::Op::Add, made(ir::Op::Mul, fma->src[0], fma->src[1]), fma->src[2])};
  return ir::substitute(kernel.arena, body, &change, 1);
}

ORDO_INLINE ir::Ref with_changed_coefficient(Kernel& kernel, ir::Ref body, u32 number) {
  std::vector<ir::Ref> coefficients, first;  // all; and one of each value, in order
  ir::Visited known;
  ir::post_order(
      body, [&](ir::Ref e) { return known.count(e) != 0; },
      [&](ir::Ref e) {
        known.insert(e);
        if (e->op != ir::Op::Const || !is_float(e->type) || (e->arg & (e->type == Type::f32 ? 0xffu : 0xffffu)) == 0) return;
        coefficients.push_back(e);
        for (const ir::Ref f : first)
          if (f->type == e->type && f->arg == e->arg) return;
        first.push_back(e);
      });
  if (number == 0 || number > first.size()) return body;
  const ir::Ref chosen = first[number - 1];
  std::vector<ir::Replacement> changes;
  for (const ir::Ref e : coefficients)
    if (e->type == chosen->type && e->arg == chosen->arg) changes.push_back({e, kernel.arena.constant(e->type, e->arg + 1, e->lanes)});
  return ir::substitute(kernel.arena, body, changes.data(), changes.size());
}
}  // namespace ordo::kernel
