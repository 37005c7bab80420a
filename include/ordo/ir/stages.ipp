// One reduction a definition. A stage is renumbered as a definition of its own,
// so that equal reductions at different depths, or of several definitions, become one stage. A condition that guards
// every use of a reduction, and mentions no other axis than it does, guards its stage too.
#pragma once
#include <string>
#include "ordo/ir/free_axes.hpp"
#include "ordo/ir/guards.hpp"
#include "ordo/ir/program.hpp"
#include "ordo/ir/simplify.hpp"
#include "ordo/ir/sugar.hpp"

namespace ordo::ir {
namespace detail_stages {
inline const char* kind_of(Ref reduce) {
  const Sugar sugar = sugar_of(reduce);
  return sugar.found ? name_of(sugar.fold) : "reduce";
}
// Nodes in reading order (a user before its sources, left to right); `inside` says whether to enter bodies of reductions.
template <class Visit>
void reading_order(Ref root, bool inside, Visit visit) {
  RefMap<bool> seen;
  std::vector<Ref> stack{root};
  while (!stack.empty()) {
    const Ref e = stack.back();
    stack.pop_back();
    if (seen.find(e) != nullptr) continue;
    seen.insert(e, true);
    visit(e);
    u32 first = 0, last = e->count;
    if (e->op == Op::Reduce && !inside) {
      first = ReduceView(e).facts.axes + 1;
      last = first + ReduceView(e).facts.fields;
    }
    for (u32 k = last; k-- > first;) stack.push_back(e->src[k]);
  }
}

class Split {
 public:
  explicit Split(const Program& program) : program_(copy(program)) {
    for (const TensorInfo& t : program_.tensors) used_.insert(reinterpret_cast<Ref>(t.name), true);
  }
  Program run() {
    count_uses();
    std::vector<Definition> old;
    old.swap(program_.definitions);
    in_group_.assign(program_.tensors.size(), false);
    for (std::size_t first = 0; first < old.size();) {
      const std::size_t end = group_end(old, first);
      const bool recurs = reads_forward(old, first, end);
      for (std::size_t d = first; recurs && d < end; ++d) in_group_[static_cast<std::size_t>(old[d].tensor)] = true;
      for (std::size_t d = first; d < end; ++d) split(old[d]);
      in_group_.assign(program_.tensors.size(), false);
      place();
      first = end;
    }
    for (std::size_t d = 0; d < program_.definitions.size(); ++d)
      program_.tensors[static_cast<std::size_t>(program_.definitions[d].tensor)].definition = static_cast<int>(d);
    return std::move(program_);
  }

 private:
  // How many definitions use a component of a reduction outside all others.
  void count_uses() {
    for (const Definition& d : program_.definitions)
      reading_order(d.value, false, [this](Ref e) {
        if (e->op != Op::Field) return;
        if (u32* n = uses_.find(e))
          ++*n;
        else
          uses_.insert(e, 1);
      });
  }
  // The largest number of a definition that `d` reads.
  int last_read(const Definition& d) {
    int last = -1;
    reading_order(d.value, true, [&](Ref e) {
      if (e->op != Op::Load) return;
      const int read = program_.tensor_of(e).definition;
      if (read > last) last = read;
    });
    return last;
  }
  std::size_t group_end(const std::vector<Definition>& old, std::size_t first) {
    std::size_t end = first + 1;
    for (std::size_t d = first; d < end; ++d) {
      const int last = last_read(old[d]);
      if (last >= static_cast<int>(end)) end = static_cast<std::size_t>(last) + 1;
    }
    return end;
  }
  bool reads_forward(const std::vector<Definition>& old, std::size_t first, std::size_t end) {
    return end > first + 1 || last_read(old[first]) >= static_cast<int>(first);
  }
  void place() {
    for (Definition& d : before_) program_.definitions.push_back(std::move(d));
    for (Definition& d : group_) program_.definitions.push_back(std::move(d));
    before_.clear();
    group_.clear();
  }

  // An initial value is read before the first step, where a stage of its own has no element.
  void check_start(const Definition& d) {
    if (d.value->op != Op::Scan) return;
    FreeAxes free;
    reading_order(d.value->src[1], true, [&](Ref e) {
      if (e->op != Op::Reduce || !detail_free_axes::has(free.of(e), d.value->src[0])) return;
      const std::string name = program_.tensors[static_cast<std::size_t>(d.tensor)].name, axis = d.value->src[0]->name;
      fail("codegen.start", d.at,
           ("the initial value of `" + name + "` holds a reduction that depends on `" + axis + "`, which compiled targets do not lower")
               .c_str(),
           "  help: start from a tensor, or compile for interpreter()");
    });
  }

