// Loads and stores of a vector: contiguous, or lane by lane at a constant distance, or gathered.
#pragma once
#include <algorithm>
#include "ordo/codegen/llvm/function.hpp"

namespace ordo::codegen::llvm::detail_memory {
struct Access {
  int buffer, lanes;
  Offset where;
  Value mask;  // nullptr: all lanes
  Type type;   // as stored
  LLVMTypeRef stored;
  Value together = nullptr;  // the mask is all lanes or none: which
};
inline Access access(Function& f, Ref n, int lanes, Ref mask) {
  const int buffer = static_cast<int>(n->arg);
  const Type type = f.unit.kernel.buffers[n->arg].type;
  Value m = mask == nullptr ? nullptr : known(f, mask).value;
  if (m != nullptr && LLVMIsConstant(m) != 0 && m == LLVMConstAllOnes(LLVMTypeOf(m))) m = nullptr;
  const bool same = m != nullptr && lanes > 1 && mask->op == ir::Op::Broadcast;
  return {buffer, lanes, offset(n->src[0]), m, type, stored_type(f.unit, type, lanes), same ? known(f, mask->src[0]).value : nullptr};
}
// What the address is made of: before the statement that needs it.
inline void evaluate(Function& f, const Offset& where) {
  for (Ref term : where.terms) value(f, term);
  for (Ref step : where.steps) value(f, step);
  if (where.general != nullptr) value(f, where.general);
}
inline Value marked(Function& f, const Access& a, Value instruction) {
  LLVMSetMetadata(instruction, f.unit.scope_kind, f.unit.scope[static_cast<std::size_t>(a.buffer)]);
  if (Value others = f.unit.disjoint[static_cast<std::size_t>(a.buffer)]) LLVMSetMetadata(instruction, f.unit.disjoint_kind, others);
  return instruction;
}
// A power of two that divides a number of elements of an argument with a promise of so many elements.
inline u64 divisor(const kernel::Kernel& kernel, u64 buffer, u64 promised, Ref n) {
  const auto of = [&](u32 k) { return divisor(kernel, buffer, promised, n->src[k]); };
  const ir::Op op = n->op;
  if (op == ir::Op::Const) return n->arg == 0 ? promised : std::min(promised, n->arg & (0 - n->arg));
  if (op == ir::Op::Stride)
    return n->arg >> 8 == buffer && static_cast<int>(n->arg & 255) + 1 < kernel.buffers[buffer].rank ? promised : 1;
  if (op == ir::Op::Mul) return std::min(promised, of(0) * of(1));
  const bool kept = op == ir::Op::Add || op == ir::Op::Sub || op == ir::Op::Min || op == ir::Op::Max;
  return kept ? std::min(of(0), of(1)) : 1;
}
// Bytes that divide the address: those of the first byte where the offset is constant or promises tell more, else of one element.
inline unsigned alignment(Function& f, const Access& a) {
  const kernel::Buffer& b = f.unit.kernel.buffers[static_cast<std::size_t>(a.buffer)];
  const u64 element = static_cast<u64>(bytes_of(a.type));
  if (b.promised > element && a.where.general == nullptr) {
    const u64 promised = b.promised / element, constant = static_cast<u64>(a.where.constant);
    u64 elements = constant == 0 ? promised : std::min(promised, constant & (0 - constant));
    for (Ref term : a.where.terms) elements = std::min(elements, divisor(f.unit.kernel, static_cast<u64>(a.buffer), promised, term));
    return static_cast<unsigned>(elements * element);
  }
  if (b.space == kernel::Space::argument || !a.where.terms.empty() || a.where.general != nullptr) return static_cast<unsigned>(element);
  u64 align = b.alignment;
  while (static_cast<u64>(a.where.constant) * element % align != 0) align /= 2;
  return static_cast<unsigned>(std::max(align, element));
}
inline Value* piece(Function& f, const Access& a) {
  const Tile& tile = f.unit.tiles[static_cast<std::size_t>(a.buffer)];
  Place& place = f.places[static_cast<std::size_t>(a.buffer)];
  if (place.pieces.empty()) return nullptr;
  const auto it = std::lower_bound(tile.accesses.begin(), tile.accesses.end(), std::make_pair(a.where.constant, a.lanes));
  return &place.pieces[static_cast<std::size_t>(it - tile.accesses.begin())];
}
inline Value load(Function& f, const Access& a, LLVMTypeRef type, Value from, unsigned align) {
  Value loaded = marked(f, a, LLVMBuildLoad2(f.at, type, from, ""));
  LLVMSetAlignment(loaded, align);
  return loaded;
}
inline void store(Function& f, const Access& a, Value what, Value to, unsigned align) {
  LLVMSetAlignment(marked(f, a, LLVMBuildStore(f.at, what, to)), align);
}
// Runs `body` where the scalar mask holds; the block it ends in, and the one to join at.
template <class Body>
inline void where_mask(Function& f, Value mask, const Body& body) {
  LLVMBasicBlockRef before = LLVMGetInsertBlock(f.at), active = new_block(f, "active"), join = new_block(f, "join");
  LLVMBuildCondBr(f.at, mask, active, join);
  LLVMPositionBuilderAtEnd(f.at, active);
  body(before, active, join);
}
inline Value scalar_load(Function& f, const Access& a) {
  Value from = address(f, a.buffer, a.where);
  if (a.mask == nullptr) return load(f, a, a.stored, from, alignment(f, a));
  Value result = nullptr;
  where_mask(f, a.mask, [&](LLVMBasicBlockRef before, LLVMBasicBlockRef active, LLVMBasicBlockRef join) {
    Value values[2] = {LLVMConstNull(a.stored), load(f, a, a.stored, from, alignment(f, a))};
    LLVMBuildBr(f.at, join);
    LLVMPositionBuilderAtEnd(f.at, join);
    result = LLVMBuildPhi(f.at, a.stored, "");
    LLVMBasicBlockRef blocks[2] = {before, active};
    LLVMAddIncoming(result, values, blocks, 2);
  });
  return result;
}
inline void scalar_store(Function& f, const Access& a, Value what) {
  Value to = address(f, a.buffer, a.where);
  if (a.mask == nullptr) return store(f, a, what, to, alignment(f, a));
  where_mask(f, a.mask, [&](LLVMBasicBlockRef, LLVMBasicBlockRef, LLVMBasicBlockRef join) {
    store(f, a, what, to, alignment(f, a));
    LLVMBuildBr(f.at, join);
    LLVMPositionBuilderAtEnd(f.at, join);
  });
}
inline Value all_lanes(Function& f, const Access& a) {
  return a.mask != nullptr ? a.mask : LLVMConstAllOnes(vector_of(f.unit.int1, a.lanes));
}
inline Value lane_number(Function& f, int k) { return LLVMConstInt(f.unit.int32, static_cast<u64>(k), 0); }

// The address of lane k, from that of lane 0 and the distance between lanes.
struct Strided {
  Function& f;
  const Access& a;
  Value first, step;
  Value at(int k) const {
    LLVMTypeRef element = stored_type(f.unit, a.type, 1);
    Value by = LLVMBuildMul(f.at, step, LLVMConstInt(f.unit.int64, static_cast<u64>(k), 0), "");
    return LLVMBuildGEP2(f.at, element, first, &by, 1, "");
  }
};
inline Strided strided(Function& f, const Access& a) {
  Value step = LLVMConstInt(f.unit.int64, static_cast<u64>(a.where.step), 0);
  for (Ref s : a.where.steps) step = LLVMBuildAdd(f.at, step, known(f, s).value, "");
  return {f, a, address(f, a.buffer, a.where), step};
}
constexpr u64 most_zeros = 256;  // bytes
inline Value zeros(Function& f) {
  const char* const name = "ordo_zeros";
  if (Value made = LLVMGetNamedGlobal(f.unit.module, name)) return made;
  LLVMTypeRef type = array_type(f.unit.int8, most_zeros);
  Value made = LLVMAddGlobal(f.unit.module, type, name);
  LLVMSetInitializer(made, LLVMConstNull(type));
  LLVMSetGlobalConstant(made, 1);
  LLVMSetLinkage(made, LLVMPrivateLinkage);
  LLVMSetAlignment(made, 64);
  return made;
}
inline Value vector_load(Function& f, const Access& a) {
  Value align = LLVMConstInt(f.unit.int32, alignment(f, a), 0), nothing = LLVMConstNull(a.stored);
  const unsigned element = static_cast<unsigned>(bytes_of(a.type));
  if (a.where.contiguous()) {
    Value from = address(f, a.buffer, a.where);
    if (a.mask == nullptr) return load(f, a, a.stored, from, alignment(f, a));
    // A masked load of nothing from a page that no one has touched takes hundreds of cycles.
    if (a.together != nullptr && static_cast<u64>(a.lanes) * element <= most_zeros)
      return load(f, a, a.stored, LLVMBuildSelect(f.at, a.together, from, zeros(f), ""), element);
    return marked(f, a, intrinsic(f, "llvm.masked.load", {a.stored, f.unit.pointer}, {from, align, a.mask, nothing}));
  }
  if (a.where.general != nullptr || a.mask != nullptr) {
    Value from = addresses(f, a.buffer, a.where, a.lanes);
    Value each = LLVMConstInt(f.unit.int32, element, 0);
    return marked(f, a, intrinsic(f, "llvm.masked.gather", {a.stored, LLVMTypeOf(from)}, {from, each, all_lanes(f, a), nothing}));
  }
  LLVMTypeRef scalar = stored_type(f.unit, a.type, 1);
  if (a.where.uniform()) return broadcast(f, load(f, a, scalar, address(f, a.buffer, a.where), element), a.lanes);
  const Strided lanes = strided(f, a);
  Value result = LLVMGetPoison(a.stored);
  for (int k = 0; k < a.lanes; ++k)
    result = LLVMBuildInsertElement(f.at, result, load(f, a, scalar, lanes.at(k), element), lane_number(f, k), "");
  return result;
}
// Memory of the caller is at the address it has: vectors whose place is no multiple of their size are stored plainly.
inline void store_past_caches(Function& f, const Access& a, Value what, Value to) {
  const u64 bytes = static_cast<u64>(a.lanes) * static_cast<u64>(bytes_of(a.type));
  const auto past_caches = [&] {
    Value stored = marked(f, a, LLVMBuildStore(f.at, what, to));
    LLVMSetAlignment(stored, static_cast<unsigned>(bytes));
    LLVMMetadataRef one = LLVMValueAsMetadata(LLVMConstInt(f.unit.int32, 1, 0));
    LLVMSetMetadata(stored, LLVMGetMDKindIDInContext(f.unit.context, "nontemporal", 11),
                    LLVMMetadataAsValue(f.unit.context, LLVMMDNodeInContext2(f.unit.context, &one, 1)));
    f.past_caches = true;
  };
  if (alignment(f, a) >= bytes) return past_caches();
  Value place = LLVMBuildPtrToInt(f.at, to, f.unit.int64, ""), below = LLVMConstInt(f.unit.int64, bytes - 1, 0);
  Value whole = icmp(f, LLVMIntEQ, LLVMBuildAnd(f.at, place, below, ""), LLVMConstInt(f.unit.int64, 0, 0));
  LLVMBasicBlockRef past = new_block(f, "past"), plain = new_block(f, "plain"), join = new_block(f, "join");
  LLVMBuildCondBr(f.at, whole, past, plain);
  LLVMPositionBuilderAtEnd(f.at, plain);
  store(f, a, what, to, alignment(f, a));
  LLVMBuildBr(f.at, join);
  LLVMPositionBuilderAtEnd(f.at, past);
  past_caches();
  LLVMBuildBr(f.at, join);
  LLVMPositionBuilderAtEnd(f.at, join);
}
inline bool goes_past_caches(Function& f, const Access& a) {
  const int bytes = a.lanes * bytes_of(a.type);
  return f.unit.kernel.buffers[static_cast<std::size_t>(a.buffer)].nontemporal && bytes >= 16 && (bytes & (bytes - 1)) == 0;
}
inline void vector_store(Function& f, const Access& a, Value what) {
  Value align = LLVMConstInt(f.unit.int32, alignment(f, a), 0);
  const unsigned element = static_cast<unsigned>(bytes_of(a.type));
  if (a.where.contiguous()) {
    Value to = address(f, a.buffer, a.where);
    if (a.mask == nullptr && goes_past_caches(f, a)) return store_past_caches(f, a, what, to);
    if (a.mask == nullptr) return store(f, a, what, to, alignment(f, a));
    marked(f, a, intrinsic(f, "llvm.masked.store", {a.stored, f.unit.pointer}, {what, to, align, a.mask}));
    return;
  }
  if (a.where.general != nullptr || a.mask != nullptr) {
    Value to = addresses(f, a.buffer, a.where, a.lanes);
    Value each = LLVMConstInt(f.unit.int32, element, 0);
    marked(f, a, intrinsic(f, "llvm.masked.scatter", {a.stored, LLVMTypeOf(to)}, {what, to, each, all_lanes(f, a)}));
    return;
  }
  const Strided lanes = strided(f, a);
  for (int k = 0; k < a.lanes; ++k) store(f, a, LLVMBuildExtractElement(f.at, what, lane_number(f, k), ""), lanes.at(k), element);
}
}  // namespace ordo::codegen::llvm::detail_memory
