// An element of a tensor of a Program whose order is asked for, and sizes known for it.
#pragma once
#include "ordo/ir/node.hpp"

namespace ordo::ir {
template <class H>
concept IsHandle = requires(H h) {
  static_cast<Ref>(h.node);
};

struct KnownSize {  // {K, 20}, or {"X.1", 20}: by the name that the Program's text has
  const char* name = nullptr;
  Ref raw = nullptr;
  i64 value = 0;
  KnownSize(const char* dim, i64 size) : name(dim), value(size) {}
  template <IsHandle D>
  KnownSize(D dim, i64 size) : raw(dim.node), value(size) {}
};
struct TensorAsked {  // a handle or a name; neither: the first output
  const char* name = nullptr;
  Ref raw = nullptr;
  TensorAsked() = default;
  TensorAsked(const char* tensor) : name(tensor) {}
  template <IsHandle T>
  TensorAsked(T tensor) : raw(tensor.node) {}
};
struct ElementAsked {
  TensorAsked tensor;
  const i64* index;
  u64 rank;
  const KnownSize* sizes;  // of those Dims that decide an order
  u64 size_count;
};
}  // namespace ordo::ir
