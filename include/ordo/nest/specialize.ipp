// A copy of the whole schedule for calls whose sizes satisfy a condition; directives in it see the condition as a fact.
//   before: C: for i 0..N                             specialize(N % 48 == 0, [&] { s.split(i, 48); })
//   after:  the same, and when N % 48 == 0: C: for i.0 0..floor_div(N, 48), for i.1 0..48
// Keeps: every value. Under its condition a Dim equals the expression that takes its place in the copy (48 * floor_div(N, 48), 1024,
// maximum(N, 128)), from which the simplifier shows what it needs. A call takes the first copy whose condition holds, in the order in
// which they were made, else the schedule itself.
#pragma once
#include <algorithm>
#include <numeric>
#include "ordo/ir/simplify.hpp"
#include "ordo/ir/visit.hpp"
#include "ordo/nest/body.hpp"

namespace ordo::nest {
namespace detail_specialize {
struct Comparison {
  ir::Op op;
  ir::Ref left, right;
};
struct Known {  // of one Dim
  ir::Ref dim;
  i64 least = 0, most = -1, multiple = 1;  // most -1: none
};
inline const char* sign_of(ir::Op op) {
  return op == ir::Op::Eq   ? "=="
         : op == ir::Op::Ge ? ">="
         : op == ir::Op::Le ? "<="
         : op == ir::Op::Gt ? ">"
         : op == ir::Op::Lt ? "<"
                            : nullptr;
}
inline constexpr ir::Op comparisons[] = {ir::Op::Eq, ir::Op::Ge, ir::Op::Le, ir::Op::Gt, ir::Op::Lt};  // longer signs first

inline bool parse(const Nest& nest, const std::string& text, std::vector<Comparison>& all, std::string& wrong) {
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find("&&", from), text.size());
    const std::string one = text.substr(from, end - from);
    from = end + 2;
    std::size_t at = std::string::npos;
    ir::Op op = ir::Op::Eq;
    for (const ir::Op o : comparisons)
      if (at == std::string::npos) at = one.find(sign_of(o)), op = o;
    if (at == std::string::npos) return wrong = "`" + one + "` compares nothing", false;
    const std::string sign = sign_of(op);
    ir::Arena& arena = const_cast<ir::Arena&>(nest.program.arena);
    const ir::Ref left = parse_plain_size(nest, one.substr(0, at), wrong);
    const ir::Ref right = left == nullptr ? nullptr : parse_plain_size(nest, one.substr(at + sign.size()), wrong);
    if (right == nullptr) return false;
    all.push_back({op, ir::simplify(arena, left), ir::simplify(arena, right)});
  }
  return true;
}

inline bool learn(const Comparison& given, std::vector<Known>& known) {
  Comparison c = given;
  if (c.left->op == ir::Op::Const) {
    std::swap(c.left, c.right);
    c.op = c.op == ir::Op::Ge   ? ir::Op::Le
           : c.op == ir::Op::Le ? ir::Op::Ge
           : c.op == ir::Op::Gt ? ir::Op::Lt
           : c.op == ir::Op::Lt ? ir::Op::Gt
                                : c.op;
  }
  if (c.right->op != ir::Op::Const) return true;
  const i64 value = static_cast<i64>(c.right->arg);
  const bool rest = (c.left->op == ir::Op::Mod || c.left->op == ir::Op::FloorMod) && c.left->src[1]->op == ir::Op::Const;
  const ir::Ref dim = rest ? c.left->src[0] : c.left;
  constexpr i64 largest = i64{1} << 30;
  if (dim->op != ir::Op::Dim || value > largest || value < -largest) return true;
  auto it = std::find_if(known.begin(), known.end(), [&](const Known& k) { return k.dim == dim; });
  if (it == known.end()) it = known.insert(known.end(), {dim});
  if (rest) {
    const i64 of = static_cast<i64>(c.left->src[1]->arg);
    if (c.op == ir::Op::Eq && value == 0 && of > 0 && of < largest && it->multiple < largest) it->multiple = std::lcm(it->multiple, of);
    return true;
  }
  if (c.op == ir::Op::Lt && value <= 0) return false;
  if (c.op == ir::Op::Eq || c.op == ir::Op::Ge || c.op == ir::Op::Gt) it->least = std::max(it->least, value + (c.op == ir::Op::Gt ? 1 : 0));
  if (c.op == ir::Op::Eq || c.op == ir::Op::Le || c.op == ir::Op::Lt) {
    const i64 most = value - (c.op == ir::Op::Lt ? 1 : 0);
    if (most < 0) return false;
    it->most = it->most < 0 ? most : std::min(it->most, most);
  }
  return it->most < 0 || it->least <= it->most;
}
// What equals the Dim; nullptr: it can have no value.
inline ir::Ref instead(ir::Arena& arena, const Known& k) {
  const i64 low = (k.least + k.multiple - 1) / k.multiple, high = k.most < 0 ? -1 : k.most / k.multiple;
  if (high >= 0 && low > high) return nullptr;
  if (low == high) return arena.integer(low * k.multiple);
  ir::Ref e = k.dim;
  const auto op = [&](ir::Op o, i64 by) { e = arena.make(o, Type::i64, {e, arena.integer(by)}); };
  if (k.multiple > 1) op(ir::Op::FloorDiv, k.multiple);
  if (low > 0) op(ir::Op::Max, low);
  if (high >= 0) op(ir::Op::Min, high);
  if (k.multiple > 1) op(ir::Op::Mul, k.multiple);
  return e;
}

