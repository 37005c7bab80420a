#pragma once
#include <atomic>
#include "ordo/runtime/executor.hpp"

namespace ordo {
namespace runtime::detail_executor {
struct Kept {                    // never freed: kernels may be running on it; the same one is kept once
  Executor executor;
  const Kept* next;
};
inline std::atomic<const Kept*> all{nullptr}, current{nullptr};
inline bool same(const Executor& a, const Executor& b) {
  return a.parallel_for == b.parallel_for && a.context == b.context && a.threads == b.threads;
}
}  // namespace runtime::detail_executor

ORDO_INLINE Executor default_executor() {
  const auto* const kept = runtime::detail_executor::current.load(std::memory_order_acquire);
  return kept != nullptr ? kept->executor : serial();
}
ORDO_INLINE void set_default_executor(Executor executor) {
  using namespace runtime::detail_executor;
  const Kept* first = all.load(std::memory_order_acquire);
  const Kept* kept = first;
  while (kept != nullptr && !same(kept->executor, executor)) kept = kept->next;
  if (kept == nullptr) {
    Kept* const fresh = new Kept{executor, first};
    while (!all.compare_exchange_weak(fresh->next, fresh, std::memory_order_acq_rel)) continue;
    kept = fresh;
  }
  current.store(kept, std::memory_order_release);
}
}  // namespace ordo
