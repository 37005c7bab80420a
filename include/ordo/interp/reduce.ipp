// NUMERICS.md, "Reductions": elements in lexicographic order, each into its part; then the trees, the last place first.
#pragma once
#include "ordo/interp/machine.hpp"

namespace ordo::interp {
namespace detail_reduce {
// All axes at 0; false when there is no element.
inline bool first(Code& code, const Reduction& r) {
  for (const AxisRun& a : r.axes) {
    if (a.extent <= 0) return false;
    code.bits[a.value] = 0;
    code.renew(a.scope);
  }
  code.renew(r.state_scope);
  return true;
}
inline bool next(Code& code, const Reduction& r) {
  for (std::size_t k = r.axes.size(); k-- > 0;) {
    const AxisRun& a = r.axes[k];
    const bool wraps = static_cast<i64>(++code.bits[a.value]) == a.extent;
    if (wraps) code.bits[a.value] = 0;
    code.renew(a.scope);
    if (!wraps) return true;
  }
  return false;
}
inline std::size_t blocks_of(const AxisRun& a) {
  return a.block == 0 ? 1 : static_cast<std::size_t>((a.extent + a.block - 1) / a.block);
}
inline std::size_t part_of(const Code& code, const Reduction& r) {
  std::size_t part = 0;
  for (const AxisRun& a : r.axes) {
    const i64 i = static_cast<i64>(code.bits[a.value]);
    if (a.block != 0) part = part * blocks_of(a) + static_cast<std::size_t>(i / a.block);
    if (a.lanes > 1) part = part * static_cast<std::size_t>(a.lanes) + static_cast<std::size_t>((a.block == 0 ? i : i % a.block) % a.lanes);
  }
  return part;
}
}  // namespace detail_reduce

ORDO_INLINE void Machine::reduce(Code& code, Reduction& r) {
  for (std::size_t k = 0; k < r.init.size(); ++k) r.result[k] = code.bits[r.init[k]];
  if (failed_ != 0) return;
  bool parts = false;
  for (const AxisRun& a : r.axes) parts = parts || a.block != 0 || a.lanes > 1;
  if (parts) many_parts(code, r);
  else one_part(code, r);
}

// One element into one accumulator. An absent accumulator starts from `result`, which holds zero until the end.
ORDO_INLINE void Machine::step(Code& code, Reduction& r, u64* accumulator, bool& present) {
  if (r.where != none) {
    run_region(code, r.where_region);
    if (code.bits[r.where] == 0) return;
  }
  const u64* from = present ? accumulator : r.result.data();
  for (std::size_t k = 0; k < r.state.size(); ++k) code.bits[r.state[k]] = from[k];
  run_region(code, r.step_region);
  for (std::size_t k = 0; k < r.step.size(); ++k) accumulator[k] = code.bits[r.step[k]];
  present = true;
}
ORDO_INLINE void Machine::one_part(Code& code, Reduction& r) {
  if (!detail_reduce::first(code, r)) return;
  bool present = true;
  do step(code, r, r.result.data(), present);
  while (failed_ == 0 && detail_reduce::next(code, r));
}
ORDO_INLINE void Machine::many_parts(Code& code, Reduction& r) {
  if (!detail_reduce::first(code, r)) return;
  const std::size_t fields = r.result.size();
  std::size_t count = 1;
  for (const AxisRun& a : r.axes) count *= detail_reduce::blocks_of(a) * static_cast<std::size_t>(a.lanes);
  r.parts.assign(count * fields, 0);
  r.present.assign(count, 0);
  do {
    const std::size_t part = detail_reduce::part_of(code, r);
    bool present = r.present[part] != 0;
    step(code, r, r.parts.data() + part * fields, present);
    r.present[part] = present;
  } while (failed_ == 0 && detail_reduce::next(code, r));
  for (std::size_t k = r.axes.size(); k-- > 0;) {
    const AxisRun& a = r.axes[k];
    const std::size_t lanes = static_cast<std::size_t>(a.lanes), blocks = detail_reduce::blocks_of(a);
    if (lanes > 1) close_lanes(code, r, count /= lanes, lanes);
    if (a.block != 0) close_blocks(code, r, count /= blocks, blocks);
  }
  if (r.present[0] == 0) return;
  for (std::size_t k = 0; k < fields; ++k) r.result[k] = r.parts[k];
}

// parts[low] = merge(parts[low], parts[high]); an absent one leaves the other as it is.
ORDO_INLINE void Machine::join(Code& code, Reduction& r, std::size_t low, std::size_t high) {
  if (failed_ != 0 || r.present[high] == 0) return;
  const std::size_t fields = r.result.size();
  u64 *x = r.parts.data() + low * fields, *y = r.parts.data() + high * fields;
  if (r.present[low] != 0) {
    code.renew(r.state_scope);
    for (std::size_t k = 0; k < fields; ++k) code.bits[r.state[k]] = x[k], code.bits[r.other[k]] = y[k];
    run_region(code, r.merge_region);
    for (std::size_t k = 0; k < fields; ++k) x[k] = code.bits[r.merged[k]];
  } else {
    for (std::size_t k = 0; k < fields; ++k) x[k] = y[k];
  }
  r.present[low] = 1;
  r.present[high] = 0;
}
namespace detail_reduce {
// The first of each group of `size` parts moves to the front: parts 0, 1, 2, ... from now on.
inline void gather(Reduction& r, std::size_t groups, std::size_t size) {
  const std::size_t fields = r.result.size();
  for (std::size_t g = 0; g < groups; ++g) {
    for (std::size_t k = 0; k < fields; ++k) r.parts[g * fields + k] = r.parts[g * size * fields + k];
    r.present[g] = r.present[g * size];
  }
}
}  // namespace detail_reduce

ORDO_INLINE void Machine::close_lanes(Code& code, Reduction& r, std::size_t groups, std::size_t lanes) {
  for (std::size_t g = 0; g < groups; ++g)
    for (std::size_t half = lanes / 2; half > 0; half /= 2)
      for (std::size_t l = 0; l < half; ++l) join(code, r, g * lanes + l, g * lanes + l + half);
  detail_reduce::gather(r, groups, lanes);
}
// Pairs of neighbours, again and again; an odd last one passes.
ORDO_INLINE void Machine::close_blocks(Code& code, Reduction& r, std::size_t groups, std::size_t blocks) {
  for (std::size_t g = 0; g < groups; ++g)
    for (std::size_t apart = 1; apart < blocks; apart *= 2)
      for (std::size_t b = 0; b + apart < blocks; b += 2 * apart) join(code, r, g * blocks + b, g * blocks + b + apart);
  detail_reduce::gather(r, groups, blocks);
}
}  // namespace ordo::interp
