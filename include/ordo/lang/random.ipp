#pragma once
#include "ordo/lang/random.hpp"

namespace ordo {
namespace detail_random {
inline Expr<u64> low(Expr<u64> x) { return x & 0xffffffffu; }
inline Expr<u64> high(Expr<u64> x) { return x >> 32u; }
}  // namespace detail_random

// Ten rounds; the key grows by the golden ratio and sqrt(3) - 1 after each, as the paper's section 4 fixes it.
ORDO_INLINE lang::Words lang::philox(const Key& key, Expr<u64> block) {
  using detail_random::high;
  using detail_random::low;
  Expr<u64> a = low(block), b = high(block), c = low(key.stream), d = high(key.stream), k0 = low(key.seed), k1 = high(key.seed);
  for (int round = 0; round < 10; ++round) {
    const Expr<u64> x = a * 0xD2511F53u, y = c * 0xCD9E8D57u;
    a = high(y) ^ b ^ k0;
    b = low(y);
    c = high(x) ^ d ^ k1;
    d = low(x);
    k0 = low(k0 + 0x9E3779B9u);
    k1 = low(k1 + 0xBB67AE85u);
  }
  return {{a, b, c, d}};
}
ORDO_INLINE Expr<u64> lang::word_of(const Key& key, Expr<i64> element) {
  const Expr<u64> n = cast<u64>(element);
  const Words block = philox(key, n >> 2u);
  const Expr<bool> odd = (n & 1u) != 0u, upper = (n & 2u) != 0u;
  return select(upper, select(odd, block.w[3], block.w[2]), select(odd, block.w[1], block.w[0]));
}
ORDO_INLINE lang::Pair lang::pair_of(const Key& key, Expr<i64> pair) {
  const Expr<u64> n = cast<u64>(pair);
  const Words block = philox(key, n >> 1u);
  const Expr<bool> upper = (n & 1u) != 0u;
  return {select(upper, block.w[2], block.w[0]), select(upper, block.w[3], block.w[1])};
}
ORDO_INLINE Expr<u32> below(Key key, Expr<i64> counter, Expr<u32> n) {
  return cast<u32>(detail_random::high(lang::word_of(key, counter) * cast<u64>(n)));
}
// The high half of a product of 64 bits, from halves: no partial sum passes 2^64.
ORDO_INLINE Expr<u64> below(Key key, Expr<i64> counter, Expr<u64> n) {
  using detail_random::high;
  using detail_random::low;
  const Expr<u64> x = philox<u64>(key, counter);
  const Expr<u64> middle = high(low(x) * low(n)) + low(high(x) * low(n)), cross = low(x) * high(n) + low(middle);
  return high(x) * high(n) + high(high(x) * low(n)) + high(middle) + high(cross);
}
}  // namespace ordo
