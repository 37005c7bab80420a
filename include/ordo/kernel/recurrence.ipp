// A recurrence of several stages: one loop over time around the bodies of all, in the order in which they need one another.
//   before: G: for t, for j: ...   c: for t, for j: ...        after: for t: { G: for j: ...; c: for j: ... }
#pragma once
#include <algorithm>
#include <memory>
#include "ordo/ir/simplify.hpp"
#include "ordo/ir/visit.hpp"
#include "ordo/kernel/lowering.hpp"

namespace ordo::kernel::detail_lower {
// How far back the reads go that are started alike: after so many steps they are plain reads.
ORDO_INLINE i64 Lowering::longest_lag() {
  constexpr i64 most = 8;
  i64 lag = 0;
  visit_once(definition_.value, [&](Ref e) {
    if (const i64 back = plan::started_lag(e, time_); back <= most) lag = std::max(lag, back);
  });
  return lag;
}

// Y[..., t - 1] at the other indices of the element itself.
ORDO_INLINE bool Lowering::is_carried(Ref load) const {
  if (static_cast<int>(load->src[0]->arg) != definition_.tensor) return false;
  for (std::size_t k = 0; k < definition_.axes.size(); ++k)
    if (definition_.axes[k] != time_ && load->src[k + 1] != definition_.axes[k]) return false;
  return true;
}

// Does the loop over time stand right around the tile, so that what one step stores may stay in registers for the next?
ORDO_INLINE bool Lowering::carries(int time) {
  const Type type = program_.tensors[static_cast<std::size_t>(definition_.tensor)].type;
  if (tile_ == 0 || stage_.order[tile_ - 1] != time || compute_type(type) != type || type == Type::boolean || tested_late() ||
      !places_.empty())
    return false;
  for (const Guard& g : guards_)
    if (g.tail == Tail::guard) return false;  // element by element: no place in registers is a constant
  bool read = false;
  visit_once(definition_.value, [&](Ref e) { read = read || (plan::started_lag(e, time_) == 1 && is_carried(e->src[2])); });
  return read;
}
ORDO_INLINE void Lowering::make_carry() {
  const TensorInfo& t = program_.tensors[static_cast<std::size_t>(definition_.tensor)];
  Buffer b;
  b.name = std::string(t.name) + ".last";
  b.type = t.type;
  b.space = Space::registers;
  b.elements = left_number(tile_, true);
  kernel_.buffers.push_back(std::move(b));
  carry_ = static_cast<u32>(kernel_.buffers.size()) - 1;
}

ORDO_INLINE Ref Lowering::time_extent() { return extent(stage_.recurrence.time); }

ORDO_INLINE Ref Lowering::step(Ref time, i64 started) { return turn(stage_.recurrence.time, time, started); }

// What the stage does inside its outermost loop at `place`, when so many steps of its recurrence are over.
ORDO_INLINE Ref Lowering::turn(int loop, Ref place, i64 started) {
  const Ref keep = var_[static_cast<std::size_t>(loop)];
  bind(loop, place);
  bound_[static_cast<std::size_t>(loop)] = true;
  started_ = started;
  forget_values();
  const Ref body = with_packs(loop, [&] { return nest_from(1); });
  started_ = 0;
  forget_values();
  bind(loop, keep);
  bound_[static_cast<std::size_t>(loop)] = false;
  return body;
}

namespace detail_recurrence {
class Steps {
 public:
  Steps(Kernel& kernel, std::vector<std::unique_ptr<Lowering>>& stages, bool reverse)
      : kernel_(kernel), make_(kernel.arena), stages_(stages), reverse_(reverse) {}
  Ref run() {
    for (const auto& s : stages_) {
      end_ = end_ == nullptr ? s->time_extent() : longer(end_, s->time_extent());
      lag_ = std::max(lag_, s->longest_lag());
    }
    return around(0);
  }

 private:
  Ref longer(Ref a, Ref b) { return provably_less_equal(b, a) ? a : provably_less_equal(a, b) ? b : make_.max(a, b); }
  // What belongs to a stage and outlives a step.
  Ref around(std::size_t stage) {
    if (stage < stages_.size()) return stages_[stage]->around([&] { return around(stage + 1); });
    if (lag_ == 0 || reverse_) return loop(make_.integer(0), end_, 0);
    const Ref begun = make_.min(make_.integer(lag_), end_);
    return make_.block({loop(make_.integer(0), begun, 0), loop(begun, end_, lag_)});
  }
  Ref loop(Ref begin, Ref end, i64 started) {
    const Ref time = kernel_.arena.make(Op::Var, Type::i64, nullptr, 0, kernel_.next_var++, "t");
    std::vector<Ref> all;
    for (const auto& s : stages_) {
      const Ref own = s->time_extent();
      const Ref at = reverse_ ? make_.sub(make_.sub(end_, make_.integer(1)), time) : time;
      all.push_back(make_.when(provably_less_equal(end, own) || provably_less_equal(end_, own) ? nullptr : make_.less(at, own),
                               s->step(at, started)));
    }
    return make_.loop(LoopMode::serial, time, begin, end, make_.block(all));
  }
  Kernel& kernel_;
  Make make_;
  std::vector<std::unique_ptr<Lowering>>& stages_;
  const bool reverse_;  // planted
  Ref end_ = nullptr;
  i64 lag_ = 0;
};
}  // namespace detail_recurrence

ORDO_INLINE u16 in_step(const plan::Plan& plan, const plan::Group& group, const Layout& layout, const Target& target,
                        const Planted& planted, Kernel& kernel, Buffers& buffers) {
  std::vector<std::unique_ptr<Lowering>> stages;
  for (int s = group.stage; s <= group.last; ++s) {
    stages.push_back(std::make_unique<Lowering>(plan, s, -1, layout, target, planted, kernel, buffers));
    stages.back()->prepare();
  }
  kernel.body = detail_recurrence::Steps(kernel, stages, planted.reverse_time).run();
  u16 lanes = stages.front()->lanes();
  for (const auto& s : stages) lanes = std::min(lanes, s->lanes());
  return lanes;
}
}  // namespace ordo::kernel::detail_lower
