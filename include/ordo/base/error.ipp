#pragma once
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include "ordo/base/error.hpp"

namespace ordo {
namespace detail {
using ErrorCount = std::atomic<int>;
inline constexpr std::size_t error_head = 16;
inline ErrorCount& error_count(char* text) { return *reinterpret_cast<ErrorCount*>(text - error_head); }
}  // namespace detail

ORDO_INLINE Error::Error(Kind kind, const char* code, const char* text) : kind_(kind), code_(code) {
  const std::size_t n = std::strlen(text) + 1;
  char* block = static_cast<char*>(std::malloc(detail::error_head + n));
  if (block == nullptr) throw std::bad_alloc();
  new (block) detail::ErrorCount(1);
  text_ = block + detail::error_head;
  std::memcpy(text_, text, n);
}
ORDO_INLINE Error::Error(const Error& other) noexcept : std::exception(other), kind_(other.kind_), code_(other.code_), text_(other.text_) {
  detail::error_count(text_).fetch_add(1, std::memory_order_relaxed);
}
ORDO_INLINE Error::~Error() {
  if (detail::error_count(text_).fetch_sub(1, std::memory_order_acq_rel) == 1) std::free(text_ - detail::error_head);
}

ORDO_INLINE void fail(const char* code, Where at, const char* message, const char* more) {
  std::string text = std::string("error[") + code + "]: " + message;
  if (at.line != 0) {
    std::string file = at.file;
    text += "\n  at " + file.substr(file.find_last_of('/') + 1) + ":" + std::to_string(at.line);
  }
  if (*more != '\0') text += std::string("\n") + more;
  const bool run_time = std::strncmp(code, "run.", 4) == 0;
  throw Error(run_time ? Error::Kind::run_time : Error::Kind::user, code, text.c_str());
}
ORDO_INLINE void fail_internal(const char* code, const char* message) {
  const std::string text = std::string("error[") + code + "]: " + message + "\n  this is a defect of ordo, not of your program";
  throw Error(Error::Kind::internal, code, text.c_str());
}
}  // namespace ordo
