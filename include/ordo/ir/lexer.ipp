#pragma once
#include <cstring>
#include "ordo/ir/lexer.hpp"
#include "ordo/ir/spelling.hpp"

namespace ordo::ir {
ORDO_INLINE Lexer::Lexer(const char* text) : text_(text) {
  if (text_.size() > (std::size_t{1} << 28)) fail("text.parse", {}, "the text is longer than 256 MiB");
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '\n' && open_ <= 0 && !tokens.empty() && tokens.back().kind != Token::Kind::line)
      tokens.push_back({Token::Kind::line, static_cast<u32>(at_), ""});
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') ++at_;
    else if (c == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '/') at_ = std::min(text_.find('\n', at_), text_.size());
    else if (starts_name(c)) name();
    else if (c == '`') quoted_name();
    else if (is_digit(c)) number();
    else sign();
  }
  tokens.push_back({Token::Kind::line, static_cast<u32>(at_), ""});
  tokens.push_back({Token::Kind::end, static_cast<u32>(at_), ""});
}
ORDO_INLINE void Lexer::name() {
  const std::size_t from = at_;
  while (at_ < text_.size() &&
         (continues_name(text_[at_]) || (text_[at_] == '.' && at_ + 1 < text_.size() && continues_name(text_[at_ + 1]))))
    ++at_;
  push(Token::Kind::name, from);
}
ORDO_INLINE char Lexer::escaped() {
  const auto digit = [&](std::size_t k) {
    const char* all = "0123456789abcdef";
    const char* d = k < text_.size() && text_[k] != '\0' ? std::strchr(all, text_[k]) : nullptr;
    if (d == nullptr) error(at_, "expected two hexadecimal digits after \\x");
    return static_cast<int>(d - all);
  };
  ++at_;
  if (at_ >= text_.size()) error(at_, "expected ` at the end of a name, found the end of the text");
  if (text_[at_] != 'x') return text_[at_++];
  const int value = digit(at_ + 1) * 16 + digit(at_ + 2);
  if (value == 0) error(at_, "a name holds no zero byte");
  at_ += 3;
  return static_cast<char>(value);
}
ORDO_INLINE void Lexer::quoted_name() {
  const std::size_t from = at_++;
  std::string word;
  while (at_ < text_.size() && text_[at_] != '`' && text_[at_] != '\n') {
    if (text_[at_] == '\\') word += escaped(); else word += text_[at_++];
  }
  if (at_ >= text_.size() || text_[at_] != '`') error(at_, "expected ` at the end of a name");
  ++at_;
  tokens.push_back({Token::Kind::quoted, static_cast<u32>(from), word});
}
ORDO_INLINE void Lexer::number() {
  const std::size_t from = at_;
  const bool hex = text_[at_] == '0' && at_ + 1 < text_.size() && text_[at_ + 1] == 'x';
  while (at_ < text_.size() && (continues_name(text_[at_]) || text_[at_] == '.' ||
                                (!hex && (text_[at_] == '+' || text_[at_] == '-') && text_[at_ - 1] == 'e')))
    ++at_;
  push(Token::Kind::number, from);
}
ORDO_INLINE void Lexer::sign() {
  const std::size_t from = at_;
  for (const char* two : {"<=", ">=", "==", "!=", "&&", "||", ":="})
    if (text_.compare(at_, 2, two) == 0) {
      at_ += 2;
      return push(Token::Kind::sign, from);
    }
  const char c = text_[at_];
  if (c == '\0' || std::strchr("()[]{}<>,:=+-*/%!#", c) == nullptr) error(at_, "expected a name, a number or a sign");
  open_ += c == '(' || c == '[' || c == '{';
  open_ -= c == ')' || c == ']' || c == '}';
  ++at_;
  push(Token::Kind::sign, from);
}

ORDO_INLINE void Lexer::error(std::size_t at, const std::string& message, const std::string& help) const {
  std::size_t line = 1, start = 0;
  for (std::size_t k = 0; k < at && k < text_.size(); ++k)
    if (text_[k] == '\n') ++line, start = k + 1;
  const std::size_t column = at - start, from = column > 60 ? at - 60 : start;
  std::string shown = text_.substr(from, std::min(text_.find('\n', from), from + 100) - from);
  for (char& c : shown) if (static_cast<unsigned char>(c) < 32) c = ' ';
  std::string more = "  " + shown + "\n  " + std::string(at - from, ' ') + "^";
  if (!help.empty()) more += "\n  help: " + help;
  fail("text.parse", {}, ("line " + std::to_string(line) + ", column " + std::to_string(column + 1) + ": " + message).c_str(),
       more.c_str());
}
ORDO_INLINE void Lexer::expected(const Token& found, const std::string& what) const {
  const bool line = found.kind == Token::Kind::line;
  std::string shown = found.word.substr(0, 40);
  for (char& c : shown) if (static_cast<unsigned char>(c) < 32) c = ' ';
  error(found.at, "expected " + what + ", found " +
                      (line                             ? "the end of the line"
                       : found.kind == Token::Kind::end ? "the end of the text"
                                                        : "`" + shown + "`"));
}
}  // namespace ordo::ir
