// DLPack tensors (PyTorch, NumPy, JAX, CuPy) in CPU memory as arguments: DLTensor, DLManagedTensor. Code run.dlpack.
// Nothing is taken over: the tensor stays with its owner, who keeps it alive during the call.
#pragma once
#include <dlpack/dlpack.h>
#include "ordo/runtime/view.hpp"

namespace ordo {
AnyView view_of_dlpack(const DLTensor& tensor, Where at = Where::current());

namespace runtime {
template <class A> concept DlpackTensor = std::is_same_v<plain<A>, DLTensor>;
template <class A> concept DlpackManaged = std::is_same_v<plain<A>, DLManagedTensor>;
template <DlpackTensor A> struct Adaptor<A> {
  static AnyView view(A& a, Where at) { return view_of_dlpack(a, at); }
};
template <DlpackManaged A> struct Adaptor<A> {
  static AnyView view(A& a, Where at) { return view_of_dlpack(a.dl_tensor, at); }
};
}  // namespace runtime
}  // namespace ordo
#if !defined(ORDO_COMPILED)
#include "ordo/runtime/dlpack.ipp"
#endif
