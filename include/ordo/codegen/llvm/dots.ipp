// Sums of products of bytes, four products a step: VNNI. Integers add up the same in any order, so the bits are those of one
// product after the other. The instruction takes unsigned times signed bytes and does not saturate; what is of other signs is
// moved by 128 and put right.
//
//   for k in 0..4                                          acc = vpdpbusd(acc, four bytes of a x L, 4 L bytes of b)
//     acc = acc + a[n + k] x L * b[ramp(m + k, 4) x L]
#pragma once
#include <algorithm>
#include <unordered_set>
#include "ordo/codegen/llvm/function.hpp"
#include "ordo/codegen/llvm/access.hpp"
#include "ordo/ir/visit.hpp"

namespace ordo::codegen::llvm::detail_dots {
using ir::Op;

struct Update {                    // acc = acc + x * y, where `k` of the loop is 0
  Ref write;
  int scalar, vector;              // the buffers of bytes that are read
  Offset scalar_at, vector_at;
  int lanes;
};
inline bool has_instruction(const Function& f, int lanes) {
  return (lanes == 4 || lanes == 8 || lanes == 16) && lanes * 32 <= f.unit.target.vector_bits;
}
// A Read of bytes that goes on by one with each turn of the loop: where it begins.
inline bool is_byte_read(const Function& f, Ref n, Ref k, int lanes, i64 step, Offset* begin) {
  if (n->op != Op::Read || n->count != 1 || n->lanes != lanes) return false;
  const Type t = f.unit.kernel.buffers[n->arg].type;
  if (t != Type::i8 && t != Type::u8) return false;
  *begin = offset(n->src[0]);
  if (begin->general != nullptr || !begin->steps.empty() || begin->step != step) return false;
  const auto at = std::find(begin->terms.begin(), begin->terms.end(), k);
  if (at == begin->terms.end()) return false;
  begin->terms.erase(at);
  for (Ref term : begin->terms) {
    bool again = false;
    ir::visit_once(term, [&](Ref e) { again = again || e == k; });
    if (again) return false;
  }
  return true;
}
inline bool is_update(const Function& f, Ref n, Ref k, Update* out) {
  if (n->op != Op::Write || n->count != 2 || f.places[n->arg].pieces.empty()) return false;
  Ref sum = n->src[1];
  if (sum->op != Op::Add || sum->type != Type::i32 || !has_instruction(f, sum->lanes)) return false;
  for (u32 a = 0; a < 2; ++a) {
    Ref acc = sum->src[a], product = sum->src[1 - a];
    if (acc->op != Op::Read || acc->count != 1 || acc->arg != n->arg || acc->src[0] != n->src[0] || product->op != Op::Mul) continue;
    for (u32 s = 0; s < 2; ++s) {
      Ref all = product->src[s], vector = product->src[1 - s];
      if (all->op != Op::Broadcast || !is_byte_read(f, all->src[0], k, 1, 0, &out->scalar_at)) continue;
      if (!is_byte_read(f, vector, k, sum->lanes, 4, &out->vector_at)) continue;
      out->write = n;
      out->scalar = static_cast<int>(all->src[0]->arg);
      out->vector = static_cast<int>(vector->arg);
      out->lanes = sum->lanes;
      return true;
    }
  }
  return false;
}
// Of a loop of four turns whose body is made of such updates, of accumulators of their own; else empty.
inline std::vector<Update> updates(const Function& f, Ref loop) {
  const auto is = [](Ref n, u64 value) { return n->op == Op::Const && n->arg == value; };
  if (loop->arg != static_cast<u64>(ir::LoopMode::serial) || !is(loop->src[1], 0) || !is(loop->src[2], 4)) return {};
  Ref body = loop->src[3];
  const bool many = body->op == Op::Block;
  std::vector<Update> all;
  std::unordered_set<Ref> accumulators;
  for (u32 n = 0; n < (many ? body->count : 1); ++n) {
    Update u{};
    if (!is_update(f, many ? body->src[n] : body, loop->src[0], &u) || !accumulators.insert(u.write->src[0]).second) return {};
    if (!all.empty() && all[0].write->arg != u.write->arg) return {};
    all.push_back(std::move(u));
  }
  return all;
}
// `count` words of 32 bits from a byte on.
inline Value words(Function& f, int buffer, const Offset& at, int count) {
  for (Ref term : at.terms) value(f, term);
  const Type type = f.unit.kernel.buffers[static_cast<std::size_t>(buffer)].type;
  const detail_memory::Access a = {buffer, count * 4, at, nullptr, type, vector_of(f.unit.int32, count)};
  return detail_memory::load(f, a, a.stored, address(f, buffer, at), detail_memory::alignment(f, a));
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
inline Value added(Function& f, const Update& u, Value acc) {
  const int lanes = u.lanes;
  LLVMTypeRef type = vector_of(f.unit.int32, lanes);
  const auto holds_signed = [&f](int buffer) { return f.unit.kernel.buffers[static_cast<std::size_t>(buffer)].type == Type::i8; };
  const bool scalar_signed = holds_signed(u.scalar), vector_signed = holds_signed(u.vector);
  Value scalar = broadcast(f, words(f, u.scalar, u.scalar_at, 1), lanes), vector = words(f, u.vector, u.vector_at, lanes);
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
ORDO_INLINE bool dots(Function& f, Ref loop) {
  using namespace detail_dots;
  if (!f.unit.target.byte_dots) return false;
  const std::vector<Update> all = updates(f, loop);
  for (const Update& u : all) {
    ++f.statement;
    const detail_memory::Access a = {static_cast<int>(u.write->arg), u.lanes, offset(u.write->src[0]), nullptr, Type::i32,
                                     vector_of(f.unit.int32, u.lanes)};
    const Value slot = *detail_memory::piece(f, a);
    detail_memory::store(f, a, added(f, u, detail_memory::load(f, a, a.stored, slot, 1)), slot, 1);
  }
  return !all.empty();
}
}  // namespace ordo::codegen::llvm
