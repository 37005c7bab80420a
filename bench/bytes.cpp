// Products of matrices of bytes, u8 times i8 into i32, on one thread: ours without a schedule, with the one by hand, that one without
// the instruction that adds four products, and oneDNN's. Each case has a line a peer.
//   build/release/bench/bytes [--samples N] [--filter TEXT] [--json FILE]
#include <cstdio>
#include <stdexcept>
#include <vector>
#include "bench/measure.hpp"
#include "bench/peers/peers.hpp"
#include "ordo/cpu.hpp"
#include "ordo/ordo.hpp"
#include "ordo/schedules/byte_gemm.hpp"
#if defined(BENCH_ONEDNN)
#include <oneapi/dnnl/dnnl.h>
#endif

namespace bench {
namespace {
using namespace ordo;
using ByteKernel = Kernel<In<u8, 2>, In<i8, 2>, Out<i32, 2>>;

// `by_hand`: schedules::byte_gemm; else without a schedule.
ByteKernel kernel_for(i64 m, i64 n, i64 k, const Target& target, bool by_hand) {
  Tensor<u8, 2> A{"A", {m, k}};
  Tensor<i8, 2> B{"B", {k, n}};
  Tensor<i32, 2> C{"C"};
  Index i{"i"}, j{"j"};
  AnyOrder c{"k"};
  C(i, j) = sum(c, A(i, c) * B(c, j));
  CompileOptions options;
  options.cache = "";
  if (!by_hand) return compile(inputs(A, B), outputs(C), target, options);
  Schedule s{C};
  schedules::byte_gemm(s, i, j, c, B, target.vector_bits / 32, static_cast<int>(k));
  return compile(s, inputs(A, B), outputs(C), target, options);
}
struct Data {
  i64 m, n, k;
  std::vector<u8> a;
  std::vector<i8> b;
  std::vector<i32> c;
  Data(i64 rows, i64 columns, i64 depth) : m(rows), n(columns), k(depth) {
    u32 state = 1;
    const auto next = [&state] { return static_cast<u8>((state = state * 1664525u + 1013904223u) >> 24); };
    for (i64 x = 0; x < m * k; ++x) a.push_back(next());
    for (i64 x = 0; x < k * n; ++x) b.push_back(static_cast<i8>(next()));
    c.resize(static_cast<std::size_t>(m * n));
  }
  void run(const ByteKernel& kernel) { kernel(view(a, {m, k}), view(b, {k, n}), view(c, {m, n})); }
  void check(const char* who) const {
    for (i64 y = 0; y < m; y += m / 3)
      for (i64 x = 0; x < n; x += 7) {
        i32 want = 0;
        for (i64 z = 0; z < k; ++z) want += a[static_cast<std::size_t>(y * k + z)] * b[static_cast<std::size_t>(z * n + x)];
        if (c[static_cast<std::size_t>(y * n + x)] != want) throw std::runtime_error(std::string(who) + ": a wrong product");
      }
  }
};
void compare(Report& report, const std::string& name, i64 m, i64 n, i64 k) {
  if (!report.wants(name)) return;
  Data data(m, n, k);
  Target plain = cpu::host();
  plain.byte_dots = false;
  const ByteKernel ours = kernel_for(m, n, k, cpu::host(), false), by_hand = kernel_for(m, n, k, cpu::host(), true),
                   without = kernel_for(m, n, k, plain, true);
  Case c;
  c.name = name;
  c.unit = "GOP/s";
  c.work = 2e-9 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  c.ours = {"ordo", [&] { data.run(ours); }};
  c.peers.push_back({"by_hand", [&] { data.run(by_hand); }});
  c.peers.push_back({"without_vnni", [&] { data.run(without); }});
#if defined(BENCH_ONEDNN)
  const i32 zero = 0;
  c.peers.push_back({"onednn", [&] {
    dnnl_gemm_u8s8s32('N', 'N', 'F', m, n, k, 1, data.a.data(), k, 0, data.b.data(), n, 0, 0, data.c.data(), n, &zero);
  }});
#endif
  c.ours.run();
  data.check("ordo");
  for (const Contender& p : c.peers) {
    p.run();
    if (p.name != "onednn") data.check(p.name.c_str());
  }
  report.compare(c);
}
}  // namespace

int program(int argc, char** argv) {
  Options options = parse(argc, argv);
  options.all_peers = true;
  set_default_executor(serial());
  set_openmp_threads(1);
  Report report("bytes", options);
  report.note("cpu: " + cpu_name());
  report.expect(5);
  for (const i64 n : {128, 256, 512, 1024}) compare(report, "bytes/n" + std::to_string(n), n, n, n);
  compare(report, "bytes/tall4096x256x256", 4096, 256, 256);
  return report.finish();
}
}  // namespace bench
