// Instruction sets other than x86-64, each with its facts: code for them is made here and runs elsewhere.
#pragma once

namespace ordo::codegen::llvm {
inline constexpr const char* x86_triple = "x86_64-unknown-linux-gnu";
inline constexpr const char* aarch64_triple = "aarch64-unknown-linux-gnu";
inline constexpr const char* riscv64_triple = "riscv64-unknown-linux-gnu";

struct Architecture {
  const char *name, *triple, *features;
  int vector_bits, vector_registers;
  bool fma, masked_memory, half;         // as in Target
};
// SVE code is for vectors of at least vector_bits: its predicates count lanes, so longer ones give the same bits. V has at
// least 128 bits.
inline constexpr Architecture architectures[] = {
    {"aarch64-neon", aarch64_triple, "+neon", 128, 32, true, false, true},
    {"aarch64-sve", aarch64_triple, "+neon,+sve", 128, 32, true, true, true},
    {"aarch64-sve256", aarch64_triple, "+neon,+sve", 256, 32, true, true, true},
    {"riscv64-v", riscv64_triple, "+m,+a,+f,+d,+c,+v", 128, 32, true, true, false},
};
}  // namespace ordo::codegen::llvm
