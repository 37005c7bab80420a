#pragma once
#include <algorithm>
#include <unordered_map>
#include "ordo/functions/expand.hpp"
#include "ordo/interp/code.hpp"
#include "ordo/ir/simplify.hpp"

namespace ordo::interp {
namespace detail_compile {
// Names bound together: by the definition, or by one Reduce.
struct Context {
  u32 first_scope;
  std::unordered_map<Ref, u32> known;
  std::vector<u32> scopes_used;          // ascending
};

class Compiler {
 public:
  Compiler(const ir::Program& program, const i64* dims, Code& code) : program_(program), dims_(dims), code_(code) {}

  void run(const std::vector<Ref>& left, Ref expression) {
    contexts_.push_back({0, {}, {}});
    code_.now.push_back(1);
    for (Ref axis : left) code_.axes.push_back(bind(axis, fresh_scope()));
    code_.root = number(expression);
    code_.root_region = region({code_.root});
    for (u32 v = 0; v < code_.reductions.size(); ++v) open_reduction(v);
    fill_regions();
    code_.stamp.assign(code_.values.size(), 0);
  }

 private:
  u32 fresh_scope() {
    code_.now.push_back(1);
    return static_cast<u32>(code_.now.size() - 1);
  }
  u32 add(Ref e, u32 scope, u64 bits = 0) {
    const Ref typed = e->op == Op::Select ? e->src[1] : e->count > 0 ? e->src[0] : e;
    code_.values.push_back({e->op, e->type, typed->type, scope, e->arg, {none, none, none}, {none, none}});
    code_.bits.push_back(bits);
    return static_cast<u32>(code_.values.size() - 1);
  }
  u32 bind(Ref name, u32 scope) {
    const u32 v = add(name, scope);
    contexts_.back().known[name] = v;
    return v;
  }
  const u32* find(Ref e) const {
    for (std::size_t c = contexts_.size(); c-- > 0;)
      if (const auto it = contexts_[c].known.find(e); it != contexts_[c].known.end()) return &it->second;
    return nullptr;
  }
  void use(u32 scope) {
    std::vector<u32>& used = contexts_.back().scopes_used;
    const auto at = std::lower_bound(used.begin(), used.end(), scope);
    if (at == used.end() || *at != scope) used.insert(at, scope);
  }

  // Operands that are compiled in the same context as `e`, in order.
  void operands(Ref e, std::vector<Ref>& out) {
    if (ir::is_function(e->op)) {
      out.push_back(defined(e));
    } else if (e->op == Op::Reduce) {
      const ir::ReduceView r(e);
      for (u32 k = 0; k < r.facts.fields; ++k) out.push_back(r.init(k));
    } else if (e->op != Op::Axis) {
      for (u32 k = e->op == Op::Load ? 1 : 0; k < e->count; ++k) out.push_back(e->src[k]);
    }
  }
  // A function is what its definition says.
  Ref defined(Ref e) {
    const auto [it, fresh] = defined_.emplace(e, nullptr);
    if (fresh) it->second = functions::expand(functions_, e->op, e->src, {});
    return it->second;
  }
  u32 number(Ref root) {
    std::vector<Ref> stack{root}, below;
    while (!stack.empty()) {
      const Ref e = stack.back();
      if (find(e) != nullptr) {
        stack.pop_back();
        continue;
      }
      below.clear();
      operands(e, below);
      const std::size_t before = stack.size();
      for (std::size_t k = below.size(); k-- > 0;)
        if (find(below[k]) == nullptr) stack.push_back(below[k]);
      if (stack.size() > before) continue;
      stack.pop_back();
      emit(e);
    }
    const u32 v = *find(root);
    use(code_.values[v].scope);
    return v;
  }
  void emit(Ref e) {
    if (e->op == Op::Axis || e->op == Op::State) fail_internal("interp.unbound", e->name);
    if (e->op == Op::Scan || e->op == Op::Extent || e->op == Op::Inside || e->op == Op::Component)
      fail_internal("interp.raw", ir::name_of(e->op));
    std::vector<Ref> below;
    operands(e, below);
    u32 scope = 0;
    std::vector<u32> src;
    for (Ref s : below) {
      src.push_back(*find(s));
      scope = std::max(scope, code_.values[src.back()].scope);
      use(code_.values[src.back()].scope);
    }
    if (ir::is_function(e->op)) return know(e, src[0], scope);
    const u32 reduction = e->op == Op::Reduce ? reduce(e, src, scope) : 0;
    const u32 v = add(e, scope, e->op == Op::Const ? e->arg : e->op == Op::Dim ? static_cast<u64>(dims_[e->arg]) : 0);
    Value& made = code_.values[v];
    if (e->op == Op::Reduce) made.src[0] = reduction;
    else if (e->op == Op::Load) made.src[0] = read(e, src);
    else std::copy(src.begin(), src.end(), made.src);
    know(e, v, scope);
  }
  void know(Ref e, u32 v, u32 scope) {
    std::size_t c = contexts_.size() - 1;
    while (contexts_[c].first_scope > scope) --c;
    contexts_[c].known[e] = v;
  }

