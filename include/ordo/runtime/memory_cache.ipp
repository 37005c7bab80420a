#pragma once
#include <map>
#include <mutex>
#include <utility>
#include <vector>
#include "ordo/runtime/memory_cache.hpp"

namespace ordo::runtime {
namespace detail_memory_cache {
struct Place {
  std::mutex making;
  Loaded code;
  u64 used = 0;
};
struct Memory {
  std::mutex lock;
  std::map<ir::Digest, std::shared_ptr<Place>> places;
  u64 clock = 0;
};
inline constexpr std::size_t most_unused = 128;
inline Memory& memory() {
  static Memory* const made = new Memory;        // never destroyed: kernels may live in statics
  return *made;
}
// Takes out code that nobody holds, the oldest half when there are more than `most` of it; a place being made is held by
// its maker. The caller unloads it without the lock.
inline std::vector<std::shared_ptr<Place>> unused_code(Memory& m, std::size_t most) {
  std::vector<std::pair<u64, std::map<ir::Digest, std::shared_ptr<Place>>::iterator>> unused;
  for (auto it = m.places.begin(); it != m.places.end(); ++it) {
    const std::unique_lock<std::mutex> idle(it->second->making, std::try_to_lock);
    if (idle && it->second.use_count() == 1 && it->second->code.use_count() <= 1) unused.push_back({it->second->used, it});
  }
  std::vector<std::shared_ptr<Place>> gone;
  if (unused.size() <= most) return gone;
  u64 border = most == 0 ? ~u64{0} : 0;
  if (most != 0)
    for (const auto& [used, it] : unused) border += used / unused.size();
  for (const auto& [used, it] : unused) {
    if (used > border) continue;
    gone.push_back(std::move(it->second));
    m.places.erase(it);
  }
  return gone;
}
}  // namespace detail_memory_cache

ORDO_INLINE Loaded loaded_once(const ir::Digest& key, const std::function<Loaded()>& make) {
  using namespace detail_memory_cache;
  Memory& m = memory();
  std::shared_ptr<Place> place;
  std::vector<std::shared_ptr<Place>> gone;
  {
    const std::lock_guard<std::mutex> hold(m.lock);
    std::shared_ptr<Place>& slot = m.places[key];
    if (slot == nullptr) slot = std::make_shared<Place>();
    place = slot;
    place->used = ++m.clock;
    if (m.clock % most_unused == 0) gone = unused_code(m, most_unused);
  }
  const std::lock_guard<std::mutex> hold(place->making);
  if (place->code == nullptr) place->code = make();
  return place->code;
}
ORDO_INLINE void drop_unused_code() {
  using namespace detail_memory_cache;
  std::vector<std::shared_ptr<Place>> gone;      // outlives the lock
  const std::lock_guard<std::mutex> hold(memory().lock);
  gone = unused_code(memory(), 0);
}
}  // namespace ordo::runtime
