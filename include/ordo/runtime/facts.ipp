#pragma once
#include <string>
#include "ordo/runtime/facts.hpp"

namespace ordo::runtime {
ORDO_INLINE void check_facts(const Target& target, Where at) {
  constexpr int least_bits = 128, most_bits = 2048, least_registers = 4, most_registers = 1024;
  const auto no = [&](const char* fact, int is, const std::string& help) {
    fail("target.facts", at, (std::string(fact) + " of the target `" + target.name + "` is " + std::to_string(is)).c_str(),
         ("  help: " + help + ", as cpu::host() and cpu::named(...) give it").c_str());
  };
  const int bits = target.vector_bits, registers = target.vector_registers;
  if (bits < least_bits || bits > most_bits || (bits & (bits - 1)) != 0)
    no("vector_bits", bits, "a power of two from " + std::to_string(least_bits) + " to " + std::to_string(most_bits));
  if (registers < least_registers || registers > most_registers)
    no("vector_registers", registers, "a number from " + std::to_string(least_registers) + " to " + std::to_string(most_registers));
}
}  // namespace ordo::runtime
