// Who runs the chunks of a parallel loop. Two pointers; a program may bring its own.
#pragma once
#include "ordo/base/error.hpp"

namespace ordo {
struct Executor {
  // Calls chunk(closure, 0), ... chunk(closure, count - 1), each once, in any order, on any threads, and returns when all
  // have returned. Calls may nest (serially if it likes). Never throws. Nothing given: default_executor().
  void (*parallel_for)(void* context, i64 count, void (*chunk)(void* closure, i64 index), void* closure) = nullptr;
  void* context = nullptr;
  int threads = 0;               // how many it runs on, for default schedules; 0: as many as the machine has cores
};
// The calling thread runs all chunks in turn, whatever the default executor is. No function: kernels run their loops in place.
namespace runtime { inline char serial_mark; }
inline Executor serial() { return {nullptr, &runtime::serial_mark, 1}; }
constexpr bool is_given(const Executor& e) { return e.parallel_for != nullptr || e.context != nullptr; }

// What kernels use whose options name none: serial, or oneTBB on all cores once a unit includes ordo/cpu.hpp.
Executor default_executor();
void set_default_executor(Executor executor);

namespace cpu {                  // runtime/tbb.ipp
Executor threads();              // oneTBB, as many threads as the process may use
Executor threads(int limit, Where at = Where::current());      // at most `limit`; code run.threads below 1
}  // namespace cpu
}  // namespace ordo
#if !defined(ORDO_COMPILED)
#include "ordo/runtime/executor.ipp"
#endif
