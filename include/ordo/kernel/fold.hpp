// Builders of kernel-level nodes that fold what is plain at once: index arithmetic and conditions, scalars only.
#pragma once
#include "ordo/ir/arena.hpp"
#include "ordo/kernel/kernel.hpp"

namespace ordo::kernel {
class Make {
 public:
  explicit Make(ir::Arena& arena) : arena_(&arena) {}
  ir::Arena& arena() const { return *arena_; }
  ir::Ref integer(i64 v) const { return arena_->integer(v); }
  ir::Ref yes() const { return arena_->constant(Type::boolean, 1); }
  ir::Ref add(ir::Ref a, ir::Ref b) const { return op(ir::Op::Add, a, b); }
  ir::Ref sub(ir::Ref a, ir::Ref b) const { return op(ir::Op::Sub, a, b); }
  ir::Ref mul(ir::Ref a, ir::Ref b) const { return op(ir::Op::Mul, a, b); }
  ir::Ref min(ir::Ref a, ir::Ref b) const { return op(ir::Op::Min, a, b); }
  ir::Ref max(ir::Ref a, ir::Ref b) const { return op(ir::Op::Max, a, b); }
  ir::Ref less(ir::Ref a, ir::Ref b) const { return op(ir::Op::Lt, a, b, Type::boolean); }
  ir::Ref less_equal(ir::Ref a, ir::Ref b) const { return op(ir::Op::Le, a, b, Type::boolean); }
  ir::Ref equal(ir::Ref a, ir::Ref b) const { return op(ir::Op::Eq, a, b, Type::boolean); }
  ir::Ref both(ir::Ref a, ir::Ref b) const { return a == nullptr ? b : b == nullptr ? a : op(ir::Op::And, a, b, Type::boolean); }
  ir::Ref negate(ir::Ref a) const { return op(ir::Op::Not, &a, 1, Type::boolean); }
  ir::Ref ceil_div(ir::Ref a, ir::Ref b) const;          // b > 0
  ir::Ref op(ir::Op o, ir::Ref a, ir::Ref b, Type type = Type::i64) const { const ir::Ref s[] = {a, b}; return op(o, s, 2, type); }
  ir::Ref op(ir::Op o, const ir::Ref* sources, u32 count, Type type) const;      // folds, else makes
  // The node `like` with other sources: what every rewriting pass calls.
  ir::Ref again(ir::Ref like, const ir::Ref* sources, u16 lanes) const;

  ir::Ref block(const std::vector<ir::Ref>& statements) const;           // flattened, empty ones dropped
  ir::Ref loop(ir::LoopMode mode, ir::Ref var, ir::Ref begin, ir::Ref end, ir::Ref body) const;
  ir::Ref when(ir::Ref condition, ir::Ref then, ir::Ref otherwise = nullptr) const;      // condition nullptr: always
  ir::Ref read(Type type, u32 buffer, ir::Ref offset, ir::Ref mask = nullptr) const;     // type: as computed
  ir::Ref write(u32 buffer, ir::Ref offset, ir::Ref value, ir::Ref mask = nullptr) const;
  ir::Ref prefetch(u32 buffer, ir::Ref offset) const {
    return arena_->make(ir::Op::Prefetch, Type::none, {offset}, buffer, "", {}, offset->lanes);
  }
  ir::Ref let(ir::Ref var, ir::Ref value, ir::Ref body) const { return arena_->make(ir::Op::Let, Type::none, {var, value, body}); }
  ir::Ref alloc(u32 buffer, ir::Ref body) const { return arena_->make(ir::Op::Alloc, Type::none, {body}, buffer); }
  static bool is(ir::Ref e, i64 value) { return e->op == ir::Op::Const && e->lanes == 1 && static_cast<i64>(e->arg) == value; }
  static bool is_constant(ir::Ref e) { return e->op == ir::Op::Const && e->lanes == 1; }

 private:
  ir::Ref folded(ir::Op o, ir::Ref a, ir::Ref b) const;
  ir::Ref uniform_less(ir::Ref ramp, ir::Ref bound) const;
  ir::Arena* arena_;
};
}  // namespace ordo::kernel
#if !defined(ORDO_COMPILED)
#include "ordo/kernel/fold.ipp"
#endif
