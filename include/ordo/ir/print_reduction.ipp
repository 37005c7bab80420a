#pragma once
#include "ordo/ir/printer.hpp"
#include "ordo/ir/spelling.hpp"
#include "ordo/ir/text.hpp"

namespace ordo::ir {
ORDO_INLINE void Printer::axis(Ref a) {
  const AxisFacts f = axis_facts(a);
  const std::string lanes = "lanes<" + std::to_string(f.lanes) + ">";
  switch (f.order) {
    case Order::free: case Order::cut_outer: case Order::cut_inner: break;
    case Order::scan: say("scan "); break;
    case Order::chain: say("chain "); break;
    case Order::any: say("any "); break;
    case Order::lanes: say(lanes + " "); break;
    case Order::blocks: say("blocks<" + std::to_string(f.block) + (f.lanes > 1 ? ", " + lanes : "") + "> "); break;
  }
  say(name_of_local(a, *a->name != '\0' ? a->name : f.order == Order::free || f.order == Order::scan ? "i" : "k"));
}
ORDO_INLINE void Printer::axes(const ReduceView& v) {
  if (v.facts.axes != 1) say("{");
  for (u32 k = 0; k < v.facts.axes; ++k) {
    if (k > 0) say(", ");
    axis(v.axis(k));
    if (extent_of(v.axis(k)) == nullptr) continue;
    say(" < ");
    expression(extent_of(v.axis(k)), 4);
  }
  if (v.facts.axes != 1) say("}");
}

ORDO_INLINE void Printer::field(Ref e) {
  const Sugar s = sugar(e->src[0]);
  if (s.found) return fold(e->src[0], s);
  expression(e->src[0], 7);
  say("#" + std::to_string(e->arg));
}

// A product is a step by fma; any other summand that looks like one says that it is not.
ORDO_INLINE void Printer::fold(Ref reduce, const Sugar& s) {
  const ReduceView v(reduce);
  say(std::string(name_of(s.fold)) + "(");
  axes(v);
  say(", ");
  if (s.term == nullptr) {
    expression(s.x, 5);
    say(" * ");
    expression(s.y, 6);
  } else if (s.fold == Fold::sum && (s.term->op == Op::Unfused || (s.term->op == Op::Mul && is_float(s.term->type)))) {
    say("unfused(");
    expression(s.term);
    say(")");
  } else {
    expression(s.term);
  }
  const Ref init = v.init(0);
  if (init->op != Op::Const || init->arg != zero_of(s.fold, init->type)) {
    say(", from ");
    expression(init);
  }
  if (!is_true(v.where())) {
    say(", where ");
    expression(v.where());
  }
  say(")");
}

ORDO_INLINE void Printer::reduce(Ref e) {
  const ReduceView v(e);
  const auto parts = [&](bool named, auto name, auto value) {
    for (u32 k = 0; k < v.facts.fields; ++k) {
      if (k > 0) say(", ");
      if (named) say(name_of_local(name(k), (name(k) == v.state(k) ? "s" : "o") + std::to_string(k)) + " = ");
      expression(value(k));
    }
    say(")");
  };
  say("reduce(");
  axes(v);
  say(", init(");
  parts(true, [&](u32 k) { return v.state(k); }, [&](u32 k) { return v.init(k); });
  say(", step(");
  parts(false, [&](u32 k) { return v.state(k); }, [&](u32 k) { return v.step(k); });
  if (v.facts.merge) {
    say(", merge(");
    for (u32 k = 0; k < v.facts.fields; ++k) say((k > 0 ? ", " : "") + name_of_local(v.other(k), "o" + std::to_string(k)));
    say(": ");
    parts(false, [&](u32 k) { return v.other(k); }, [&](u32 k) { return v.merged(k); });
  }
  if (!is_true(v.where())) {
    say(", where ");
    expression(v.where());
  }
  say(v.facts.free ? ", free)" : ")");
}
}  // namespace ordo::ir
