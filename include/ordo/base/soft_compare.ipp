// Comparisons, extremes, and what touches only the sign.
#pragma once
#include "ordo/base/soft.hpp"
#include "ordo/base/soft_format.hpp"

namespace ordo::soft::detail_compare {
using namespace detail_format;

// Ascending with the number; -0 just below +0. Not for NaN.
template <class F> inline u64 rank(u64 a) { return (a & F::sign) != 0 ? ~a & (F::magnitude | F::sign) : a | F::sign; }

template <class F> inline bool less(u64 a, u64 b) {
  if (nan<F>(a) || nan<F>(b) || ((a | b) & F::magnitude) == 0) return false;
  return rank<F>(a) < rank<F>(b);
}
template <class F> inline bool equal(u64 a, u64 b) {
  return !nan<F>(a) && !nan<F>(b) && (a == b || ((a | b) & F::magnitude) == 0);
}
// `strict`: a NaN wins; else the other operand does.
template <class F> inline u64 extreme(bool larger, bool strict, u64 a, u64 b) {
  const bool na = nan<F>(a), nb = nan<F>(b);
  if (na || nb) return strict || (na && nb) ? F::nan : na ? b : a;
  return (rank<F>(a) < rank<F>(b)) == larger ? b : a;
}
inline u64 extreme(Type t, bool larger, bool strict, u64 a, u64 b) {
  if (t == Type::f32) return extreme<F32>(larger, strict, a, b);
  if (t == Type::f64) return extreme<F64>(larger, strict, a, b);
  return soft::less(t, a, b) == larger ? b : a;
}
template <class F> inline u64 copysign(u64 a, u64 b) {
  if (nan<F>(a)) return F::nan;
  return (a & F::magnitude) | (nan<F>(b) ? 0 : b & F::sign);
}
}  // namespace ordo::soft::detail_compare

namespace ordo::soft {
ORDO_INLINE bool less(Type t, u64 a, u64 b) {
  namespace d = detail_compare;
  if (t == Type::f32) return d::less<d::F32>(a, b);
  if (t == Type::f64) return d::less<d::F64>(a, b);
  return is_signed(t) ? d::as_signed(t, a) < d::as_signed(t, b) : a < b;
}
ORDO_INLINE bool equal(Type t, u64 a, u64 b) {
  namespace d = detail_compare;
  if (t == Type::f32) return d::equal<d::F32>(a, b);
  if (t == Type::f64) return d::equal<d::F64>(a, b);
  return a == b;
}
ORDO_INLINE bool is_nan(Type t, u64 a) {
  namespace d = detail_compare;
  return t == Type::f32 ? d::nan<d::F32>(a) : t == Type::f64 && d::nan<d::F64>(a);
}
ORDO_INLINE u64 canonical(Type t, u64 a) {
  namespace d = detail_compare;
  if (!is_nan(t, a)) return a;
  return t == Type::f32 ? d::F32::nan : d::F64::nan;
}
ORDO_INLINE u64 maximum(Type t, u64 a, u64 b) { return detail_compare::extreme(t, true, true, a, b); }
ORDO_INLINE u64 minimum(Type t, u64 a, u64 b) { return detail_compare::extreme(t, false, true, a, b); }
ORDO_INLINE u64 fmax(Type t, u64 a, u64 b) { return detail_compare::extreme(t, true, false, a, b); }
ORDO_INLINE u64 fmin(Type t, u64 a, u64 b) { return detail_compare::extreme(t, false, false, a, b); }
ORDO_INLINE u64 neg(Type t, u64 a) {
  namespace d = detail_compare;
  if (is_nan(t, a)) return canonical(t, a);
  if (t == Type::f32) return a ^ d::F32::sign;
  if (t == Type::f64) return a ^ d::F64::sign;
  return d::wrap(t, -a);
}
ORDO_INLINE u64 abs(Type t, u64 a) {
  namespace d = detail_compare;
  if (is_nan(t, a)) return canonical(t, a);
  if (t == Type::f32) return a & d::F32::magnitude;
  if (t == Type::f64) return a & d::F64::magnitude;
  return d::negative(t, a) ? d::wrap(t, -a) : a;
}
ORDO_INLINE u64 copysign(Type t, u64 a, u64 b) {
  namespace d = detail_compare;
  return t == Type::f32 ? d::copysign<d::F32>(a, b) : d::copysign<d::F64>(a, b);
}
}  // namespace ordo::soft
