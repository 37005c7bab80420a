#pragma once
#include <cstring>
#include <string>
#include "ordo/base/target.hpp"
#include "ordo/codegen/llvm/architectures.hpp"
#include "ordo/codegen/llvm/features.hpp"
#include "ordo/codegen/llvm/llvm.hpp"
#include "ordo/codegen/llvm/api.hpp"
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace ordo::codegen::llvm::detail_target {
struct Cpuid {
  unsigned c1 = 0, d1 = 0, b7 = 0, c7 = 0, c81 = 0;
  int state = -1;        // as in Feature; -1: not an x86-64
};
inline Cpuid read_cpuid() {
  Cpuid id;
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) != 0) { id.c1 = c; id.d1 = d; }
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) != 0) { id.b7 = b; id.c7 = c; }
  if (__get_cpuid(0x80000001u, &a, &b, &c, &d) != 0) id.c81 = c;
  id.state = 0;
  if ((id.c1 >> 27 & 1) != 0) {    // OSXSAVE: xgetbv may be asked
    unsigned low = 0, high = 0;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & 0x06) == 0x06) id.state = 1;
    if ((low & 0xe6) == 0xe6) id.state = 2;
  }
#endif
  return id;
}
inline const Cpuid& cpuid() {
  static const Cpuid id = read_cpuid();
  return id;
}
inline void copy(char* to, std::size_t room, const std::string& text) {
  if (text.size() >= room) fail_internal("codegen.target", "a target's text is too long");
  std::memcpy(to, text.c_str(), text.size() + 1);
}
inline bool has(const std::string& list, const char* name) {
  const std::string padded = "," + list + ",";
  return padded.find(std::string(",+") + name + ",") != std::string::npos;
}
inline Target named(const char* name, const char* triple, const std::string& tuning, const std::string& list) {
  Target t;
  t.backend = &backend();
  copy(t.name, sizeof t.name, name);
  copy(t.triple, sizeof t.triple, triple);
  copy(t.cpu, sizeof t.cpu, tuning);
  copy(t.features, sizeof t.features, list);
  return t;
}
// The facts follow from the features.
inline Target x86(const char* name, const std::string& tuning, const std::string& list) {
  Target t = named(name, x86_triple, tuning, list);
  const bool wide = has(list, "avx512f") && has(list, "avx512vl") && has(list, "avx512bw") && has(list, "avx512dq");
  t.vector_bits = wide ? 512 : has(list, "avx2") ? 256 : 128;
  t.vector_registers = wide ? 32 : 16;
  t.fma = has(list, "fma");
  t.masked_memory = has(list, "avx2");
  t.half = has(list, "f16c");
  t.lookups = wide;
  t.byte_dots = wide && has(list, "avx512vnni");
  return t;
}
inline Target other(const Architecture& a) {
  Target t = named(a.name, a.triple, "generic", a.features);
  t.vector_bits = a.vector_bits;
  t.vector_registers = a.vector_registers;
  t.fma = a.fma;
  t.masked_memory = a.masked_memory;
  t.half = a.half;
  return t;
}
inline void add(std::string& list, const char* name) {
  if (!list.empty()) list += ',';
  list += '+';
  list += name;
}
}  // namespace ordo::codegen::llvm::detail_target

namespace ordo::codegen::llvm {
ORDO_INLINE bool host_has(const Feature& f) {
  const detail_target::Cpuid& id = detail_target::cpuid();
  if (id.state < f.state) return false;
  unsigned word = 0;
  switch (f.word) {
    case Word::c1: word = id.c1; break;
    case Word::d1: word = id.d1; break;
    case Word::b7: word = id.b7; break;
    case Word::c7: word = id.c7; break;
    case Word::c81: word = id.c81; break;
  }
  return (word >> f.bit & 1) != 0;
}
}  // namespace ordo::codegen::llvm

namespace ordo::cpu {
ORDO_INLINE Target host() {
  namespace own = codegen::llvm;
  std::string list;
  for (const own::Feature& f : own::features)
    if (own::host_has(f)) own::detail_target::add(list, f.name);
  const own::Text name(LLVMGetHostCPUName());
  return own::detail_target::x86("host", std::string(name), list);
}
ORDO_INLINE Target named(const char* name, Where at) {
  namespace own = codegen::llvm;
  if (name == nullptr) name = "";
  for (int level = 2; level <= 4; ++level) {
    const std::string full = "x86-64-v" + std::to_string(level);
    if (full != name) continue;
    std::string list;
    for (const own::Feature& f : own::features)
      if (f.level != 0 && f.level <= level) own::detail_target::add(list, f.name);
    return own::detail_target::x86(full.c_str(), "generic", list);
  }
  for (const own::Architecture& a : own::architectures)
    if (std::strcmp(name, a.name) == 0) return own::detail_target::other(a);
  if (std::strcmp(name, "host") == 0) return host();
  fail("target.name", at, (std::string("no target is called `") + name + "`").c_str(),
       "  help: x86-64-v2, x86-64-v3, x86-64-v4, aarch64-neon, aarch64-sve, aarch64-sve256, riscv64-v, or cpu::host()");
}
ORDO_INLINE bool runs_here(const Target& target) {
  namespace own = codegen::llvm;
  if (own::detail_target::cpuid().state < 0 || std::strcmp(target.triple, own::x86_triple) != 0) return false;
  std::string rest = target.features;
  while (!rest.empty()) {
    const std::size_t end = rest.find(',');
    const std::string one = rest.substr(0, end);
    rest = end == std::string::npos ? "" : rest.substr(end + 1);
    bool found = false;
    for (const own::Feature& f : own::features) found = found || (one == std::string("+") + f.name && own::host_has(f));
    if (!found) return false;
  }
  return true;
}
}  // namespace ordo::cpu
