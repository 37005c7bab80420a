// Stages computed in the turns of another one's outermost loop: one loop around the bodies of all.
//   before: E: for i, for j: ...   Y: for i, for j: ...        after: for i: { alloc E's row; E: for j: ...; Y: for j: ... }
#pragma once
#include <algorithm>
#include <memory>
#include "ordo/kernel/lowering.hpp"

namespace ordo::kernel::detail_lower {
ORDO_INLINE u16 in_turns(const plan::Plan& plan, const plan::Group& group, const Layout& layout, const Target& target,
                         const Planted& planted, Kernel& kernel, Buffers& buffers) {
  std::vector<std::unique_ptr<Lowering>> stages;
  u16 lanes = 0;
  for (const int s : group.stages()) {
    stages.push_back(std::make_unique<Lowering>(plan, s, -1, layout, target, planted, kernel, buffers));
    stages.back()->prepare();
    lanes = lanes == 0 ? stages.back()->lanes() : std::min(lanes, stages.back()->lanes());
  }
  Make make(kernel.arena);
  Lowering& host = *stages.back();
  const auto around = [&](const auto& self, std::size_t stage) -> Ref {          // what outlives a turn
    if (stage < stages.size()) return stages[stage]->around([&] { return self(self, stage + 1); });
    const Ref turn = kernel.arena.make(Op::Var, Type::i64, nullptr, 0, kernel.next_var++, "turn");
    std::vector<Ref> all;
    for (const auto& s : stages) all.push_back(s->turn_at(turn));
    Ref body = make.block(all);
    for (const auto& s : stages)
      if (s.get() != &host) body = s->stored_in_turn(body);
    const LoopMode mode = host.outermost().mark == nest::Mark::parallel ? LoopMode::parallel : LoopMode::serial;
    return loop_by(kernel, mode, host.outermost().grain, turn, make.integer(0), host.outermost_extent(), body);
  };
  kernel.body = around(around, 0);
  return lanes;
}
}  // namespace ordo::kernel::detail_lower
