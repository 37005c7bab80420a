#pragma once
#include "ordo/ir/store.hpp"

namespace ordo::ir {
ORDO_INLINE Builder::Builder() : store_(new Store) {}
ORDO_INLINE Builder::~Builder() {
  if (!owned_) return;
  for (detail_store::Block* b = store_->blocks.load(); b != nullptr;) {
    detail_store::Block* next = b->next;
    std::free(b);
    b = next;
  }
  delete store_;
}
ORDO_INLINE Builder& Builder::front() {
  static Builder* builder = new Builder(&detail_store::front_store());
  return *builder;
}

ORDO_INLINE Ref Builder::make(Op op, Type type, const Ref* sources, u32 count, u64 arg, const char* name, Where at) {
  char* memory = static_cast<char*>(detail_store::allocate(*store_, sizeof(Node) + count * sizeof(Ref)));
  Ref* copied = reinterpret_cast<Ref*>(memory + sizeof(Node));
  if (count > 0) std::memcpy(copied, sources, count * sizeof(Ref));
  return new (memory) Node{op, type, 1, count, arg, copied, detail_store::copy_text(*store_, name), at};
}

ORDO_INLINE const RawDefinition* definition_of(Ref raw_tensor) {
  return detail_store::cell_of(raw_tensor).definition.load(std::memory_order_acquire);
}
ORDO_INLINE int rank_of(Ref raw_tensor) { return detail_store::cell_of(raw_tensor).rank; }
ORDO_INLINE bool has_shape(Ref raw_tensor) { return static_cast<int>(raw_tensor->count) == rank_of(raw_tensor); }
}  // namespace ordo::ir
