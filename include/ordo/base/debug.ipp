#pragma once
#include <cstdlib>
#include <cstring>
#include "ordo/base/debug.hpp"

namespace ordo {
ORDO_INLINE bool debug_wants(const char* what) {
  const char* list = std::getenv("ORDO_DEBUG");
  for (; list != nullptr && *list != '\0'; list += *list != '\0') {
    const std::size_t length = std::strcspn(list, ", ");
    if (length == std::strlen(what) && std::strncmp(list, what, length) == 0) return true;
    list += length;
  }
  return false;
}
}  // namespace ordo
