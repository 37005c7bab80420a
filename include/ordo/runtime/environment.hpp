// The floating-point environment of NUMERICS.md: nearest even, subnormals kept, exceptions masked. A scope saves what
// the thread had, flags included, and gives it back.
#pragma once
#include "ordo/base/types.hpp"
#if !defined(__x86_64__) && !defined(__aarch64__) && !defined(__riscv)
#include <fenv.h>
#endif

namespace ordo::runtime {
#if defined(__x86_64__)          // MXCSR; generated code does not use the x87 unit
using Environment = unsigned;
inline constexpr Environment contract_environment = 0x1f80;
inline Environment environment() { return __builtin_ia32_stmxcsr(); }
inline void set_environment(Environment e) { __builtin_ia32_ldmxcsr(e); }
#elif defined(__aarch64__)
struct Environment { u64 control, status; };
inline constexpr Environment contract_environment = {0, 0};
inline Environment environment() {
  Environment e;
  __asm__ volatile("mrs %0, fpcr" : "=r"(e.control) : : "memory");
  __asm__ volatile("mrs %0, fpsr" : "=r"(e.status) : : "memory");
  return e;
}
inline void set_environment(Environment e) {
  __asm__ volatile("msr fpcr, %0" : : "r"(e.control) : "memory");
  __asm__ volatile("msr fpsr, %0" : : "r"(e.status) : "memory");
}
#elif defined(__riscv)           // fcsr: rounding mode and flags
using Environment = unsigned long;
inline constexpr Environment contract_environment = 0;
inline Environment environment() {
  Environment e;
  __asm__ volatile("frcsr %0" : "=r"(e) : : "memory");
  return e;
}
inline void set_environment(Environment e) { __asm__ volatile("fscsr %0" : : "r"(e) : "memory"); }
#else
using Environment = fenv_t;
inline const Environment contract_environment = *FE_DFL_ENV;
inline Environment environment() {
  Environment e;
  fegetenv(&e);
  return e;
}
inline void set_environment(const Environment& e) { fesetenv(&e); }
#endif

class EnvironmentScope {
 public:
  EnvironmentScope() : before_(environment()) { set_environment(contract_environment); }
  EnvironmentScope(const EnvironmentScope&) = delete;
  EnvironmentScope& operator=(const EnvironmentScope&) = delete;
  ~EnvironmentScope() { set_environment(before_); }

 private:
  Environment before_;
};
}  // namespace ordo::runtime
