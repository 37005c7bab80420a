// Default schedules of sums of products: C[.., i, .., j] = sum(k, A[i, k] * B[k, j]), convolutions among them. Axes have roles, by what
// reads them: `j` is the vector axis, `i` the row axis (B does not vary with it), others belong to A, to B, or to both (a batch).
#pragma once
#include "ordo/auto/gemm_tile.hpp"
#include "ordo/auto/writer.hpp"

namespace ordo::detail_auto {
// false: nothing here fits. `nest`: as scheduled so far; it says what can be packed.
bool contraction(nest::Trace& trace, Writer& w, const nest::Stage& stage, const ir::Definition& d, const Shape& s, const Machine& machine,
                 const nest::Nest& nest);
}  // namespace ordo::detail_auto
#if !defined(ORDO_COMPILED)
#include "ordo/auto/contraction.ipp"
#endif
