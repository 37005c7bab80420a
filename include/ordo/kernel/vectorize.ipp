// Pass: vectorized loops become explicit vectors, in pieces of at most `lanes`.
//   before: for j in 0..40 vectorized: C[o + j] = A[p + j] * x
//   after:  C[o + ramp(0, 1) x16] = A[p + ramp(0, 1) x16] * broadcast(x); ... +16 x16; ... +32 x8
// Each element keeps its own operations in their order: the pass only names 16 elements at once.
#pragma once
#include <unordered_map>
#include "ordo/kernel/fold.hpp"
#include "ordo/kernel/passes.hpp"

namespace ordo::kernel {
namespace detail_vectorize {
using namespace ir;

class Widen {                    // one piece of one vectorized loop
 public:
  Widen(Kernel& kernel, Ref var, Ref base, u16 lanes) : kernel_(kernel), make_(kernel.arena), var_(var), base_(base), lanes_(lanes) {}

  Ref statement(Ref s, Ref mask) {
    switch (s->op) {
      case Op::Block: {
        std::vector<Ref> all;
        for (u32 k = 0; k < s->count; ++k) all.push_back(statement(s->src[k], mask));
        return make_.block(all);
      }
      case Op::For: {
        if (depends(s->src[1]) || depends(s->src[2]))
          fail_internal("vectorize.bounds", "a loop inside a vectorized loop has bounds that vary by lane");
        return make_.loop(static_cast<LoopMode>(s->arg), s->src[0], value(s->src[1]), value(s->src[2]), statement(s->src[3], mask));
      }
      case Op::If: {
        const Ref c = masked_value(s->src[0], mask);
        if (c->lanes == 1) return make_.when(c, statement(s->src[1], mask), s->count > 2 ? statement(s->src[2], mask) : nullptr);
        const Ref then = statement(s->src[1], joined(mask, c));
        if (s->count < 3) return then;
        const Ref other = make_.op(Op::Not, &c, 1, Type::boolean);
        return make_.block({then, statement(s->src[2], joined(mask, other))});
      }
      case Op::Let: {
        const Ref v = masked_value(s->src[1], mask);
        const Ref var = make_.arena().make(Op::Var, v->type, nullptr, 0, kernel_.next_var++, s->src[0]->name, {}, v->lanes);
        memo_[s->src[0]] = var;
        return make_.let(var, v, statement(s->src[2], mask));
      }
      case Op::Alloc: return make_.alloc(static_cast<u32>(s->arg), statement(s->src[0], mask));
      case Op::Write: return write(s, mask);
      case Op::Prefetch: return make_.prefetch(static_cast<u32>(s->arg), value(s->src[0]));
      default: fail_internal("vectorize.statement", name_of(s->op));
    }
  }

 private:
  Ref joined(Ref a, Ref b) { return a == nullptr ? b : make_.op(Op::And, vector(a), vector(b), Type::boolean); }
  Ref vector(Ref e) {
    if (e->lanes == lanes_) return e;
    if (e->op == Op::Const) return make_.arena().constant(e->type, e->arg, lanes_);
    return make_.arena().make(Op::Broadcast, e->type, {e}, 0, "", {}, lanes_);
  }
  // Reads under a lane mask must not touch what masked-off lanes name: they get the mask, once a statement.
  Ref masked_value(Ref e, Ref mask) {
    if (mask == mask_) return value(e);
    const Ref keep = mask_;
    std::unordered_map<Ref, Ref> outer = memo_;
    mask_ = mask;
    const Ref r = value(e);
    mask_ = keep;
    memo_ = std::move(outer);
    return r;
  }
  Ref write(Ref s, Ref mask) {
    const u32 buffer = static_cast<u32>(s->arg);
    const Ref offset = value(s->src[0]), v = vector(masked_value(s->src[1], mask));
    Ref m = s->count > 2 ? value(s->src[2]) : nullptr;
    if (mask != nullptr) m = m == nullptr ? mask : joined(mask, m);
    if (offset->lanes == 1) fail_internal("vectorize.write", "all lanes write one element");
    const Space space = kernel_.buffers[buffer].space;
    if (m != nullptr && space == Space::registers) {     // a register tile has no masked stores
      const Ref old = make_.read(v->type, buffer, offset);
      const Ref s3[] = {vector(m), v, old};
      return make_.write(buffer, offset, make_.op(Op::Select, s3, 3, v->type));
    }
    return make_.write(buffer, offset, v, m == nullptr ? nullptr : vector(m));
  }

