#pragma once
#include <algorithm>
#include <unordered_map>
#include "ordo/ir/post_order.hpp"
#include "ordo/ir/simplify.hpp"
#include "ordo/ir/text.hpp"
#include "ordo/ir/visit.hpp"
#include "ordo/plan/plan.hpp"
#include "ordo/plan/recurrence.hpp"

namespace ordo::plan {
namespace detail_make {
using namespace ir;

// Replaces loads of inlined stages by their values. An inlined stage that is narrower than its value rounds as its tensor would.
//   before: D[i, j] = sum(k, A[i, k] * B[k, j]);  C[i, j] = D[i, j] + bias[j]        s[D].inline_()
//   after:  C[i, j] = sum(k, A[i, k] * B[k, j]) + bias[j]
class Inline {
 public:
  Inline(ir::Program& program, const std::vector<bool>& inlined) : program_(program), inlined_(inlined) {}
  Ref rewrite(Ref e) {
    if (e->count == 0) return e;
    if (const auto it = memo_.find(e); it != memo_.end()) return it->second;
    std::vector<Ref> sources(e->src, e->src + e->count);
    bool changed = false;
    for (Ref& s : sources) {
      const Ref now = rewrite(s);
      changed = changed || now != s;
      s = now;
    }
    Ref result = changed ? program_.arena.make(e->op, e->type, sources.data(), e->count, e->arg, e->name, e->at, e->lanes) : e;
    if (e->op == Op::Load) result = value_of(result);
    memo_.emplace(e, result);
    return result;
  }

 private:
  Ref value_of(Ref load) {
    const TensorInfo& t = program_.tensor_of(load);
    if (t.definition < 0 || !inlined_[static_cast<std::size_t>(t.definition)]) return load;
    const Definition& d = program_.definitions[static_cast<std::size_t>(t.definition)];
    std::vector<Replacement> to;
    for (std::size_t k = 0; k < d.axes.size(); ++k) to.push_back({d.axes[k], load->src[k + 1]});
    const Ref value = substitute(program_.arena, d.value, to.data(), to.size());
    if (compute_type(t.type) == t.type && value->type == t.type) return value;
    return program_.arena.make(Op::Cast, compute_type(t.type), {value}, static_cast<u64>(t.type));
  }
  ir::Program& program_;
  const std::vector<bool>& inlined_;
  std::unordered_map<Ref, Ref> memo_;
};

// Ranges that hold for every call are left out; those of guarded or other accesses are tested per element by the lowering.
class Ranges {
 public:
  Ranges(Plan& plan, std::size_t stage) : plan_(plan), program_(plan.nest.program), time_(time_of(plan.nest, stage)) {
    const Definition& definition = program_.definitions[stage];
    for (const Ref axis : definition.axes) enclose(axis);
    visit(definition.value);
  }

