// The functions that generated code calls by name: soft:: on bit patterns. Cached object code links against the names.
#pragma once
#include "ordo/base/soft.hpp"

namespace ordo::codegen::llvm {
struct Routine {
  const char* name;
  u64 address;
};
namespace detail_routines {
inline u64 fma_f64(u64 a, u64 b, u64 c) { return soft::fma(Type::f64, a, b, c); }
inline u64 fmod_f32(u64 a, u64 b) { return soft::fmod(Type::f32, a, b); }
inline u64 fmod_f64(u64 a, u64 b) { return soft::fmod(Type::f64, a, b); }
template <class F> u64 address(F* function) { return static_cast<u64>(reinterpret_cast<std::uintptr_t>(function)); }
}  // namespace detail_routines

inline constexpr int routine_count = 3;
inline Routine routine_of(int k) {
  using namespace detail_routines;
  const Routine all[routine_count] = {
      {"ordo_soft_fma_f64", address(fma_f64)}, {"ordo_soft_fmod_f32", address(fmod_f32)}, {"ordo_soft_fmod_f64", address(fmod_f64)}};
  return all[k];
}
}  // namespace ordo::codegen::llvm
