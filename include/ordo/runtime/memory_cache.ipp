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
// The oldest code that nobody holds goes; a place being made is held by its maker.
inline std::vector<std::shared_ptr<Place>> crowded_out(Memory& m) {
  std::vector<std::pair<u64, std::map<ir::Digest, std::shared_ptr<Place>>::iterator>> unused;
  for (auto it = m.places.begin(); it != m.places.end(); ++it) {
    const std::unique_lock<std::mutex> idle(it->second->making, std::try_to_lock);
    if (idle && it->second.use_count() == 1 && it->second->code.use_count() <= 1) unused.push_back({it->second->used, it});
  }
  std::vector<std::shared_ptr<Place>> gone;
  if (unused.size() <= most_unused) return gone;
  u64 border = 0;
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
  std::vector<std::shared_ptr<Place>> gone;      // unloaded after the lock is released
  {
    const std::lock_guard<std::mutex> hold(m.lock);
    std::shared_ptr<Place>& slot = m.places[key];
    if (slot == nullptr) slot = std::make_shared<Place>();
    place = slot;
    place->used = ++m.clock;
    if (m.clock % most_unused == 0) gone = crowded_out(m);
  }
  const std::lock_guard<std::mutex> hold(place->making);
  if (place->code == nullptr) place->code = make();
  return place->code;
}
}  // namespace ordo::runtime
