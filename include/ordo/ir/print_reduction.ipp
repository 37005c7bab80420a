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
    case Order::scan: text += "scan "; break;
    case Order::chain: text += "chain "; break;
    case Order::any: text += "any "; break;
    case Order::lanes: text += lanes + " "; break;
    case Order::blocks: text += "blocks<" + std::to_string(f.block) + (f.lanes > 1 ? ", " + lanes : "") + "> "; break;
  }
  text += name_of_local(a, *a->name != '\0' ? a->name : f.order == Order::free || f.order == Order::scan ? "i" : "k");
}
ORDO_INLINE void Printer::axes(const ReduceView& v) {
  if (v.facts.axes != 1) text += "{";
  for (u32 k = 0; k < v.facts.axes; ++k) {
    if (k > 0) text += ", ";
    axis(v.axis(k));
    if (extent_of(v.axis(k)) == nullptr) continue;
    text += " < ";
    expression(extent_of(v.axis(k)), 4);
  }
  if (v.facts.axes != 1) text += "}";
}

ORDO_INLINE void Printer::field(Ref e) {
  const Sugar s = sugar(e->src[0]);
  if (s.found) return fold(e->src[0], s);
  expression(e->src[0], 7);
  text += "#" + std::to_string(e->arg);
}

// A product is a step by fma; any other summand that looks like one says that it is not.
ORDO_INLINE void Printer::fold(Ref reduce, const Sugar& s) {
  const ReduceView v(reduce);
  text += std::string(name_of(s.fold)) + "(";
  axes(v);
  text += ", ";
  if (s.term == nullptr) {
    expression(s.x, 5);
    text += " * ";
    expression(s.y, 6);
  } else if (s.fold == Fold::sum && (s.term->op == Op::Unfused || (s.term->op == Op::Mul && is_float(s.term->type)))) {
    text += "unfused(";
    expression(s.term);
    text += ")";
  } else {
    expression(s.term);
  }
  const Ref init = v.init(0);
  if (init->op != Op::Const || init->arg != zero_of(s.fold, init->type)) {
    text += ", from ";
    expression(init);
  }
  if (!is_true(v.where())) {
    text += ", where ";
    expression(v.where());
  }
  text += ")";
}

ORDO_INLINE void Printer::reduce(Ref e) {
  const ReduceView v(e);
  const auto parts = [&](bool named, auto name, auto value) {
    for (u32 k = 0; k < v.facts.fields; ++k) {
      if (k > 0) text += ", ";
      if (named) text += name_of_local(name(k), (name(k) == v.state(k) ? "s" : "o") + std::to_string(k)) + " = ";
      expression(value(k));
    }
    text += ")";
  };
  text += "reduce(";
  axes(v);
  text += ", init(";
  parts(true, [&](u32 k) { return v.state(k); }, [&](u32 k) { return v.init(k); });
  text += ", step(";
  parts(false, [&](u32 k) { return v.state(k); }, [&](u32 k) { return v.step(k); });
  if (v.facts.merge) {
    text += ", merge(";
    for (u32 k = 0; k < v.facts.fields; ++k) text += (k > 0 ? ", " : "") + name_of_local(v.other(k), "o" + std::to_string(k));
    text += ": ";
    parts(false, [&](u32 k) { return v.other(k); }, [&](u32 k) { return v.merged(k); });
  }
  if (!is_true(v.where())) {
    text += ", where ";
    expression(v.where());
  }
  text += v.facts.free ? ", free)" : ")";
}
}  // namespace ordo::ir
