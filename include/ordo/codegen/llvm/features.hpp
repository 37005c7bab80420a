// x86-64 instruction sets by LLVM's names: where cpuid says so, and which level of the psABI asks for it. Only what
// changes the code that is generated is here; left out on purpose is arithmetic that NUMERICS.md cannot use (bf16, fp16).
#pragma once
#include "ordo/base/types.hpp"

namespace ordo::codegen::llvm {
enum class Word : u8 { c1, d1, b7, c7, c81 };      // registers of leaves 1, 7 and 80000001h
struct Feature {
  const char* name;
  Word word;
  int bit;
  int level;             // 2, 3, 4; 0: no level, used where the host has it
  int state;             // register state the system must save: 0 SSE, 1 AVX, 2 AVX-512
};
inline constexpr Feature features[] = {
    {"cx16", Word::c1, 13, 2, 0}, {"popcnt", Word::c1, 23, 2, 0}, {"sahf", Word::c81, 0, 2, 0}, {"sse3", Word::c1, 0, 2, 0},
    {"ssse3", Word::c1, 9, 2, 0}, {"sse4.1", Word::c1, 19, 2, 0}, {"sse4.2", Word::c1, 20, 2, 0},
    {"avx", Word::c1, 28, 3, 1}, {"avx2", Word::b7, 5, 3, 1}, {"bmi", Word::b7, 3, 3, 0}, {"bmi2", Word::b7, 8, 3, 0},
    {"f16c", Word::c1, 29, 3, 1}, {"fma", Word::c1, 12, 3, 1}, {"lzcnt", Word::c81, 5, 3, 0}, {"movbe", Word::c1, 22, 3, 0},
    {"avx512f", Word::b7, 16, 4, 2}, {"avx512bw", Word::b7, 30, 4, 2}, {"avx512cd", Word::b7, 28, 4, 2},
    {"avx512dq", Word::b7, 17, 4, 2}, {"avx512vl", Word::b7, 31, 4, 2},
    {"avx512ifma", Word::b7, 21, 0, 2}, {"avx512vbmi", Word::c7, 1, 0, 2}, {"avx512vbmi2", Word::c7, 6, 0, 2},
    {"avx512vnni", Word::c7, 11, 0, 2}, {"avx512bitalg", Word::c7, 12, 0, 2}, {"avx512vpopcntdq", Word::c7, 14, 0, 2},
};
bool host_has(const Feature& feature);             // the processor has it and the system saves its registers
}  // namespace ordo::codegen::llvm
#if !defined(ORDO_COMPILED)
#include "ordo/codegen/llvm/target.ipp"
#endif