  bool depends(Ref e) {
    if (e == var_) return true;
    if (const auto it = memo_.find(e); it != memo_.end() && it->second->lanes > 1) return true;
    if (e->count == 0) return false;
    if (const auto it = depends_.find(e); it != depends_.end()) return it->second;
    bool r = false;
    for (u32 k = 0; k < e->count && !r; ++k) r = depends(e->src[k]);
    depends_.emplace(e, r);
    return r;
  }
  // Step of an index that is affine in the loop's variable; nullptr when it is not.
  Ref step(Ref e) {
    if (e == var_) return make_.integer(1);
    if (!depends(e)) return make_.integer(0);
    if (e->type != Type::i64) return nullptr;
    if (e->op == Op::Add || e->op == Op::Sub) {
      const Ref a = step(e->src[0]), b = step(e->src[1]);
      return a == nullptr || b == nullptr ? nullptr : make_.op(e->op, a, b);
    }
    if (e->op == Op::Mul) {
      const int by = depends(e->src[0]) ? 1 : 0;
      if (depends(e->src[by])) return nullptr;
      const Ref a = step(e->src[1 - by]);
      return a == nullptr ? nullptr : make_.mul(a, scalar(e->src[by]));
    }
    return nullptr;
  }
  Ref scalar(Ref e) { return value(e); }                 // no dependence: stays a scalar
  Ref at_base(Ref e) {                                   // an affine index at lane 0
    if (e == var_) return base_;
    if (!depends(e)) return value(e);
    return make_.op(e->op, at_base(e->src[0]), at_base(e->src[1]));
  }

  Ref value(Ref e) {
    if (const auto it = memo_.find(e); it != memo_.end()) return it->second;
    const Ref r = widened(e);
    memo_.emplace(e, r);
    return r;
  }
  Ref widened(Ref e) {
    if (e == var_) return make_.arena().make(Op::Ramp, Type::i64, {base_, make_.integer(1)}, 0, "", {}, lanes_);
    if (e->count == 0) return e;
    if (e->type == Type::i64 && e->lanes == 1 && depends(e))
      if (const Ref by = step(e)) return make_.arena().make(Op::Ramp, Type::i64, {at_base(e), by}, 0, "", {}, lanes_);
    std::vector<Ref> s;
    bool wide = false;
    for (u32 k = 0; k < e->count; ++k) {
      s.push_back(value(e->src[k]));
      wide = wide || s.back()->lanes > 1;
    }
    if (e->op == Op::Read) {
      if (mask_ != nullptr && wide && kernel_.buffers[e->arg].space != Space::registers) {
        if (s.size() < 2) s.push_back(mask_);
        else s[1] = joined(mask_, s[1]);
      }
      if (!wide) return make_.read(e->type, static_cast<u32>(e->arg), s[0], s.size() > 1 ? s[1] : nullptr);
      return make_.read(e->type, static_cast<u32>(e->arg), vector(s[0]), s.size() > 1 ? vector(s[1]) : nullptr);
    }
    if (wide)
      for (Ref& x : s) x = vector(x);
    return make_.again(e, s.data(), wide ? lanes_ : e->lanes);
  }

  Kernel& kernel_;
  Make make_;
  Ref var_, base_;
  u16 lanes_;
  Ref mask_ = nullptr;
  std::unordered_map<Ref, Ref> memo_;
  std::unordered_map<Ref, bool> depends_;
};

class Pass {
 public:
  Pass(Kernel& kernel, u16 lanes) : kernel_(kernel), make_(kernel.arena), lanes_(lanes) {}
  Ref visit(Ref s) {
    if (class_of(s->op) != OpClass::statement || s->op == Op::Write || s->op == Op::Prefetch || s->op == Op::Fail) return s;
    if (const auto it = memo_.find(s); it != memo_.end()) return it->second;
    const Ref r = rebuilt(s);
    memo_.emplace(s, r);
    return r;
  }

 private:
  Ref rebuilt(Ref s) {
    if (s->op == Op::For && static_cast<LoopMode>(s->arg) == LoopMode::vectorized) return pieces(s);
    std::vector<Ref> to(s->src, s->src + s->count);
    bool changed = false;
    for (Ref& x : to) {
      const Ref now = visit(x);
      changed = changed || now != x;
      x = now;
    }
    if (!changed) return s;
    if (s->op == Op::Block) return make_.block(to);
    return make_.arena().make(s->op, s->type, to.data(), s->count, s->arg, s->name, s->at, s->lanes);
  }
  Ref pieces(Ref s) {
    const i64 extent = static_cast<i64>(s->src[2]->arg);
    std::vector<Ref> all;
    for (i64 at = 0; at < extent; at += lanes_) {
      const u16 n = static_cast<u16>(extent - at < lanes_ ? extent - at : lanes_);
      const Replacement one{s->src[0], make_.integer(at)};
      const Ref piece = n == 1 ? substitute_folded(make_, s->src[3], &one, 1)
                               : Widen(kernel_, s->src[0], make_.integer(at), n).statement(s->src[3], nullptr);
      all.push_back(with_own_variables(kernel_, piece));
    }
    return make_.block(all);
  }
  Kernel& kernel_;
  Make make_;
  u16 lanes_;
  std::unordered_map<Ref, Ref> memo_;
};
}  // namespace detail_vectorize

ORDO_INLINE ir::Ref vectorize(Kernel& kernel, ir::Ref body, u16 lanes) { return detail_vectorize::Pass(kernel, lanes).visit(body); }
}  // namespace ordo::kernel
