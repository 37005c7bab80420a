// Pass: unrolled loops become copies of their body, in order.
//   before: for i in 0..2 unrolled: acc[i] = acc[i] + x      after: acc[0] = acc[0] + x; acc[1] = acc[1] + x
#pragma once
#include <unordered_map>
#include <unordered_set>
#include "ordo/kernel/passes.hpp"

namespace ordo::kernel {
namespace detail_unroll {
using namespace ir;

class Folded {
 public:
  Folded(const Make& make, const Replacement* to, std::size_t count) : make_(make) {
    for (std::size_t k = 0; k < count; ++k) memo_.emplace(to[k].from, to[k].to);
  }
  Ref visit(Ref e) {
    if (const auto it = memo_.find(e); it != memo_.end()) return it->second;
    if (e->count == 0) return e;
    std::vector<Ref> s(e->src, e->src + e->count);
    bool changed = false;
    for (Ref& x : s) {
      const Ref now = visit(x);
      changed = changed || now != x;
      x = now;
    }
    const Ref r = changed ? rebuilt(e, s) : e;
    memo_.emplace(e, r);
    return r;
  }

 private:
  Ref rebuilt(Ref e, const std::vector<Ref>& s) {
    switch (e->op) {
      case Op::Block: return make_.block(s);
      case Op::If: return make_.when(s[0], s[1], s.size() > 2 ? s[2] : nullptr);
      case Op::For: return make_.loop(static_cast<LoopMode>(e->arg), s[0], s[1], s[2], s[3]);
      case Op::Write: return make_.write(static_cast<u32>(e->arg), s[0], s[1], s.size() > 2 ? s[2] : nullptr);
      case Op::Read:
        return make_.read(e->type, static_cast<u32>(e->arg), s[0], s.size() > 1 ? s[1] : nullptr);
      case Op::Broadcast:
        return Make::is_constant(s[0]) ? make_.arena().constant(e->type, s[0]->arg, e->lanes)
                                       : make_.arena().make(e->op, e->type, s.data(), 1, 0, "", {}, e->lanes);
      default: return make_.again(e, s.data(), e->lanes);
    }
  }
  Make make_;
  std::unordered_map<Ref, Ref> memo_;
};

class Pass {
 public:
  explicit Pass(Kernel& kernel) : kernel_(kernel), make_(kernel.arena) {}
  Ref visit(Ref s) {
    if (class_of(s->op) != OpClass::statement || s->op == Op::Write || s->op == Op::Prefetch || s->op == Op::Fail) return s;
    if (const auto it = memo_.find(s); it != memo_.end()) return it->second;
    std::vector<Ref> to(s->src, s->src + s->count);
    for (Ref& x : to) x = visit(x);
    Ref r;
    if (s->op == Op::For && static_cast<LoopMode>(s->arg) == LoopMode::unrolled) r = copies(s, to[3]);
    else if (s->op == Op::Block) r = make_.block(to);
    else r = make_.arena().make(s->op, s->type, to.data(), s->count, s->arg, s->name, s->at, s->lanes);
    memo_.emplace(s, r);
    return r;
  }

 private:
  Ref copies(Ref loop, Ref body) {
    std::vector<Ref> all;
    const i64 end = static_cast<i64>(loop->src[2]->arg);
    for (i64 v = static_cast<i64>(loop->src[1]->arg); v < end; ++v) {
      const Replacement one{loop->src[0], make_.integer(v)};
      all.push_back(with_own_variables(kernel_, substitute_folded(make_, body, &one, 1)));
    }
    return make_.block(all);
  }
  Kernel& kernel_;
  Make make_;
  std::unordered_map<Ref, Ref> memo_;
};

inline void collect_bound(Kernel& kernel, Ref s, std::vector<Replacement>& to, std::unordered_set<Ref>& seen) {
  if (class_of(s->op) != OpClass::statement || !seen.insert(s).second) return;
  if (s->op == Op::For || s->op == Op::Let) {
    const Ref v = s->src[0];
    to.push_back({v, kernel.arena.make(Op::Var, v->type, nullptr, 0, kernel.next_var++, v->name, {}, v->lanes)});
  }
  for (u32 k = 0; k < s->count; ++k) collect_bound(kernel, s->src[k], to, seen);
}
}  // namespace detail_unroll

ORDO_INLINE ir::Ref unroll(Kernel& kernel, ir::Ref body) { return detail_unroll::Pass(kernel).visit(body); }
ORDO_INLINE ir::Ref substitute_folded(const Make& make, ir::Ref e, const ir::Replacement* to, std::size_t count) {
  return detail_unroll::Folded(make, to, count).visit(e);
}
ORDO_INLINE ir::Ref with_own_variables(Kernel& kernel, ir::Ref copy) {
  std::vector<ir::Replacement> to;
  std::unordered_set<ir::Ref> seen;
  detail_unroll::collect_bound(kernel, copy, to, seen);
  return to.empty() ? copy : substitute_folded(Make(kernel.arena), copy, to.data(), to.size());
}
}  // namespace ordo::kernel
