#pragma once
#include <algorithm>
#include "ordo/metrics/traffic.hpp"
#include "ordo/nest/edit.hpp"

namespace ordo::metrics {
ORDO_INLINE Traffic::Traffic(Known& known, const std::vector<std::vector<Use>>& uses, int stage)
    : known_(known), uses_(uses), stage_(stage) {
  std::vector<std::pair<int, int>> around{{stage, static_cast<int>(at(stage).order.size())}};  // stages and how many of their loops
  for (int s = stage; at(s).placed.stage >= 0; s = at(s).placed.stage)
    around.push_back({at(s).placed.stage, at(at(s).placed.stage).place(at(s).placed.turn) + 1});
  for (std::size_t k = around.size(); k-- > 0;) {
    if (k == 0) hosts_ = path_.size();
    const auto [s, loops] = around[k];
    for (int place = 0; place < loops; ++place) {
      const int loop = at(s).order[static_cast<std::size_t>(place)];
      path_.push_back({s, loop, place, known(at(s).loop(loop).extent)});
    }
  }
}
ORDO_INLINE Running Traffic::running(std::size_t fixed) const {
  Running r{std::vector<int>(known_.nest.stages.size(), 0)};
  for (std::size_t k = 0; k < fixed; ++k) r.from[static_cast<std::size_t>(path_[k].stage)] = path_[k].place + 1;
  return r;
}
ORDO_INLINE void Traffic::add_inside(int stage, int from, std::vector<const Use*>& to) const {
  for (const Use& use : uses_[static_cast<std::size_t>(stage)])
    if (!use.by_copy || use.copied_at + 1 >= from) to.push_back(&use);
  for (const int guest : at(stage).guests)
    if (at(stage).place(at(guest).placed.turn) + 1 >= from) add_inside(guest, 0, to);
}
ORDO_INLINE std::vector<const Use*> Traffic::inside(std::size_t fixed) const {
  std::vector<const Use*> found;
  if (fixed == 0) add_inside(path_.empty() ? stage_ : path_[0].stage, 0, found);
  else add_inside(path_[fixed - 1].stage, path_[fixed - 1].place + 1, found);
  return found;
}
ORDO_INLINE std::size_t Traffic::lives_after(const Use& use) const {
  if (use.lives_in < 0) return 0;
  for (std::size_t k = 0; k < path_.size(); ++k)
    if (path_[k].stage == use.lives_in && path_[k].place == use.lives_at) return k + 1;
  return 0;
}
// Memory that lives in one turn is that large however many turns go by.
ORDO_INLINE Ref Traffic::held(const Use& use, std::size_t fixed) {
  Running r = running(fixed);
  for (int s = use.lives_in, place = use.lives_at; s >= 0;) {
    int& from = r.from[static_cast<std::size_t>(s)];
    from = std::max(from, place + 1);
    const nest::Placement& placed = at(s).placed;
    s = placed.stage;
    if (s >= 0) place = at(s).place(placed.turn);
  }
  return footprint(known_, use, r);
}
ORDO_INLINE Ref Traffic::turns(std::size_t steps, bool once_reduced) {
  Ref all = known_.number(1);
  for (std::size_t k = 0; k < steps; ++k) {
    const bool reduces = path_[k].stage == stage_ && at(stage_).loop(path_[k].loop).reduction;
    if (!once_reduced || !reduces) all = known_.mul(all, path_[k].turns);
  }
  return all;
}
// From the loop around outwards: turns that touch the same share it, the first that move keep what overlaps.
ORDO_INLINE Ref Traffic::walked(const Use& use, std::size_t& fixed, std::size_t first) {
  Ref bytes = held(use, fixed);
  while (fixed > first) {
    const Ref wider = held(use, --fixed);
    const bool same = wider == bytes;
    bytes = wider;
    if (!same) break;
  }
  return bytes;
}
ORDO_INLINE Ref Traffic::moved(const Use& use, std::size_t fixed) {
  const std::size_t lives = lives_after(use);
  if (use.lives_in >= 0 && fixed <= lives) return known_.number(0);
  if (use.by_copy) {  // read through, in each turn that copies
    const std::size_t copy = hosts_ + static_cast<std::size_t>(use.copied_at + 1);
    if (fixed > copy) return known_.mul(held(use, copy), turns(copy));
  }
  const Ref each = walked(use, fixed, use.by_copy ? 0 : lives), all = known_.mul(each, turns(fixed));
  if (use.tensor < 0) return known_.add(all, known_.mul(held(use, lives), turns(lives)));  // written once, too
  if (!use.written) return all;
  return known_.sub(known_.mul(all, 2), known_.mul(each, turns(fixed, true)));  // sums that leave come back, but for the first time
}
ORDO_INLINE Level Traffic::level(std::size_t fixed) {
  Level level;
  if (fixed > 0)
    level.loop =
        (fixed <= hosts_ ? at(path_[fixed - 1].stage).name + "/" : "") + at(path_[fixed - 1].stage).loop(path_[fixed - 1].loop).name;
  level.bytes = level.moved = known_.number(0);
  for (const Use* use : inside(fixed)) {
    const Ref bytes = held(*use, fixed), moves = use->stage == stage_ ? moved(*use, fixed) : known_.number(0);
    const auto it = std::find_if(level.tensors.begin(), level.tensors.end(), [&](const Held& h) { return h.name == use->name; });
    if (it == level.tensors.end()) {
      level.tensors.push_back({use->name, bytes, moves});
      level.bytes = known_.add(level.bytes, bytes);
    } else {  // read and written, or read by several: the same elements unless shown to be more
      const Ref most = known_.least(bytes, it->bytes) == bytes ? it->bytes : bytes;
      level.bytes = known_.add(level.bytes, known_.sub(most, it->bytes));
      it->bytes = most;
      it->moved = known_.add(it->moved, moves);
    }
    level.moved = known_.add(level.moved, moves);
  }
  for (const Use& use : uses_[static_cast<std::size_t>(stage_)]) {  // what a copy further out reads
    if (!use.by_copy || hosts_ + static_cast<std::size_t>(use.copied_at + 1) >= fixed) continue;
    const Ref moves = moved(use, fixed);
    level.tensors.push_back({use.name, known_.number(0), moves});
    level.moved = known_.add(level.moved, moves);
  }
  return level;
}
ORDO_INLINE std::size_t Traffic::fitting(i64 bytes) {
  std::size_t fixed = 0;
  for (; fixed < path_.size(); ++fixed)
    if (const i64 n = constant(level(fixed).bytes); n >= 0 && n <= bytes) break;
  return fixed;
}
ORDO_INLINE std::string Traffic::turn(std::size_t fixed) const {
  if (fixed == 0) return at(path_.empty() ? stage_ : path_[0].stage).name + "/";
  const Step& step = path_[fixed - 1];
  return at(step.stage).name + "/" + at(step.stage).loop(step.loop).name;
}
}  // namespace ordo::metrics
