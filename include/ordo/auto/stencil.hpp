// Stages that read neighbours: groups of rows share what they read, and stages that feed one another slide along together.
#pragma once
#include "ordo/auto/shape.hpp"
#include "ordo/auto/writer.hpp"

namespace ordo::detail_auto {
// The outermost axis along which some tensor is read at several places a constant apart; nullptr: none.
ir::Ref neighbours_along(const Shape& shape);
// Little enough to compute where it is read: one read, a step or two, nothing chosen.
bool cheap(const ir::Definition& definition);
// A stage on its own. False: it reads no neighbours across rows.
bool stencil(Writer& writer, const nest::Stage& stage, const Shape& shape, const ir::Program& program, const Machine& machine, i64 lanes,
             bool past_caches);
// Writes all of it for stages that are taken, and applies that to `scratch`.
void slide_along(const nest::Nest& nest, const ir::Program& program, const Machine& machine, nest::Nest& scratch, nest::Trace& trace,
                 std::vector<bool>& taken);
}  // namespace ordo::detail_auto
#if !defined(ORDO_COMPILED)
#include "ordo/auto/stencil.ipp"
#endif
