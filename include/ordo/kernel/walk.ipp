#pragma once
#include <cstring>
#include <memory>
#include <string>
#include "ordo/base/soft.hpp"
#include "ordo/base/tables.hpp"
#include "ordo/ir/scalar.hpp"
#include "ordo/kernel/walk.hpp"
#include "ordo/kernel/walk_code.hpp"

namespace ordo::kernel {
namespace detail_walk {
using ir::Op;
using ir::Ref;

// Bits of a NaN that no correct kernel shows: what a Write leaves in a buffer that is not marked canonical.
inline u64 foreign_nan(Type t) {
  switch (t) {
    case Type::f16: return 0xfe55;
    case Type::bf16: return 0xffe5;
    case Type::f32: return 0xffe55555;
    default: return 0xfffd555555555555;
  }
}

// Index arithmetic and masks, the bulk of a kernel, without a call a lane; false: none of these.
inline bool quick(const WalkValue& v, const u64* a, const u64* b, u64* out) {
  if (v.op == Op::And) {
    for (u32 l = 0; l < v.lanes; ++l) out[l] = a[l] & b[l];
    return true;
  }
  if (v.from != Type::i64) return false;
  switch (v.op) {
    case Op::Add: for (u32 l = 0; l < v.lanes; ++l) out[l] = a[l] + b[l]; return true;
    case Op::Sub: for (u32 l = 0; l < v.lanes; ++l) out[l] = a[l] - b[l]; return true;
    case Op::Mul: for (u32 l = 0; l < v.lanes; ++l) out[l] = a[l] * b[l]; return true;
    case Op::Lt: for (u32 l = 0; l < v.lanes; ++l) out[l] = static_cast<i64>(a[l]) < static_cast<i64>(b[l]); return true;
    case Op::Le: for (u32 l = 0; l < v.lanes; ++l) out[l] = static_cast<i64>(a[l]) <= static_cast<i64>(b[l]); return true;
    default: return false;
  }
}

class Walker {
 public:
  Walker(const Kernel& kernel, const Frame* frame)
      : kernel_(kernel), frame_(frame), code_(walk_code(kernel)), memory_(kernel.buffers.size()) {
    for (const u32 v : code_.fixed) compute(code_.values[v]);
    for (std::size_t b = 0; b < kernel.buffers.size(); ++b) {
      const Buffer& buffer = kernel.buffers[b];
      if (buffer.space == Space::argument) memory_[b] = {static_cast<u8*>(frame->data[buffer.slot]), unchecked};
      if (buffer.space == Space::workspace) memory_[b] = {static_cast<u8*>(frame->data[kernel.arguments + buffer.slot]), elements(b)};
    }
  }
  bool run() { return run(code_.statements[code_.body]); }

 private:
  static constexpr i64 unchecked = -1;
  struct Memory { u8* data = nullptr; i64 elements = 0; };

  u64 bits(u32 at) const { return code_.bits[at]; }
  i64 elements(std::size_t buffer) const {
    const u32 at = code_.elements[buffer];
    return at == ~u32{0} ? unchecked : static_cast<i64>(bits(at));
  }
  bool run(const WalkStatement& s) {
    at_ = &s;
    for (const u32 v : s.values) compute(code_.values[v]);
    switch (s.node->op) {
      case Op::Write: write(s); return true;
      case Op::For: return loop(s);
      case Op::If:
        if (bits(s.operand[0]) != 0) return run(code_.statements[s.child[0]]);
        return s.node->count < 3 || run(code_.statements[s.child[1]]);
      case Op::Let:
        for (u32 l = 0; l < s.node->src[0]->lanes; ++l) code_.bits[s.operand[0] + l] = bits(s.operand[1] + l);
        return run(code_.statements[s.child[0]]);
      case Op::Block:
        for (const u32 b : s.block)
          if (!run(code_.statements[b])) return false;
        return true;
      case Op::Alloc: return alloc(s);
      case Op::Prefetch: return true;
      default:
        frame_->hooks->fail(frame_, static_cast<i64>(s.node->arg), static_cast<i64>(bits(s.operand[0])));
        return false;
    }
  }
  bool loop(const WalkStatement& s) {
    const i64 end = static_cast<i64>(bits(s.operand[2]));
    for (i64 i = static_cast<i64>(bits(s.operand[1])); i < end; ++i) {
      code_.bits[s.operand[0]] = static_cast<u64>(i);
      if (!run(code_.statements[s.child[0]])) return false;
    }
    return true;
  }
  // Fresh memory is 0xfb in every byte: a NaN, or a number that stands out.
  bool alloc(const WalkStatement& s) {
    const std::size_t b = static_cast<std::size_t>(s.node->arg);
    const Buffer& buffer = kernel_.buffers[b];
    const i64 count = elements(b);
    if (count < 0 || count > i64{1} << 32)
      fail_internal("walk.alloc", ("buffer `" + buffer.name + "` of " + std::to_string(count) + " elements").c_str());
    const std::size_t bytes = static_cast<std::size_t>(count) * static_cast<std::size_t>(bytes_of(buffer.type));
    const std::unique_ptr<u8[]> block(new u8[bytes + 1]);
    std::memset(block.get(), 0xfb, bytes);
    const Memory outer = memory_[b];
    memory_[b] = {block.get(), count};
    const bool went_well = run(code_.statements[s.child[0]]);
    memory_[b] = outer;
    return went_well;
  }

