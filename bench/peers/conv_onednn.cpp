// oneDNN's convolution in the layouts that it asks for.
#include <memory>
#include "bench/peers/conv.hpp"
#include "bench/peers/onednn_make.hpp"

namespace bench {
namespace {
using dnnl::memory;
using Forward = dnnl::convolution_forward;

struct Made {
  dnnl::stream stream{onednn_engine()};
  Forward primitive;
  memory x, f, y, plain_y;
};
memory::desc any(const memory::dims& dims) { return {dims, memory::data_type::f32, memory::format_tag::any}; }
memory reordered(dnnl::stream& stream, const memory::desc& from, const memory::desc& to, const float* data) {
  memory source = onednn_memory(from), target(to, onednn_engine());
  point(source, data);
  dnnl::reorder(source, target).execute(stream, source, target);
  stream.wait();
  return target;
}
}  // namespace

Conv onednn_conv(const ConvShape& s, const float* x, const float* f) {
  const auto made = std::make_shared<Made>();
  using tag = memory::format_tag;
  const memory::dims of_x{1, s.channels, s.side, s.side}, of_y{1, s.filters, s.out(), s.out()}, strides{s.stride, s.stride},
      before{s.before(), s.before()}, after{s.padding() - s.before(), s.padding() - s.before()};
  const memory::dims of_f =
      s.depthwise ? memory::dims{s.channels, 1, 1, s.kernel, s.kernel} : memory::dims{s.filters, s.channels, s.kernel, s.kernel};
  const memory::desc plain_x(of_x, memory::data_type::f32, tag::nchw), plain_y(of_y, memory::data_type::f32, tag::nchw),
      plain_f(of_f, memory::data_type::f32, s.depthwise ? tag::goihw : tag::oihw);
#if DNNL_VERSION_MAJOR >= 3
  const Forward::primitive_desc desc(onednn_engine(), dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, any(of_x),
                                     any(of_f), any(of_y), strides, before, after);
#else
  const Forward::primitive_desc desc(Forward::desc(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, any(of_x),
                                                   any(of_f), any(of_y), strides, before, after),
                                     onednn_engine());
#endif
  made->primitive = Forward(desc);
  made->x = reordered(made->stream, plain_x, desc.src_desc(), x);
  made->f = reordered(made->stream, plain_f, desc.weights_desc(), f);
  made->y = memory(desc.dst_desc(), onednn_engine());
  made->plain_y = onednn_memory(plain_y);
  Conv conv;
  conv.run = [made] {
    made->primitive.execute(made->stream, {{DNNL_ARG_SRC, made->x}, {DNNL_ARG_WEIGHTS, made->f}, {DNNL_ARG_DST, made->y}});
    made->stream.wait();
  };
  conv.result = [made](float* y) {
    point(made->plain_y, y);
    dnnl::reorder(made->y, made->plain_y).execute(made->stream, made->y, made->plain_y);
    made->stream.wait();
  };
  return conv;
}
}  // namespace bench