// A size, an axis or a value, with the facts in place of their Dims.
class Rewriter {
 public:
  explicit Rewriter(Nest& nest) : arena_(nest.program.arena), to_(nest.facts) {
    ir::Visited visited;
    std::vector<ir::Ref> axes;
    const auto look = [&](ir::Ref root) {
      ir::visit_once(root, visited, [&](ir::Ref e) {
        if (e->op == ir::Op::Axis && e->count > 0) axes.push_back(e);
      });
    };
    for (const ir::Definition& d : nest.program.definitions) {
      look(d.value);
      for (const ir::Ref axis : d.axes) look(axis);
      for (const ir::Handle& h : d.handles) look(h.axis);
    }
    std::vector<ir::Replacement> made;
    for (const ir::Ref axis : axes) {
      std::vector<ir::Ref> sources(axis->src, axis->src + axis->count);
      for (ir::Ref& s : sources) s = size(s);
      made.push_back({axis, arena_.make(axis->op, axis->type, sources.data(), axis->count, axis->arg, axis->name, axis->at, axis->lanes)});
    }
    to_.insert(to_.end(), made.begin(), made.end());
  }
  ir::Ref expression(ir::Ref e) const { return e == nullptr ? nullptr : ir::substitute(arena_, e, to_.data(), to_.size()); }
  ir::Ref size(ir::Ref e) const { return e == nullptr ? nullptr : ir::simplify(arena_, expression(e)); }

 private:
  ir::Arena& arena_;
  std::vector<ir::Replacement> to_;
};

inline void rewrite(Nest& nest) {
  const Rewriter to(nest);
  for (ir::TensorInfo& t : nest.program.tensors)
    for (ir::Ref& extent : t.shape) extent = to.size(extent);
  for (ir::Definition& d : nest.program.definitions) {
    for (ir::Ref& axis : d.axes) axis = to.expression(axis);
    d.value = to.expression(d.value);
    for (ir::Handle& h : d.handles) h.axis = to.expression(h.axis);
  }
  const auto stage = [&to](const auto& self, Stage& s) -> void {
    for (Loop& l : s.loops) l.extent = to.size(l.extent);
    for (Relation& r : s.relations) r.factor = to.size(r.factor);
    for (Root& r : s.roots) r.axis = to.expression(r.axis), r.base = to.size(r.base);
    for (Prefetch& p : s.prefetches) p.distance = to.size(p.distance);
    for (Region& r : s.placed.regions)
      for (ir::Ref* e : {&r.base, &r.extent, &r.end, &r.kept, &r.held, &r.room, &r.window, &r.window_extent}) *e = to.size(*e);
    for (Stage& part : s.parts) self(self, part);
  };
  for (Stage& s : nest.stages) stage(stage, s);
}

// "N >= 128 && N % 16 == 0" of a raw condition.
inline std::string text_of(Nest& nest, ir::Ref raw, std::string& wrong) {
  if (raw == nullptr || raw->type != Type::boolean) return wrong = "there is no condition", "";
  if (raw->op == ir::Op::And) {
    const std::string left = text_of(nest, raw->src[0], wrong), right = text_of(nest, raw->src[1], wrong);
    return left + " && " + right;
  }
  const char* sign = sign_of(raw->op);
  if (sign == nullptr) {
    if (wrong.empty()) wrong = std::string("`") + ir::name_of(raw->op) + "` is no comparison of sizes";
    return "";
  }
  const ir::Ref left = translate_size(nest, raw->src[0], wrong),
                right = left == nullptr ? nullptr : translate_size(nest, raw->src[1], wrong);
  return right == nullptr ? "" : print_size(left) + " " + sign + " " + print_size(right);
}
inline const char* const help = "compare sizes with ==, >=, <=, > or <, and join comparisons with &&, as N >= 128 && N % 16 == 0";
}  // namespace detail_specialize

