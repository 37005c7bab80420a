// The mask of a tail, ramp(base, 1) < n in every lane, as one comparison of small numbers: lane < n - base. With 64-bit
// lanes it would take as many vectors as there are 64-bit words in it, and packing them.
//
// Only where base + lane cannot wrap: sums of loop counters, Dims and their small multiples.
#pragma once
#include "ordo/codegen/llvm/function.hpp"

namespace ordo::codegen::llvm::detail_tails {
using ir::Op;

inline bool small(Ref n, i64 limit) {
  const i64 value = static_cast<i64>(n->arg);
  return n->op == Op::Const && -limit < value && value < limit;
}
inline bool bounded(const Function& f, Ref term) {
  if (term->op == Op::Mul && small(term->src[1], i64{1} << 16)) return bounded(f, term->src[0]);
  if (term->op == Op::Mul && small(term->src[0], i64{1} << 16)) return bounded(f, term->src[1]);
  return term->op == Op::Dim || (term->op == Op::Var && f.counters.count(term->arg) != 0);
}
inline Value clamped(Function& f, Value d, int lanes) {
  LLVMTypeRef word = f.unit.int64;
  Value low = intrinsic(f, "llvm.smax", {word}, {d, LLVMConstInt(word, 0, 0)});
  return intrinsic(f, "llvm.smin", {word}, {low, LLVMConstInt(word, static_cast<u64>(lanes), 0)});
}
}  // namespace ordo::codegen::llvm::detail_tails

namespace ordo::codegen::llvm {
ORDO_INLINE bool tail_of(const Function& f, Ref n, Tail* out) {
  using namespace detail_tails;
  if (n->op != Op::Lt || n->src[0]->type != Type::i64 || n->lanes * 64 <= f.unit.target.vector_bits) return false;
  Ref limit = n->src[1];
  if (limit->op != Op::Broadcast) return false;
  *out = {offset(n->src[0]), limit->src[0]};
  if (!out->position.contiguous() || out->position.constant >= i64{1} << 40 || out->position.constant <= -(i64{1} << 40)) return false;
  for (Ref term : out->position.terms)
    if (!bounded(f, term)) return false;
  return true;
}
ORDO_INLINE Value tail_mask(Function& f, const Tail& t, int lanes) {
  Value base = LLVMConstInt(f.unit.int64, static_cast<u64>(t.position.constant), 0);
  for (Ref term : t.position.terms) base = LLVMBuildAdd(f.at, base, known(f, term).value, "");
  Value left = intrinsic(f, "llvm.ssub.sat", {f.unit.int64}, {known(f, t.limit).value, base});
  Value count = LLVMBuildTrunc(f.at, detail_tails::clamped(f, left, lanes), f.unit.int32, "");
  return icmp(f, LLVMIntSLT, iota(f.unit, f.unit.int32, lanes), broadcast(f, count, lanes));
}
}  // namespace ordo::codegen::llvm
