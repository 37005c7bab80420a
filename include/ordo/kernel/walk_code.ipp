#pragma once
#include <unordered_map>
#include "ordo/ir/post_order.hpp"
#include "ordo/kernel/walk_code.hpp"

namespace ordo::kernel {
namespace detail_walk_code {
using namespace ir;

class Compiler {
 public:
  explicit Compiler(const Kernel& kernel) : kernel_(kernel) {}
  WalkCode run() {
    for (const Buffer& b : kernel_.buffers) code_.elements.push_back(b.elements == nullptr ? ~u32{0} : place(b.elements));
    code_.body = statement(kernel_.body);
    return std::move(code_);
  }

 private:
  u32 value(Ref root) {
    post_order(root, [&](Ref e) { return known_.count(e) != 0; }, [&](Ref e) { add(e); });
    return known_.at(root);
  }
  u32 place(Ref root) { return code_.values[value(root)].bits; }
  void add(Ref e) {
    const Ref typed = e->op == Op::Select ? e->src[1] : e->count > 0 ? e->src[0] : e;
    if (e->count > 3) fail_internal("walk.value", ir::name_of(e->op));
    WalkValue v{e->op, e->type, typed->type, e->lanes, static_cast<u16>(e->count), e->arg, static_cast<u32>(code_.bits.size()), {0, 0, 0}};
    bool fixed = e->op != Op::Var && e->op != Op::Read;
    for (u32 k = 0; k < e->count; ++k) {
      const u32 s = known_.at(e->src[k]);
      v.src[k] = code_.values[s].bits;
      fixed = fixed && fixed_[s] != 0;
    }
    const u32 number = static_cast<u32>(code_.values.size());
    code_.bits.resize(code_.bits.size() + e->lanes, e->op == Op::Const ? e->arg : 0);
    code_.values.push_back(v);
    fixed_.push_back(fixed);
    known_.emplace(e, number);
    if (fixed && e->op != Op::Const) code_.fixed.push_back(number);
  }
  // The values below `roots` that change, sources first.
  void gather(std::vector<Ref> roots, std::vector<u32>& list) {
    for (Ref root : roots) value(root);
    std::unordered_map<Ref, bool> seen;
    for (Ref root : roots)
      post_order(root, [&](Ref e) { return fixed_[known_.at(e)] != 0 || e->op == Op::Var || seen.count(e) != 0; },
                 [&](Ref e) { seen.emplace(e, true); list.push_back(known_.at(e)); });
  }
  u32 statement(Ref s) {
    if (const auto it = statements_.find(s); it != statements_.end()) return it->second;
    WalkStatement made{s, {}, {0, 0, 0}, {0, 0}, {}};
    const auto operand = [&](u32 from, u32 count) {
      gather({s->src + from, s->src + from + count}, made.values);
      for (u32 k = 0; k < count; ++k) made.operand[from + k] = place(s->src[from + k]);
    };
    switch (s->op) {
      case Op::Write: operand(0, s->count); break;
      case Op::Fail: operand(0, 1); break;
      case Op::Prefetch: break;
      case Op::For: made.operand[0] = place(s->src[0]); operand(1, 2); made.child[0] = statement(s->src[3]); break;
      case Op::Let: made.operand[0] = place(s->src[0]); operand(1, 1); made.child[0] = statement(s->src[2]); break;
      case Op::If: operand(0, 1); made.child[0] = statement(s->src[1]); if (s->count > 2) made.child[1] = statement(s->src[2]); break;
      case Op::Block: for (u32 k = 0; k < s->count; ++k) made.block.push_back(statement(s->src[k])); break;
      case Op::Alloc:
        if (const Ref elements = kernel_.buffers[s->arg].elements) gather({elements}, made.values);
        made.child[0] = statement(s->src[0]);
        break;
      default: fail_internal("walk.statement", ir::name_of(s->op));
    }
    code_.statements.push_back(std::move(made));
    const u32 number = static_cast<u32>(code_.statements.size() - 1);
    statements_.emplace(s, number);
    return number;
  }

  const Kernel& kernel_;
  WalkCode code_;
  std::unordered_map<Ref, u32> known_, statements_;
  std::vector<u8> fixed_;
};
}  // namespace detail_walk_code

ORDO_INLINE WalkCode walk_code(const Kernel& kernel) { return detail_walk_code::Compiler(kernel).run(); }
}  // namespace ordo::kernel
