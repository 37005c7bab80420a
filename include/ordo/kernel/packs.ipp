// Packed copies: made in each turn of the loop they belong to, laid out in the order in which the loops inside read them.
//   before: for j.0: for k: for j.1: ... B[k, j] ...                                    pack(B, j.0)
//   after:  for j.0: { for k: for j.1: B.pack[k][j.1] = B[k, j] }; for k: for j.1: ... B.pack[k][j.1] ...
// Places past the end of a dimension hold 0, so that a whole tile may be read.
#pragma once
#include <algorithm>
#include "ordo/ir/visit.hpp"
#include "ordo/kernel/lowering.hpp"

namespace ordo::kernel::detail_lower {
ORDO_INLINE Ref Lowering::packed_load(std::size_t pack) {
  Ref found = nullptr;
  visit_once(definition_.value, [&](Ref e) {
    if (e->op != Op::Load || static_cast<int>(e->src[0]->arg) != stage_.packs[pack].tensor) return;
    if (found == nullptr) found = e;
    if (found != e) fail_internal("lower.pack", (stage_.packs[pack].name + ": read at more than one place").c_str());
  });
  if (found == nullptr) fail_internal("lower.pack", stage_.packs[pack].name.c_str());
  return found;
}

ORDO_INLINE void Lowering::make_pack_buffer(std::size_t p) {
  const nest::Pack& pack = stage_.packs[p];
  std::vector<Ref>& strides = pack_strides_[p];
  strides.assign(pack.order.size(), nullptr);
  Ref elements = make_.integer(1);
  for (std::size_t d = pack.order.size(); d-- > 0;) {
    strides[d] = elements;
    Ref whole = extent(pack.order[d]);
    if (d + 1 == pack.order.size()) whole = make_.add(whole, make_.integer(pack.options.pad));
    elements = make_.mul(elements, whole);
  }
  Buffer b;
  if (pack.options.constant)
    for (std::size_t w = 0; w < plan_.workspaces.size(); ++w)
      if (plan_.workspaces[w].stage == stage_.definition && plan_.workspaces[w].pack == static_cast<int>(p)) b.slot = static_cast<int>(w);
  b.name = pack.name;
  b.type = program_.tensors[static_cast<std::size_t>(pack.tensor)].type;
  b.space = pack.options.constant ? Space::workspace : pack.options.memory == Memory::stack ? Space::stack : Space::heap;
  b.elements = simplify(make_.arena(), elements);
  const bool fits = Make::is_constant(b.elements) && static_cast<i64>(b.elements->arg) * bytes_of(b.type) <= nest::most_stack_bytes;
  if (b.space == Space::stack && !fits) fail_internal("lower.pack", pack.name.c_str());      // the directive saw to it
  kernel_.buffers.push_back(std::move(b));
  pack_buffers_[p] = static_cast<u32>(kernel_.buffers.size()) - 1;
}

ORDO_INLINE Ref Lowering::pack_offset(std::size_t p) {
  Ref offset = make_.integer(0);
  for (std::size_t d = 0; d < stage_.packs[p].order.size(); ++d)
    offset = make_.add(offset, make_.mul(var_[static_cast<std::size_t>(stage_.packs[p].order[d])], pack_strides_[p][d]));
  return offset;
}

// Conjunction of the open guards that the copy's loops can break; at their last turns, or where they stand.
ORDO_INLINE Ref Lowering::fill_condition(std::size_t p, bool last) {
  const std::vector<int>& order = stage_.packs[p].order;
  Ref all = nullptr;
  for (std::size_t g = 0; g < guards_.size(); ++g) {
    if (holds_[g]) continue;
    std::vector<int> mine;
    bool known = true;
    for (const int l : guards_[g].loops) {
      if (std::find(order.begin(), order.end(), l) != order.end()) mine.push_back(l);
      else known = known && bound_[static_cast<std::size_t>(l)];
    }
    if (mine.empty() || !known) continue;
    std::vector<int> inner;
    if (last)
      for (const int l : mine)
        if (stage_.loops[static_cast<std::size_t>(l)].mark == nest::Mark::vectorized || fill_open_[static_cast<std::size_t>(l)])
          inner.push_back(l);
    all = make_.both(
        all, rises(guards_[g], inner) ? make_.less(position_at(guards_[g], inner, true), bound(guards_[g])) : make_.negate(make_.yes()));
  }
  return all;
}

// A reduction loop around the copy may run once over nothing, and the loops around it may stand where no element is: then there is
// nothing to copy.
ORDO_INLINE Ref Lowering::filled(std::size_t p) {
  const nest::Pack& pack = stage_.packs[p];
  std::vector<int> clipped;
  for (std::size_t d = 0; d < pack.order.size(); ++d)
    if (pack.marks[d] == nest::Mark::serial || pack.marks[d] == nest::Mark::parallel) clipped.push_back(pack.order[d]);
  Ref some = nonempty(clipped);
  for (std::size_t g = 0; g < guards_.size(); ++g) {
    if (holds_[g] || guards_[g].loops.empty()) continue;
    const bool settled = std::all_of(guards_[g].loops.begin(), guards_[g].loops.end(), [&](int l) {
      return bound_[static_cast<std::size_t>(l)] && std::find(pack.order.begin(), pack.order.end(), l) == pack.order.end();
    });
    if (settled) some = make_.both(some, make_.less(position(guards_[g]), bound(guards_[g])));
  }
  return make_.when(some, fill(p, 0));
}

ORDO_INLINE Ref Lowering::fill(std::size_t p, std::size_t depth) {
  const nest::Pack& pack = stage_.packs[p];
  bool rest_unrolled = true;
  for (std::size_t d = depth; d < pack.order.size(); ++d)
    rest_unrolled = rest_unrolled && pack.marks[d] != nest::Mark::serial && pack.marks[d] != nest::Mark::parallel;
  if (rest_unrolled && !in_fill_tile_) {
    in_fill_tile_ = true;
    for (std::size_t d = depth; d < pack.order.size(); ++d) fill_open_[static_cast<std::size_t>(pack.order[d])] = true;
    const Ref all = fill_condition(p, true);
    const bool simple = all == nullptr || (Make::is_constant(all) && all->arg != 0);
    fill_masked_ = false;
    const Ref whole = fill(p, depth);
    Ref r = whole;
    if (!simple) {
      fill_masked_ = true;
      r = make_.when(all, whole, fill(p, depth));
    }
    for (std::size_t d = depth; d < pack.order.size(); ++d) fill_open_[static_cast<std::size_t>(pack.order[d])] = false;
    in_fill_tile_ = false;
    return r;
  }
  if (depth == pack.order.size()) return fill_leaf(p, fill_masked_);
  const int loop = pack.order[depth];
  const nest::Mark mark = pack.marks[depth];
  std::vector<std::size_t> settled;
  Ref end = extent(loop);
  if (mark == nest::Mark::serial || mark == nest::Mark::parallel) {
    const std::vector<int> inner(pack.order.begin() + static_cast<std::ptrdiff_t>(depth) + 1, pack.order.end());
    end = clipped(loop, end, inner, settled);
  }
  const LoopMode mode = mark == nest::Mark::vectorized ? LoopMode::vectorized
                        : mark == nest::Mark::unrolled ? LoopMode::unrolled
                        : mark == nest::Mark::parallel ? LoopMode::parallel
                                                       : LoopMode::serial;
  const auto body = [&] { return fill(p, depth + 1); };
  const i64 rows = mode == LoopMode::serial ? turned(p, depth) : 0;
  if (rows == 0) return turns(loop, mode, make_.integer(0), end, settled, body);
  const Ref squares = simplify(make_.arena(), make_.op(Op::Div, end, make_.integer(rows)));
  const Ref apart = make_.arena().make(Op::Var, Type::i64, nullptr, 0, kernel_.next_var++, "square");
  const std::vector<bool> keep = holds_;
  for (const std::size_t g : settled) holds_[g] = true;
  const Ref var = var_[static_cast<std::size_t>(loop)];
  bound_[static_cast<std::size_t>(loop)] = true;
  bind(loop, make_.mul(apart, make_.integer(rows)));
  const Ref main = make_.loop(LoopMode::serial, apart, make_.integer(0), squares, fill_turned(p, depth, rows));
  bind(loop, var);
  bound_[static_cast<std::size_t>(loop)] = false;
  holds_ = keep;
  return make_.block({main, turns(loop, mode, make_.mul(squares, make_.integer(rows)), end, settled, body)});
}

// Does the tensor lie along the loop at `depth`, while the vectorized one inside it steps over its rows? Then so many turns of
// the loop are unrolled together that squares of registers are exchanged; else 0.
ORDO_INLINE i64 Lowering::turned(std::size_t p, std::size_t depth) {
  const nest::Pack& pack = stage_.packs[p];
  if (depth + 2 != pack.order.size() || pack.marks[depth + 1] != nest::Mark::vectorized) return 0;
  const Ref e = packed_load(p);
  const i64 rows = std::max<i64>(target_.vector_bits / 8 / std::max(bytes_of(e->type), 4), 2);
  const Ref wide = extent(pack.order[depth + 1]);
  if (!Make::is_constant(wide) || wide->arg == 0 || static_cast<i64>(wide->arg) % rows != 0) return 0;
  const Ref along = var_[static_cast<std::size_t>(pack.order[depth])], across = var_[static_cast<std::size_t>(pack.order[depth + 1])];
  const std::size_t checks = checks_.size();
  forget_values();
  const Linear form = linear(load_from_memory(e)->src[0]);
  forget_values();
  checks_.resize(checks);
  bool lies = false, steps = true;
  for (const Linear::Term& t : form.terms) {
    lies = lies || (t.atom == along && t.coefficient == 1);
    steps = steps && !(t.atom == across && t.coefficient == 1);
  }
  return lies && steps ? rows : 0;
}

ORDO_INLINE Ref Lowering::fill_turned(std::size_t p, std::size_t depth, i64 rows) {
  const int along = stage_.packs[p].order[depth], across = stage_.packs[p].order[depth + 1];
  const Ref first = var_[static_cast<std::size_t>(along)];
  in_fill_tile_ = true;
  fill_open_[static_cast<std::size_t>(across)] = true;
  const Ref all = fill_condition(p, true);
  const auto lines = [&](LoopMode mode, const auto& body) {
    const Ref line = make_.arena().make(Op::Var, Type::i64, nullptr, 0, kernel_.next_var++, "line");
    bind(along, make_.add(first, line));
    const Ref r = make_.loop(mode, line, make_.integer(0), make_.integer(rows), body());
    bind(along, first);
    return r;
  };
  const auto squares = [&] {
    fill_masked_ = false;
    const Ref keep = var_[static_cast<std::size_t>(across)], n = make_.integer(rows),
              count = make_.integer(static_cast<i64>(extent(across)->arg) / rows);
    const Ref square = make_.arena().make(Op::Var, Type::i64, nullptr, 0, kernel_.next_var++, "square");
    const Ref lane = make_.arena().make(Op::Var, Type::i64, nullptr, 0, kernel_.next_var++, "lane");
    bind(across, make_.add(make_.mul(square, n), lane));
    const Ref body = lines(LoopMode::unrolled,
                           [&] { return make_.loop(LoopMode::vectorized, lane, make_.integer(0), n, fill_leaf(p, false)); });
    bind(across, keep);
    return make_.loop(LoopMode::serial, square, make_.integer(0), count, body);
  };
  const auto masked = [&] {
    fill_masked_ = true;
    return lines(LoopMode::serial, [&] { return fill(p, depth + 1); });
  };
  const bool simple = all == nullptr || (Make::is_constant(all) && all->arg != 0);
  const Ref whole = squares();
  const Ref r = simple ? whole : make_.when(all, whole, masked());
  fill_open_[static_cast<std::size_t>(across)] = false;
  in_fill_tile_ = false;
  return r;
}

ORDO_INLINE Ref Lowering::fill_leaf(std::size_t p, bool masked) {
  forget_values();
  const Ref e = packed_load(p);
  const std::size_t checks = checks_.size();
  Ref from = load_from_memory(e);          // masked where nothing shows its indices to be in range: who reads the copy tests them
  checks_.resize(checks);
  if (masked) {
    const Ref mask = make_.both(fill_condition(p, false), from->count > 1 ? from->src[1] : nullptr);
    from = make_.read(e->type, buffer_of(stage_.packs[p].tensor), from->src[0], mask);
  }
  forget_values();
  return make_.write(pack_buffers_[p], pack_offset(p), from);
}
}  // namespace ordo::kernel::detail_lower
