#pragma once
#include "ordo/codegen/null/null.hpp"

namespace ordo::codegen::null::detail_null {
inline std::string version() { return "1"; }
inline Code generate(const kernel::Kernel& kernel, const Target&, bool) {
  kernel::verify(kernel);
  return {};
}
inline i32 nothing(const kernel::Frame*) { return 0; }
inline void* load(const std::string& object, const char* name) {
  if (!object.empty())
    fail("codegen.load", {}, ("cannot load the code of `" + std::string(name) + "`: the null back-end makes none").c_str());
  static char loaded;
  return &loaded;
}
inline kernel::Entry entry(const void*) { return nothing; }
inline void unload(void*) {}
inline bool runs(const Target&) { return true; }
}  // namespace ordo::codegen::null::detail_null

namespace ordo::codegen::null {
ORDO_INLINE const Backend& backend() {
  using namespace detail_null;
  static constexpr Backend table = {"null", version, generate, load, entry, unload, runs};
  return table;
}
}  // namespace ordo::codegen::null

namespace ordo {
ORDO_INLINE Target null_target() {
  Target t;
  t.backend = &codegen::null::backend();
  for (std::size_t k = 0; k < 5; ++k) t.name[k] = "null"[k];
  t.name[4] = '\0';
  t.vector_bits = 256;
  t.fma = true;
  t.masked_memory = true;
  return t;
}
}  // namespace ordo
