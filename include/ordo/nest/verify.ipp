#pragma once
#include <algorithm>
#include <unordered_set>
#include "ordo/ir/simplify.hpp"
#include "ordo/nest/edit.hpp"

namespace ordo::nest {
namespace detail_verify {
struct Verifier {
  const Nest& nest;
  const Stage& stage;

  void require(bool holds, const char* rule) const {
    if (holds) return;
    fail_internal("nest.verify", ("stage `" + stage.name + "`: " + rule + "\n" + print(stage, nest.program)).c_str());
  }
  bool in_range(int loop) const { return loop >= 0 && loop < static_cast<int>(stage.loops.size()); }

  void loops() const {
    std::unordered_set<std::string> names;
    std::vector<int> live;
    for (std::size_t k = 0; k < stage.loops.size(); ++k) {
      const Loop& l = stage.loops[k];
      require(names.insert(l.name).second, "names of loops are unique");
      require(l.extent != nullptr && l.extent->type == Type::i64, "extents are i64");
      require(l.consumed_by >= Loop::given_back && l.consumed_by < static_cast<int>(stage.relations.size()),
              "consumed_by names a relation");
      require(l.consumed_by == Loop::live || l.mark == Mark::serial, "only live loops have marks");
      if (l.consumed_by == Loop::live) live.push_back(static_cast<int>(k));
    }
    std::vector<int> order = stage.order;
    std::sort(order.begin(), order.end());
    require(order == live, "`order` holds the live loops, once each");
  }

  // Each loop is made once: by a root or a relation, and read by at most one relation, made later.
  void relations() const {
    std::vector<int> made(stage.loops.size(), 0), read(stage.loops.size(), 0);
    const auto makes = [&](int loop) { ++made[static_cast<std::size_t>(loop)]; };
    const auto reads = [&](int loop, std::size_t by) {
      require(made[static_cast<std::size_t>(loop)] == 1, "a relation reads loops that were made before");
      require(stage.loop(loop).consumed_by == static_cast<int>(by), "a loop knows the relation that consumed it");
      ++read[static_cast<std::size_t>(loop)];
    };
    for (const Root& root : stage.roots) {
      require(in_range(root.loop) && root.axis->op == ir::Op::Axis, "a root ties an axis to a loop");
      makes(root.loop);
    }
    for (std::size_t k = 0; k < stage.loops.size(); ++k)
      if (stage.loops[k].consumed_by == Loop::given_back) makes(static_cast<int>(k));
    for (std::size_t k = 0; k < stage.relations.size(); ++k) {
      const Relation& r = stage.relations[k];
      require(in_range(r.parent) && in_range(r.outer) && in_range(r.inner), "relations name loops");
      const Loop &parent = stage.loop(r.parent), &outer = stage.loop(r.outer), &inner = stage.loop(r.inner);
      require(outer.kind == parent.kind && inner.kind == parent.kind, "parts and fusions keep the kind");
      require(outer.reduction == parent.reduction && inner.reduction == parent.reduction,
              "parts and fusions stay in the reduction or out of it");
      if (r.op == Relation::Op::split) {
        reads(r.parent, k);
        makes(r.outer);
        makes(r.inner);
        require(at_least_one(nest, r.factor), "a factor is at least 1");
        require(inner.extent == r.factor, "the extent of an inner part is the factor");
        require((r.tail == Tail::cover) == (r.second != nullptr), "a cover has two factors");
        if (parent.extent->op == ir::Op::Const && r.factor->op == ir::Op::Const) {
          const i64 e = static_cast<i64>(parent.extent->arg), f = static_cast<i64>(r.factor->arg);
          if (r.second != nullptr) require(constant_extent(outer) * f >= e, "outer parts cover the extent");
          else require(constant_extent(outer) == (e + f - 1) / f, "outer parts cover the extent");
          require(r.tail != Tail::exact || e % f == 0, "an exact tail divides");
        }
      } else {
        reads(r.outer, k);
        reads(r.inner, k);
        makes(r.parent);
        if (constant_extent(outer) >= 0 && constant_extent(inner) >= 0)
          require(constant_extent(parent) == constant_extent(outer) * constant_extent(inner), "a fusion has all positions of its loops");
      }
    }
    for (std::size_t k = 0; k < stage.loops.size(); ++k) {
      require(made[k] == 1, "a loop is made once");
      require(read[k] == (stage.loops[k].consumed_by >= 0 ? 1 : 0), "a loop is consumed at most once");
    }
  }

