#pragma once
#include "ordo/base/argument.hpp"
#include "ordo/ir/parser.hpp"
#include "ordo/ir/spelling.hpp"

namespace ordo::ir {
ORDO_INLINE std::vector<u32> Parser::lines() const {
  std::vector<u32> first;
  for (u32 k = 0; k < lexer_.tokens.size(); ++k) {
    const bool starts = k == 0 || lexer_.tokens[k - 1].kind == Token::Kind::line;
    if (starts && lexer_.tokens[k].kind != Token::Kind::line && lexer_.tokens[k].kind != Token::Kind::end) first.push_back(k);
  }
  return first;
}

ORDO_INLINE void Parser::declare(const Token& at, const std::string& word) {
  if (globals_.count(word) != 0) error(at, "`" + word + "` is declared twice");
}
ORDO_INLINE Ref Parser::dim(const std::string& word, const Token& at) {
  declare(at, word);
  const Ref node = program_.arena.make(Op::Dim, Type::i64, nullptr, 0, program_.dims.size(), word.c_str());
  program_.dims.push_back({node->name, node, nullptr, -1, -1});
  dim_token_.push_back(static_cast<u32>(&at - lexer_.tokens.data()));
  globals_.emplace(word, node);
  return node;
}
ORDO_INLINE int Parser::tensor(const Token& at, const std::string& word, Type type, std::vector<Ref> shape, bool input) {
  declare(at, word);
  const int number = static_cast<int>(program_.tensors.size());
  const Ref node = program_.arena.make(Op::Tensor, type, nullptr, 0, static_cast<u64>(number), word.c_str());
  program_.tensors.push_back({node->name, type, std::move(shape), input, false, -1, node, nullptr});
  read_.push_back(false);
  globals_.emplace(word, node);
  if (input) program_.inputs.push_back(number);
  return number;
}
ORDO_INLINE std::vector<Ref> Parser::shape(bool declares) {
  std::vector<Ref> sizes;
  if (!accept("[")) return sizes;
  declares_ = declares;
  do {
    const Token& at = now();
    if (sizes.size() == static_cast<std::size_t>(max_rank)) error(at, "a tensor has at most " + std::to_string(max_rank) + " dimensions");
    sizes.push_back(size("a size"));
  } while (accept(","));
  declares_ = false;
  expect("]");
  return sizes;
}

ORDO_INLINE void Parser::dim_line() {
  do {
    const Token& at = now();
    dim(name("the name of a Dim"), at);
  } while (accept(","));
}
ORDO_INLINE void Parser::input_line() {
  const Token& at = now();
  const std::string word = name("the name of an input");
  expect(":");
  const Type t = type();
  tensor(at, word, t, shape(true), true);
}
// Left side, type and shape; extents that are not written are the sizes of the shape.
ORDO_INLINE void Parser::heading(u32 line) {
  const Token& at = now();
  const std::string word = name("a line: `input`, `dim`, `check`, `output` or a definition");
  std::vector<Ref> axes;
  if (accept("[")) {
    do {
      AxisFacts f;
      if (accept("scan")) f.order = Order::scan;
      f.level = static_cast<u32>(axes.size());
      const std::string axis_name = name("the name of an axis");
      const Ref extent = accept("<") ? size("an extent") : nullptr;
      axes.push_back(program_.arena.make(Op::Axis, Type::i64, &extent, extent == nullptr ? 0 : 1, pack(f), axis_name.c_str()));
    } while (accept(","));
    expect("]");
  }
  expect(":");
  const Type t = type();
  const Token& shape_at = now();
  std::vector<Ref> sizes = shape(false);
  if (sizes.size() != axes.size())
    error(shape_at,
          "`" + word + "` has " + std::to_string(axes.size()) + " axes and a shape of " + std::to_string(sizes.size()) + " dimensions");
  for (std::size_t k = 0; k < axes.size(); ++k)
    if (axes[k]->count == 0) axes[k] = program_.arena.make(Op::Axis, Type::i64, {sizes[k]}, axes[k]->arg, axes[k]->name);
  for (std::size_t k = 0; k < axes.size(); ++k)
    for (std::size_t j = 0; j < k; ++j)
      if (std::string(axes[j]->name) == axes[k]->name) error(at, std::string("`") + axes[k]->name + "` stands twice on the left");
  const int number = tensor(at, word, t, std::move(sizes), false);
  program_.tensors[static_cast<std::size_t>(number)].definition = static_cast<int>(program_.definitions.size());
  program_.definitions.push_back({number, axes, nullptr, {}, {}});
  expect("=");
  labels_.clear();
  items_.push_back({line, static_cast<u32>(at_), number});
}

ORDO_INLINE void Parser::value(const Item& item) {
  at_ = item.value;
  current_ = item.tensor;
  labels_.clear();
  const TensorInfo& t = program_.tensors[static_cast<std::size_t>(item.tensor)];
  Definition& d = program_.definitions[static_cast<std::size_t>(t.definition)];
  for (const Ref a : d.axes) locals_.push_back({a->name, a});
  level_ = static_cast<u32>(d.axes.size());
  const Token& at = now();
  if (at.is("scan") && next().is("(")) {
    at_ += 2;
    const Token& axis_at = now();
    const Ref axis = looked_up(axis_at, true);
    if (axis->op != Op::Axis || axis_facts(axis).order != Order::scan)
      error(axis_at, "a scan runs along an axis of the left that is marked `scan`");
    ++at_;
    expect(",");
    const Token& init_at = now();
    const Ref init = value_of(expression(), init_at);
    expect(",");
    const Token& value_at = now();
    const Ref turn = of_type(expression(), init->type, value_at, "the value of a scan");
    expect(")");
    d.value = program_.arena.make(Op::Scan, init->type, {axis, init, turn});
  } else {
    d.value = value_of(expression(), at);
  }
  locals_.clear();
  if (!stores(t.type, d.value->type))
    error(at, std::string("a value of type ") + ordo::name_of(d.value->type) + " defines a tensor of type " + ordo::name_of(t.type));
  if (now().kind != Token::Kind::line) lexer_.expected(now(), "the end of the line");
}

ORDO_INLINE void Parser::check_line() {
  const Ref left = size("a size");
  expect("==");
  const Ref right = size("a size");
  expect(":");
  const std::string left_name = name("what the first size is");
  expect(",");
  const std::string right_name = name("what the second size is");
  program_.checks.push_back({left, right, program_.arena.intern(left_name.c_str()), program_.arena.intern(right_name.c_str()), {}});
}
ORDO_INLINE void Parser::output_line() {
  do {
    const Token& at = now();
    const std::string word = name("the name of an output");
    const auto found = globals_.find(word);
    if (found == globals_.end() || found->second->op != Op::Tensor) error(at, "no tensor is called `" + word.substr(0, 60) + "`");
    TensorInfo& t = program_.tensors[found->second->arg];
    if (t.input) error(at, "`" + word + "` is an input");
    if (t.output) error(at, "`" + word + "` is listed twice");
    t.output = true;
    program_.outputs.push_back(static_cast<int>(found->second->arg));
  } while (accept(","));
}
ORDO_INLINE void Parser::default_outputs() {
  if (!program_.outputs.empty()) return;
  for (const Definition& d : program_.definitions)
    if (!read_[static_cast<std::size_t>(d.tensor)]) {
      program_.tensors[static_cast<std::size_t>(d.tensor)].output = true;
      program_.outputs.push_back(d.tensor);
    }
}

// A Dim is bound by the first dimension, of inputs then outputs, that is declared as that Dim alone.
ORDO_INLINE void Parser::bind_dims() {
  int argument = 0;
  for (const std::vector<int>* list : {&program_.inputs, &program_.outputs})
    for (const int number : *list) {
      const TensorInfo& t = program_.tensors[static_cast<std::size_t>(number)];
      for (std::size_t k = 0; k < t.shape.size(); ++k) {
        if (t.shape[k]->op != Op::Dim || program_.dims[t.shape[k]->arg].argument >= 0) continue;
        program_.dims[t.shape[k]->arg].argument = argument;
        program_.dims[t.shape[k]->arg].dimension = static_cast<int>(k);
      }
      ++argument;
    }
  for (std::size_t d = 0; d < program_.dims.size(); ++d)
    if (program_.dims[d].argument < 0)
      error(lexer_.tokens[dim_token_[d]],
            std::string("no dimension of an input or output is `") + program_.dims[d].name + "` alone, so nothing gives it a value");
}
ORDO_INLINE void Parser::checked() {
  try {
    verify(program_);
  } catch (const Error& e) {
    const std::string text = e.what();
    const std::size_t from = text.find("]: ");
    const std::string rule =
        text.substr(from == std::string::npos ? 0 : from + 3, text.find('\n') - (from == std::string::npos ? 0 : from + 3));
    fail("text.parse", {}, ("the text is no program: " + rule).c_str());
  }
}

ORDO_INLINE Program Parser::program() {
  const std::vector<u32> first = lines();
  enum class Pass : u8 { sizes, headings, rest };
  const auto is_line = [&](const char* word) { return now().kind == Token::Kind::name && now().word == word; };
  for (const Pass pass : {Pass::sizes, Pass::headings, Pass::rest})
    for (const u32 line : first) {
      at_ = line;
      const bool input = is_line("input"), dims = is_line("dim"), check = is_line("check"), output = is_line("output");
      const Pass due = input || dims ? Pass::sizes : check || output ? Pass::rest : Pass::headings;
      if (due != pass) continue;
      if (!input && !dims && !check && !output) {
        heading(line);
        continue;
      }
      ++at_;
      labels_.clear();
      if (input) input_line();
      if (dims) dim_line();
      if (check) check_line();
      if (output) output_line();
      if (now().kind != Token::Kind::line) lexer_.expected(now(), "the end of the line");
    }
  if (items_.empty()) error(lexer_.tokens.back(), "the text defines no tensor");
  for (const Item& item : items_) value(item);
  default_outputs();
  bind_dims();
  checked();
  return std::move(program_);
}

ORDO_INLINE Program parse(const char* text) { return Parser(text).program(); }
}  // namespace ordo::ir
