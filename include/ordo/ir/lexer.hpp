// Text of programs as tokens, and errors that point into it.
#pragma once
#include <string>
#include <vector>
#include "ordo/ir/text.hpp"

namespace ordo::ir {
struct Token {
  enum class Kind : u8 { name, quoted, number, sign, line, end } kind;
  u32 at;                        // byte in the text
  std::string word;              // the name without quotes, the number or sign as written
  bool is(const char* sign_or_word) const { return (kind == Kind::sign || kind == Kind::name) && word == sign_or_word; }
  bool is_name() const { return kind == Kind::name || kind == Kind::quoted; }
};

class Lexer {
 public:
  explicit Lexer(const char* text);
  std::vector<Token> tokens;     // the last is `end`; lines end only outside of brackets
  [[noreturn]] void error(std::size_t at, const std::string& message, const std::string& help = "") const;
  [[noreturn]] void expected(const Token& found, const std::string& what) const;
 private:
  void name();
  void quoted_name();
  char escaped();
  void number();
  void sign();
  void push(Token::Kind kind, std::size_t from) { tokens.push_back({kind, static_cast<u32>(from), text_.substr(from, at_ - from)}); }
  std::string text_;
  std::size_t at_ = 0;
  int open_ = 0;
};
}  // namespace ordo::ir
