#pragma once
#include <algorithm>
#include <initializer_list>
#include <numeric>
#include "ordo/runtime/overlap.hpp"

namespace ordo::runtime {
namespace detail_overlap {
// Is there x with sum of step[k] * x[k] == target, 0 <= x[k] <= most[k]? Steps are positive, largest first.
struct Problem {
  static constexpr int capacity = 2 * max_rank + 2;
  i64 step[capacity], most[capacity], rest[capacity + 1], divisor[capacity + 1];
  int count = 0;
  int work = 20000;
};
inline void add(Problem& p, i64 step, i64 most) {
  if (step == 0) return;
  p.step[p.count] = step < 0 ? -step : step;
  p.most[p.count++] = most;
}
// Sorts, joins equal steps (their counts add) and prepares the bounds; false when a bound overflows.
inline bool prepare(Problem& p) {
  for (int i = 1; i < p.count; ++i)
    for (int j = i; j > 0 && p.step[j - 1] < p.step[j]; --j) {
      std::swap(p.step[j - 1], p.step[j]);
      std::swap(p.most[j - 1], p.most[j]);
    }
  int kept = 0;
  for (int i = 0; i < p.count; ++i) {
    if (kept > 0 && p.step[kept - 1] == p.step[i]) {
      if (__builtin_add_overflow(p.most[kept - 1], p.most[i], &p.most[kept - 1])) return false;
      continue;
    }
    p.step[kept] = p.step[i];
    p.most[kept++] = p.most[i];
  }
  p.count = kept;
  p.rest[p.count] = p.divisor[p.count] = 0;
  for (int i = p.count; i-- > 0;) {
    i64 reach;
    if (__builtin_mul_overflow(p.step[i], p.most[i], &reach)) return false;
    if (__builtin_add_overflow(p.rest[i + 1], reach, &p.rest[i])) return false;
    p.divisor[i] = std::gcd(p.divisor[i + 1], p.step[i]);
  }
  return true;
}
inline bool solvable(Problem& p, int k, i64 target) {
  if (target < 0 || target > p.rest[k]) return false;
  if (target == 0) return true;
  if (target % p.divisor[k] != 0) return false;
  if (--p.work < 0) return true;
  const i64 least = target - p.rest[k + 1] <= 0 ? 0 : (target - p.rest[k + 1] + p.step[k] - 1) / p.step[k];
  for (i64 x = std::min(p.most[k], target / p.step[k]); x >= least; --x)
    if (solvable(p, k + 1, target - x * p.step[k])) return true;
  return false;
}
}  // namespace detail_overlap

ORDO_INLINE bool span_of(const Argument& a, Span* span) {
  const i64 size = bytes_of(a.type);
  const u64 data = reinterpret_cast<u64>(a.data);
  i64 low = 0, high = 0;                 // offsets in bytes of the first and last element
  bool empty = false, fits = true;
  for (int d = 0; d < a.rank; ++d) {
    i64 reach;
    if (a.shape[d] < 0) return false;
    if (a.shape[d] == 0) { empty = true; continue; }
    if (a.shape[d] == 1) continue;
    fits = fits && !__builtin_mul_overflow(a.shape[d] - 1, a.stride[d], &reach) && !__builtin_mul_overflow(reach, size, &reach);
    if (fits) fits = reach < 0 ? !__builtin_add_overflow(low, reach, &low) : !__builtin_add_overflow(high, reach, &high);
  }
  *span = {0, 0};
  if (empty) return true;
  if (!fits || __builtin_add_overflow(high, size, &high)) return false;
  if (low < 0 && data < u64{0} - static_cast<u64>(low)) return false;
  if (data > (u64{1} << 63) - static_cast<u64>(high)) return false;
  *span = {data + static_cast<u64>(low), data + static_cast<u64>(high)};
  return true;
}
ORDO_INLINE bool overlap(const Argument& a, const Argument& b) {
  Span sa{}, sb{};
  if (!span_of(a, &sa) || !span_of(b, &sb)) return true;
  if (!meet(sa, sb)) return false;
  // A byte of a: low(a) + sum |stride| x + t with t below its element size; the same of b. With y' = most - y, all
  // terms of the difference are positive.
  detail_overlap::Problem p;
  for (const Argument* array : {&a, &b}) {
    const i64 size = bytes_of(array->type);
    for (int d = 0; d < array->rank; ++d)
      if (array->shape[d] > 1) detail_overlap::add(p, array->stride[d] * size, array->shape[d] - 1);
    if (size > 1) detail_overlap::add(p, 1, size - 1);
  }
  if (!detail_overlap::prepare(p)) return true;
  return detail_overlap::solvable(p, 0, static_cast<i64>(sb.high - 1 - sa.low));
}
ORDO_INLINE bool overlaps_itself(const Argument& a) {
  int order[max_rank];                   // dimensions with more than one place, smallest step first
  int count = 0;
  for (int d = 0; d < a.rank; ++d) {
    if (a.shape[d] == 0) return false;
    if (a.shape[d] > 1) order[count++] = d;
  }
  const auto step = [&](int k) { return a.stride[order[k]] < 0 ? -a.stride[order[k]] : a.stride[order[k]]; };
  for (int i = 1; i < count; ++i)
    for (int j = i; j > 0 && step(j - 1) > step(j); --j) std::swap(order[j - 1], order[j]);
  i64 reach = 0;                         // of all smaller dimensions
  bool nested = true;
  for (int k = 0; k < count && nested; ++k) {
    nested = step(k) > reach;
    reach += step(k) * (a.shape[order[k]] - 1);
  }
  if (nested) return false;
  // Two indices with one place differ first in some dimension f, there by z > 0: sum of stride * z == 0.
  for (int f = 0; f < count; ++f) {
    detail_overlap::Problem p;
    i64 target = step(f);                // z = 1 + x there; elsewhere z = x - (extent - 1)
    if (a.shape[order[f]] > 2) detail_overlap::add(p, step(f), a.shape[order[f]] - 2);
    for (int k = f + 1; k < count; ++k) {
      const i64 most = a.shape[order[k]] - 1;
      if (step(k) == 0) return true;
      detail_overlap::add(p, step(k), 2 * most);
      target -= step(k) * most;
    }
    if (step(f) == 0) return true;
    if (!detail_overlap::prepare(p) || detail_overlap::solvable(p, 0, -target)) return true;
  }
  return false;
}
ORDO_INLINE bool same_places(const Argument& a, const Argument& b) {
  if (a.data != b.data || bytes_of(a.type) != bytes_of(b.type) || a.rank != b.rank) return false;
  for (int d = 0; d < a.rank; ++d)
    if (a.shape[d] != b.shape[d] || (a.shape[d] > 1 && a.stride[d] != b.stride[d])) return false;
  return true;
}
}  // namespace ordo::runtime
