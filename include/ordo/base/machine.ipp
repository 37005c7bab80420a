#pragma once
#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include "ordo/base/machine.hpp"

namespace ordo {
namespace detail_machine {
inline constexpr i64 line_bytes = 64;
// Bytes of the caches that core 0 sees, by level, as Linux tells them: glibc's figure for the last level may be the sum over all
// sockets of another machine. 0: not told.
inline i64 cache_bytes(int level) {
  for (int index = 0; index < 8; ++index) {
    const auto read = [index](const char* what, const char* form, void* into) {
      const std::string path = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/" + what;
      std::FILE* const file = std::fopen(path.c_str(), "re");
      const bool good = file != nullptr && std::fscanf(file, form, into) == 1;
      if (file != nullptr) std::fclose(file);
      return good;
    };
    int is = 0;
    long kib = 0;
    char type[16] = "";
    if (!read("level", "%d", &is)) return 0;
    if (is == level && read("type", "%15s", type) && type[0] != 'I' && read("size", "%ldK", &kib)) return i64{kib} << 10;
  }
  return 0;
}
}  // namespace detail_machine

ORDO_INLINE Machine detect(const Target& target) {
  Machine m;
  m.vector_bits = target.vector_bits;
  m.vector_registers = target.vector_registers;
  m.fma = target.fma;
  m.byte_dots = target.byte_dots;
  const auto ask = [](int what, i64& into) {
    const long v = ::sysconf(what);
    if (v > 0) into = v;
  };
#if defined(_SC_LEVEL1_DCACHE_SIZE)
  ask(_SC_LEVEL1_DCACHE_SIZE, m.l1_bytes);
  ask(_SC_LEVEL1_DCACHE_ASSOC, m.l1_ways);
  ask(_SC_LEVEL2_CACHE_SIZE, m.l2_bytes);
  ask(_SC_LEVEL3_CACHE_SIZE, m.l3_bytes);
#endif
  if (const i64 bytes = detail_machine::cache_bytes(3); bytes > 0) m.l3_bytes = bytes;
  m.l1_ways = std::clamp<i64>(m.l1_ways, 1, m.l1_bytes / detail_machine::line_bytes);  // what is told may be of another cache
  m.l2_bytes = std::max(m.l1_bytes, m.l2_bytes);                                       // where a level is missing
  m.l3_bytes = std::max(m.l2_bytes, m.l3_bytes);
  ask(_SC_PAGESIZE, m.page_bytes);
  i64 cores = 1;
  ask(_SC_NPROCESSORS_ONLN, cores);
  m.cores = static_cast<int>(cores);
  return m;
}

ORDO_INLINE std::string print(const Machine& m) {
  std::string text;
  each_fact(m, [&](const char* name, i64 value, i64, i64) { text += std::string(name) + " = " + std::to_string(value) + "\n"; });
  return text;
}
ORDO_INLINE void check(const Machine& m, Where at) {
  const auto no = [&](const std::string& what, const std::string& help) {
    fail("machine.value", at, what.c_str(), ("  help: " + help).c_str());
  };
  each_fact(m, [&](const char* name, i64 value, i64 least, i64 most) {
    if (value < least || value > most)
      no("no machine has " + std::string(name) + " = " + std::to_string(value),
         "it is " + std::to_string(least) + " to " + std::to_string(most) + "; detect(target) gives those of this machine");
  });
  if ((m.vector_bits & (m.vector_bits - 1)) != 0)
    no("no machine has vector_bits = " + std::to_string(m.vector_bits), "it is a power of two");
  if (m.l1_ways > m.l1_bytes / detail_machine::line_bytes)
    no("l1_ways = " + std::to_string(m.l1_ways) + " of l1_bytes = " + std::to_string(m.l1_bytes) + " hold no line of " +
           std::to_string(detail_machine::line_bytes) + " bytes each",
       "at most " + std::to_string(m.l1_bytes / detail_machine::line_bytes) + " ways, where any line may take any place");
  const auto larger = [&](const char* name, i64 bytes, const char* next, i64 next_bytes) {
    if (bytes > next_bytes)
      no(std::string(name) + " = " + std::to_string(bytes) + " is more than " + next + " = " + std::to_string(next_bytes),
         std::string("of a machine without that cache give both the same size"));
  };
  larger("l1_bytes", m.l1_bytes, "l2_bytes", m.l2_bytes);
  larger("l2_bytes", m.l2_bytes, "l3_bytes", m.l3_bytes);
}
}  // namespace ordo
