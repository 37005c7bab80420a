#pragma once
#include <string>
#include "ordo/dlpack.hpp"

namespace ordo {
namespace runtime::detail_dlpack {
[[noreturn]] inline void refuse(Where at, const std::string& text) { fail("run.dlpack", at, ("a DLPack tensor " + text).c_str()); }
inline Type type_of(DLDataType t) {
  constexpr int kBool = 6;       // since DLPack 0.8
  switch (static_cast<int>(t.code) << 8 | t.bits) {
    case kDLInt << 8 | 8: return Type::i8;
    case kDLInt << 8 | 16: return Type::i16;
    case kDLInt << 8 | 32: return Type::i32;
    case kDLInt << 8 | 64: return Type::i64;
    case kDLUInt << 8 | 8: return Type::u8;
    case kDLUInt << 8 | 16: return Type::u16;
    case kDLUInt << 8 | 32: return Type::u32;
    case kDLUInt << 8 | 64: return Type::u64;
    case kDLFloat << 8 | 16: return Type::f16;
    case kDLFloat << 8 | 32: return Type::f32;
    case kDLFloat << 8 | 64: return Type::f64;
    case kDLBfloat << 8 | 16: return Type::bf16;
    case kBool << 8 | 8: return Type::boolean;
    default: return Type::none;
  }
}
inline bool in_memory(DLDevice d) { return d.device_type == kDLCPU || d.device_type == kDLCUDAHost || d.device_type == kDLROCMHost; }
}  // namespace runtime::detail_dlpack

ORDO_INLINE AnyView view_of_dlpack(const DLTensor& t, Where at) {
  using namespace runtime::detail_dlpack;
  if (!in_memory(t.device)) refuse(at, "lies on device " + std::to_string(t.device.device_type) + ", not in CPU memory");
  if (t.dtype.lanes != 1) refuse(at, "has elements of " + std::to_string(t.dtype.lanes) + " lanes; only single values are taken");
  const Type type = runtime::detail_dlpack::type_of(t.dtype);
  if (type == Type::none)
    refuse(at, "has elements of code " + std::to_string(t.dtype.code) + " with " + std::to_string(t.dtype.bits) +
                   " bits, which no element type has");
  if (t.ndim < 0 || t.ndim > max_rank) refuse(at, "has rank " + std::to_string(t.ndim) + "; the limit is " + std::to_string(max_rank));
  if (t.ndim > 0 && t.shape == nullptr) refuse(at, "has no shape");
  AnyView v;
  v.writable = true;
  v.argument.data = t.data == nullptr ? nullptr : static_cast<char*>(t.data) + t.byte_offset;
  v.argument.type = type;
  v.argument.rank = t.ndim;
  u64 step = 1;
  for (int d = t.ndim; d-- > 0;) {
    v.argument.shape[d] = t.shape[d];
    v.argument.stride[d] = t.strides != nullptr ? t.strides[d] : static_cast<i64>(step);
    step *= static_cast<u64>(t.shape[d]);
  }
  return v;
}
}  // namespace ordo
