// Rebuilds a Program from its text. Tensors are numbered inputs first, then definitions, as a snapshot numbers them.
#pragma once
#include <unordered_map>
#include "ordo/ir/lexer.hpp"
#include "ordo/ir/sugar.hpp"

namespace ordo::ir {
class Parser {
 public:
  explicit Parser(const char* text) : lexer_(text) {}
  Program program();

 private:
  struct Item { u32 first; u32 value; int tensor; };       // of a definition: first token, first of its value
  struct Local { std::string name; Ref node; };
  struct States { std::vector<Ref> init, own, step, other, merged; };
  struct Deep {
    Parser& parser;
    explicit Deep(Parser& p);
    ~Deep() { --parser.deep_; }
  };
  static constexpr int most_deep = 500;                    // hostile text must not exhaust the stack

  const Token& now() const { return lexer_.tokens[at_]; }
  const Token& next() const { return lexer_.tokens[at_ + 1 < lexer_.tokens.size() ? at_ + 1 : at_]; }
  bool accept(const char* sign);
  void expect(const char* sign);
  std::string name(const char* what);
  [[noreturn]] void error(const Token& t, const std::string& message, const std::string& help = "") const {
    lexer_.error(t.at, message, help);
  }

  // Lines
  std::vector<u32> lines() const;
  void dim_line();
  void input_line();
  void heading(u32 line);
  void declare(const Token& at, const std::string& name);
  int tensor(const Token& at, const std::string& name, Type type, std::vector<Ref> shape, bool input);
  Ref dim(const std::string& name, const Token& at);
  void bind_dims();
  void output_line();
  void check_line();
  void default_outputs();
  void value(const Item& item);
  void checked();
  Type type();
  std::vector<Ref> shape(bool declares);

  // Expressions
  Ref expression() { return binary(1); }
  Ref binary(int level);
  Ref unary();
  Ref primary();
  Ref parenthesised();
  Ref named();
  Ref load(const Token& at, int number);
  Ref call();
  Ref cast(bool bits);
  Ref constant_bits();
  Ref number(bool negative);
  Ref decimal(const Token& t, const std::string& text, Type type);
  Ref make(const Token& at, Op op, const std::vector<Ref>& sources);
  Ref of_type(Ref e, Type t, const Token& at, const char* what);
  Ref value_of(Ref e, const Token& at);
  Ref looked_up(const Token& at, bool must);
  Ref size(const char* what);

  // Reductions
  bool at_axes() const;
  std::vector<Ref> axes();
  Ref axis();
  AxisFacts order();
  u32 positive(const char* what);
  Ref fold(Fold f);
  Ref reduce();
  void enter(const std::vector<Ref>& axes);
  void leave(const std::vector<Ref>& axes, std::size_t locals);
  Ref state(Type type, u32 component, u32 depth);
  Ref finish(const Token& at, const std::vector<Ref>& axes, bool free, Ref condition, const States& s);
  void inits(States& s, std::vector<std::string>& names);
  void components(const States& s, std::vector<Ref>& out, const char* what);
  void merge(States& s, u32 depth);
  Ref where();

  Lexer lexer_;
  Program program_;
  std::size_t at_ = 0;
  std::vector<Item> items_;
  std::unordered_map<std::string, Ref> globals_;           // Dims and tensors
  std::vector<u32> dim_token_;
  std::vector<Local> locals_;                              // axes and states in scope, innermost last
  std::unordered_map<std::string, Ref> labels_;
  std::vector<bool> read_;                                 // by tensor: by a definition other than its own
  int current_ = -1;                                       // tensor that is being defined
  u32 level_ = 0, reductions_ = 0;
  int deep_ = 0;
  bool declares_ = false;                                  // an unknown name is a new Dim
  bool sizes_ = false;                                     // Dims and integers only
};
}  // namespace ordo::ir
