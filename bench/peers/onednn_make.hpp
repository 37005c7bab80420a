// oneDNN's two ways to make a primitive: version 2 by a descriptor, version 3 at once.
#pragma once
#include <oneapi/dnnl/dnnl.hpp>

namespace bench {
inline dnnl::engine& onednn_engine() {
  static dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}
#if DNNL_VERSION_MAJOR >= 3
using OnednnSoftmax = dnnl::softmax_forward;
template <class P, class... A> P onednn_make(const dnnl::primitive_attr& attributes, const A&... a) {
  return P(typename P::primitive_desc(onednn_engine(), a..., attributes));
}
inline void append_linear(dnnl::post_ops& ops, float alpha) { ops.append_eltwise(dnnl::algorithm::eltwise_linear, alpha, 0); }
#else
using OnednnSoftmax = dnnl::softmax_v2_forward;
template <class P, class... A> P onednn_make(const dnnl::primitive_attr& attributes, const A&... a) {
  return P(typename P::primitive_desc(typename P::desc(a...), attributes, onednn_engine()));
}
inline void append_linear(dnnl::post_ops& ops, float alpha) { ops.append_eltwise(1, dnnl::algorithm::eltwise_linear, alpha, 0); }
#endif
inline dnnl::memory onednn_memory(const dnnl::memory::desc& desc) { return {desc, onednn_engine(), nullptr}; }
inline void point(const dnnl::memory& memory, const void* data) { memory.set_data_handle(const_cast<void*>(data)); }
}  // namespace bench
