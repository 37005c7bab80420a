#pragma once
#include <unistd.h>
#include "ordo/auto/machine.hpp"

namespace ordo {
ORDO_INLINE Machine detect(const Target& target) {
  Machine m;
  m.vector_bits = target.vector_bits;
  m.vector_registers = target.vector_registers;
  m.fma = target.fma;
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
  i64 cores = 1;
  ask(_SC_NPROCESSORS_ONLN, cores);
  m.cores = static_cast<int>(cores);
  return m;
}

ORDO_INLINE std::string print(const Machine& m) {
  const auto number = [](const char* name, i64 v) { return std::string(name) + " = " + std::to_string(v) + "\n"; };
  return number("vector_bits", m.vector_bits) + number("vector_registers", m.vector_registers) + number("fma", m.fma) +
         number("fma_ports", m.fma_ports) + number("fma_latency", m.fma_latency) + number("l1_bytes", m.l1_bytes) +
         number("l1_ways", m.l1_ways) + number("l2_bytes", m.l2_bytes) + number("l3_bytes", m.l3_bytes) + number("cores", m.cores);
}
}  // namespace ordo
