// A target: a table of facts. Passes and default schedules read it; nothing else knows machines.
#pragma once
#include "ordo/base/error.hpp"

namespace ordo {
enum class Backend : u8 { interpreter, null, llvm };
struct Target {
  Backend backend = Backend::interpreter;
  char name[32] = "interpreter"; // "x86-64-v3", "host": what errors and keys say
  char cpu[32] = "";             // LLVM's name of the CPU to generate for and tune for
  char features[2048] = "";      // LLVM's feature string; facts below follow from it
  int vector_bits = 128;
  int vector_registers = 16;
  bool fma = false;
  bool masked_memory = false;    // masked loads and stores that touch only active lanes, in one instruction
};
Target interpreter();            // runs `interpret`
Target null_target();            // lowers, compiles and launches nothing: for tests and timing
namespace cpu {
Target host();                   // detected by cpuid
Target named(const char* name, Where at = Where::current());   // "x86-64-v2", "x86-64-v3", "x86-64-v4"; code target.name
bool runs_here(const Target& target);
}  // namespace cpu
}  // namespace ordo
#if !defined(ORDO_COMPILED)
#include "ordo/base/target.ipp"
#endif
