// oneDNN has two ways to a plain row-major product, the matmul primitive and dnnl_sgemm: the faster one for the shape is used.
#include <memory>
#include <oneapi/dnnl/dnnl.hpp>
#include "bench/measure.hpp"
#include "bench/peers/peers.hpp"

namespace bench {
namespace {
struct Primitive {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  dnnl::memory a, b, c;
  dnnl::matmul matmul;

  static dnnl::memory::desc matrix(long rows, long columns) {
    return {{rows, columns}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::ab};
  }
  explicit Primitive(Shape s)
      : a(matrix(s.m, s.k), engine, nullptr), b(matrix(s.k, s.n), engine, nullptr), c(matrix(s.m, s.n), engine, nullptr) {
#if DNNL_VERSION_MAJOR >= 3
    matmul = dnnl::matmul(dnnl::matmul::primitive_desc(engine, matrix(s.m, s.k), matrix(s.k, s.n), matrix(s.m, s.n)));
#else
    matmul = dnnl::matmul(dnnl::matmul::primitive_desc(dnnl::matmul::desc(matrix(s.m, s.k), matrix(s.k, s.n), matrix(s.m, s.n)), engine));
#endif
  }
  void run(const float* pa, const float* pb, float* pc) {
    a.set_data_handle(const_cast<float*>(pa));
    b.set_data_handle(const_cast<float*>(pb));
    c.set_data_handle(pc);
    matmul.execute(stream, {{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, c}});
    stream.wait();
  }
};

double fastest(const Multiply<float>& multiply, const std::vector<float>& a, const std::vector<float>& b, std::vector<float>& c) {
  double best = 1e30;
  const double enough = seconds_now() + 0.1;
  for (int run = 0; run < 3 || (seconds_now() < enough && run < 50); ++run) {
    const double begin = seconds_now();
    multiply(a.data(), b.data(), c.data());
    if (run > 0) best = std::min(best, seconds_now() - begin);
  }
  return best;
}
}  // namespace

Peer onednn() {
  Peer peer;
  const dnnl_version_t* v = dnnl_version();
  peer.name = "onednn";
  peer.version = std::to_string(v->major) + "." + std::to_string(v->minor) + "." + std::to_string(v->patch);
  peer.set_threads = set_openmp_threads;
  peer.f32 = [](Shape s) -> Multiply<float> {
    auto primitive = std::make_shared<Primitive>(s);
    Multiply<float> matmul = [primitive](const float* a, const float* b, float* c) { primitive->run(a, b, c); };
    Multiply<float> sgemm = [s](const float* a, const float* b, float* c) {
      dnnl_sgemm('N', 'N', s.m, s.n, s.k, 1, a, s.k, b, s.n, 0, c, s.n);
    };
    std::vector<float> a(static_cast<std::size_t>(s.m * s.k), 1.0f), b(static_cast<std::size_t>(s.k * s.n), 1.0f),
        c(static_cast<std::size_t>(s.m * s.n));
    return fastest(matmul, a, b, c) <= fastest(sgemm, a, b, c) ? matmul : sgemm;
  };
  return peer;
}
}  // namespace bench
