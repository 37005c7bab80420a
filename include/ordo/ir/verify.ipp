// The specification of a canonical Program, as a list of rules. Rules of nodes hold for each node by itself, rules of
// definitions for one definition, rules of programs for the whole.
#pragma once
#include "ordo/ir/checks.hpp"
#include "ordo/ir/free_axes.hpp"
#include "ordo/ir/program.hpp"

namespace ordo::ir {
namespace detail_verify {
template <class Subject>
struct Rule {
  const char* says;
  bool (*holds)(const Program&, const Subject&);
};

inline bool is_size(const Program& program, Ref root) {
  if (root == nullptr || root->type != Type::i64) return false;
  bool over_dims = true;
  RefMap<bool> seen;
  post_order(
      root, [&](Ref e) { return seen.find(e) != nullptr; },
      [&](Ref e) {
        seen.insert(e, true);
        if (e->op == Op::Dim)
          over_dims = over_dims && e->arg < program.dims.size() && program.dims[e->arg].node == e;
        else
          over_dims = over_dims && (e->op == Op::Const || detail_checks::operands_of(e->op) > 0);
      });
  return over_dims;
}
inline bool elementwise(Ref e) { return detail_checks::operands_of(e->op) > 0; }

// Nodes -----------------------------------------------------------------------------------------------------------
inline bool of_this_level(const Program&, const Ref& e) {
  const OpClass group = class_of(e->op);
  if (group == OpClass::memory || group == OpClass::statement || e->lanes != 1) return false;
  return e->op != Op::Component && e->op != Op::Extent && e->op != Op::Inside && e->op != Op::Unfused && e->op != Op::Var &&
         e->op != Op::Stride;
}
inline bool leaf_is_sound(const Program& p, const Ref& e) {
  switch (e->op) {
    case Op::Const:
      return e->count == 0 && is_compute(e->type) && (bits_of(e->type) == 64 || e->arg >> bits_of(e->type) == 0);
    case Op::Dim:
      return e->type == Type::i64 && e->arg < p.dims.size() && p.dims[e->arg].node == e;
    case Op::Tensor:
      return e->count == 0 && e->arg < p.tensors.size() && p.tensors[e->arg].node == e && p.tensors[e->arg].type == e->type;
    case Op::State:
      return e->count == 0 && is_compute(e->type);
    default:
      return true;
  }
}
inline bool axis_is_sound(const Program& p, const Ref& e) {
  if (e->op != Op::Axis) return true;
  const AxisFacts facts = axis_facts(e);
  if (e->type != Type::i64 || e->count != 1 || !is_size(p, e->src[0])) return false;
  if (facts.order == Order::blocks) return facts.block > 0 && facts.block % facts.lanes == 0;
  return facts.order < Order::cut_outer && facts.block == 0 && (facts.lanes == 1 || facts.order == Order::lanes);
}
inline bool operands_fit(const Program&, const Ref& e) {
  if (!elementwise(e)) return true;
  if (static_cast<int>(e->count) != detail_checks::operands_of(e->op)) return false;
  for (u32 k = 0; k < e->count; ++k)
    if (!is_compute(e->src[k]->type)) return false;
  if (e->op == Op::Cast) return e->arg < type_count && e->type == compute_type(static_cast<Type>(e->arg)) && is_compute(e->type);
  if (e->op == Op::Bitcast) return is_compute(e->type) && bits_of(e->type) == bits_of(e->src[0]->type);
  const u32 first = e->op == Op::Select ? 1 : 0;
  if (first == 1 && e->src[0]->type != Type::boolean) return false;
  const Type operand = e->src[first]->type;
  for (u32 k = first; k < e->count; ++k)
    if (e->src[k]->type != operand) return false;
  const bool to_bool = class_of(e->op) == OpClass::compare || e->op == Op::IsNan;
  return detail_checks::fits(detail_checks::takes(e->op), operand) && e->type == (to_bool ? Type::boolean : operand);
}
inline bool load_fits(const Program& p, const Ref& e) {
  if (e->op != Op::Load) return true;
  if (e->count == 0 || e->src[0]->op != Op::Tensor || e->src[0]->arg >= p.tensors.size()) return false;
  const TensorInfo& t = p.tensor_of(e);
  for (u32 k = 1; k < e->count; ++k)
    if (e->src[k]->type != Type::i64) return false;
  return e->count == t.shape.size() + 1 && e->type == compute_type(t.type);
}
inline bool reduce_fits(const Program&, const Ref& e) {
  if (e->op == Op::Field)
    return e->count == 1 && e->src[0]->op == Op::Reduce && e->arg < reduce_facts(e->src[0]->arg).fields &&
           e->type == ReduceView(e->src[0]).state(static_cast<u32>(e->arg))->type;
  if (e->op != Op::Reduce) return true;
  const ReduceView r(e);
  if (r.facts.axes == 0 || r.facts.fields == 0 || e->count != r.facts.axes + 1 + r.facts.fields * (r.facts.merge ? 5 : 3)) return false;
  bool chains = true;
  for (u32 k = 0; k < r.facts.axes; ++k) {
    if (r.axis(k)->op != Op::Axis || axis_facts(r.axis(k)).order < Order::chain) return false;
    chains = chains && axis_facts(r.axis(k)).order == Order::chain;
    if (axis_facts(r.axis(k)).order == Order::any && !r.facts.free) return false;
  }
  if (r.where()->type != Type::boolean || (!r.facts.merge && (!chains || r.facts.free))) return false;
  for (u32 k = 0; k < r.facts.fields; ++k) {
    const Type type = r.state(k)->type;
    if (r.state(k)->op != Op::State || static_cast<u32>(r.state(k)->arg) != k || r.init(k)->type != type || r.step(k)->type != type)
      return false;
    if (!r.facts.merge) continue;
    if (r.other(k)->op != Op::State || static_cast<u32>(r.other(k)->arg) != r.facts.fields + k || r.other(k)->type != type ||
        r.merged(k)->type != type)
      return false;
  }
  return true;
}
inline bool scan_fits(const Program&, const Ref& e) {
  if (e->op != Op::Scan) {
    for (u32 k = 0; k < e->count; ++k)
      if (e->src[k]->op == Op::Scan) return false;
    return true;
  }
  return e->count == 3 && e->src[0]->op == Op::Axis && axis_facts(e->src[0]).order == Order::scan && e->src[1]->type == e->type &&
         e->src[2]->type == e->type;
}
inline constexpr Rule<Ref> node_rules[] = {
    {"only operations of this level stand in a program, on scalars", of_this_level},
    {"a constant fits its type; Dims, tensors and states are those of the program", leaf_is_sound},
    {"an axis has one extent, a size over Dims, and an order with its lanes and blocks", axis_is_sound},
    {"an element-wise operation has operands of the types that it takes", operands_fit},
    {"a read has one i64 index a dimension and the compute type of its tensor", load_fits},
    {"a reduction has the layout of ReduceView, one type a component, and a merge wherever there may be several accumulators", reduce_fits},
    {"a scan is the whole right side, and its start and its value have one type", scan_fits},
};

// Definitions -----------------------------------------------------------------------------------------------------
inline bool left_is_numbered(const Program& p, const Definition& d) {
  if (d.axes.size() != p.tensors[static_cast<std::size_t>(d.tensor)].shape.size()) return false;
  for (std::size_t k = 0; k < d.axes.size(); ++k)
    if (d.axes[k]->op != Op::Axis || axis_facts(d.axes[k]).level != k || axis_facts(d.axes[k]).order > Order::scan) return false;
  return true;
}
inline bool value_is_stored(const Program& p, const Definition& d) {
  return stores(p.tensors[static_cast<std::size_t>(d.tensor)].type, d.value->type);
}
inline bool names_are_bound(const Program&, const Definition& d) {
  for (Ref axis : free_axes(d.value))
    if (!detail_free_axes::has(d.axes, axis)) return false;
  return d.value->op != Op::Scan || detail_free_axes::has(d.axes, d.value->src[0]);
}

// One body: the nodes between a root and the reductions in it. Its axes start at `depth`, its states at `level`.
struct Body {
  Ref reduce;
  u32 depth, level;
};
template <class Visit>
void walk_body(const std::vector<Ref>& roots, Visit visit) {
  RefMap<bool> seen;
  std::vector<Ref> stack(roots);
  while (!stack.empty()) {
    const Ref e = stack.back();
    stack.pop_back();
    if (seen.find(e) != nullptr) continue;
    seen.insert(e, true);
    visit(e);
    u32 first = 0, last = e->count;
    if (e->op == Op::Reduce) first = ReduceView(e).facts.axes + 1, last = first + ReduceView(e).facts.fields;
    for (u32 k = first; k < last; ++k) stack.push_back(e->src[k]);
  }
}
inline bool states_are_own(const Body& body, Ref e) {
  if (e->op != Op::State) return true;
  if (body.reduce == nullptr) return false;
  const ReduceFacts facts = reduce_facts(body.reduce->arg);
  return e->arg >> 32 == body.level - 1 && static_cast<u32>(e->arg) < facts.fields * (facts.merge ? 2 : 1);
}
inline bool levels_nest(const Program&, const Definition& d) {
  std::vector<Body> bodies{{nullptr, static_cast<u32>(d.axes.size()), 0}};
  RefMap<u32> entered;
  bool sound = true;
  for (std::size_t b = 0; b < bodies.size() && sound; ++b) {
    const Body body = bodies[b];
    std::vector<Ref> roots{d.value};
    if (body.reduce != nullptr) {
      const ReduceView view(body.reduce);
      roots.assign(body.reduce->src + view.facts.axes + 1 + view.facts.fields, body.reduce->src + body.reduce->count);
      roots.push_back(view.where());
    }
    walk_body(roots, [&](Ref e) {
      sound = sound && states_are_own(body, e);
      if (e->op != Op::Reduce) return;
      const ReduceView view(e);
      for (u32 k = 0; k < view.facts.axes; ++k) sound = sound && axis_facts(view.axis(k)).level == body.depth + k;
      for (u32 k = 0; k < view.facts.fields; ++k) sound = sound && view.state(k)->arg >> 32 == body.level;
      if (entered.find(e) != nullptr) return;
      entered.insert(e, 0);
      bodies.push_back({e, body.depth + view.facts.axes, body.level + 1});
    });
  }
  return sound;
}
inline bool handles_are_known(const Program&, const Definition& d) {
  std::vector<Ref> known = d.axes;
  RefMap<bool> seen;
  post_order(
      d.value, [&](Ref e) { return seen.find(e) != nullptr; },
      [&](Ref e) {
        seen.insert(e, true);
        if (e->op == Op::Axis) known.push_back(e);
      });
  for (const Handle& h : d.handles)
    if (!detail_free_axes::has(known, h.axis)) return false;
  return true;
}
inline constexpr Rule<Definition> definition_rules[] = {
    {"the left side has one Index or Scan axis a dimension, numbered from 0", left_is_numbered},
    {"the tensor stores a value of this type", value_is_stored},
    {"every axis on the right is bound by a reduction around it or stands on the left", names_are_bound},
    {"axes and states are numbered by nesting, and a reduction mentions no state but its own", levels_nest},
    {"a handle leads to an axis of its definition", handles_are_known},
};

// Programs --------------------------------------------------------------------------------------------------------
inline bool dims_are_bound(const Program& p, const Program&) {
  const std::size_t arguments = p.inputs.size() + p.outputs.size();
  for (std::size_t k = 0; k < p.dims.size(); ++k)
    if (p.dims[k].node->op != Op::Dim || p.dims[k].node->arg != k || p.dims[k].argument < -1 ||
        p.dims[k].argument >= static_cast<int>(arguments))
      return false;
  return true;
}
inline bool sizes_are_over_dims(const Program& p, const Program&) {
  for (const TensorInfo& t : p.tensors)
    for (Ref size : t.shape)
      if (!is_size(p, size)) return false;
  for (const SizeCheck& c : p.checks)
    if (!is_size(p, c.left) || !is_size(p, c.right)) return false;
  return true;
}
inline bool tensors_are_defined(const Program& p, const Program&) {
  for (std::size_t k = 0; k < p.tensors.size(); ++k) {
    const TensorInfo& t = p.tensors[k];
    if (t.input != (t.definition < 0)) return false;
    if (!t.input && (static_cast<std::size_t>(t.definition) >= p.definitions.size() ||
                     p.definitions[static_cast<std::size_t>(t.definition)].tensor != static_cast<int>(k)))
      return false;
  }
  for (int k : p.inputs)
    if (!p.tensors[static_cast<std::size_t>(k)].input) return false;
  for (int k : p.outputs)
    if (!p.tensors[static_cast<std::size_t>(k)].output) return false;
  return true;
}
// A read of the definition itself or of a later one needs a scan between reader and read.
inline bool reads_are_ordered(const Program& p, const Program&) {
  for (std::size_t d = 0; d < p.definitions.size(); ++d) {
    int last = -1;
    RefMap<bool> seen;
    post_order(
        p.definitions[d].value, [&](Ref e) { return seen.find(e) != nullptr; },
        [&](Ref e) {
          seen.insert(e, true);
          if (e->op == Op::Load && p.tensor_of(e).definition > last) last = p.tensor_of(e).definition;
        });
    if (last < static_cast<int>(d)) continue;
    bool scans = false;
    for (std::size_t k = d; k <= static_cast<std::size_t>(last); ++k) scans = scans || p.definitions[k].value->op == Op::Scan;
    if (!scans) return false;
  }
  return true;
}
inline constexpr Rule<Program> program_rules[] = {
    {"Dims are numbered in order, and each is bound by an argument or open", dims_are_bound},
    {"shapes and checks are sizes over Dims", sizes_are_over_dims},
    {"a tensor is an input or has one definition; the lists of arguments agree", tensors_are_defined},
    {"a definition reads earlier ones, but for recurrences", reads_are_ordered},
};

[[noreturn]] inline void fail_rule(const char* says, const std::string& subject) {
  fail_internal("ir.verify", (subject + " breaks a rule of programs: " + says).c_str());
}
}  // namespace detail_verify

ORDO_INLINE void verify(const Program& program) {
  using namespace detail_verify;
  RefMap<bool> seen;
  for (const Definition& d : program.definitions) {
    const std::string subject = std::string("the definition of `") + program.tensors[static_cast<std::size_t>(d.tensor)].name + "`";
    const auto check = [&](Ref e) {
      seen.insert(e, true);
      for (const Rule<Ref>& rule : node_rules)
        if (!rule.holds(program, e)) fail_rule(rule.says, subject + ", " + name_of(e->op) + ",");
    };
    for (Ref axis : d.axes)
      post_order(
          axis, [&](Ref e) { return seen.find(e) != nullptr; }, check);
    post_order(
        d.value, [&](Ref e) { return seen.find(e) != nullptr; }, check);
    for (const Rule<Definition>& rule : definition_rules)
      if (!rule.holds(program, d)) fail_rule(rule.says, subject);
  }
  for (const Rule<Program>& rule : program_rules)
    if (!rule.holds(program, program)) fail_rule(rule.says, "a program");
}
}  // namespace ordo::ir
