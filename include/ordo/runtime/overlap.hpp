// Do two strided arrays share a byte? Exact for what programs pass; past a work limit the answer is yes.
#pragma once
#include "ordo/base/argument.hpp"

namespace ordo::runtime {
struct Span { u64 low, high; };          // addresses of bytes: [low, high); {0, 0} when empty
inline bool meet(Span a, Span b) { return a.low < b.high && b.low < a.high; }

// False when an extent is negative or an offset or address leaves the 63-bit range.
bool span_of(const Argument& a, Span* span);
bool overlap(const Argument& a, const Argument& b);      // both with a valid span
bool overlaps_itself(const Argument& a);                 // two of its indices name one place
bool same_places(const Argument& a, const Argument& b);  // equal data, element size, shape and strides
}  // namespace ordo::runtime
#if !defined(ORDO_COMPILED)
#include "ordo/runtime/overlap.ipp"
#endif