  // Is the index a Scan axis less a constant above 0?
  static bool goes_back(Ref index) {
    u64 offset = 0;
    while (index->op == Op::Add || index->op == Op::Sub) {
      const bool left = index->src[0]->op == Op::Const && index->op == Op::Add;
      const Ref constant = index->src[left ? 0 : 1];
      if (constant->op != Op::Const) return false;
      offset += index->op == Op::Add ? constant->arg : 0 - constant->arg;
      index = index->src[left ? 1 : 0];
    }
    return index->op == Op::Axis && ir::axis_facts(index).order == ir::Order::scan && static_cast<i64>(offset) < 0;
  }
  u32 read(Ref load, const std::vector<u32>& index) {
    Read r;
    r.tensor = static_cast<u32>(load->src[0]->arg);
    r.index = index;
    r.at = load->at;
    for (u32 i : index)
      if (code_.values[i].type != Type::i64) fail_internal("interp.index", "an index is no i64");
    const int definition = program_.tensors[r.tensor].definition;
    if (definition >= 0) {
      const ir::Definition& d = program_.definitions[static_cast<std::size_t>(definition)];
      for (std::size_t k = 0; k < d.axes.size() && d.value->op == Op::Scan; ++k)
        if (d.axes[k] == d.value->src[0] && goes_back(load->src[k + 1])) r.back = static_cast<int>(k);
    }
    code_.reads.push_back(std::move(r));
    return static_cast<u32>(code_.reads.size() - 1);
  }

  // `scope` grows to the innermost scope outside of the reduction that its parts depend on.
  u32 reduce(Ref e, const std::vector<u32>& init, u32& scope) {
    const ir::ReduceView view(e);
    Reduction r;
    r.init = init;
    const u32 first = static_cast<u32>(code_.now.size());
    contexts_.push_back({first, {}, {}});
    for (u32 k = 0; k < view.facts.axes; ++k) r.axes.push_back(axis(view, k));
    r.state_scope = r.axes.empty() ? fresh_scope() : r.axes.back().scope;
    for (u32 k = 0; k < view.facts.fields; ++k) r.state.push_back(bind(view.state(k), r.state_scope));
    for (u32 k = 0; view.facts.merge && k < view.facts.fields; ++k) r.other.push_back(bind(view.other(k), r.state_scope));
    if (view.where()->op != Op::Const || view.where()->arg == 0) r.where = number(view.where());
    for (u32 k = 0; k < view.facts.fields; ++k) r.step.push_back(number(view.step(k)));
    for (u32 k = 0; view.facts.merge && k < view.facts.fields; ++k) r.merged.push_back(number(view.merged(k)));
    r.result.assign(view.facts.fields, 0);
    const std::vector<u32> used = std::move(contexts_.back().scopes_used);
    contexts_.pop_back();
    for (u32 s : used) {
      if (s >= first) break;
      scope = std::max(scope, s);
      use(s);
    }
    code_.reductions.push_back(std::move(r));
    return static_cast<u32>(code_.reductions.size() - 1);
  }
  AxisRun axis(const ir::ReduceView& view, u32 k) {
    const Ref e = view.axis(k);
    const ir::AxisFacts facts = ir::axis_facts(e);
    const bool parts = view.facts.merge && !view.facts.free;
    AxisRun run{0, fresh_scope(), ir::evaluate(ir::extent_of(e), dims_), 1, 0};
    run.value = bind(e, run.scope);
    if (parts && (facts.order == ir::Order::lanes || facts.order == ir::Order::blocks)) run.lanes = facts.lanes;
    if (parts && facts.order == ir::Order::blocks) run.block = facts.block;
    if (!parts && !view.facts.free && (facts.order == ir::Order::lanes || facts.order == ir::Order::blocks))
      fail_internal("interp.merge", "a reduction over Lanes or Blocks has no merge");
    return run;
  }

