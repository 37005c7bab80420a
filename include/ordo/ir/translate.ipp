// Raw expression -> canonical expression of one definition. A raw node may stand at several depths: a Scope is one
// binding of names (a Reduce at a depth, under given outer names), and every walk is memoised within its Scope.
#pragma once
#include "ordo/ir/draft.hpp"

namespace ordo::ir {
namespace detail_translate {
inline bool is_cut(Ref axis) {
  const Order order = axis_facts(axis).order;
  return order == Order::cut_outer || order == Order::cut_inner;
}
struct Binding {
  Ref raw, canonical;
};
struct Scope {
  int parent = -1;
  u32 depth = 0;                    // level of the next axis
  u32 reductions = 0;               // level of the next state
  DraftDefinition* home = nullptr;  // the definition whose extents hold here
  std::vector<Ref> outer;           // what the free names of its Reduce stand for
  std::vector<Binding> bound;
  std::vector<Ref> axes;  // canonical, as listed
  Ref exists = nullptr;   // positions past the end of a cut do not
  Ref result = nullptr;
  RefMap<Ref> memo;
};

class Translate {
 public:
  Translate(Draft& draft, DraftDefinition& d) : draft_(draft), arena_(draft.program.arena), d_(d) {}

  Definition run() {
    Definition made;
    made.tensor = d_.number;
    made.at = d_.raw->at;
    Scope& left = scopes_.emplace_back();
    left.home = &d_;
    left.depth = static_cast<u32>(rank_of(d_.tensor));
    for (u32 k = 0; k < left.depth; ++k) {
      made.axes.push_back(make_axis(left, d_.raw->axes[k], k));
      left.bound.push_back({d_.raw->axes[k], made.axes.back()});
    }
    made.value = expression(d_.raw->value);
    made.handles = handles_;
    return made;
  }

 private:
  struct Item {
    Ref node;
    u32 scope;
    u32 stage;
    u32 inner;
  };

  Ref make_axis(const Scope& scope, Ref raw, u32 level) {
    AxisFacts facts = axis_facts(raw);
    if (is_cut(raw)) facts.order = Order::chain;
    facts.level = level;
    const Ref extent = draft_.extent_of_raw(*scope.home, raw, raw->at);
    const Ref axis = arena_.make(Op::Axis, Type::i64, &extent, 1, pack(facts), raw->name, raw->at);
    for (const Handle& h : handles_)
      if (h.raw == raw && h.axis == axis) return axis;
    handles_.push_back({raw, axis});
    return axis;
  }
  Ref lookup(u32 scope, Ref raw) {
    for (int s = static_cast<int>(scope); s >= 0; s = scopes_[static_cast<std::size_t>(s)].parent)
      for (const Binding& b : scopes_[static_cast<std::size_t>(s)].bound)
        if (b.raw == raw) return b.canonical;
    fail_internal("ir.scope", (std::string("`") + raw->name + "` is not bound").c_str());
  }
  Ref made(u32 scope, Ref node) { return *scopes_[scope].memo.find(node); }

  Ref expression(Ref root) {
    stack_.push_back({root, 0, 0, 0});
    while (!stack_.empty()) {
      const Item item = stack_.back();
      if (scopes_[item.scope].memo.find(item.node) != nullptr) {
        stack_.pop_back();
        continue;
      }
      ++stack_.back().stage;
      if (const Ref result = step(item)) {
        scopes_[item.scope].memo.insert(item.node, result);
        stack_.pop_back();
      }
    }
    return made(0, root);
  }
  void need(Ref node, u32 scope) { stack_.push_back({node, scope, 0, 0}); }
  void need_sources(Ref node, u32 first, u32 scope) {
    for (u32 k = node->count; k-- > first;) need(node->src[k], scope);
  }

