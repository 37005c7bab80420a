// Unevaluated sums of two numbers of one type, without fma (targets that lack one emulate it at great cost).
// Dekker, "A floating-point technique for extending the available precision", 1971; Knuth, TAOCP 2, 4.2.2.
#pragma once
#include "ordo/functions/value.hpp"

namespace ordo::functions {
struct Pair {
  Value hi, lo;
};

// Exact: a + b where a is 0 or |a| >= |b|.
inline Pair fast_sum(Value a, Value b) {
  const Value s = a + b;
  return {s, b - (s - a)};
}
inline Pair sum(Value a, Value b) {  // exact
  const Value s = a + b, t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}
inline Pair split(Value a) {  // f64: 26 bits and the rest, |a| < 2^996; f32: 12 bits and the rest
  const Value t = a * (a.type() == Type::f32 ? 0x1001p0 : 0x8000001p0), hi = t - (t - a);
  return {hi, a - hi};
}
inline Pair product(Value a, Value b) {  // exact, but for underflow
  const Pair x = split(a), y = split(b);
  const Value p = a * b;
  return {p, ((x.hi * y.hi - p) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo};
}
inline Pair operator+(Pair a, Pair b) {  // |a| >= |b| or a == 0; about 2^-104
  const Pair s = fast_sum(a.hi, b.hi);
  return {s.hi, s.lo + (a.lo + b.lo)};
}
inline Pair operator*(Pair a, Pair b) {
  const Pair p = product(a.hi, b.hi);
  return {p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi)};
}
inline Pair operator*(Pair a, double power_of_two) { return {a.hi * power_of_two, a.lo * power_of_two}; }
inline Pair operator-(Pair a) { return {-a.hi, -a.lo}; }
inline Pair normal(Pair a) { return fast_sum(a.hi, a.lo); }
inline Pair select(Value c, Pair a, Pair b) { return {select(c, a.hi, b.hi), select(c, a.lo, b.lo)}; }
// About 2^-78; hi has 26 bits. One division.
inline Pair operator/(Pair n, Pair d) {
  const Value inverse = 1 / d.hi, q = split(n.hi * inverse).hi;
  const Pair parts = split(d.hi);
  const Value rest = (n.hi - q * parts.hi - q * parts.lo) + (n.lo - q * d.lo);
  return {q, rest * inverse};
}
// Root of a.hi + a.lo >= 0; hi has 26 bits.
inline Pair root(Pair a) {
  const Value r = sqrt(a.hi), hi = split(r).hi;
  return {hi, ((a.hi - hi * hi) + a.lo) / select(r == 0, 1, r + hi)};
}
// A sum rounded to odd (towards zero, and to an odd number if it was not exact): then a cast to f32 rounds as from the sum itself.
// Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd", 2008.
inline Value to_odd(Pair a) {
  const Pair s = fast_sum(a.hi, a.lo);
  const Value bits = bitcast(Type::i64, s.hi), next = select((s.lo > 0) == (s.hi > 0), bits + 1, bits - 1);
  return select(both((bits & 1) == 0, s.lo != 0), bitcast(Type::f64, next), s.hi);
}
}  // namespace ordo::functions