 private:
  void enclose(Ref axis) {
    const Ref extent = extent_of(axis);
    turns_ = turns_ == nullptr ? extent : simplify(program_.arena, program_.arena.make(Op::Min, Type::i64, {turns_, extent}));
  }
  void visit(Ref e) {
    if (!seen_.emplace(e, true).second) return;
    if (e->op == Op::Load) load(e);
    if (started_lag(e, time_) > 0) load(e->src[2], e->src[0]->src[0]);   // of its other indices nothing depends on the start
    const bool guards = e->op == Op::Select || e->op == Op::And || e->op == Op::Or;
    if (e->op == Op::Reduce) {
      const ReduceView r(e);
      for (u32 k = 0; k < r.facts.fields; ++k) visit(r.init(k));
      inside(r);
      return;
    }
    for (u32 k = 0; k < (guards ? 1 : e->count); ++k) visit(e->src[k]);
  }
  void inside(const ReduceView& r) {       // what is met here may be met outside too, in more calls
    const Ref turns = turns_;
    std::unordered_map<Ref, bool> seen;
    seen.swap(seen_);
    for (u32 k = 0; k < r.facts.axes; ++k) enclose(r.axis(k));
    visit(r.where());
    if (r.where()->op == Op::Const)        // else a guarded step
      for (u32 k = 0; k < r.facts.fields; ++k) visit(r.step(k));
    seen.swap(seen_);
    turns_ = turns;
  }
  void load(Ref e, Ref shown = nullptr) {
    const TensorInfo& t = program_.tensor_of(e);
    for (u32 k = 1; k < e->count; ++k) {
      if (e->src[k] == shown) continue;
      const Ref extent = t.shape[k - 1];
      if (e->src[k]->op == Op::Axis && provably_equal(extent_of(e->src[k]), extent)) continue;
      Ref low, high;
      if (!hull(program_.arena, e->src[k], low, high)) continue;
      const Ref last = simplify(program_.arena, program_.arena.make(Op::Sub, Type::i64, {extent, program_.arena.integer(1)}));
      if (provably_less_equal(program_.arena.integer(0), low) && provably_less_equal(high, last)) continue;
      const Ref turns = turns_ != nullptr ? turns_ : program_.arena.integer(1);
      plan_.ranges.push_back({low, high, extent, turns, static_cast<int>(e->src[0]->arg), static_cast<int>(k) - 1, e->at});
    }
  }
  Plan& plan_;
  ir::Program& program_;
  const Ref time_;               // of the recurrence, or nullptr
  std::unordered_map<Ref, bool> seen_;
  Ref turns_ = nullptr;          // the least extent of the axes around
};

// A constant copy is filled by a launch of its own, in front of its stage.
inline void place_constants(Plan& plan, std::size_t stage) {
  ir::Program& program = plan.nest.program;
  const nest::Stage& s = plan.nest.stages[stage];
  for (std::size_t k = 0; k < s.packs.size(); ++k) {
    const nest::Pack& pack = s.packs[k];
    if (!pack.options.constant) continue;
    Ref elements = program.arena.integer(1);
    for (std::size_t d = 0; d < pack.order.size(); ++d) {
      Ref extent = s.loops[static_cast<std::size_t>(pack.order[d])].extent;
      if (d + 1 == pack.order.size()) extent = program.arena.make(Op::Add, Type::i64, {extent, program.arena.integer(pack.options.pad)});
      elements = program.arena.make(Op::Mul, Type::i64, {elements, extent});
    }
    const int launch = static_cast<int>(plan.groups.size()), p = static_cast<int>(k);
    plan.groups.push_back({.stage = static_cast<int>(stage), .pack = p});
    plan.workspaces.push_back({pack.name, program.tensors[static_cast<std::size_t>(pack.tensor)].type, simplify(program.arena, elements),
                               launch, launch, static_cast<int>(stage), p, plan.slots[static_cast<std::size_t>(pack.tensor)].number});
  }
}

inline void add_guests(const nest::Nest& nest, int stage, std::vector<int>& to) {
  for (const int guest : nest.stages[static_cast<std::size_t>(stage)].guests) {
    to.push_back(guest);
    add_guests(nest, guest, to);
  }
}

inline void place_tensors(Plan& plan, const std::vector<bool>& inlined) {
  ir::Program& program = plan.nest.program;
  plan.slots.assign(program.tensors.size(), {});
  int number = 0;
  for (const std::vector<int>* list : {&program.inputs, &program.outputs})
    for (const int t : *list) plan.slots[static_cast<std::size_t>(t)] = {Slot::In::argument, number++};
  int launch = -1;
  for (std::size_t d = 0; d < program.definitions.size(); ++d) {
    if (inlined[d]) continue;
    if (plan.nest.stages[d].placed.stage >= 0) {
      plan.slots[static_cast<std::size_t>(program.definitions[d].tensor)] = {Slot::In::turn, static_cast<int>(d)};
      continue;
    }
    const nest::Recurrence& r = plan.nest.stages[d].recurrence;
    const int stage = static_cast<int>(d), last = std::max(stage, r.last);
    if (r.first < 0 || r.first == stage) {
      Group group{.stage = stage, .last = last};
      add_guests(plan.nest, stage, group.guests);
      std::sort(group.guests.begin(), group.guests.end());
      for (const int s : group.stages()) place_constants(plan, static_cast<std::size_t>(s));
      launch = static_cast<int>(plan.groups.size());
      plan.groups.push_back(std::move(group));
    }
    Slot& slot = plan.slots[static_cast<std::size_t>(program.definitions[d].tensor)];
    if (slot.in != Slot::In::none) continue;
    const TensorInfo& t = program.tensors[static_cast<std::size_t>(program.definitions[d].tensor)];
    Ref elements = program.arena.integer(1);
    std::vector<Ref> sizes = t.shape;
    for (const nest::Stored& s : plan.nest.stages[d].layout) {
      if (s.part != nest::Stored::Part::block) continue;
      const Ref factor = program.arena.integer(s.factor);
      Ref& whole = sizes[static_cast<std::size_t>(s.dimension)];
      const Ref rounded = program.arena.make(Op::Add, Type::i64, {whole, program.arena.integer(s.factor - 1)});
      whole = program.arena.make(Op::Mul, Type::i64, {program.arena.make(Op::Div, Type::i64, {rounded, factor}), factor});
    }
    for (const Ref extent : sizes) elements = program.arena.make(Op::Mul, Type::i64, {elements, extent});
    slot = {Slot::In::workspace, static_cast<int>(plan.workspaces.size())};
    plan.workspaces.push_back({t.name, t.type, simplify(program.arena, elements), launch, launch, -1, -1, -1});
  }
}

inline void check_levels(const ir::Program& program) {
  for (const Definition& d : program.definitions) {
    if (levels(d.value) <= most_levels) continue;
    const std::string name = program.tensors[static_cast<std::size_t>(d.tensor)].name;
    fail("codegen.deep", d.at,
         ("the value of `" + name + "`, with what is inlined into it, is nested more than " + std::to_string(most_levels) +
          " levels deep, which compiled targets do not lower")
             .c_str(),
         "  help: define parts of it as tensors of their own, or compile for interpreter()");
  }
}

inline void mark_readers(Plan& plan) {
  for (std::size_t g = 0; g < plan.groups.size(); ++g)
    for (const int stage : plan.groups[g].stages())
      visit_once(plan.nest.program.definitions[static_cast<std::size_t>(stage)].value, [&](Ref e) {
        if (e->op != Op::Load) return;
        const Slot& slot = plan.slots[static_cast<std::size_t>(e->src[0]->arg)];
        if (slot.in == Slot::In::workspace) plan.workspaces[static_cast<std::size_t>(slot.number)].last_launch = static_cast<int>(g);
      });
}
}  // namespace detail_make

ORDO_INLINE u32 levels(ir::Ref value) {
  std::unordered_map<ir::Ref, u32> known;
  ir::post_order(
      value, [&](ir::Ref e) { return known.count(e) != 0; },
      [&](ir::Ref e) {
        u32 most = 0;
        for (u32 k = 0; k < e->count; ++k) most = std::max(most, known.at(e->src[k]));
        known.emplace(e, most + 1);
      });
  return known.at(value);
}

ORDO_INLINE bool hull(ir::Arena& arena, ir::Ref index, ir::Ref& low, ir::Ref& high) {
  using namespace ir;
  const Linear form = linear(index);
  Linear lo, hi;
  lo.constant = hi.constant = form.constant;
  low = high = nullptr;
  const auto add = [&](Ref a, Ref b) { return a == nullptr ? b : arena.make(Op::Add, Type::i64, {a, b}); };
  for (const Linear::Term& term : form.terms) {
    if (term.atom->op == Op::Dim) {
      lo.terms.push_back(term);
      hi.terms.push_back(term);
      continue;
    }
    if (term.atom->op != Op::Axis) return false;
    const Ref last = arena.make(Op::Sub, Type::i64, {extent_of(term.atom), arena.integer(1)});
    const Ref reach = arena.make(Op::Mul, Type::i64, {arena.integer(term.coefficient), last});
    (term.coefficient > 0 ? high : low) = add(term.coefficient > 0 ? high : low, reach);
  }
  low = simplify(arena, add(low, build(arena, lo)));
  high = simplify(arena, add(high, build(arena, hi)));
  return true;
}

ORDO_INLINE Plan make(nest::Nest nest) {
  using namespace detail_make;
  Plan plan{std::move(nest), {}, {}, {}, {}};
  ir::Program& program = plan.nest.program;
  std::vector<bool> inlined;
  for (const nest::Stage& s : plan.nest.stages) inlined.push_back(s.inlined);
  check_levels(program);
  if (std::find(inlined.begin(), inlined.end(), true) != inlined.end()) {
    Inline rewriter(program, inlined);
    for (Definition& d : program.definitions) d.value = rewriter.rewrite(d.value);
    check_levels(program);
  }
  if (start_recurrences(plan.nest)) check_levels(program);
  place_tensors(plan, inlined);
  mark_readers(plan);
  for (const Group& g : plan.groups)
    if (g.pack < 0)
      for (const int stage : g.stages()) Ranges(plan, static_cast<std::size_t>(stage));
  return plan;
}

ORDO_INLINE std::string print(const Plan& plan) {
  std::string text;
  const ir::Program& program = plan.nest.program;
  for (const Workspace& w : plan.workspaces)
    text += "workspace " + w.name + ": " + name_of(w.type) + " x " + ir::print(w.elements) + ", launches " +
            std::to_string(w.first_launch) + ".." + std::to_string(w.last_launch) + "\n";
  for (std::size_t g = 0; g < plan.groups.size(); ++g) {
    const nest::Stage& s = plan.nest.stages[static_cast<std::size_t>(plan.groups[g].stage)];
    const int pack = plan.groups[g].pack;
    if (pack >= 0)
      text += "launch " + std::to_string(g) + ": " + s.packs[static_cast<std::size_t>(pack)].name + " of " + s.name +
              ", once for each argument\n";
    else {
      text += "launch " + std::to_string(g) + ": " + s.name + "\n" + nest::print(s, program);
      for (const int guest : plan.groups[g].guests) {
        const nest::Stage& n = plan.nest.stages[static_cast<std::size_t>(guest)];
        text += "in each turn of " + plan.nest.stages[static_cast<std::size_t>(n.placed.stage)].name + ": " + n.name + "\n" +
                nest::print(n, program);
      }
      for (int next = plan.groups[g].stage + 1; next <= plan.groups[g].last; ++next) {
        const nest::Stage& n = plan.nest.stages[static_cast<std::size_t>(next)];
        text += "in step with it: " + n.name + "\n" + nest::print(n, program);
      }
    }
  }
  for (const Range& r : plan.ranges)
    text += "checked: 0 <= " + ir::print(r.low) + " and " + ir::print(r.high) + " < " + ir::print(r.extent) + " in " +
            program.tensors[static_cast<std::size_t>(r.tensor)].name + "." + std::to_string(r.dimension) + "\n";
  return text;
}
}  // namespace ordo::plan