  // One turn on an item: pushes what it still needs, or gives the result.
  Ref step(const Item& item) {
    const Ref node = item.node;
    const u32 scope = item.scope;
    switch (node->op) {
      case Op::Const:
        return arena_.make(Op::Const, node->type, nullptr, 0, node->arg);
      case Op::Dim:
      case Op::Extent:
        return size_value(node, scope);
      case Op::Axis:
      case Op::State:
        return lookup(scope, node);
      case Op::Component:
        fail("lang.axis", node->at, (std::string("a part of `") + node->name + "` stands in a value: parts are for schedules").c_str());
      case Op::Load:
        return load(item);
      case Op::Reduce:
        return reduce(item);
      case Op::Inside:
        if (item.stage > 0) return inside(node, scope);
        need_sources(node->src[0], 1, scope);
        return nullptr;
      case Op::Unfused:
        if (item.stage > 0) return made(scope, node->src[0]);
        need_sources(node, 0, scope);
        return nullptr;
      default:
        if (item.stage > 0) return rebuilt(node, scope);
        need_sources(node, 0, scope);
        return nullptr;
    }
  }
  Ref size_value(Ref node, u32 scope) {
    bool unknown = false;
    const Ref known = draft_.size_leaf(scopes_[scope].home, node, &unknown, node->at.line != 0 ? node->at : d_.raw->at);
    if (unknown)
      fail("lang.extent", d_.raw->at, (std::string("an extent in the definition of `") + d_.tensor->name + "` depends on itself").c_str());
    return known;
  }
  Ref rebuilt(Ref node, u32 scope) {
    Ref few[4];
    for (u32 k = 0; k < node->count; ++k) few[k] = made(scope, node->src[k]);
    return arena_.make(node->op, node->type, few, node->count, node->arg, "", node->at);
  }

  Ref tensor_node(Ref raw) { return draft_.program.tensors[static_cast<std::size_t>(*draft_.number_of_raw.find(raw))].node; }
  Ref load(const Item& item) {
    if (item.stage == 0) {
      need_sources(item.node, 1, item.scope);
      return nullptr;
    }
    std::vector<Ref> sources{tensor_node(item.node->src[0])};
    for (u32 k = 1; k < item.node->count; ++k) sources.push_back(made(item.scope, item.node->src[k]));
    const Ref plain = arena_.make(Op::Load, item.node->type, sources.data(), item.node->count, 0, "", item.node->at);
    if (item.stage == 1) {
      stack_.back().inner = enter_init(item);
      if (stack_.back().inner == 0) return plain;
      need(scan_of(definition_of(item.node->src[0]))->src[1], stack_.back().inner);
      return nullptr;
    }
    Ref init = made(item.inner, scan_of(definition_of(item.node->src[0]))->src[1]);
    if (init->type != plain->type) init = arena_.make(Op::Cast, plain->type, {init}, static_cast<u64>(plain->type));
    const Ref index = sources[1 + scan_position(item.node->src[0])];
    return arena_.make(Op::Select, plain->type, {arena_.make(Op::Lt, Type::boolean, {index, arena_.integer(0)}), init, plain});
  }
  static u32 scan_position(Ref tensor) {
    const RawDefinition* raw = definition_of(tensor);
    u32 position = 0;
    while (raw->axes[position] != scan_of(raw)->src[0]) ++position;
    return position;
  }
  // A read at t - c of a finished recurrence is its initial value below 0; inside the recurrence Scan says so itself.
  u32 enter_init(const Item& item) {
    const Ref tensor = item.node->src[0];
    const RawDefinition* raw = definition_of(tensor);
    if (raw == nullptr || scan_of(raw) == nullptr || in_group(tensor)) return 0;
    const Ref index = item.node->src[1 + scan_position(tensor)];
    bool below = false;
    for (int k = 0; k < rank_of(d_.tensor); ++k)
      below = below || (axis_facts(d_.raw->axes[k]).order == Order::scan && lag_of(index, d_.raw->axes[k]) > 0);
    if (!below) return 0;
    Scope init;
    init.depth = scopes_[item.scope].depth;
    init.reductions = scopes_[item.scope].reductions;
    init.home = &draft_.definitions[*draft_.definition_of_raw.find(tensor)];
    for (u32 k = 1; k < item.node->count; ++k) init.bound.push_back({raw->axes[k - 1], made(item.scope, item.node->src[k])});
    scopes_.push_back(init);
    return static_cast<u32>(scopes_.size() - 1);
  }
  bool in_group(Ref tensor) const { return draft_.definitions[*draft_.definition_of_raw.find(tensor)].group == d_.group; }

