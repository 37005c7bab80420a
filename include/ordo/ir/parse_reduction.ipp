#pragma once
#include <charconv>
#include "ordo/ir/parser.hpp"

namespace ordo::ir {
ORDO_INLINE bool Parser::at_axes() const {
  if (now().is("{")) return true;
  for (const char* word : {"chain", "lanes", "blocks", "any"})
    if (now().kind == Token::Kind::name && now().word == word) return true;
  return false;
}
ORDO_INLINE u32 Parser::positive(const char* what) {
  u32 value = 0;
  const char* end = now().word.data() + now().word.size();
  const auto [stop, code] = std::from_chars(now().word.data(), end, value);
  if (now().kind != Token::Kind::number || stop != end || code != std::errc{} || value == 0) lexer_.expected(now(), what);
  ++at_;
  return value;
}
ORDO_INLINE AxisFacts Parser::order() {
  const auto lanes = [&] {
    expect("<");
    const Token& at = now();
    const u32 n = positive("a number of lanes");
    if ((n & (n - 1)) != 0) error(at, "the number of lanes is a power of two");
    expect(">");
    return n;
  };
  AxisFacts f;
  if (accept("chain")) {
    f.order = Order::chain;
  } else if (accept("any")) {
    f.order = Order::any;
  } else if (accept("lanes")) {
    f.order = Order::lanes;
    f.lanes = lanes();
  } else if (accept("blocks")) {
    f.order = Order::blocks;
    expect("<");
    const Token& at = now();
    f.block = positive("the size of a block");
    if (accept(",")) {
      expect("lanes");
      f.lanes = lanes();
    }
    if (f.block % f.lanes != 0) error(at, "the lanes of a block divide it");
    expect(">");
  } else {
    lexer_.expected(now(), "an order: `chain`, `lanes<L>`, `blocks<B>` or `any`");
  }
  return f;
}
// The extent belongs to the scope around; the name is bound by enter().
ORDO_INLINE Ref Parser::axis() {
  AxisFacts f = order();
  const std::string axis_name = name("the name of an axis");
  expect("<");
  const Ref extent = size("an extent");
  return program_.arena.make(Op::Axis, Type::i64, {extent}, pack(f), axis_name.c_str());
}
ORDO_INLINE std::vector<Ref> Parser::axes() {
  std::vector<Ref> list;
  if (!accept("{")) return {axis()};
  do list.push_back(axis()); while (accept(","));
  expect("}");
  if (list.size() > 64) error(now(), "a reduction over more than 64 axes");
  return list;
}
ORDO_INLINE void Parser::enter(const std::vector<Ref>& axes) {
  for (const Ref a : axes) locals_.push_back({a->name, a});
  level_ += static_cast<u32>(axes.size());
  ++reductions_;
}
ORDO_INLINE void Parser::leave(const std::vector<Ref>& axes, std::size_t locals) {
  locals_.resize(locals);
  level_ -= static_cast<u32>(axes.size());
  --reductions_;
}
ORDO_INLINE Ref Parser::state(Type type, u32 component, u32 depth) {
  return program_.arena.make(Op::State, type, nullptr, 0, state_arg(component, depth));
}
ORDO_INLINE Ref Parser::where() {
  if (!now().is(",") || !next().is("where")) return program_.arena.constant(Type::boolean, 1);
  at_ += 2;
  const Token& at = now();
  return of_type(expression(), Type::boolean, at, "a condition");
}

namespace detail_parse {
// Axes are numbered by depth once their place is known.
inline std::vector<Ref> numbered(Arena& arena, const std::vector<Ref>& axes, u32 level) {
  std::vector<Ref> out;
  for (const Ref a : axes) {
    AxisFacts f = axis_facts(a);
    f.level = level++;
    out.push_back(arena.make(Op::Axis, Type::i64, {a->src[0]}, pack(f), a->name));
  }
  return out;
}
inline bool has_order(const std::vector<Ref>& axes, Order order) {
  for (const Ref a : axes) if (axis_facts(a).order == order) return true;
  return false;
}
inline bool has_parts(const std::vector<Ref>& axes) {
  return has_order(axes, Order::lanes) || has_order(axes, Order::blocks) || has_order(axes, Order::any);
}
}  // namespace detail_parse

ORDO_INLINE Ref Parser::finish(const Token& at, const std::vector<Ref>& list, bool free, Ref condition, const States& s) {
  ReduceFacts facts;
  facts.axes = static_cast<u32>(list.size());
  facts.fields = static_cast<u32>(s.init.size());
  facts.merge = !s.merged.empty();
  facts.free = free;
  if (!facts.merge && detail_parse::has_parts(list))
    error(at, "a reduction over more than chains has several accumulators and needs a merge");
  if (!free && detail_parse::has_order(list, Order::any))
    error(at, "the order of this reduction decides its bits: none of its axes is `any`");
  std::vector<Ref> sources = list;
  sources.push_back(condition);
  for (const auto* part : {&s.init, &s.own, &s.step, &s.other, &s.merged}) sources.insert(sources.end(), part->begin(), part->end());
  return program_.arena.make(Op::Reduce, Type::none, sources.data(), static_cast<u32>(sources.size()), pack(facts));
}

ORDO_INLINE Ref Parser::fold(Fold f) {
  const Token& at = now();
  const Op op = step_of(f);
  const u32 depth = reductions_;
  const std::size_t locals = locals_.size();
  const std::vector<Ref> list = detail_parse::numbered(program_.arena, axes(), level_);
  expect(",");
  enter(list);
  const Token& term_at = now();
  Ref term = value_of(expression(), term_at);
  const Type type = term->type;
  const Ref own = state(type, 0, depth), other = state(type, 1, depth);
  const bool product = f == Fold::sum && term->op == Op::Mul && is_float(type);
  if (term->op == Op::Unfused) term = term->src[0];
  States s{{program_.arena.constant(type, zero_of(f, type))}, {own}, {}, {}, {}};
  s.step.push_back(product ? make(at, Op::Fma, {term->src[0], term->src[1], own}) : make(at, op, {own, term}));
  if (now().is(",") && next().is("from")) {
    at_ += 2;
    leave(list, locals);
    const Token& from_at = now();
    s.init[0] = of_type(expression(), type, from_at, "the value to start from");
    enter(list);
  }
  const Ref condition = where();
  expect(")");
  leave(list, locals);
  const bool free = order_is_free(f, type);
  if (free || detail_parse::has_parts(list)) s.other = {other}, s.merged = {make(at, op, {own, other})};
  return program_.arena.make(Op::Field, type, {finish(at, list, free, condition, s)}, 0);
}

ORDO_INLINE void Parser::inits(States& s, std::vector<std::string>& names) {
  const Token& at = now();
  expect("(");
  do {
    names.push_back(name("the name of a component"));
    expect("=");
    const Token& init_at = now();
    s.init.push_back(value_of(expression(), init_at));
    s.own.push_back(state(s.init.back()->type, static_cast<u32>(s.own.size()), reductions_));
  } while (accept(","));
  expect(")");
  if (s.init.size() > 4096) error(at, "a state of more than 4096 components");
}
// One value for each component, of its type.
ORDO_INLINE void Parser::components(const States& s, std::vector<Ref>& out, const char* what) {
  for (std::size_t k = 0; k < s.own.size(); ++k) {
    if (k > 0) expect(",");
    const Token& at = now();
    out.push_back(of_type(expression(), s.own[k]->type, at, what));
  }
  expect(")");
}
ORDO_INLINE void Parser::merge(States& s, u32 depth) {
  expect("(");
  for (std::size_t k = 0; k < s.own.size(); ++k) {
    if (k > 0) expect(",");
    const std::string own = name("the name of a component");
    s.other.push_back(state(s.own[k]->type, static_cast<u32>(s.own.size() + k), depth));
    locals_.push_back({own, s.other.back()});
  }
  expect(":");
  components(s, s.merged, "a merged component");
}

ORDO_INLINE Ref Parser::reduce() {
  const Token& at = now();
  const u32 depth = reductions_;
  const std::size_t locals = locals_.size();
  const std::vector<Ref> list = detail_parse::numbered(program_.arena, axes(), level_);
  States s;
  std::vector<std::string> names;
  expect(",");
  expect("init");
  inits(s, names);
  enter(list);
  for (std::size_t k = 0; k < names.size(); ++k) locals_.push_back({names[k], s.own[k]});
  expect(",");
  expect("step");
  expect("(");
  components(s, s.step, "a step");
  if (now().is(",") && next().is("merge")) {
    at_ += 2;
    merge(s, depth);
  }
  const Ref condition = where();
  const bool free = now().is(",") && next().is("free");
  if (free) at_ += 2;
  expect(")");
  leave(list, locals);
  return finish(at, list, free, condition, s);
}
}  // namespace ordo::ir
