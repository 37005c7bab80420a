// Products that gemm leaves out: turned operands, batches, an epilogue, bf16 operands; without schedules, against
// oneDNN; one thread, then all. Each case has a line a peer. gelu is correctly rounded; in cases named gelu_approx it is approx::gelu.
//   build/release/bench/products [--filter gelu] [--threads 1] [--json FILE]
#include <cmath>
#include <cstdio>
#include <cstring>
#include "bench/buffer.hpp"
#include "bench/measure.hpp"
#include "bench/peers/peers.hpp"
#include "bench/peers/products.hpp"
#include "bench/threads.hpp"
#include "ordo/cpu.hpp"
#include "ordo/ordo.hpp"

namespace bench {
namespace {
using namespace ordo;

template <class T> Multiplied made(const ProductShape& s, bool approximate = false) {
  const auto size = [](long n) { return constant<i64>(n); };
  Tensor<T, 3> A{"A", {size(s.batch), size(s.a_turned ? s.k : s.m), size(s.a_turned ? s.m : s.k)}},
      B{"B", {size(s.batch), size(s.b_turned ? s.n : s.k), size(s.b_turned ? s.k : s.n)}};
  Tensor<float, 1> bias{"bias", {size(s.n)}};
  Tensor<float, 3> C{"C"};
  Index b{"b"}, i{"i"}, j{"j"};
  Chain k{"k"};
  const Expr<float> product = sum(k, (s.a_turned ? A(b, k, i) : A(b, i, k)) * (s.b_turned ? B(b, j, k) : B(b, k, j)));
  if (s.gelu && approximate) C(b, i, j) = approx::gelu(product + bias(j));
  else if (s.gelu) C(b, i, j) = gelu(product + bias(j));
  else C(b, i, j) = product;
  CompileOptions options;
  options.cache = "";
  const AnyKernel kernel = s.gelu ? static_cast<AnyKernel>(compile(inputs(A, B, bias), outputs(C), cpu::host(), options))
                                  : static_cast<AnyKernel>(compile(inputs(A, B), outputs(C), cpu::host(), options));
  return [=](const void* pa, const void* pb, const float* pbias, float* pc) {
    const View<const T, 3> a(static_cast<const T*>(pa), {s.batch, s.a_turned ? s.k : s.m, s.a_turned ? s.m : s.k}),
        of_b(static_cast<const T*>(pb), {s.batch, s.b_turned ? s.n : s.k, s.b_turned ? s.k : s.n});
    const View<float, 3> c(pc, {s.batch, s.m, s.n});
    if (s.gelu) kernel({a, of_b, View<const float, 1>(pbias, {s.n}), c});
    else kernel({a, of_b, c});
  };
}

struct Named {
  std::string name;
  ProductShape shape;
  bool approximate = false;
};
std::vector<Named> all_cases() {
  std::vector<Named> all;
  for (const long n : {128, 512, 1024}) {
    all.push_back({"nt" + std::to_string(n), {1, n, n, n, false, true}});
    all.push_back({"tn" + std::to_string(n), {1, n, n, n, true, false}});
    all.push_back({"tt" + std::to_string(n), {1, n, n, n, true, true}});
  }
  for (const long m : {1, 4, 16}) all.push_back({"nt" + std::to_string(m) + "x4096x4096", {1, m, 4096, 4096, false, true}});
  all.push_back({"batch64/nn128", {64, 128, 128, 128}});
  all.push_back({"batch64/nt128", {64, 128, 128, 128, false, true}});
  for (const long n : {512, 1024}) {
    all.push_back({"gelu" + std::to_string(n), {1, n, n, n, false, false, true}});
    all.push_back({"gelu_approx" + std::to_string(n), {1, n, n, n, false, false, true}, true});
    all.push_back({"bf16/n" + std::to_string(n), {1, n, n, n, false, false, false, true}});
  }
  return all;
}

float widened(u16 bits) {
  const u32 wide = static_cast<u32>(bits) << 16;
  float x;
  std::memcpy(&x, &wide, sizeof x);
  return x;
}
// The bits that the program promises, of sample elements: a chain of fused multiply-adds in ascending k.
bool same_bits(const ProductShape& s, const Buffer& a, const Buffer& b, const std::vector<u16>& half_a, const std::vector<u16>& half_b,
               const Buffer& c) {
  for (long sample = 0; sample < 64 && !s.gelu; ++sample) {
    const long h = (s.batch - 1) * sample / 63, i = (s.m - 1) * (sample % 8) / 7, j = (s.n - 1) * (sample / 8) / 7;
    float expected = 0;
    for (long k = 0; k < s.k; ++k) {
      const std::size_t of_a = static_cast<std::size_t>(h * s.m * s.k + (s.a_turned ? k * s.m + i : i * s.k + k)),
                        of_b = static_cast<std::size_t>(h * s.k * s.n + (s.b_turned ? j * s.k + k : k * s.n + j));
      expected = s.half ? std::fma(widened(half_a[of_a]), widened(half_b[of_b]), expected) : std::fma(a[of_a], b[of_b], expected);
    }
    if (!(c[static_cast<std::size_t>((h * s.m + i) * s.n + j)] == expected)) return false;
  }
  return true;
}

void run_case(Run& run, const Named& named) {
  const ProductShape& s = named.shape;
  const std::string name = named.name + "/t" + std::to_string(run.threads);
  if (!run.report.wants(name)) return;
  const long as = s.batch * s.m * s.k, bs = s.batch * s.k * s.n, cs = s.batch * s.m * s.n;
  const Buffer a = random_buffer(as, 1, 3), b = random_buffer(bs, 1, 4), bias = random_buffer(s.n, 1, 5), c = buffer(cs), d = buffer(cs);
  std::vector<u16> half_a, half_b;
  const auto upper = [](const Buffer& from, long n, std::vector<u16>& to) {
    for (long k = 0; k < n; ++k) {
      u32 bits;
      std::memcpy(&bits, &from[static_cast<std::size_t>(k)], sizeof bits);
      to.push_back(static_cast<u16>(bits >> 16));
    }
  };
  upper(a, as, half_a);
  upper(b, bs, half_b);
  const void *pa = s.half ? static_cast<const void*>(half_a.data()) : a.get(),
             *pb = s.half ? static_cast<const void*>(half_b.data()) : b.get();
  const Multiplied ours = s.half ? made<bf16>(s) : made<float>(s, named.approximate);
  ours(pa, pb, bias.get(), c.get());
  if (!same_bits(s, a, b, half_a, half_b, c)) {
    std::fprintf(stderr, "%s: wrong bits\n", name.c_str());
    run.wrong = true;
  }
  Case r;
  r.name = name;
  r.unit = "GFLOP/s";
  r.threads = run.threads;
  r.work = 2e-9 * static_cast<double>(as) * static_cast<double>(s.n);
  r.peak = run.peak.f32_gflops;
  r.ours = {"ordo", [&] { ours(pa, pb, bias.get(), c.get()); }};
  const auto add = [&](const char* who, const Multiplied& f, bool compare) {
    f(pa, pb, bias.get(), d.get());
    bool near = true;
    for (std::size_t k = 0; compare && k < static_cast<std::size_t>(cs); ++k)
      near = near && std::fabs(static_cast<double>(c[k]) - static_cast<double>(d[k])) <= 2e-3 * std::sqrt(static_cast<double>(s.k));
    if (near) r.peers.push_back({who, [&, f] { f(pa, pb, bias.get(), d.get()); }});
    else std::fprintf(stderr, "%s: %s computes something else and is left out\n", name.c_str(), who);
  };
#if defined(BENCH_ONEDNN)
  if (const Multiplied f = onednn_product(s)) add("onednn", f, true);
#endif
  if (s.gelu) {                                          // what the epilogue costs
    ProductShape plain = s;
    plain.gelu = false;
    add("ordo_plain", made<float>(plain), false);
  }
  run.report.compare(r);
}

}  // namespace

int program(int argc, char** argv) {
  Options options = parse(argc, argv);
  options.all_peers = true;
  Report report("products", options);
  const std::vector<Peer> others = peers();
  report.note("cpu: " + cpu_name());
  for (const Peer& peer : others)
    if (peer.name == "onednn") report.note(peer.name + ": " + peer.version);
  const std::vector<Named> all = all_cases();
  report.expect(static_cast<int>(all.size() * options.threads.size()));
  return on_threads(report, options, others, [&](int threads, const Peak& peak) {
    Run run{report, peak, threads};
    for (const Named& named : all) run_case(run, named);
    return !run.wrong;
  });
}
}  // namespace bench
