// Random numbers by counter: a pure function of key and counter, so that element i is the same whatever the size, the split or
// the order of evaluation. Philox4x32-10: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11.
//   Y(i, j) = select(uniform<float>({seed, 7u}, i * j.extent() + j) >= p, X(i, j) / (1 - p), 0);
// 32 bits of element n: word n mod 4 of block n div 4; 64 bits: words 2 (n mod 2) and the next of block n div 2.
#pragma once
#include "ordo/lang/function.hpp"

namespace ordo {
// Streams of one seed share no block.
struct Key {
  Expr<u64> seed, stream;
};
namespace lang {
struct Words {                   // of one block; 32 bits in 64, so that a product of two is one multiplication
  Expr<u64> w[4];
};
Words philox(const Key& key, Expr<u64> block);
Expr<u64> word_of(const Key& key, Expr<i64> element);                       // 32 bits
struct Pair {
  Expr<u64> first, second;
};
Pair pair_of(const Key& key, Expr<i64> pair);                               // words 2 (pair mod 2) and the next of block pair div 2
// x >> shift as a floating number: of signed numbers the conversion is one instruction on every target.
template <class T, class I, class U> Expr<T> fraction(Expr<U> x, u32 shift) { return cast<T>(cast<I>(x >> Expr<U>(shift))); }
template <class T> constexpr bool random_type = std::is_same_v<T, float> || std::is_same_v<T, double>;
}  // namespace lang

// The bits themselves, u32 or u64.
template <class T> Expr<T> philox(Key key, Expr<i64> counter) {
  constexpr bool single = std::is_same_v<T, u32>, wide = std::is_same_v<T, u64>;
  static_assert(single || wide, "ordo: philox<T>(key, counter) gives bits, u32 or u64");
  if constexpr (single) return cast<u32>(lang::word_of(key, counter));
  else {
    const lang::Pair w = lang::pair_of(key, counter);
    return w.first | (w.second << 32u);
  }
}
// In [0, 1), a multiple of 2^-24, or of 2^-53 for f64.
template <class T> Expr<T> uniform(Key key, Expr<i64> counter) {
  static_assert(lang::random_type<T>, "ordo: uniform<T>(key, counter) is of float or double");
  if constexpr (std::is_same_v<T, double>) return lang::fraction<double, i64>(philox<u64>(key, counter), 11) * 0x1p-53;
  else return lang::fraction<float, i32>(philox<u32>(key, counter), 8) * 0x1p-24f;
}
Expr<u32> below(Key key, Expr<i64> counter, Expr<u32> n);                    // in [0, n), n > 0: the high word of bits * n
Expr<u64> below(Key key, Expr<i64> counter, Expr<u64> n);
// Mean 0, deviation 1, by Box and Muller (Ann. Math. Stat. 29, 1958): elements 2p and 2p + 1 share a radius.
template <class T> Expr<T> normal(Key key, Expr<i64> counter) {
  constexpr bool single = std::is_same_v<T, float>;
  static_assert(single, "ordo: normal<T>(key, counter) is of float");
  if constexpr (!single) return Expr<T>(0);
  else {
    const lang::Pair w = lang::pair_of(key, counter >> 1);
    const Expr<float> u = cast<float>(cast<i32>(w.first >> 8u) + 1) * 0x1p-24f, v = cast<float>(cast<i32>(w.second >> 8u)) * 0x1p-24f;
    const Expr<float> r = sqrt(Expr<float>(-2) * log(u)), angle = Expr<float>(2) * v;
    return r * select((counter & 1) == 0, cospi(angle), sinpi(angle));
  }
}
template <class T> Expr<bool> bernoulli(Key key, Expr<i64> counter, Expr<T> p) { return uniform<T>(key, counter) < p; }
template <class P> requires std::is_floating_point_v<P>
Expr<bool> bernoulli(Key key, Expr<i64> counter, P p) { return uniform<float>(key, counter) < p; }
}  // namespace ordo
#if !defined(ORDO_COMPILED)
#include "ordo/lang/random.ipp"
#endif
