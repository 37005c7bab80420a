// erf and erfc: a polynomial below 1/2, from there on erfc(x) = exp(-x x) F(q) / (1 + 2 x), q = (x - c) / (x + c).
// The map: Shepherd and Laframboise, "Chebyshev approximation of (1 + 2x) exp(x^2) erfc x in 0 <= x < infinity", 1981.
#pragma once
#include "ordo/functions/exponential.hpp"

namespace ordo::functions {
namespace detail_error {
// 2^-63
inline constexpr double erf_tail[] = {-0x1.812746b0379e7p-2,  0x1.ce2f21a042c07p-4,   -0x1.b82ce31287515p-6,
                                      0x1.565bcd0cee77bp-8,   -0x1.c02db2ff5d0f3p-11, 0x1.f9a2ccd42e587p-14,
                                      -0x1.f4c01c102ca12p-17, 0x1.b7bf31d93f2fcp-20,  -0x1.3beca33ab9256p-23};
// c = 9/4, x in [0.5, 10.2]: 2^-55
inline constexpr double f_single[] = {-0x1.c39b648acf325p-4,  -0x1.0bd670229deaap-3,  0x1.5271f6e8e15dep-3,   -0x1.5482c87de23d6p-4,
                                      0x1.76e630759273dp-7,   0x1.093662a5ec0ffp-7,   -0x1.574ac26719d25p-9,  -0x1.33a17300a0db6p-10,
                                      0x1.b0032c09df422p-12,  0x1.074f01db8f3d3p-12,  -0x1.720d0bb921419p-15, -0x1.f3d4a2cd1a85ap-15,
                                      -0x1.25edfb4f075ebp-18, 0x1.989ef167c6da3p-17,  0x1.3b2e630ff2353p-18,  -0x1.9c153eeb3a945p-20,
                                      -0x1.b1c6a1d50d940p-20, -0x1.03347d30174c3p-32, 0x1.2b98afb302813p-22};
inline constexpr double f_single_0 = 0x1.455ef0b33b352p+0;
// c = 15/4, x in [0.5, 27.3]: 2^-59
inline constexpr double f_double[] = {0x1.d5f2948159d8dp-9,   0x1.510169d0967ffp-4,   -0x1.bda9309a289a1p-4, 0x1.7a14188a99c02p-4,
                                      -0x1.e0d0fa6dfc9b8p-5,  0x1.d0b0037dc7d21p-6,   -0x1.3f603c34d1d4fp-7, 0x1.cc3a0e25ecb49p-10,
                                      0x1.33fb25e29d9c5p-12,  -0x1.303f9e07be325p-12, 0x1.b143faa8a7e89p-15, 0x1.778a4ee434ae9p-16,
                                      -0x1.800362395099ap-17, -0x1.052d876f30c6ep-20, 0x1.d640cfe49fef7p-20, -0x1.f237874247cecp-25,
                                      -0x1.1521d2f036527p-22, 0x1.9a90d253e8c36p-26,  0x1.405fd8ca07182p-25, -0x1.14ebe6ef66a27p-28,
                                      -0x1.0e3f0411591f9p-28, 0x1.903561592da80p-32};
inline constexpr double f_double_1 = -0x1.1f367683f89a7p-3;
inline constexpr double f_double_0 = 0x1.3ccda0b5d5dc2p+0, f_double_0_lo = 0x1.e5c8f81df7383p-54;

inline Pair near_zero(bool single, Value w) {
  const Value z = w * w, rest = w * z * polynomial(z, erf_tail);
  if (single) return {w * 0x1.20dd75p+0, w * 0x1.0a6db446b8ea4p-30 + rest};  // 2 / sqrt(pi)
  const Pair p = product(w, w.number(0x1.20dd750429b6dp+0));
  return {p.hi, p.lo + (w * 0x1.1ae3a914fed80p-56 + rest)};
}
struct Scaled {
  Pair value;
  Value k_bits;
};
inline Scaled far(bool single, Value a) {  // erfc(a), a >= 1/2
  const Value one = a.number(1), zero = a.number(0);
  const Pair square = single ? Pair{a * a, zero} : product(a, a);
  const Reduced y = single ? reduced(-square.hi) : reduced(-square);
  const Pair t = tail(single, y.r), above = fast_sum(one, t.hi), s = fast_sum(above.hi, above.lo + t.lo);
  Pair f{one, one};
  if (single) {
    const Value q = (a - 2.25) / (a + 2.25);
    f = fast_sum(a.number(f_single_0), q * polynomial(q, f_single));
  } else {
    const Pair q = normal(sum(a, a.number(-3.75)) / sum(a, a.number(3.75)));
    const Pair more = q * sum(a.number(f_double_1), q.hi * polynomial(q.hi, f_double));
    f = fast_sum(a.number(f_double_0), more.hi);
    f.lo = f.lo + (more.lo + f_double_0_lo);
  }
  const Pair quotient = f / (single ? Pair{a * 2 + 1, zero} : sum(a * 2, one)), e = split(s.hi);
  return {{e.hi * quotient.hi, e.lo * quotient.hi + (s.hi * quotient.lo + s.lo * quotient.hi)}, y.k_bits};
}
}  // namespace detail_error

ORDO_INLINE Value erf(Value x) {
  using namespace detail_error;
  const bool single = is_single(x);
  const Value w = abs(widened(x)), tiny = w < 0x1p-700;
  const Pair near = near_zero(single, single ? w : select(tiny, w * 0x1p600, w));
  const Scaled c = far(single, clamped(w, 0.5, single ? 4 : 6));
  const Value scale = power_of_two(c.k_bits);
  const Pair s = fast_sum(w.number(1), -(c.value.hi * scale));
  Value r = select(w < 0.5, near.hi + near.lo, s.hi + (s.lo - c.value.lo * scale));
  if (!single) r = select(tiny, r * 0x1p-600, r);
  return select(is_nan(x), x, with_sign(rounded(x.type(), r), x));
}
ORDO_INLINE Value erfc(Value x) {
  using namespace detail_error;
  const bool single = is_single(x);
  const Value w = widened(x), a = abs(w), tiny = a < 0x1p-60;
  const Pair near = near_zero(single, select(tiny, 0, w)), s = fast_sum(w.number(1), -near.hi);
  const Scaled c = far(single, clamped(a, 0.5, single ? 10.2 : 27.3));
  const Value half = (c.k_bits << 13) >> 14, sum_of = summed(x.type(), c.value);
  const Value v = single ? sum_of * power_of_two(c.k_bits) : sum_of * power_of_two(half) * power_of_two(c.k_bits - half);
  const Value r = select(a < 0.5, summed(x.type(), {s.hi, s.lo - near.lo}), select(w < 0, 2 - v, v));
  return select(is_nan(x), x, rounded(x.type(), r));
}
}  // namespace ordo::functions
