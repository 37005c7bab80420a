// Recurrences without Scan: below its first element a read is the initial value of what it reads.
//   before: Y[i, scan t] = scan(t, c[i], Y[i, t - 1] + X[i, t])
//   after:  Y[i, scan t] = select(t - 1 < 0, c[i], Y[i, t - 1]) + X[i, t]
#pragma once
#include "ordo/nest/nest.hpp"

namespace ordo::plan {
bool start_recurrences(nest::Nest& nest);                    // were there any?
ir::Ref time_of(const nest::Nest& nest, std::size_t stage);  // the axis of its recurrence, or nullptr
// The c of select(t - c < 0, init, Y[..., t - c, ...]) with no other t in the indices; 0: not of this form.
i64 started_lag(ir::Ref select, ir::Ref time);
}  // namespace ordo::plan
