// What a default schedule and metrics know of the machine that will run the code. Detected, printable, overridable: the same
// program and the same description give the same schedule.
#pragma once
#include <string>
#include "ordo/base/target.hpp"

namespace ordo {
struct Machine {
  int vector_bits = 128;
  int vector_registers = 16;
  bool fma = false;
  bool byte_dots = false;   // sums of four products of bytes in one instruction
  int fma_ports = 2;        // vector fused multiply-adds that start in a cycle
  int fma_latency = 4;      // cycles
  i64 l1_bytes = 32 << 10;  // data caches of one core
  i64 l1_ways = 8;
  i64 l2_bytes = 512 << 10;
  i64 l3_bytes = 8 << 20;    // shared
  i64 page_bytes = 4 << 10;  // caches look ahead within one
  int cores = 1;
};
// Vector facts of the target, caches and cores of this machine as sysconf(3) and Linux's sysfs tell them; what they do not tell, and
// the facts of fused multiply-adds, stay as above.
Machine detect(const Target& target);
std::string print(const Machine& machine);     // a line a fact, "l1_bytes = 32768"
void check(const Machine& machine, Where at);  // code machine.value: a fact that no machine has

// Every fact: visit(name, member, least, most).
template <class M, class Visit>
void each_fact(M& m, const Visit& visit) {
  constexpr i64 most_bytes = i64{1} << 40;
  visit("vector_bits", m.vector_bits, 32, 1 << 16);
  visit("vector_registers", m.vector_registers, 4, 1024);
  visit("fma", m.fma, 0, 1);
  visit("byte_dots", m.byte_dots, 0, 1);
  visit("fma_ports", m.fma_ports, 1, 64);
  visit("fma_latency", m.fma_latency, 1, 64);
  visit("l1_bytes", m.l1_bytes, 512, most_bytes);
  visit("l1_ways", m.l1_ways, 1, 1 << 16);
  visit("l2_bytes", m.l2_bytes, 512, most_bytes);
  visit("l3_bytes", m.l3_bytes, 512, most_bytes);
  visit("page_bytes", m.page_bytes, 64, most_bytes);
  visit("cores", m.cores, 1, 1 << 16);
}
}  // namespace ordo
#if !defined(ORDO_COMPILED)
#include "ordo/base/machine.ipp"
#endif