  void split(Definition& d) {
    check_start(d);
    std::vector<Ref> outermost;
    bool shared = false, nested = false;
    reading_order(d.value, false, [&](Ref e) {
      if (e->op == Op::Reduce) outermost.push_back(e);
      shared = shared || (e->op == Op::Field && *uses_.find(e) > 1);
    });
    std::size_t all = 0;
    reading_order(d.value, true, [&](Ref e) { all += e->op == Op::Reduce; });
    nested = all > outermost.size();
    FreeAxes free;
    const bool stays = outermost.size() == 1 && !shared && mentions_all(free, outermost[0], d.axes);
    if (all > 0 && (nested || !stays)) d.value = rewrite(d, free, stays ? outermost[0] : nullptr);
    if (all > 0) keep_handles(d);
    group_.push_back(std::move(d));
  }
  static bool mentions_all(FreeAxes& free, Ref reduce, const std::vector<Ref>& axes) {
    const std::vector<Ref>& mentioned = free.of(reduce);
    for (Ref axis : axes)
      if (!detail_free_axes::has(mentioned, axis)) return false;
    return true;
  }
  void keep_handles(Definition& d) {
    std::vector<Ref> alive = d.axes;
    reading_order(d.value, true, [&](Ref e) {
      if (e->op == Op::Reduce) alive.insert(alive.end(), e->src, e->src + ReduceView(e).facts.axes);
    });
    std::vector<Handle> kept;
    for (const Handle& h : d.handles)
      if (detail_free_axes::has(alive, h.axis)) kept.push_back(h);
    d.handles.swap(kept);
  }

  Ref rewrite(const Definition& d, FreeAxes& free, Ref stays) {
    Guards guards(program_.arena, d.value);
    RefMap<std::string> names = stage_names(d, stays);
    RefMap<Ref> made;
    std::vector<Ref> sources;
    post_order(
        d.value, [&](Ref e) { return made.find(e) != nullptr; },
        [&](Ref e) {
          sources.clear();
          for (u32 k = 0; k < e->count; ++k) sources.push_back(*made.find(e->src[k]));
          Ref same = e->count == 0 ? e : program_.arena.make(e->op, e->type, sources.data(), e->count, e->arg, e->name, e->at);
          if (e->op == Op::Field && e->src[0] != stays) same = hoist(d, same, guard(guards.of(e), free.of(e), free, made), *names.find(e));
          made.insert(e, same);
        });
    return *made.find(d.value);
  }
  // Y.sum, Y.max, Y.sum2; of several components Y.reduce.0, Y.reduce.1.
  RefMap<std::string> stage_names(const Definition& d, Ref stays) {
    RefMap<std::string> names, of_reduce;
    struct Count {
      const char* kind;
      int number;
    };
    std::vector<Count> counts;
    const std::string base = program_.tensors[static_cast<std::size_t>(d.tensor)].name;
    reading_order(d.value, true, [&](Ref e) {
      if (e->op != Op::Field || e->src[0] == stays) return;
      const ReduceView view(e->src[0]);
      if (of_reduce.find(e->src[0]) == nullptr) {
        const char* kind = kind_of(e->src[0]);
        std::size_t k = 0;
        while (k < counts.size() && std::string(counts[k].kind) != kind) ++k;
        if (k == counts.size()) counts.push_back({kind, 0});
        const int number = ++counts[k].number;
        of_reduce.insert(e->src[0], base + "." + kind + (number > 1 ? std::to_string(number) : ""));
      }
      names.insert(e, *of_reduce.find(e->src[0]) + (view.facts.fields > 1 ? "." + std::to_string(e->arg) : ""));
    });
    return names;
  }
  static bool mentions_state(Ref e) {
    bool found = false;
    reading_order(e, false, [&](Ref n) { found = found || n->op == Op::State; });
    return found;
  }
  Ref guard(const std::vector<Ref>& conditions, const std::vector<Ref>& allowed, FreeAxes& free, RefMap<Ref>& made) {
    Ref all = nullptr;
    for (Ref c : conditions) {
      bool fits = !mentions_state(c);
      for (Ref axis : free.of(c)) fits = fits && detail_free_axes::has(allowed, axis);
      if (!fits) continue;
      const bool negated = made.find(c) == nullptr;  // made by Guards
      Ref* plain = made.find(negated ? c->src[0] : c);
      if (plain == nullptr) continue;
      Ref condition = negated ? program_.arena.make(Op::Not, Type::boolean, {*plain}) : *plain;
      all = all == nullptr ? condition : program_.arena.make(Op::And, Type::boolean, {all, condition});
    }
    return all;
  }

