// Where the elements of a stage lie that has a layout of its own: its dimensions in that order, blocks of constant size.
//   T[n, c / 16, h, w, c % 16] at c = c.0 * 16 + c.1: ... + c.0 * (H * W * 16) + ... + c.1
#pragma once
#include "ordo/kernel/lowering.hpp"

namespace ordo::kernel::detail_lower {
ORDO_INLINE const std::vector<nest::Stored>& Lowering::layout_of(int tensor) const {
  static const std::vector<nest::Stored> none;
  const int by = program_.tensors[static_cast<std::size_t>(tensor)].definition;
  return by < 0 ? none : plan_.nest.stages[static_cast<std::size_t>(by)].layout;
}

ORDO_INLINE Ref Lowering::stored_size(int tensor, const nest::Stored& place) {
  if (place.part == nest::Stored::Part::element) return make_.integer(place.factor);
  const std::size_t d = static_cast<std::size_t>(place.dimension);
  const bool turn = plan_.slots[static_cast<std::size_t>(tensor)].in == plan::Slot::In::turn;
  const Ref whole = turn ? tile_size(tensor, d) : size(program_.tensors[static_cast<std::size_t>(tensor)].shape[d]);
  return place.part == nest::Stored::Part::whole ? whole : make_.ceil_div(whole, make_.integer(place.factor));
}

// Of an index that is put together from loops of known length, blocks and elements are loops again.
ORDO_INLINE Ref Lowering::part_of(Ref index, const nest::Stored& place) {
  if (place.part == nest::Stored::Part::whole) return index;
  std::vector<AtomRange> ranges;
  for (const int loop : stage_.order) {
    const Ref var = var_[static_cast<std::size_t>(loop)], turns = extent(loop);
    if (var->op == Op::Var && Make::is_constant(turns) && turns->arg > 0) ranges.push_back({var, 0, static_cast<i64>(turns->arg) - 1});
  }
  const Ref part = make_.op(place.part == nest::Stored::Part::block ? Op::Div : Op::Mod, index, make_.integer(place.factor));
  return Simplifier(make_.arena(), &ranges)(part);
}

ORDO_INLINE Ref Lowering::stored_offset(int tensor, const std::vector<Ref>& indices) {
  const std::vector<nest::Stored>& layout = layout_of(tensor);
  const bool turn = plan_.slots[static_cast<std::size_t>(tensor)].in == plan::Slot::In::turn;
  std::vector<Ref> at = indices;
  for (std::size_t d = 0; d < at.size() && turn; ++d) at[d] = tile_index(tensor, d, at[d]);
  std::vector<Ref> strides(layout.size());
  Ref stride = make_.integer(1);
  for (std::size_t k = layout.size(); k-- > 0;) {
    strides[k] = stride;
    stride = make_.mul(stride, stored_size(tensor, layout[k]));
  }
  Ref offset = make_.integer(0);
  for (std::size_t k = 0; k < layout.size(); ++k)
    offset = make_.add(offset, make_.mul(part_of(at[static_cast<std::size_t>(layout[k].dimension)], layout[k]), strides[k]));
  return offset;
}
}  // namespace ordo::kernel::detail_lower
