#include <memory>
#include "bench/peers/onednn_make.hpp"
#include "bench/peers/products.hpp"

namespace bench {
namespace {
using dnnl::memory;
struct Made {
  dnnl::stream stream{onednn_engine()};
  dnnl::matmul primitive;
  memory a, b, bias, c;
  bool biased = false;
};
memory::desc matrices(const ProductShape& s, long rows, long columns, bool turned, memory::data_type type) {
  if (s.batch == 1) return {{rows, columns}, type, turned ? memory::dims{1, rows} : memory::dims{columns, 1}};
  return {{s.batch, rows, columns}, type, turned ? memory::dims{rows * columns, 1, rows} : memory::dims{rows * columns, columns, 1}};
}
}  // namespace

Multiplied onednn_product(const ProductShape& s) {
  const auto made = std::make_shared<Made>();
  const memory::data_type f32 = memory::data_type::f32, from = s.half ? memory::data_type::bf16 : f32;
  const memory::desc a = matrices(s, s.m, s.k, s.a_turned, from), b = matrices(s, s.k, s.n, s.b_turned, from),
                     c = matrices(s, s.m, s.n, false, f32), bias({1, s.n}, f32, memory::format_tag::ab);
  dnnl::primitive_attr attributes;
  if (s.gelu) {
    dnnl::post_ops ops;
#if DNNL_VERSION_MAJOR >= 3
    ops.append_eltwise(dnnl::algorithm::eltwise_gelu_erf, 0, 0);
#else
    ops.append_eltwise(1, dnnl::algorithm::eltwise_gelu_erf, 0, 0);
#endif
    attributes.set_post_ops(ops);
  }
  try {
    made->primitive = s.gelu ? onednn_make<dnnl::matmul>(attributes, a, b, bias, c) : onednn_make<dnnl::matmul>(attributes, a, b, c);
  } catch (const dnnl::error&) { return {}; }
  made->a = onednn_memory(a);
  made->b = onednn_memory(b);
  made->c = onednn_memory(c);
  made->bias = onednn_memory(bias);
  return [made, gelu = s.gelu](const void* pa, const void* pb, const float* pbias, float* pc) {
    point(made->a, pa);
    point(made->b, pb);
    point(made->c, pc);
    std::unordered_map<int, memory> arguments{{DNNL_ARG_SRC, made->a}, {DNNL_ARG_WEIGHTS, made->b}, {DNNL_ARG_DST, made->c}};
    if (gelu) {
      point(made->bias, pbias);
      arguments.emplace(DNNL_ARG_BIAS, made->bias);
    }
    made->primitive.execute(made->stream, arguments);
    made->stream.wait();
  };
}
}  // namespace bench
