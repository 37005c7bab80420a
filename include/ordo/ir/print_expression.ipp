#pragma once
#include <algorithm>
#include "ordo/ir/post_order.hpp"
#include "ordo/ir/printer.hpp"
#include "ordo/ir/spelling.hpp"
#include "ordo/ir/text.hpp"

namespace ordo::ir {
namespace detail_print {
inline constexpr int lowest = 0, unary = 6;
inline constexpr u32 short_nodes = 1000, label_weight = 10;
struct Infix { const char* sign; int level; };         // level 0: no infix operation
inline Infix infix_of(Op op) {
  switch (op) {
    case Op::Or: return {" || ", 1};
    case Op::And: return {" && ", 2};
    case Op::Lt: return {" < ", 3};
    case Op::Le: return {" <= ", 3};
    case Op::Gt: return {" > ", 3};
    case Op::Ge: return {" >= ", 3};
    case Op::Eq: return {" == ", 3};
    case Op::Ne: return {" != ", 3};
    case Op::Add: return {" + ", 4};
    case Op::Sub: return {" - ", 4};
    case Op::Mul: return {" * ", 5};
    case Op::Div: return {" / ", 5};
    case Op::Mod: return {" % ", 5};
    default: return {"", 0};
  }
}
inline std::string number(u64 n) { return std::to_string(n); }
// Size of the tree below, cut off where it does not matter.
inline void weigh(Ref root, RefMap<u32>& weight) {
  post_order(root, [&](Ref e) { return weight.find(e) != nullptr; }, [&](Ref e) {
    u32 w = 1;
    if (e->op != Op::Axis && e->op != Op::Tensor)
      for (u32 k = 0; k < e->count; ++k) w += *weight.find(e->src[k]);
    weight.insert(e, std::min(w, label_weight));
  });
}
}  // namespace detail_print

ORDO_INLINE Printer::Printer(const Program* program) : program_(program) {
  if (program == nullptr) return;
  for (const TensorInfo& t : program->tensors) tensors_.push_back(unique(*t.name == '\0' ? "T" : t.name, tensors_.size()));
  for (const DimInfo& d : program->dims) dims_.push_back(unique(*d.name == '\0' ? "N" : d.name, tensors_.size() + dims_.size()));
  used_.swap(used_in_line_);
}

ORDO_INLINE std::string Printer::unique(const std::string& wanted, u64 place) {
  std::string name = wanted;
  const auto taken = [&] {
    const auto in_line = used_in_line_.find(name);
    return used_.count(name) != 0 || (in_line != used_in_line_.end() && in_line->second != place);
  };
  for (u32 n = 2; taken(); ++n) name = wanted + "_" + std::to_string(n);
  used_in_line_.emplace(name, place);
  return name;
}
ORDO_INLINE const std::string& Printer::name_of_local(Ref e, const std::string& wanted) {
  if (const u32* known = local_.find(e)) return locals_[*known];
  const u64 place = e->op == Op::Axis ? axis_facts(e).level : u64{1} << 63 | e->arg;
  local_.insert(e, static_cast<u32>(locals_.size()));
  locals_.push_back(spelled(program_ == nullptr ? wanted : unique(wanted, place)));
  return locals_.back();
}
ORDO_INLINE const Sugar& Printer::sugar(Ref reduce) {
  if (const u32* known = sugars_.find(reduce)) return sugar_list_[*known];
  sugars_.insert(reduce, static_cast<u32>(sugar_list_.size()));
  sugar_list_.push_back(sugar_of(reduce));
  return sugar_list_.back();
}

ORDO_INLINE std::vector<Ref> Printer::printed_sources(Ref e) {
  std::vector<Ref> out;
  const auto give = [&](Ref s) { if (s != nullptr) out.push_back(s); };
  const bool folded = e->op == Op::Field && sugar(e->src[0]).found;
  if (e->op == Op::Axis || e->op == Op::Tensor) return out;
  if (e->op == Op::Reduce || folded) {
    const ReduceView v(folded ? e->src[0] : e);
    for (u32 k = 0; k < v.facts.axes; ++k) give(extent_of(v.axis(k)));
    if (folded) {
      const Sugar s = sugar(e->src[0]);
      for (const Ref part : {s.x, s.y, s.term}) give(part);
    } else {
      for (u32 k = 0; k < v.facts.fields; ++k) give(v.step(k));
      for (u32 k = 0; v.facts.merge && k < v.facts.fields; ++k) give(v.merged(k));
    }
    for (u32 k = 0; k < v.facts.fields; ++k) give(v.init(k));
    give(v.where());
    return out;
  }
  for (u32 k = e->op == Op::Load || e->op == Op::Scan ? 1 : 0; k < e->count; ++k) give(e->src[k]);
  return out;
}

ORDO_INLINE void Printer::begin_line(const std::vector<Ref>& roots) {
  used_in_line_.clear();
  local_ = {};
  locals_.clear();
  sharing_ = {};
  labels_ = 0;
  RefMap<u32> weight;
  std::vector<Ref> stack;
  const auto use = [&](Ref e) {
    if (Sharing* s = sharing_.find(e)) {
      if (++s->uses == 2 && *weight.find(e) >= detail_print::label_weight) s->share = Share::pending;
      return;
    }
    sharing_.insert(e, {1, Share::none, 0});
    detail_print::weigh(e, weight);
    stack.push_back(e);
  };
  for (const Ref r : roots) use(r);
  while (!stack.empty()) {
    const Ref e = stack.back();
    stack.pop_back();
    for (const Ref s : printed_sources(e)) use(s);
  }
}

// What has been said becomes text: each expression gives pieces of its own, in its place. No recursion, however deep.
ORDO_INLINE void Printer::flush() {
  std::vector<Piece> stack(said_.rbegin(), said_.rend());
  while (!stack.empty()) {
    const Piece piece = std::move(stack.back());
    stack.pop_back();
    if (piece.node == nullptr) {
      text += piece.words;
      continue;
    }
    said_.clear();
    shared_or_node(piece.node, piece.level);
    stack.insert(stack.end(), said_.rbegin(), said_.rend());
  }
  said_.clear();
}
ORDO_INLINE void Printer::shared_or_node(Ref e, int level) {
  if (program_ == nullptr && ++nodes_ > detail_print::short_nodes) return say(nodes_ == detail_print::short_nodes + 1 ? "..." : "");
  Sharing* s = program_ == nullptr ? nullptr : sharing_.find(e);
  if (s == nullptr || s->share == Share::none) return node(e, level);
  if (s->share == Share::named) return say("t" + detail_print::number(s->label));
  while (used_.count("t" + std::to_string(++labels_)) != 0 || used_in_line_.count("t" + std::to_string(labels_)) != 0) {}
  used_in_line_.emplace("t" + std::to_string(labels_), ~u64{0});
  s->share = Share::named;
  s->label = labels_;
  say("(t" + detail_print::number(labels_) + " := ");
  node(e, detail_print::lowest);
  say(")");
}

ORDO_INLINE void Printer::node(Ref e, int level) {
  if (detail_print::infix_of(e->op).level > 0) return infix(e, level);
  switch (e->op) {
    case Op::Neg: return prefix(e, "-", level);
    case Op::Not: return prefix(e, "!", level);
    case Op::Cast: return call((std::string("cast<") + ordo::name_of(static_cast<Type>(e->arg)) + ">").c_str(), e);
    case Op::Bitcast: return call((std::string("bitcast<") + ordo::name_of(e->type) + ">").c_str(), e);
    case Op::Const: case Op::Dim: case Op::Axis: case Op::Tensor: case Op::State: case Op::Component: case Op::Var:
    case Op::Extent: case Op::Stride: return leaf(e);
    case Op::Load: return load(e);
    case Op::Reduce: return reduce(e);
    case Op::Field: return field(e);
    case Op::Scan:
      say("scan(" + name_of_local(e->src[0], e->src[0]->name) + ", ");
      list(e, 1, 3);
      say(")");
      return;
    default: return call(name_of(e->op), e);
  }
}
ORDO_INLINE void Printer::list(Ref e, u32 first, u32 last) {
  for (u32 k = first; k < last; ++k) {
    if (k > first) say(", ");
    expression(e->src[k]);
  }
}
ORDO_INLINE void Printer::call(const char* function, Ref e, u32 first) {
  say(std::string(function) + "(");
  list(e, first, e->count);
  say(")");
}
ORDO_INLINE void Printer::prefix(Ref e, const char* sign, int level) {
  const bool parentheses = level > detail_print::unary;
  const bool inner = e->src[0]->op == Op::Neg || (e->op == Op::Neg && e->src[0]->op == Op::Const);  // -(5) is no number, -(-x) reads better
  say(std::string(parentheses ? "(" : "") + sign + (inner ? "(" : ""));
  expression(e->src[0], inner ? detail_print::lowest : detail_print::unary);
  say(std::string(inner ? ")" : "") + (parentheses ? ")" : ""));
}
ORDO_INLINE bool Printer::infix_shared(Ref e) {
  const Sharing* s = program_ == nullptr ? nullptr : sharing_.find(e);
  return s != nullptr && s->share != Share::none;
}
// A long sum leans to the left: its spine is followed without recursion.
ORDO_INLINE void Printer::infix(Ref e, int level) {
  const int own = detail_print::infix_of(e->op).level;
  std::vector<Ref> spine{e};
  while (own != 3 && detail_print::infix_of(spine.back()->src[0]->op).level == own && !infix_shared(spine.back()->src[0]))
    spine.push_back(spine.back()->src[0]);
  if (own < level) say("(");
  expression(spine.back()->src[0], own == 3 ? own + 1 : own);
  for (std::size_t k = spine.size(); k-- > 0;) {
    say(detail_print::infix_of(spine[k]->op).sign);
    expression(spine[k]->src[1], own + 1);
  }
  if (own < level) say(")");
}

ORDO_INLINE void Printer::leaf(Ref e) {
  using detail_print::number;
  const std::string name = e->name;
  switch (e->op) {
    case Op::Const: say(literal(e->type, e->arg)); return;
    case Op::Dim: say(program_ != nullptr ? spelled(dims_[e->arg]) : spelled(name.empty() ? "N" : name)); return;
    case Op::Tensor: say(program_ != nullptr ? spelled(tensors_[e->arg]) : spelled(name.empty() ? "T" : name)); return;
    case Op::Axis: say(name_of_local(e, name.empty() ? "i" : name)); return;
    case Op::State: say(name_of_local(e, "s" + number(e->arg & 0xffff))); return;
    case Op::Var: say(spelled(name.empty() ? "v" + number(e->arg & ~any_value) : name)); return;
    case Op::Component: {
      constexpr const char* part[] = {"", ".lane", ".step", ".block"};
      say(spelled(e->src[0]->name) + part[e->arg & 3]);
      return;
    }
    case Op::Extent:
      say("extent(" + spelled(e->src[0]->name) + (e->src[0]->op == Op::Tensor ? ", " + number(e->arg) : "") + ")");
      return;
    default: say(std::string(name_of(e->op)) + "(" + number(e->arg >> 8) + ", " + number(e->arg & 255) + ")");
  }
}
ORDO_INLINE void Printer::load(Ref e) {
  leaf(e->src[0]);
  if (e->count == 1) return;
  say("[");
  list(e, 1, e->count);
  say("]");
}
}  // namespace ordo::ir
