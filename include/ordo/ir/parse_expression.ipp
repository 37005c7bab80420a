#pragma once
#include <charconv>
#include <cstring>
#include "ordo/base/soft.hpp"
#include "ordo/ir/checks.hpp"
#include "ordo/ir/parser.hpp"
#include "ordo/ir/spelling.hpp"

namespace ordo::ir {
namespace detail_parse {
struct Infix { const char* sign; Op op; int level; };
inline const Infix* infix_of(const Token& t) {
  static constexpr Infix all[] = {{"||", Op::Or, 1}, {"&&", Op::And, 2}, {"<", Op::Lt, 3}, {"<=", Op::Le, 3}, {">", Op::Gt, 3},
                                  {">=", Op::Ge, 3}, {"==", Op::Eq, 3}, {"!=", Op::Ne, 3}, {"+", Op::Add, 4}, {"-", Op::Sub, 4},
                                  {"*", Op::Mul, 5}, {"/", Op::Div, 5}, {"%", Op::Mod, 5}};
  if (t.kind != Token::Kind::sign) return nullptr;
  for (const Infix& i : all) if (t.word == i.sign) return &i;
  return nullptr;
}
inline bool type_named(const std::string& word, Type& type) {
  for (int t = 1; t < type_count; ++t)
    if (word == ordo::name_of(static_cast<Type>(t))) {
      type = static_cast<Type>(t);
      return true;
    }
  return false;
}
}  // namespace detail_parse

ORDO_INLINE Parser::Deep::Deep(Parser& p) : parser(p) {
  if (++p.deep_ > most_deep) {
    --p.deep_;
    p.error(p.now(), "the expression is nested more than " + std::to_string(most_deep) + " levels deep");
  }
}
ORDO_INLINE bool Parser::accept(const char* sign) {
  if (!now().is(sign)) return false;
  ++at_;
  return true;
}
ORDO_INLINE void Parser::expect(const char* sign) {
  if (!accept(sign)) lexer_.expected(now(), std::string("`") + sign + "`");
}
ORDO_INLINE std::string Parser::name(const char* what) {
  if (!now().is_name()) lexer_.expected(now(), what);
  if (now().kind == Token::Kind::name && is_reserved(now().word))
    error(now(), "`" + now().word + "` is no name", "write it in quotes: `" + now().word + "`");
  return lexer_.tokens[at_++].word;
}
ORDO_INLINE Type Parser::type() {
  Type t = Type::none;
  if (now().kind != Token::Kind::name || !detail_parse::type_named(now().word, t)) lexer_.expected(now(), "a type");
  ++at_;
  return t;
}

// What the builder would refuse is refused here, at the token.
ORDO_INLINE Ref Parser::make(const Token& at, Op op, const std::vector<Ref>& sources) {
  const int count = static_cast<int>(sources.size());
  for (const Ref s : sources) value_of(s, at);
  try {
    detail_checks::check_operands(op, sources.data(), count, {});
  } catch (const Error& e) {
    const char* text = std::strstr(e.what(), "]: ");
    error(at, text != nullptr ? text + 3 : e.what());
  }
  if (op == Op::Unfused) return program_.arena.make(op, sources[0]->type, sources.data(), 1);
  const bool truth = class_of(op) == OpClass::compare || op == Op::IsNan;
  return program_.arena.make(op, truth ? Type::boolean : sources[op == Op::Select ? 1 : 0]->type, sources.data(), static_cast<u32>(count));
}
ORDO_INLINE Ref Parser::value_of(Ref e, const Token& at) {
  if (e->op == Op::Reduce) error(at, "a reduction with components stands for a value", "name one: reduce(...)#0");
  if (e->op == Op::Tensor) error(at, "a tensor without indices stands for a value");
  return e;
}
ORDO_INLINE Ref Parser::of_type(Ref e, Type t, const Token& at, const char* what) {
  value_of(e, at);
  if (e->type != t) error(at, std::string(what) + " is of type " + ordo::name_of(e->type) + ", not " + ordo::name_of(t));
  return e;
}
ORDO_INLINE Ref Parser::size(const char* what) {
  const Token& at = now();
  const bool outer = sizes_;
  sizes_ = true;
  const Ref e = of_type(binary(4), Type::i64, at, what);
  sizes_ = outer;
  return e;
}

ORDO_INLINE Ref Parser::binary(int level) {
  const Deep deep(*this);
  Ref left = unary();
  for (;;) {
    const Token& t = now();
    const detail_parse::Infix* infix = detail_parse::infix_of(t);
    if (infix == nullptr || infix->level < level) return left;
    ++at_;
    left = make(t, infix->op, {left, binary(infix->level + 1)});
    const detail_parse::Infix* after = detail_parse::infix_of(now());
    if (infix->level == 3 && after != nullptr && after->level == 3) error(now(), "comparisons do not chain", "write parentheses");
  }
}
ORDO_INLINE Ref Parser::unary() {
  const Token& t = now();
  if (t.is("-") && next().kind == Token::Kind::number) {
    ++at_;
    return number(true);
  }
  if (!t.is("-") && !t.is("!")) return primary();
  const Deep deep(*this);
  ++at_;
  return make(t, t.word == "-" ? Op::Neg : Op::Not, {unary()});
}
ORDO_INLINE Ref Parser::primary() {
  const Token& t = now();
  Ref e = nullptr;
  if (t.kind == Token::Kind::number) e = number(false);
  else if (t.is("(")) e = parenthesised();
  else if (t.kind == Token::Kind::name && (next().is("(") || t.word == "cast" || t.word == "bitcast" || t.word == "bits")) e = call();
  else if (accept("true")) e = program_.arena.constant(Type::boolean, 1);
  else if (accept("false")) e = program_.arena.constant(Type::boolean, 0);
  else if (t.is_name()) e = named();
  else lexer_.expected(t, "an expression");
  if (!now().is("#")) return e;
  if (e->op != Op::Reduce) error(now(), "only a reduction has components");
  ++at_;
  const Token& component = now();
  u32 k = 0;
  const char* end = component.word.data() + component.word.size();
  if (component.kind != Token::Kind::number || std::from_chars(component.word.data(), end, k).ptr != end)
    lexer_.expected(component, "the number of a component");
  if (k >= reduce_facts(e->arg).fields) error(component, "the reduction has no component " + component.word.substr(0, 20));
  ++at_;
  return program_.arena.make(Op::Field, ReduceView(e).state(k)->type, {e}, k);
}
ORDO_INLINE Ref Parser::parenthesised() {
  expect("(");
  const bool labels = now().is_name() && next().is(":=");
  const Token& at = now();
  std::string label;
  if (labels) {
    label = name("a name");
    ++at_;
    if (labels_.count(label) != 0 || looked_up(at, false) != nullptr) error(at, "`" + label + "` has a meaning already");
  }
  const Ref e = expression();
  expect(")");
  if (labels) labels_.emplace(label, e);
  return e;
}

ORDO_INLINE Ref Parser::looked_up(const Token& at, bool must) {
  for (std::size_t k = locals_.size(); k-- > 0;) if (locals_[k].name == at.word) return locals_[k].node;
  if (const auto label = labels_.find(at.word); label != labels_.end()) return label->second;
  if (const auto global = globals_.find(at.word); global != globals_.end()) return global->second;
  if (must) error(at, "nothing is called `" + at.word.substr(0, 60) + "` here");
  return nullptr;
}
ORDO_INLINE Ref Parser::named() {
  const Token& t = now();
  const std::string word = name("a name");
  if (declares_ && looked_up(t, false) == nullptr) return dim(word, t);
  const Ref e = looked_up(t, true);
  if (sizes_ && (e->op == Op::Axis || e->op == Op::State || e->op == Op::Tensor))
    error(t, "a size is made of Dims and integers, and `" + word + "` is neither");
  return e->op == Op::Tensor ? load(t, static_cast<int>(e->arg)) : e;
}
ORDO_INLINE Ref Parser::load(const Token& at, int number) {
  const TensorInfo& t = program_.tensors[static_cast<std::size_t>(number)];
  std::vector<Ref> sources{t.node};
  if (accept("[")) {
    do {
      const Token& index = now();
      sources.push_back(of_type(expression(), Type::i64, index, "an index"));
    } while (accept(","));
    expect("]");
  }
  if (sources.size() != t.shape.size() + 1)
    error(at, "`" + at.word + "` has " + std::to_string(t.shape.size()) + " dimensions and is read with " +
                  std::to_string(sources.size() - 1) + " indices");
  if (number != current_) read_[static_cast<std::size_t>(number)] = true;
  return program_.arena.make(Op::Load, compute_type(t.type), sources.data(), static_cast<u32>(sources.size()));
}

ORDO_INLINE Ref Parser::call() {
  const Token& t = now();
  ++at_;
  if (t.word == "bits") return constant_bits();
  if (t.word == "cast" || t.word == "bitcast") return cast(t.word == "bitcast");
  expect("(");
  for (int k = 0; k < fold_count; ++k) {
    const bool function = static_cast<Fold>(k) == Fold::fmax || static_cast<Fold>(k) == Fold::fmin;      // of two values, too
    if (t.word != name_of(static_cast<Fold>(k)) || (function && !at_axes())) continue;
    if (sizes_) error(t, "a reduction stands in a size");
    return fold(static_cast<Fold>(k));
  }
  if (t.word == "reduce" && sizes_) error(t, "a reduction stands in a size");
  if (t.word == "reduce") return reduce();
  if (t.word == "scan") error(t, "`scan` is the whole right side of a definition, or nothing");
  std::vector<Ref> sources;
  do sources.push_back(expression()); while (accept(",") && sources.size() < 4);
  expect(")");
  for (int k = 0; k < op_count; ++k) {
    const Op op = static_cast<Op>(k);
    if (t.word != name_of(op) || detail_checks::operands_of(op) < 0 || op == Op::Cast || op == Op::Bitcast) continue;
    return make(t, op, sources);
  }
  error(t, "no function is called `" + t.word.substr(0, 60) + "`");
}
ORDO_INLINE Ref Parser::cast(bool bits) {
  const Token& t = now();
  expect("<");
  const Type to = type();
  expect(">");
  expect("(");
  const Ref e = value_of(expression(), t);
  expect(")");
  if (bits && (!is_compute(to) || bits_of(to) != bits_of(e->type)))
    error(t, std::string("a bitcast from ") + ordo::name_of(e->type) + " to " + ordo::name_of(to));
  if (e->type == to) error(t, std::string("a cast from ") + ordo::name_of(to) + " to itself");
  return program_.arena.make(bits ? Op::Bitcast : Op::Cast, compute_type(to), {e}, bits ? 0 : static_cast<u64>(to));
}
ORDO_INLINE Ref Parser::constant_bits() {
  expect("<");
  const Token& at = now();
  const Type t = type();
  if (!is_compute(t)) error(at, std::string("an expression has no type ") + ordo::name_of(t));
  expect(">");
  expect("(");
  const std::string word = now().word;
  u64 bits = 0;
  const char* end = word.data() + word.size();
  const bool hex = now().kind == Token::Kind::number && word.size() > 2 && word[1] == 'x';
  const auto [stop, code] = std::from_chars(word.data() + (hex ? 2 : 0), end, bits, 16);
  if (!hex || stop != end || code != std::errc{}) lexer_.expected(now(), "bits such as 0x7fc00000");
  if (bits_of(t) < 64 && bits >> bits_of(t) != 0) error(now(), std::string("more bits than a ") + ordo::name_of(t) + " has");
  ++at_;
  expect(")");
  return program_.arena.constant(t, soft::canonical(t, bits));
}

ORDO_INLINE Ref Parser::decimal(const Token& t, const std::string& text, Type type) {
  const char* end = text.data() + text.size();
  u64 bits = 0;
  std::from_chars_result r{};
  if (type == Type::f32) {
    float f = 0;
    r = std::from_chars(text.data(), end, f);
    std::memcpy(&bits, &f, sizeof f);
  } else {
    double d = 0;
    r = std::from_chars(text.data(), end, d);
    std::memcpy(&bits, &d, sizeof d);
  }
  if (r.ec == std::errc::result_out_of_range) error(t, std::string("the number is out of the range of ") + ordo::name_of(type));
  if (r.ec != std::errc{} || r.ptr != end) lexer_.expected(t, "a number");
  return program_.arena.constant(type, bits);
}
ORDO_INLINE Ref Parser::number(bool negative) {
  const Token& t = now();
  ++at_;
  std::string text = t.word;
  const bool hex = text.size() > 1 && text[1] == 'x';
  const std::size_t suffix = hex ? std::string::npos : text.find_first_of("iuf");
  const bool fraction = text.find('.') != std::string::npos || (!hex && text.find('e') != std::string::npos);
  Type type = fraction ? Type::f32 : Type::i64;
  if (suffix != std::string::npos) {
    if (!detail_parse::type_named(text.substr(suffix), type) || !is_compute(type) || type == Type::boolean)
      error(t, "no type has the suffix `" + text.substr(suffix, 20) + "`");
    text.resize(suffix);
  }
  if (fraction && !is_float(type)) error(t, std::string("a fraction is no ") + ordo::name_of(type));
  if (is_float(type)) return decimal(t, (negative ? "-" : "") + text, type);
  u64 magnitude = 0;
  const char* end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, magnitude);
  if (code == std::errc::result_out_of_range) error(t, "the number is too large");
  if (stop != end || code != std::errc{}) lexer_.expected(t, "a number");
  const u64 bits = negative ? 0 - magnitude : magnitude;
  if ((negative && magnitude > u64{1} << 63) || !detail_checks::holds_exactly(type, negative ? Type::i64 : Type::u64, bits))
    error(t, "the number is not a value of " + std::string(ordo::name_of(type)));
  return program_.arena.constant(type, bits_of(type) == 32 ? static_cast<u32>(bits) : bits);
}
}  // namespace ordo::ir
