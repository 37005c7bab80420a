#pragma once
#include <atomic>
#include "ordo/runtime/executor.hpp"

namespace ordo {
namespace runtime::detail_executor {
inline std::atomic<const Executor*> current{nullptr};    // what it points to is never freed: kernels may be running
}

ORDO_INLINE Executor default_executor() {
  const Executor* const e = runtime::detail_executor::current.load(std::memory_order_acquire);
  return e != nullptr ? *e : serial();
}
ORDO_INLINE void set_default_executor(Executor executor) {
  runtime::detail_executor::current.store(new Executor(executor), std::memory_order_release);
}
}  // namespace ordo
