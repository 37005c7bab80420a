// A target: a table of facts, and the back-end that honours them. Passes and default schedules read the facts; nothing
// else knows machines. A back-end is reached through its calls only, so that the light front needs none of them.
#pragma once
#include "ordo/base/error.hpp"

namespace ordo {
namespace codegen { struct Backend; }    // codegen/backend.hpp
struct Target {
  const codegen::Backend* backend = nullptr;     // nullptr: the interpreter
  char name[32] = "interpreter"; // "x86-64-v3", "host": what errors and keys say
  char triple[32] = "";          // LLVM's name of the architecture: "aarch64-unknown-linux-gnu"
  char cpu[32] = "";             // LLVM's name of the CPU to tune for
  char features[1024] = "";      // LLVM's feature string, "+avx2,+fma,..."; the facts below follow from it
  int vector_bits = 128;
  int vector_registers = 16;
  bool fma = false;
  bool masked_memory = false;    // masked loads and stores touch only active lanes, in one instruction
  bool half = false;             // f16 <-> f32 in one instruction
  bool lookups = false;          // 16 numbers of a table of 32 in one instruction
  bool byte_dots = false;        // four products of bytes added to an i32, exactly, in one instruction
};
inline Target interpreter() { return {}; }       // kernels run `interpret`
Target null_target();            // codegen/null: lowers, compiles and launches nothing
namespace cpu {                  // codegen/llvm
Target host();                   // detected by cpuid
// "x86-64-v2", "x86-64-v3", "x86-64-v4", "aarch64-neon", "aarch64-sve", "aarch64-sve256", "riscv64-v"; code target.name.
// "aarch64-sve" runs on hardware with vectors of any length, "aarch64-sve256" where they have 256 bits or more.
Target named(const char* name, Where at = Where::current());
bool runs_here(const Target& target);
}  // namespace cpu
}  // namespace ordo