ORDO_INLINE Refusal add_variant(Nest& nest, const Directive& d) {
  using namespace detail_specialize;
  const auto no = [&](const char* code, const std::string& why, const std::string& way) {
    return Refusal{code, "cannot specialize" + (d.when.empty() ? "" : " for " + ticked(d.when)) + ": " + why, way, -1};
  };
  if (nest.special)
    return no("specialize.nested", "this schedule is for " + ticked(nest.special_for) + " already", "join the conditions with &&");
  for (const Variant& v : nest.variants)
    if (v.nest.special_for == d.when)
      return no("specialize.twice", "there is a schedule for it (" + at_line("specialize", v.line) + ")", "write it there");
  std::vector<Comparison> all;
  std::string wrong;
  if (!parse(nest, d.when, all, wrong)) return no("specialize.condition", wrong, help);
  std::vector<Known> known;
  ir::Arena& arena = nest.program.arena;
  ir::Ref condition = nullptr;
  bool possible = true;
  for (const Comparison& c : all) {
    possible = possible && learn(c, known);
    const ir::Ref one = arena.make(c.op, Type::boolean, {c.left, c.right});
    condition = condition == nullptr ? one : arena.make(ir::Op::And, Type::boolean, {condition, one});
  }
  for (const Known& k : known) possible = possible && instead(arena, k) != nullptr;
  if (!possible || ir::simplify(arena, condition) == arena.constant(Type::boolean, 0))
    return no("specialize.never", "no call has such sizes", "leave it out");
  Variant made{copy(nest), condition, d.at};
  made.nest.variants.clear();
  for (const Known& k : known) {
    const ir::Ref e = ir::copy(instead(arena, k), made.nest.program.arena), dim = ir::copy(k.dim, made.nest.program.arena);
    if (e != dim) made.nest.facts.push_back({dim, e});
  }
  made.nest.special = true;
  made.nest.special_for = d.when;
  rewrite(made.nest);
  nest.variants.push_back(std::move(made));
  return {};
}

ORDO_INLINE Nest* variant_named(Nest& nest, const std::string& when) {
  if (when.empty()) return &nest;
  for (Variant& v : nest.variants)
    if (v.nest.special_for == when) return &v.nest;
  return nullptr;
}
ORDO_INLINE Refusal no_variant(const Nest& nest, const Directive& d) {
  std::vector<std::string> known;
  for (const Variant& v : nest.variants) known.push_back(v.nest.special_for);
  return {"specialize.unknown", "there is no schedule for " + ticked(d.when),
          known.empty() ? "specialize for it first" : "there are those for " + listed(known), -1};
}
ORDO_INLINE const Nest* fitting(const Nest& nest, const i64* dims) {
  for (const Variant& v : nest.variants)
    if (ir::evaluate(v.condition, dims) != 0) return &v.nest;
  return nullptr;
}

// While its directives are written, the copy stands where the schedule was: handles mean the copy.
ORDO_INLINE void begin_specialize(Body* body, ir::Ref raw, Where at) {
  if (body->region >= 0) not_in_region(body, "specialize", at);
  Directive d;
  d.name = "specialize";
  d.at = at;
  std::string wrong;
  d.when = detail_specialize::text_of(body->nest, raw, wrong);
  if (!wrong.empty()) refuse(body->nest, -1, {"specialize.condition", "cannot specialize: " + wrong, detail_specialize::help, -1}, at);
  if (Refusal r = add_variant(body->nest, d)) refuse(body->nest, -1, r, at);
  body->before = body->now();
  body->trace.push_back(d);
  body->general = std::make_unique<Nest>(std::move(body->nest));
  body->nest = std::move(body->general->variants.back().nest);
  body->when = d.when;
  body->variant_scope = body->begin_scope("the schedule for " + ticked(d.when));
}
ORDO_INLINE void end_specialize(Body* body, bool done) {
  body->general->variants.back().nest = std::move(body->nest);
  body->nest = std::move(*body->general);
  body->general.reset();
  body->when.clear();
  body->variant_scope = Body::general_scope;
  if (done) return;
  body->nest.variants.pop_back();
  body->undo(body->before);
}
}  // namespace ordo::nest
