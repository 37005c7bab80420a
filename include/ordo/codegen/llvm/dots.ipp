// Sums of products of bytes, four products a step: VNNI. Integers add up the same in any order, so the bits are those of one
// product after the other. The instruction takes unsigned times signed bytes and does not saturate; what is of other signs is
// moved by 128 and put right.
//
//   acc = acc + a[n] x L * b[ramp(m, 4) x L]            acc = vpdpbusd(acc, four bytes of a x L, 4 L bytes of b)
//   acc = acc + a[n + 1] x L * b[ramp(m + 1, 4) x L]
//   ... n + 3, m + 3
#pragma once
#include <unordered_map>
#include "ordo/codegen/llvm/function.hpp"
#include "ordo/codegen/llvm/memory.ipp"

namespace ordo::codegen::llvm::detail_dots {
using ir::Op;

struct Update {                    // acc = acc + x * y
  Ref write, scalar, vector;       // scalar: the Read in every lane; vector: one of distance 4
};
inline bool has_instruction(const Function& f, int lanes) {
  return (lanes == 4 || lanes == 8 || lanes == 16) && lanes * 32 <= f.unit.target.vector_bits;
}
inline bool is_byte_read(const Function& f, Ref n, int lanes) {
  if (n->op != Op::Read || n->count != 1 || n->lanes != lanes) return false;
  const Type t = f.unit.kernel.buffers[n->arg].type;
  return t == Type::i8 || t == Type::u8;
}
inline bool is_update(const Function& f, Ref n, Update* out) {
  if (n->op != Op::Write || n->count != 2 || f.places[n->arg].pieces.empty()) return false;
  Ref sum = n->src[1];
  if (sum->op != Op::Add || sum->type != Type::i32 || !has_instruction(f, sum->lanes)) return false;
  for (u32 k = 0; k < 2; ++k) {
    Ref acc = sum->src[k], product = sum->src[1 - k];
    if (acc->op != Op::Read || acc->count != 1 || acc->arg != n->arg || acc->src[0] != n->src[0] || product->op != Op::Mul) continue;
    for (u32 s = 0; s < 2; ++s) {
      Ref all = product->src[s], vector = product->src[1 - s];
      if (all->op != Op::Broadcast || !is_byte_read(f, all->src[0], 1) || !is_byte_read(f, vector, sum->lanes)) continue;
      *out = {n, all->src[0], vector};
      return true;
    }
  }
  return false;
}
inline bool follows(Ref first, Ref n, i64 by) {        // reads the element `by` after that of `first`
  if (first->arg != n->arg) return false;
  const Offset a = offset(first->src[0]), b = offset(n->src[0]);
  return a.general == nullptr && b.general == nullptr && a.terms == b.terms && a.steps.empty() && b.steps.empty() && a.step == b.step &&
         b.constant == a.constant + by;
}
inline bool is_dot(const Update* u) {
  if (offset(u[0].vector->src[0]).step != 4) return false;
  for (i64 k = 1; k < 4; ++k)
    if (!follows(u[0].scalar, u[k].scalar, k) || !follows(u[0].vector, u[k].vector, k)) return false;
  return true;
}
// The updates of a block by accumulator, in their order; empty unless all of the block is made of dots.
inline std::vector<std::vector<Update>> updates(const Function& f, Ref block) {
  std::vector<std::vector<Update>> all;
  std::unordered_map<Ref, std::size_t> place;
  for (u32 k = 0; k < block->count; ++k) {
    Update u{};
    if (!is_update(f, block->src[k], &u)) return {};
    const auto [it, fresh] = place.emplace(u.write->src[0], all.size());
    if (fresh) all.emplace_back();
    std::vector<Update>& of = all[it->second];
    if (!of.empty() && of[0].write->arg != u.write->arg) return {};
    of.push_back(u);
  }
  for (const std::vector<Update>& of : all) {
    if (of.size() % 4 != 0) return {};
    for (std::size_t k = 0; k < of.size(); k += 4)
      if (!is_dot(&of[k])) return {};
  }
  return all;
}
// `words` words of 32 bits from the first byte that `read` names.
inline Value words(Function& f, Ref read, int words) {
  const int buffer = static_cast<int>(read->arg);
  const Offset o = offset(read->src[0]);
  for (Ref term : o.terms) value(f, term);
  const detail_memory::Access a = {buffer, words * 4, o, nullptr, f.unit.kernel.buffers[read->arg].type, vector_of(f.unit.int32, words)};
  return detail_memory::load(f, a, a.stored, address(f, buffer, o), detail_memory::alignment(f, a));
}
inline Value dot(Function& f, int lanes, Value acc, Value without_sign, Value with_sign) {
  const std::string name = "llvm.x86.avx512.vpdpbusd." + std::to_string(32 * lanes);
  const unsigned id = LLVMLookupIntrinsicID(name.c_str(), name.size());
  Value function = LLVMGetIntrinsicDeclaration(f.unit.module, id, nullptr, 0);
  LLVMTypeRef type = LLVMGlobalGetValueType(function), types[3] = {};
  LLVMGetParamTypes(type, types);                      // words or bytes, by version
  Value operands[3] = {acc, LLVMBuildBitCast(f.at, without_sign, types[1], ""), LLVMBuildBitCast(f.at, with_sign, types[2], "")};
  return LLVMBuildCall2(f.at, type, function, operands, 3, "");
}
inline Value dots(Function& f, const Update& u, Value acc) {
  const int lanes = u.vector->lanes;
  LLVMTypeRef type = vector_of(f.unit.int32, lanes);
  const auto is_signed_read = [&f](Ref read) { return f.unit.kernel.buffers[read->arg].type == Type::i8; };
  const bool scalar_signed = is_signed_read(u.scalar), vector_signed = is_signed_read(u.vector);
  Value scalar = broadcast(f, words(f, u.scalar, 1), lanes), vector = words(f, u.vector, lanes);
  if (scalar_signed && !vector_signed) return dot(f, lanes, acc, vector, scalar);
  if (!scalar_signed && vector_signed) return dot(f, lanes, acc, scalar, vector);
  Value moved = LLVMBuildXor(f.at, scalar, integer(type, 0x80808080), "");
  if (scalar_signed) {             // (a + 128) b - 128 b
    Value extra = dot(f, lanes, integer(type, 0), integer(type, 0x80808080), vector);
    return dot(f, lanes, LLVMBuildSub(f.at, acc, extra, ""), moved, vector);
  }                                // (a - 128) b + 128 b
  Value extra = LLVMBuildShl(f.at, dot(f, lanes, integer(type, 0), vector, integer(type, 0x01010101)), integer(type, 7), "");
  return dot(f, lanes, LLVMBuildAdd(f.at, acc, extra, ""), vector, moved);
}
}  // namespace ordo::codegen::llvm::detail_dots

namespace ordo::codegen::llvm {
ORDO_INLINE bool dots(Function& f, Ref block) {
  using namespace detail_dots;
  if (!f.unit.target.byte_dots) return false;
  const std::vector<std::vector<Update>> all = updates(f, block);
  if (all.empty()) return false;
  for (const std::vector<Update>& of : all) {
    ++f.statement;
    Ref write = of[0].write;
    const int lanes = of[0].vector->lanes;
    const detail_memory::Access a = {static_cast<int>(write->arg), lanes, offset(write->src[0]), nullptr, Type::i32, vector_of(f.unit.int32, lanes)};
    const Value slot = *detail_memory::piece(f, a);
    Value acc = detail_memory::load(f, a, a.stored, slot, 1);
    for (std::size_t k = 0; k < of.size(); k += 4) acc = detail_dots::dots(f, of[k], acc);
    detail_memory::store(f, a, acc, slot, 1);
  }
  return true;
}
}  // namespace ordo::codegen::llvm
