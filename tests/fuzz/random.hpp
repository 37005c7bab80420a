// A small generator of pseudo-random numbers: the same on every machine.
#pragma once
#include <vector>
#include "ordo/base/types.hpp"

namespace fuzz {
using ordo::i64;
using ordo::u64;
class Random {
 public:
  explicit Random(u64 seed) : state_(seed * 0x9e3779b97f4a7c15u + 0x1234567u) {}
  u64 bits() {                   // splitmix64 (Steele, Lea, Flood 2014)
    u64 z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }
  i64 below(i64 n) { return static_cast<i64>(bits() % static_cast<u64>(n)); }
  i64 between(i64 low, i64 high) { return low + below(high - low + 1); }
  bool chance(int percent) { return below(100) < percent; }
  template <class T>
  const T& of(const std::vector<T>& list) { return list[static_cast<std::size_t>(below(static_cast<i64>(list.size())))]; }

 private:
  u64 state_;
};
}  // namespace fuzz