  Ref inside(Ref node, u32 scope) {
    const Ref load = node->src[0];
    Ref all = nullptr;
    const auto also = [&](Ref condition) { all = all == nullptr ? condition : arena_.make(Op::And, Type::boolean, {all, condition}); };
    for (u32 k = 1; k < load->count; ++k) {
      const Ref index = made(scope, load->src[k]), extent = draft_.shape_of(load->src[0], k - 1);
      const Ref runs_to = extent_of_index(load->src[k], index, scope);
      if (runs_to == nullptr) also(arena_.make(Op::Le, Type::boolean, {arena_.integer(0), index}));
      if (runs_to == nullptr || !provably_equal(runs_to, extent)) also(arena_.make(Op::Lt, Type::boolean, {index, extent}));
    }
    return all != nullptr ? all : arena_.constant(Type::boolean, 1);
  }

  // Of an index that is an axis, or one that was cut (positions past its end do not exist); nullptr for any other.
  Ref extent_of_index(Ref raw, Ref index, u32 scope) {
    if (index->op == Op::Axis) return extent_of(index);
    if (raw->op != Op::Axis) return nullptr;
    int s = static_cast<int>(scope);
    const auto binds = [&](const Scope& at) {
      for (const Binding& b : at.bound)
        if (b.raw == raw) return true;
      return false;
    };
    while (!binds(scopes_[static_cast<std::size_t>(s)])) s = scopes_[static_cast<std::size_t>(s)].parent;
    const Scope& at = scopes_[static_cast<std::size_t>(s)];
    return at.parent < 0 ? nullptr : draft_.extent_of_raw(*at.home, raw, raw->at);
  }

  Ref reduce(const Item& item) {
    const ReduceView view(item.node);
    const u32 inner = item.stage > 0 ? item.inner : enter(item.node, item.scope);
    stack_.back().inner = inner;
    if (scopes_[inner].result != nullptr) return scopes_[inner].result;
    const u32 inits = view.facts.axes + 1, steps = inits + 2 * view.facts.fields;
    if (item.stage == 0) {
      for (u32 k = item.node->count; k-- > steps;) need(item.node->src[k], inner);
      for (u32 k = inits + view.facts.fields; k-- > inits;) need(item.node->src[k], item.scope);
      need(view.where(), inner);
      return nullptr;
    }
    std::vector<Ref> sources = scopes_[inner].axes;
    sources.push_back(where(view, inner));
    for (u32 k = inits; k < item.node->count; ++k)
      sources.push_back(made(k < inits + view.facts.fields ? item.scope : inner, item.node->src[k]));
    scopes_[inner].result = arena_.make(Op::Reduce, Type::none, sources.data(), item.node->count, item.node->arg, "", item.node->at);
    return scopes_[inner].result;
  }
  Ref where(const ReduceView& view, u32 inner) {
    const Ref given = made(inner, view.where()), exists = scopes_[inner].exists;
    if (exists == nullptr) return given;
    return given->op == Op::Const && given->arg == 1 ? exists : arena_.make(Op::And, Type::boolean, {exists, given});
  }
  // The scope of a Reduce: the same one wherever its outer names stand for the same at the same depth.
  u32 enter(Ref node, u32 outer) {
    std::vector<Ref> names;
    for (Ref name : draft_.names.members(draft_.names.of(node))) names.push_back(lookup(outer, name));
    u32* last = scopes_of_.find(node);
    for (u32 s = last == nullptr ? 0 : *last; s != 0; s = next_scope_[s])
      if (scopes_[s].depth == scopes_[outer].depth + reduce_facts(node->arg).axes &&
          scopes_[s].reductions == scopes_[outer].reductions + 1 && scopes_[s].home == scopes_[outer].home && scopes_[s].outer == names)
        return s;
    const u32 made_scope = static_cast<u32>(scopes_.size());
    Scope scope;
    scope.parent = static_cast<int>(outer);
    scope.depth = scopes_[outer].depth;
    scope.reductions = scopes_[outer].reductions + 1;
    scope.home = scopes_[outer].home;
    scope.outer = names;
    bind(scope, ReduceView(node));
    scopes_.push_back(scope);
    next_scope_.resize(scopes_.size(), 0);
    next_scope_[made_scope] = last == nullptr ? 0 : *last;
    if (last == nullptr)
      scopes_of_.insert(node, made_scope);
    else
      *last = made_scope;
    return made_scope;
  }
  void bind(Scope& scope, const ReduceView& view) {
    for (u32 k = 0; k < view.facts.axes; ++k) {
      scope.axes.push_back(make_axis(scope, view.axis(k), scope.depth));
      scope.bound.push_back({view.axis(k), scope.axes.back()});
      ++scope.depth;
    }
    join_cuts(scope);
    for (u32 k = 0; k < view.facts.fields; ++k) {
      const auto state = [&](Ref raw, u32 component) {
        scope.bound.push_back({raw, arena_.make(Op::State, raw->type, nullptr, 0, state_arg(component, scope.reductions - 1))});
      };
      state(view.state(k), k);
      if (view.facts.merge) state(view.other(k), view.facts.fields + k);
    }
  }
  // c = factor * co + ci, once both parts are bound; parts may be cut again.
  void join_cuts(Scope& scope) {
    for (std::size_t a = 0; a < scope.bound.size(); ++a) {
      const Ref outer = scope.bound[a].raw;
      if (axis_facts(outer).order != Order::cut_outer && axis_facts(outer).order != Order::cut_inner) continue;
      for (std::size_t b = 0; b < a; ++b) {
        const Ref other = scope.bound[b].raw;
        if (!is_cut(other) || other->src[1] != outer->src[1] || axis_facts(other).order == axis_facts(outer).order) continue;
        const bool swapped = axis_facts(other).order == Order::cut_outer;
        join_cut(scope, outer->src[0], outer->src[1], scope.bound[swapped ? b : a].canonical, scope.bound[swapped ? a : b].canonical);
        break;
      }
    }
  }
  void join_cut(Scope& scope, Ref whole, Ref raw_factor, Ref outer, Ref inner) {
    const Ref factor = arena_.integer(static_cast<i64>(raw_factor->arg));
    const Ref position = arena_.make(Op::Add, Type::i64, {arena_.make(Op::Mul, Type::i64, {outer, factor}), inner});
    scope.bound.push_back({whole, position});
    const Ref extent = draft_.extent_of_raw(*scope.home, whole, whole->at);
    if (provably_multiple(extent, static_cast<i64>(factor->arg))) return;
    const Ref exists = arena_.make(Op::Lt, Type::boolean, {position, extent});
    scope.exists = scope.exists == nullptr ? exists : arena_.make(Op::And, Type::boolean, {scope.exists, exists});
  }

