// A machine with 32 registers of 512 bits, and what the default schedule writes for it.
#pragma once
#include "ordo/auto/schedule.hpp"
#include "ordo/ir/program.hpp"

namespace made {
inline ordo::Machine wide() {
  ordo::Machine m;
  m.vector_bits = 512;
  m.vector_registers = 32;
  m.fma = true;
  m.l2_bytes = 1 << 20;
  m.cores = 2;
  return m;
}
// Nothing left out: default_schedule() drops what is refused, and a test of it would not see that.
inline ordo::nest::Trace written(const ordo::ir::Program& program, const ordo::Machine& machine) {
  return ordo::detail_auto::written(ordo::nest::make(ordo::ir::stages(program)), machine);
}
}  // namespace made
