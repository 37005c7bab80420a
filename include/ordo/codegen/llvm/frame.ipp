// What the Frame holds, loaded once in the entry block of each function that needs it.
#pragma once
#include <cstddef>
#include "ordo/base/argument.hpp"
#include "ordo/codegen/llvm/function.hpp"
#include "ordo/kernel/abi.hpp"

namespace ordo::codegen::llvm::detail_frame {
enum class Field : u64 { data, dims, strides, hooks };

inline Value load(Function& f, LLVMTypeRef type, Value from, u64 index) {
  Value place = LLVMConstInt(f.unit.int64, index, 0);
  Value loaded = LLVMBuildLoad2(f.entry, type, LLVMBuildInBoundsGEP2(f.entry, f.unit.int64, from, &place, 1, ""), "");
  LLVMSetAlignment(loaded, 8);
  LLVMSetMetadata(loaded, f.unit.invariant_kind, f.unit.unchanging);
  return loaded;
}
inline Value word(Function& f, Field field, u64 index, LLVMTypeRef type) {
  Value& array = f.frame_words[static_cast<u64>(field)];
  if (array == nullptr) array = load(f, f.unit.pointer, f.frame, static_cast<u64>(field));
  Value from = array;
  Value& loaded = f.frame_words[(static_cast<u64>(field) + 1) << 32 | index];
  if (loaded == nullptr) loaded = load(f, type, from, index);
  return loaded;
}
}  // namespace ordo::codegen::llvm::detail_frame

namespace ordo::codegen::llvm {
static_assert(offsetof(kernel::Frame, data) == 0 && offsetof(kernel::Frame, dims) == 8 && offsetof(kernel::Frame, strides) == 16 &&
              offsetof(kernel::Frame, hooks) == 24);
static_assert(offsetof(kernel::Hooks, parallel_for) == 0 && offsetof(kernel::Hooks, allocate) == 8 &&
              offsetof(kernel::Hooks, release) == 16 && offsetof(kernel::Hooks, fail) == 24);

ORDO_INLINE Value dim(Function& f, u64 number) { return detail_frame::word(f, detail_frame::Field::dims, number, f.unit.int64); }
ORDO_INLINE Value stride(Function& f, u64 slot, u64 dimension) {
  return detail_frame::word(f, detail_frame::Field::strides, slot * max_rank + dimension, f.unit.int64);
}
ORDO_INLINE Value hook(Function& f, int index) {
  return detail_frame::word(f, detail_frame::Field::hooks, static_cast<u64>(index), f.unit.pointer);
}
ORDO_INLINE Value base(Function& f, int buffer) {
  const kernel::Buffer& b = f.unit.kernel.buffers[static_cast<std::size_t>(buffer)];
  Value& address = f.places[static_cast<std::size_t>(buffer)].base;
  if (address == nullptr) {
    if (b.space != kernel::Space::argument && b.space != kernel::Space::workspace)
      fail_internal("codegen.buffer", (b.name + " is used outside of its Alloc").c_str());
    const int slot = b.space == kernel::Space::argument ? b.slot : f.unit.kernel.arguments + b.slot;
    address = detail_frame::word(f, detail_frame::Field::data, static_cast<u64>(slot), f.unit.pointer);
  }
  return address;
}
}  // namespace ordo::codegen::llvm
