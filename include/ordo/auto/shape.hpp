// What a default schedule sees of a stage: which axes its reads vary with, and how.
#pragma once
#include <vector>
#include "ordo/base/machine.hpp"
#include "ordo/nest/nest.hpp"

namespace ordo::detail_auto {
struct Read {
  ir::Ref load;
  bool unit;                     // grows by one element with the vector axis, in its last dimension only
  bool varies;                   // depends on the vector axis at all
  bool guarded = false;          // read only where a condition holds
};
struct Shape {
  std::vector<ir::Ref> left, reductions;
  std::vector<Read> reads;
  ir::Ref vector_axis = nullptr; // the last left axis: contiguous in the output
  ir::Ref row_axis = nullptr;    // the last other left axis that some read along the vector axis does not vary with: reuse
  bool contiguous = true;        // every read along the vector axis is `unit`
  bool in_time = false;          // its loops run once a step of a recurrence: shared among threads only when known to be long
  int packable = -1;             // tensor number of the one read that varies along the vector axis but not the row axis
};
Shape shape_of(const ir::Definition& definition);
bool copies(const Shape& shape, const Read& read);      // would a packed copy hold it? The one read of its tensor, and in place
Read read_of(ir::Ref load, ir::Ref axis);        // `unit` and `varies` along any axis
i64 known(ir::Ref extent);       // -1 when not a constant
inline constexpr i64 worth_sharing = 1 << 15;            // elements; waking threads costs as much as some thousand of them
bool small(const Shape& shape);  // are all extents known, and so small that sharing costs more than it brings?
// Is a tensor known to be larger than all caches?
bool beyond_caches(const ir::TensorInfo& tensor, const Machine& machine);
inline constexpr i64 elements_of_a_task = 4096;
// Turns of the first left axis that make such a task; 1 where the elements of one are not known.
i64 grain_of(const Shape& shape, const Machine& machine);
}  // namespace ordo::detail_auto
#if !defined(ORDO_COMPILED)
#include "ordo/auto/shape.ipp"
#endif
