#include <cmath>
#include <limits>
#include <memory>
#include <vector>
#include "bench/peers/attention.hpp"
#include "bench/peers/onednn_make.hpp"

namespace bench {
namespace {
using dnnl::memory;

struct Attention {
  dnnl::stream stream{onednn_engine()};
  std::vector<float> space, mask;
  memory q, k, v, o, scores, barred;
  dnnl::matmul products, weighted;
  dnnl::binary add;
  OnednnSoftmax softmax;

  explicit Attention(const AttentionShape& s) : space(static_cast<std::size_t>(s.heads * s.sequence * s.sequence)) {
    const auto f32 = memory::data_type::f32;
    const memory::desc rows({s.heads, s.sequence, s.width}, f32, memory::format_tag::abc);
    const memory::desc turned({s.heads, s.width, s.sequence}, f32, memory::format_tag::acb);
    const memory::desc all({s.heads, s.sequence, s.sequence}, f32, memory::format_tag::abc);
    const memory::desc one({1, s.sequence, s.sequence}, f32, memory::format_tag::abc);
    dnnl::post_ops ops;
    append_linear(ops, 1 / std::sqrt(static_cast<float>(s.width)));
    if (s.causal) {
      constexpr float barrier = -std::numeric_limits<float>::infinity();
      mask.assign(static_cast<std::size_t>(s.sequence * s.sequence), 0);
      for (long i = 0; i < s.sequence; ++i)
        for (long j = i + 1; j < s.sequence; ++j) mask[static_cast<std::size_t>(i * s.sequence + j)] = barrier;
      add = onednn_make<dnnl::binary>({}, dnnl::algorithm::binary_add, all, one, all);      // behind the product it is slow
    }
    dnnl::primitive_attr attributes;
    attributes.set_post_ops(ops);
    products = onednn_make<dnnl::matmul>(attributes, rows, turned, all);
    softmax = onednn_make<OnednnSoftmax>({}, dnnl::prop_kind::forward_inference, dnnl::algorithm::softmax_accurate, all, all, 2);
    weighted = onednn_make<dnnl::matmul>({}, all, rows, rows);
    q = onednn_memory(rows);
    v = onednn_memory(rows);
    o = onednn_memory(rows);
    k = onednn_memory(turned);
    scores = onednn_memory(all);
    point(scores, space.data());
    if (!s.causal) return;
    barred = onednn_memory(one);
    point(barred, mask.data());
  }
  void run(const float* pq, const float* pk, const float* pv, float* po) {
    point(q, pq);
    point(k, pk);
    point(v, pv);
    point(o, po);
    products.execute(stream, {{DNNL_ARG_SRC, q}, {DNNL_ARG_WEIGHTS, k}, {DNNL_ARG_DST, scores}});
    if (!mask.empty()) add.execute(stream, {{DNNL_ARG_SRC_0, scores}, {DNNL_ARG_SRC_1, barred}, {DNNL_ARG_DST, scores}});
    softmax.execute(stream, {{DNNL_ARG_SRC, scores}, {DNNL_ARG_DST, scores}});
    weighted.execute(stream, {{DNNL_ARG_SRC, scores}, {DNNL_ARG_WEIGHTS, v}, {DNNL_ARG_DST, o}});
    stream.wait();
  }
};
}  // namespace

Attend onednn_attention(const AttentionShape& shape) {
  const auto a = std::make_shared<Attention>(shape);
  return [a](const float* q, const float* k, const float* v, float* o) { a->run(q, k, v, o); };
}
}  // namespace bench
