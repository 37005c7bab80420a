// Read and Write. Of a vector: contiguous, or lane by lane at a constant distance, or gathered. LLVM's masked operations
// become single instructions where the target has them and guarded scalar code elsewhere.
#pragma once
#include <cstring>
#include "ordo/codegen/llvm/access.hpp"
#include "ordo/codegen/llvm/architectures.hpp"

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
  evaluate(f, offset(n->src[0]));
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
ORDO_INLINE void prefetch(Function& f, Ref n) {
  using namespace detail_memory;
  ++f.statement;
  const Offset o = offset(n->src[0]);
  evaluate(f, o);
  const Access a = access(f, n, n->lanes, nullptr);
  const auto ask = [&](Value at) {
    const auto word = [&](u64 v) { return LLVMConstInt(f.unit.int32, v, 0); };
    intrinsic(f, "llvm.prefetch", {f.unit.pointer}, {at, word(0), word(3), word(1)});         // to be read, kept in all levels, data
  };
  if (o.uniform()) return ask(address(f, a.buffer, o));
  constexpr int line_bytes = 64;
  const int element = bytes_of(a.type);
  if (o.contiguous()) {
    Value first = address(f, a.buffer, o);
    for (int byte = 0; byte < a.lanes * element; byte += line_bytes) {
      Value by = LLVMConstInt(f.unit.int64, static_cast<u64>(byte / element), 0);
      ask(byte == 0 ? first : LLVMBuildGEP2(f.at, stored_type(f.unit, a.type, 1), first, &by, 1, ""));
    }
    return;
  }
  if (o.general == nullptr) {
    const Strided lanes = strided(f, a);
    for (int k = 0; k < a.lanes; ++k) ask(lanes.at(k));
    return;
  }
  Value all = addresses(f, a.buffer, o, a.lanes);
  for (int k = 0; k < a.lanes; ++k) ask(LLVMBuildExtractElement(f.at, all, lane_number(f, k), ""));
}
ORDO_INLINE void hand_over(Function& f) {
  if (!f.past_caches) return;
  if (std::strcmp(f.unit.target.triple, x86_triple) == 0) intrinsic(f, "llvm.x86.sse.sfence", {}, {});
  else LLVMBuildFence(f.at, LLVMAtomicOrderingSequentiallyConsistent, 0, "");
}
}  // namespace ordo::codegen::llvm