  u32 region(std::vector<u32> roots) {
    if (roots.size() == 1) {
      const auto [it, fresh] = region_of_.emplace(roots[0], static_cast<u32>(code_.regions.size()));
      if (!fresh) return it->second;
    }
    code_.regions.emplace_back();
    roots_.push_back(std::move(roots));
    return static_cast<u32>(code_.regions.size() - 1);
  }
  void open_reduction(u32 number) {
    Reduction& r = code_.reductions[number];
    if (r.where != none) r.where_region = region({r.where});
    r.step_region = region(r.step);
    if (!r.merged.empty()) r.merge_region = region(r.merged);
  }
  // Operands that are evaluated whenever `v` is.
  void strict(u32 v, std::vector<u32>& out) const {
    const Value& x = code_.values[v];
    if (x.op == Op::Load) {
      for (u32 i : code_.reads[x.src[0]].index) out.push_back(i);
    } else if (x.op == Op::Reduce) {
      for (u32 i : code_.reductions[x.src[0]].init) out.push_back(i);
    } else {
      const u32 count = x.op == Op::Select || x.op == Op::And || x.op == Op::Or ? 1 : 3;
      for (u32 k = 0; k < count && x.src[k] != none; ++k) out.push_back(x.src[k]);
    }
  }
  static bool leaf(Op op) { return op == Op::Const || op == Op::Dim || op == Op::Axis || op == Op::State; }
  void open_sides(u32 v) {
    Value& x = code_.values[v];
    if (x.op == Op::Select) {
      x.lazy[0] = region({x.src[1]});
      x.lazy[1] = region({x.src[2]});
    } else if (x.op == Op::And || x.op == Op::Or) {
      x.lazy[0] = region({x.src[1]});
    }
  }
  void fill_regions() {
    std::vector<u32> seen(code_.values.size(), none), below, stack;
    for (u32 r = 0; r < code_.regions.size(); ++r) {
      std::vector<u32> list;
      for (u32 root : std::vector<u32>(roots_[r])) {
        stack.assign(1, root);
        while (!stack.empty()) {
          const u32 v = stack.back();
          below.clear();
          if (seen[v] != r && !leaf(code_.values[v].op)) strict(v, below);
          const std::size_t before = stack.size();
          for (std::size_t k = below.size(); k-- > 0;)
            if (seen[below[k]] != r && !leaf(code_.values[below[k]].op)) stack.push_back(below[k]);
          if (stack.size() > before) continue;
          stack.pop_back();
          if (seen[v] == r || leaf(code_.values[v].op)) continue;
          seen[v] = r;
          list.push_back(v);
          open_sides(v);
        }
      }
      code_.regions[r] = std::move(list);
    }
  }

  const ir::Program& program_;
  const i64* dims_;
  Code& code_;
  ir::Arena functions_;                  // what functions are defined by; their operands are nodes of the program
  std::unordered_map<Ref, Ref> defined_;
  std::vector<Context> contexts_;
  std::unordered_map<u32, u32> region_of_;
  std::vector<std::vector<u32>> roots_;
};
}  // namespace detail_compile

ORDO_INLINE Code compile(const ir::Program& program, const std::vector<Ref>& left, Ref expression, const i64* dims) {
  Code code;
  detail_compile::Compiler(program, dims, code).run(left, expression);
  return code;
}
}  // namespace ordo::interp
