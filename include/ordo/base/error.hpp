// The one error type. Its text: what failed, file:line of the user's call, the loops now, the way out.
#pragma once
#include <exception>
#include "ordo/base/types.hpp"

namespace ordo {
struct Where {  // a line of the user's; clang before 16 has no std::source_location
  const char* file = "";
  int line = 0;
  static constexpr Where current(const char* file = __builtin_FILE(), int line = __builtin_LINE()) { return {file, line}; }
};

class Error : public std::exception {
 public:
  enum class Kind : u8 { user, run_time, internal };
  // `code` is a literal such as "split.tail"; `what` is the whole text, copied.
  Error(Kind kind, const char* code, const char* text);
  Error(const Error& other) noexcept;
  Error& operator=(const Error&) = delete;
  ~Error() override;
  const char* what() const noexcept override { return text_; }
  const char* code() const noexcept { return code_; }
  Kind kind() const noexcept { return kind_; }

 private:
  Kind kind_;
  const char* code_;
  char* text_;      // shared, counted in front of the characters
};

// Throws `error[code]: message`, `  at file:line`, and `more` (already indented lines) when given.
[[noreturn]] void fail(const char* code, Where at, const char* message, const char* more = "");
[[noreturn]] void fail_internal(const char* code, const char* message);
}  // namespace ordo
#if !defined(ORDO_COMPILED)
#include "ordo/base/error.ipp"
#endif
