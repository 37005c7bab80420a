// What a default schedule knows of the machine that will run the code. Detected, printable, overridable: the same
// program and the same description give the same schedule.
#pragma once
#include <string>
#include "ordo/base/target.hpp"

namespace ordo {
struct Machine {
  int vector_bits = 128;
  int vector_registers = 16;
  bool fma = false;
  bool byte_dots = false;        // sums of four products of bytes in one instruction
  int fma_ports = 2;             // vector fused multiply-adds that start in a cycle
  int fma_latency = 4;           // cycles
  i64 l1_bytes = 32 << 10;       // data caches of one core
  i64 l1_ways = 8;
  i64 l2_bytes = 512 << 10;
  i64 l3_bytes = 8 << 20;        // shared
  i64 page_bytes = 4 << 10;      // caches look ahead within one
  int cores = 1;
};
// Vector facts of the target, caches and cores of this machine as sysconf(3) and Linux's sysfs tell them; what they do not tell, and
// the facts of fused multiply-adds, stay as above.
Machine detect(const Target& target);
std::string print(const Machine& machine);       // a line a fact, "l1_bytes = 32768"
}  // namespace ordo
#if !defined(ORDO_COMPILED)
#include "ordo/base/machine.ipp"
#endif