  [[noreturn]] void stray(std::size_t buffer, i64 element) const {
    const Memory& m = memory_[buffer];
    const std::string what =
        m.data == nullptr ? "memory that it does not have" : "element " + std::to_string(element) + " of " + std::to_string(m.elements);
    fail_internal("walk.bounds",
                  ("buffer `" + kernel_.buffers[buffer].name + "`: " + what + ", in\n" + print_statement(kernel_, at_->node, 2)).c_str());
  }
  u8* address(std::size_t buffer, u64 offset) const {
    const Memory& m = memory_[buffer];
    const i64 element = static_cast<i64>(offset);
    if (m.data == nullptr || (m.elements != unchecked && static_cast<u64>(element) >= static_cast<u64>(m.elements))) stray(buffer, element);
    return m.data + element * bytes_of(kernel_.buffers[buffer].type);
  }
  void write(const WalkStatement& s) {
    const std::size_t b = static_cast<std::size_t>(s.node->arg);
    const Buffer& buffer = kernel_.buffers[b];
    const u32 lanes = s.node->src[0]->lanes;
    for (u32 l = 0; l < lanes; ++l) {
      if (s.node->count > 2 && bits(s.operand[2] + l) == 0) continue;
      u8* to = address(b, bits(s.operand[0] + l));
      const u64 value = bits(s.operand[1] + l), foreign = foreign_nan(buffer.type);
      soft::store(buffer.type, to, value);
      if (!buffer.canonical && is_float(buffer.type) && soft::is_nan(compute_type(buffer.type), value))
        std::memcpy(to, &foreign, static_cast<std::size_t>(bytes_of(buffer.type)));
    }
  }
  void read(const WalkValue& v, u64* out) {
    const std::size_t b = static_cast<std::size_t>(v.arg);
    for (u32 l = 0; l < v.lanes; ++l) {
      const bool off = v.count > 1 && bits(v.src[1] + l) == 0;
      out[l] = off ? 0 : soft::load(kernel_.buffers[b].type, address(b, bits(v.src[0] + l)));
    }
  }
  void compute(const WalkValue& v) {
    u64* out = code_.bits.data() + v.bits;
    const u64 *a = code_.bits.data() + v.src[0], *b = code_.bits.data() + v.src[1], *c = code_.bits.data() + v.src[2];
    switch (v.op) {
      case Op::Dim: *out = static_cast<u64>(frame_->dims[v.arg]); return;
      case Op::Stride: {
        const i64 slot = kernel_.buffers[v.arg >> 8].slot;
        *out = static_cast<u64>(frame_->strides[slot * max_rank + static_cast<i64>(v.arg & 255)]);
        return;
      }
      case Op::Ramp: for (u32 l = 0; l < v.lanes; ++l) out[l] = a[0] + l * b[0]; return;
      case Op::Lookup: for (u32 l = 0; l < v.lanes; ++l) out[l] = table_entry(static_cast<Table>(v.arg), a[l]); return;
      case Op::Broadcast: for (u32 l = 0; l < v.lanes; ++l) out[l] = a[0]; return;
      case Op::Read: read(v, out); return;
      default:
        if (quick(v, a, b, out)) return;
        if (v.count == 0) fail_internal("walk.value", ir::name_of(v.op));
        for (u32 l = 0; l < v.lanes; ++l) {
          const u64 operand[3] = {a[l], v.count > 1 ? b[l] : 0, v.count > 2 ? c[l] : 0};
          out[l] = ir::scalar(v.op, v.from, v.arg, operand);
        }
    }
  }

  const Kernel& kernel_;
  const Frame* frame_;
  WalkCode code_;
  std::vector<Memory> memory_;
  const WalkStatement* at_ = nullptr;
};
}  // namespace detail_walk

ORDO_INLINE i32 walk(const Kernel& kernel, const Frame* frame) { return detail_walk::Walker(kernel, frame).run() ? 0 : 1; }
}  // namespace ordo::kernel