  // `field`: a component of a reduction whose own parts hold no reduction any more.
  Ref hoist(const Definition& d, Ref field, Ref condition, const std::string& name) {
    const bool recurs = reads_group(field);
    Ref value = field;
    if (condition != nullptr)
      value = program_.arena.make(Op::Select, field->type, {condition, field, program_.arena.constant(field->type, 0)});
    const std::vector<Ref> outer = FreeAxes().of(value);
    std::vector<Replacement> renumbered;
    Definition stage;
    for (Ref axis : outer)
      stage.axes.push_back(renumber(axis, static_cast<u32>(stage.axes.size()), recurs ? axis_facts(axis).order : Order::free));
    for (std::size_t k = 0; k < outer.size(); ++k) renumbered.push_back({outer[k], stage.axes[k]});
    renumber_reduce(ReduceView(field->src[0]), static_cast<u32>(outer.size()), renumbered);
    stage.value = substitute(program_.arena, value, renumbered.data(), renumbered.size());
    stage.at = d.at;
    for (const Handle& h : d.handles)
      for (const Replacement& r : renumbered)
        if (r.from == h.axis) stage.handles.push_back({h.raw, r.to});
    const int tensor = stage_tensor(stage, field->type, name, recurs);
    std::vector<Ref> sources{program_.tensors[static_cast<std::size_t>(tensor)].node};
    sources.insert(sources.end(), outer.begin(), outer.end());
    return program_.arena.make(Op::Load, field->type, sources.data(), static_cast<u32>(sources.size()), 0, "", field->at);
  }
  Ref renumber(Ref axis, u32 level, Order order) {
    AxisFacts facts = axis_facts(axis);
    facts.level = level;
    facts.order = order;
    if (order == Order::free || order == Order::scan) facts.lanes = 1, facts.block = 0;
    return program_.arena.make(Op::Axis, Type::i64, axis->src, axis->count, pack(facts), axis->name, axis->at);
  }
  void renumber_reduce(const ReduceView& view, u32 depth, std::vector<Replacement>& renumbered) {
    for (u32 k = 0; k < view.facts.axes; ++k)
      renumbered.push_back({view.axis(k), renumber(view.axis(k), depth + k, axis_facts(view.axis(k)).order)});
    for (u32 k = 0; k < view.facts.fields; ++k)
      for (Ref state : {view.state(k), view.facts.merge ? view.other(k) : view.state(k)})
        renumbered.push_back({state, program_.arena.make(Op::State, state->type, nullptr, 0, state_arg(static_cast<u32>(state->arg), 0))});
  }
  bool reads_group(Ref e) {
    bool found = false;
    reading_order(e, true, [&](Ref n) { found = found || (n->op == Op::Load && in_group_[static_cast<std::size_t>(n->src[0]->arg)]); });
    return found;
  }
  int stage_tensor(Definition& stage, Type type, const std::string& name, bool recurs) {
    if (int* known = stage_of_.find(stage.value)) return *known;
    TensorInfo info;
    info.name = unused(name);
    info.type = type;
    for (Ref axis : stage.axes) info.shape.push_back(extent_of(axis));
    info.input = info.output = false;
    info.definition = 0;
    stage.tensor = static_cast<int>(program_.tensors.size());
    info.node = program_.arena.make(Op::Tensor, type, nullptr, 0, static_cast<u64>(stage.tensor), info.name);
    info.origin = nullptr;
    stage_of_.insert(stage.value, stage.tensor);
    program_.tensors.push_back(info);
    in_group_.push_back(recurs);
    (recurs ? group_ : before_).push_back(stage);
    return stage.tensor;
  }
  const char* unused(const std::string& wanted) {
    const char* name = program_.arena.intern(wanted.c_str());
    for (int k = 2; used_.find(reinterpret_cast<Ref>(name)) != nullptr; ++k)
      name = program_.arena.intern((wanted + "_" + std::to_string(k)).c_str());
    used_.insert(reinterpret_cast<Ref>(name), true);
    return name;
  }

  Program program_;
  RefMap<bool> used_;           // by address of the interned name
  RefMap<u32> uses_;            // of a Field, by definitions
  RefMap<int> stage_of_;        // value of a stage -> its tensor
  std::vector<bool> in_group_;  // tensors of the recurrence at hand
  std::vector<Definition> before_, group_;
};
}  // namespace detail_stages

ORDO_INLINE Program stages(const Program& program) {
  Program staged = detail_stages::Split(program).run();
#if !defined(NDEBUG)
  verify(staged);
#endif
  return staged;
}
}  // namespace ordo::ir