  Draft& draft_;
  Arena& arena_;
  DraftDefinition& d_;
  std::vector<Scope> scopes_;
  RefMap<u32> scopes_of_;  // raw Reduce -> its last scope; 0: none (scope 0 is the definition's own)
  std::vector<u32> next_scope_;
  std::vector<Item> stack_;
  std::vector<Handle> handles_;
};
}  // namespace detail_translate

ORDO_INLINE void Draft::check_scope(const DraftDefinition& d) {
  for (Ref name : names.members(names.of(d.raw->value))) {
    bool left = false;
    for (int k = 0; k < rank_of(d.tensor); ++k) left = left || d.raw->axes[k] == name;
    if (left) continue;
    const std::string quoted = std::string("`") + name->name + "`", where = std::string(" in the definition of `") + d.tensor->name + "`";
    if (name->op == Op::State) fail("lang.state", d.raw->at, ("the state of a reduction stands outside its reduction" + where).c_str());
    const Order order = axis_facts(name).order;
    if (order == Order::free || order == Order::scan)
      fail("lang.axis", d.raw->at, (quoted + " stands on the right" + where + ", and not on the left").c_str(),
           ("  help: put it on the left, or reduce over a Chain named " + quoted).c_str());
    fail("lang.axis", d.raw->at, (quoted + " stands outside a reduction over it" + where).c_str(),
         ("  help: sum(" + std::string(name->name) + ", ...), or an Index on the left").c_str());
  }
}

ORDO_INLINE void translate(Draft& draft, DraftDefinition& d) {
  Definition made = detail_translate::Translate(draft, d).run();
  TensorInfo& info = draft.program.tensors[static_cast<std::size_t>(d.number)];
  info.definition = static_cast<int>(draft.program.definitions.size());
  draft.program.definitions.push_back(std::move(made));
}
}  // namespace ordo::ir
