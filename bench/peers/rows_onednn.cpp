#include <memory>
#include <unordered_map>
#include "bench/peers/onednn_make.hpp"
#include "bench/peers/rows.hpp"

namespace bench {
namespace {
using dnnl::memory;
memory::desc dense(long rows, long columns) { return {{rows, columns}, memory::data_type::f32, memory::format_tag::ab}; }
memory::desc row(long columns) { return {{columns}, memory::data_type::f32, memory::format_tag::a}; }

// A primitive and where its arguments come from.
struct Primitive {
  dnnl::stream stream{onednn_engine()};
  dnnl::primitive primitive;
  std::unordered_map<int, memory> arguments;
  std::vector<int> of_x, of_other;
  int scale = 0, shift = 0;      // arguments of norms
  long columns = 0;

  void bind(int argument, const memory::desc& desc) { arguments.emplace(argument, onednn_memory(desc)); }
  void from_x(int argument, const memory::desc& desc) { bind(argument, desc), of_x.push_back(argument); }
  void from_other(int argument, const memory::desc& desc) { bind(argument, desc), of_other.push_back(argument); }
  void run(const float* x, const float* other, void* y) {
    for (const int a : of_x) point(arguments[a], x);
    for (const int a : of_other) point(arguments[a], other);
    if (scale != 0) point(arguments[scale], other);
    if (shift != 0) point(arguments[shift], other + columns);
    point(arguments[DNNL_ARG_DST], y);
    primitive.execute(stream, arguments);
    stream.wait();
  }
};

void reduction(Primitive& p, const Rows& r, long left) {
  const memory::desc from = dense(r.rows, r.columns), to = dense(left, 1);
  p.primitive = onednn_make<dnnl::reduction>({}, dnnl::algorithm::reduction_sum, from, to, 0.0f, 0.0f);
  p.from_x(DNNL_ARG_SRC, from);
  p.bind(DNNL_ARG_DST, to);
}
void reorder(Primitive& p, const Rows& r, const memory::desc& to) {
  p.primitive = dnnl::reorder(onednn_memory(dense(r.rows, r.columns)), onednn_memory(to));
  p.from_x(DNNL_ARG_FROM, dense(r.rows, r.columns));
  p.bind(DNNL_ARG_TO, to);
}
// One pass: x * a, then additions and factors fused behind it. Factors are broadcast operands: where several eltwise_linear
// are fused, oneDNN 2.6 takes the first one's factor for all.
void chain(Primitive& p, const Rows& r) {
  const memory::desc all = dense(r.rows, r.columns), one = dense(1, 1);
  const auto factor = [&](int argument, int k) {
    p.bind(argument, one);
    point(p.arguments[argument], &chain_factors[k]);
  };
  dnnl::post_ops ops;
  const auto next = [&] { return DNNL_ARG_ATTR_MULTIPLE_POST_OP(ops.len()) | DNNL_ARG_SRC_1; };
  factor(DNNL_ARG_SRC_1, 0);
  for (int k = 0; k < 5; ++k) {
    if (k > 0) {
      factor(next(), k);
      ops.append_binary(dnnl::algorithm::binary_mul, one);
    }
    if (k % 2 == 0) p.from_other(next(), all);
    else p.from_x(next(), all);
    ops.append_binary(dnnl::algorithm::binary_add, all);
  }
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(ops);
  p.primitive = onednn_make<dnnl::binary>(attributes, dnnl::algorithm::binary_mul, all, one, all);
  p.from_x(DNNL_ARG_SRC_0, all);
  p.bind(DNNL_ARG_DST, all);
}
void dot(Primitive& p, const Rows& r) {       // a layer of one output; matmul is many times slower
  const long n = r.rows * r.columns;
  p.primitive = onednn_make<dnnl::inner_product_forward>({}, dnnl::prop_kind::forward_inference, dense(1, n), dense(1, n), dense(1, 1));
  p.from_x(DNNL_ARG_SRC, dense(1, n));
  p.from_other(DNNL_ARG_WEIGHTS, dense(1, n));
  p.bind(DNNL_ARG_DST, dense(1, 1));
}
void softmax(Primitive& p, const Rows& r, dnnl::algorithm algorithm) {
  const memory::desc all = dense(r.rows, r.columns);
  p.primitive = onednn_make<OnednnSoftmax>({}, dnnl::prop_kind::forward_inference, algorithm, all, all, 1);
  p.from_x(DNNL_ARG_SRC, all);
  p.bind(DNNL_ARG_DST, all);
}
void layer_norm(Primitive& p, const Rows& r) {
  using Norm = dnnl::layer_normalization_forward;
  const auto flags = dnnl::normalization_flags::use_scale | dnnl::normalization_flags::use_shift;
  const memory::desc all = dense(r.rows, r.columns);
#if DNNL_VERSION_MAJOR >= 3
  p.primitive = onednn_make<Norm>({}, dnnl::prop_kind::forward_inference, all, all, layer_epsilon, flags);
#else
  p.primitive = onednn_make<Norm>({}, dnnl::prop_kind::forward_inference, all, layer_epsilon, flags);
#endif
  p.from_x(DNNL_ARG_SRC, all);
  p.bind(DNNL_ARG_DST, all);
  p.bind(p.scale = DNNL_ARG_SCALE, row(r.columns));
  p.bind(p.shift = DNNL_ARG_SHIFT, row(r.columns));
  p.columns = r.columns;
}
}  // namespace

RowRun onednn_rows(const Rows& r) {
  const auto p = std::make_shared<Primitive>();
  switch (r.op) {
    case RowOp::copy: reorder(*p, r, dense(r.rows, r.columns)); break;
    case RowOp::chain: chain(*p, r); break;
    case RowOp::sum: reduction(*p, r, 1); break;
    case RowOp::dot: dot(*p, r); break;
    case RowOp::row_sum: reduction(*p, r, r.rows); break;
    case RowOp::softmax: softmax(*p, r, dnnl::algorithm::softmax_accurate); break;
    case RowOp::log_softmax: softmax(*p, r, dnnl::algorithm::softmax_log); break;
    case RowOp::layer_norm: layer_norm(*p, r); break;
    case RowOp::transpose:
      reorder(*p, r, {{r.rows, r.columns}, memory::data_type::f32, memory::format_tag::ba});
      break;
    case RowOp::rms_norm:
    case RowOp::argmax: return {};
  }
  return [p](const float* x, const float* other, void* y) { p->run(x, other, y); };
}
}  // namespace bench