  // The order of the algorithm, derived anew: roots in turn, parts in place of their loop, fusions of neighbours.
  void ordered() const {
    std::vector<int> sequence;
    for (const bool reduction : {false, true})
      for (const Root& root : stage.roots)
        if (stage.loop(root.loop).kind == Kind::ordered && stage.loop(root.loop).reduction == reduction) sequence.push_back(root.loop);
    for (const Relation& r : stage.relations) {
      if (stage.loop(r.parent).kind != Kind::ordered) continue;
      const auto it = std::find(sequence.begin(), sequence.end(), r.op == Relation::Op::split ? r.parent : r.outer);
      require(it != sequence.end(), "ordered loops come from ordered loops");
      if (r.op == Relation::Op::split) {
        *it = r.outer;
        sequence.insert(it + 1, r.inner);
      } else {
        require(it + 1 != sequence.end() && it[1] == r.inner, "ordered loops are fused with their neighbour");
        *it = r.parent;
        sequence.erase(it + 1);
      }
    }
    std::vector<int> now;
    for (const int loop : stage.order)
      if (stage.loop(loop).kind == Kind::ordered) now.push_back(loop);
    require(now == sequence, "ordered loops keep the order of the algorithm");
  }

  // Marks, copies and recurrences: the checks of every directive, on the whole stage.
  void marks() const {
    int vectorized = 0;
    for (const int loop : stage.order) {
      const Loop& l = stage.loop(loop);
      if (l.mark == Mark::vectorized) ++vectorized;
      if (l.mark == Mark::vectorized || l.mark == Mark::parallel)
        require(l.kind == Kind::free, "only free loops run at once");
      if (l.mark == Mark::unrolled) require(constant_extent(l) >= 0 && constant_extent(l) <= 64, "unrolled loops are short");
      if (l.mark == Mark::vectorized) require(constant_extent(l) >= 0 && constant_extent(l) <= 256, "vectorized loops are short");
    }
    require(vectorized <= 1, "one loop is vectorized");
    const Directive none{"verify", stage.name, {}, {}, Tail::mask, "", {}, {}};
    Edit edit{const_cast<Nest&>(nest), none, stage.definition, -1, stage};  // changes its own copy of the stage
    require(!check_marks(edit), "only unrolled loops are inside a vectorized one");
    require(!recurrence_broken(edit), "a recurrence has its time outside what it reads elsewhere");
    require(!placement_broken(edit, stage, stage.definition), "stages are computed in turns of serial or parallel loops");
    require(!tails_broken(edit, stage, stage.definition), "what a tail computes twice is computed in one place");
    for (const int guest : stage.guests)
      require(nest.stages[static_cast<std::size_t>(guest)].placed.stage == stage.definition, "guests know their host");
    if (stage.placed.stage >= 0) {
      Placement derived = stage.placed;
      require(!derive_regions(const_cast<Nest&>(nest), edit, stage.definition, derived), "a placed stage has regions");
      const ir::Definition& d = nest.program.definitions[static_cast<std::size_t>(stage.definition)];
      for (std::size_t k = 0; k < d.axes.size(); ++k) {
        const Region &is = stage.placed.regions[k], &now = derived.regions[k];
        require(ir::provably_equal(is.base, now.base) && ir::provably_equal(is.extent, now.extent), "regions follow the accesses");
        require((is.held == nullptr) == (now.held == nullptr), "what is stored longer has memory for it");
        if (is.held != nullptr)
          require(ir::provably_equal(is.held, now.held) && ir::provably_equal(is.room, now.room), "memory holds what its turns read");
        for (const Root& root : stage.roots)
          if (root.axis == d.axes[k]) require(ir::provably_equal(stage.loop(root.loop).extent, is.extent), "loops run over regions");
      }
    }
    require(!refresh_packs(edit), "copies fit their loops");
    require(!caches_broken(edit), "sums are kept where some wait");
    for (std::size_t k = 0; k < stage.packs.size(); ++k) {
      const Pack &is = stage.packs[k], &derived = edit.stage.packs[k];
      require(is.at == -1 || stage.place(is.at) >= 0, "a copy is made at a live loop");
      require(is.order == derived.order && is.marks == derived.marks, "a copy follows the loops");
    }
  }
};
}  // namespace detail_verify

ORDO_INLINE void verify(const Nest& nest) {
  if (nest.stages.size() != nest.program.definitions.size()) fail_internal("nest.verify", "one stage a definition");
  for (std::size_t k = 0; k < nest.stages.size(); ++k) {
    const detail_verify::Verifier v{nest, nest.stages[k]};
    v.require(nest.stages[k].definition == static_cast<int>(k), "stages are in the order of definitions");
    v.loops();
    v.relations();
    v.ordered();
    v.marks();
    v.require(!nest.stages[k].inlined || nest.stages[k].relations.empty(), "an inlined stage has no schedule");
  }
}
}  // namespace ordo::nest
