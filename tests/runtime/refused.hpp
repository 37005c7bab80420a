// The text of the error that `f` ends with, lines of this file as `:*`, so that goldens survive edits above them.
#pragma once
#include <doctest/doctest.h>
#include <string>
#include "ordo/base/error.hpp"

template <class F> std::string refused(F f) {
  try {
    f();
  } catch (const ordo::Error& e) {
    CHECK(e.kind() != ordo::Error::Kind::internal);
    std::string text = e.what();
    for (std::size_t at = text.find(".cpp:"); at != std::string::npos; at = text.find(".cpp:", at + 5)) {
      std::size_t end = at + 5;
      while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
      text.replace(at + 5, end - at - 5, "*");
    }
    return text;
  }
  return "no error";
}
