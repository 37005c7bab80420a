// Read and Write. Of a vector: contiguous, or lane by lane at a constant distance, or gathered. LLVM's masked operations
// become single instructions where the target has them and guarded scalar code elsewhere.
#pragma once
#include "ordo/codegen/llvm/access.hpp"

namespace ordo::codegen::llvm {
ORDO_INLINE Value read(Function& f, Ref n) {
  using namespace detail_memory;
  const Access a = access(f, n, n->lanes, n->count > 1 ? n->src[1] : nullptr);
  Value stored = nullptr;
  if (const Value* slot = piece(f, a)) {
    stored = load(f, a, a.stored, *slot, 1);
    if (a.mask != nullptr) stored = select(f, a.mask, stored, LLVMConstNull(a.stored));
  } else {
    stored = a.lanes == 1 ? scalar_load(f, a) : vector_load(f, a);
  }
  return widen(f, a.type, stored);
}
ORDO_INLINE void write(Function& f, Ref n) {
  using namespace detail_memory;
  ++f.statement;
  const Offset o = offset(n->src[0]);
  for (Ref term : o.terms) value(f, term);
  for (Ref step : o.steps) value(f, step);
  if (o.general != nullptr) value(f, o.general);
  Value v = value(f, n->src[1]);
  if (n->count > 2) value(f, n->src[2]);
  const Access a = access(f, n, n->src[1]->lanes, n->count > 2 ? n->src[2] : nullptr);
  if (f.unit.kernel.buffers[n->arg].canonical && (a.type == Type::f32 || a.type == Type::f64)) v = canonical(f, a.type, v);
  Value stored = narrow(f, a.type, n->src[1]->type, v);
  if (const Value* slot = piece(f, a)) {
    if (a.mask != nullptr) stored = select(f, a.mask, stored, load(f, a, a.stored, *slot, 1));
    store(f, a, stored, *slot, 1);
  } else if (a.lanes == 1) {
    scalar_store(f, a, stored);
  } else {
    vector_store(f, a, stored);
  }
}
}  // namespace ordo::codegen::llvm
