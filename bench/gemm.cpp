// Matrix products against OpenBLAS, oneDNN and Eigen; one thread, then all.
//   build/release/bench/gemm [--mode fixed|symbolic|unscheduled] [--filter f32/n1024] [--threads 1] [--json FILE]
// In mode symbolic the peer is our kernel with fixed sizes, in mode unscheduled our kernel with the hand-written schedule.
#include <cmath>
#include <cstdio>
#include <random>
#include "bench/measure.hpp"
#include "bench/ours_gemm.hpp"
#include "bench/threads.hpp"

namespace bench {
namespace {
struct Named { std::string name; Shape shape; };

std::vector<Named> shapes() {
  std::vector<Named> all;
  for (long n : {64, 96, 128, 192, 256, 384, 512, 768, 1024, 2048}) all.push_back({"n" + std::to_string(n), {n, n, n}});
  for (long n : {127, 509, 1021}) all.push_back({"prime" + std::to_string(n), {n, n, n}});
  for (long n : {4096, 11008})
    for (long m : {1, 2, 4, 8, 16}) all.push_back({"skinny" + std::to_string(m) + "x" + std::to_string(n), {m, n, 4096}});
  all.push_back({"tall100000x64x64", {100000, 64, 64}});
  all.push_back({"polybench200x224x240", {200, 224, 240}});
  all.push_back({"polybench1000x1104x1200", {1000, 1104, 1200}});
  all.push_back({"polybench2000x2304x2600", {2000, 2304, 2600}});
  return all;
}

template <class T> struct Data {
  std::vector<T> a, c;
  std::vector<std::vector<T>> b;       // used in turn when one of them is about memory, not about caches
  std::size_t turn = 0;

  explicit Data(Shape s) : a(static_cast<std::size_t>(s.m * s.k)), c(static_cast<std::size_t>(s.m * s.n)) {
    const std::size_t elements = static_cast<std::size_t>(s.k * s.n), bytes = elements * sizeof(T);
    const std::size_t copies = s.m > 16 ? 1 : std::max<std::size_t>(2, (std::size_t{256} << 20) / bytes);
    std::minstd_rand random(7);
    std::uniform_real_distribution<T> distribution(-1, 1);
    for (T& x : a) x = distribution(random);
    b.assign(copies, std::vector<T>(elements));
    for (T& x : b[0]) x = distribution(random);
    for (std::size_t copy = 1; copy < copies; ++copy) b[copy] = b[0];
  }
  const T* next_b() { return b[turn = (turn + 1) % b.size()].data(); }
};

// The bits that the program promises: a chain of fused multiply-adds in ascending k, for sample rows and columns.
template <class T> bool same_bits(Shape s, Data<T>& data) {
  const auto at = [](long row, long column, long width) { return static_cast<std::size_t>(row * width + column); };
  for (long row : {s.m / 2, s.m - 1})
    for (long sample = 0; sample < 64; ++sample) {
      const long column = (s.n - 1) * sample / 63;
      T expected = 0;
      for (long k = 0; k < s.k; ++k) expected = std::fma(data.a[at(row, k, s.k)], data.b[0][at(k, column, s.n)], expected);
      if (!(data.c[at(row, column, s.n)] == expected)) {
        std::fprintf(stderr, "wrong bits at (%ld, %ld): %.17g, a chain gives %.17g\n", row, column,
                     static_cast<double>(data.c[at(row, column, s.n)]), static_cast<double>(expected));
        return false;
      }
    }
  return true;
}

template <class T> bool near(const std::vector<T>& x, const std::vector<T>& y, long k) {
  const double tolerance = 8 * std::sqrt(static_cast<double>(k)) * (sizeof(T) == 4 ? 6e-8 : 1.2e-16) * std::sqrt(static_cast<double>(k));
  for (std::size_t n = 0; n < x.size(); ++n)
    if (!(std::fabs(static_cast<double>(x[n]) - static_cast<double>(y[n])) <= tolerance)) return false;
  return true;
}

template <class T> Multiply<T> theirs(const Peer& peer, Shape s) {
  if constexpr (sizeof(T) == 4) return peer.f32 ? peer.f32(s) : Multiply<T>();
  else return peer.f64 ? peer.f64(s) : Multiply<T>();
}

struct GemmRun { Report& report; std::vector<Peer>& others; Mode mode; Peak peak; int threads; bool wrong = false; };

template <class T> void run_case(GemmRun& run, const Named& named) {
  const std::string name = (sizeof(T) == 4 ? "f32/" : "f64/") + named.name + "/t" + std::to_string(run.threads);
  if (!run.report.wants(name)) return;
  const Shape s = named.shape;
  Data<T> data(s);
  const Multiply<T> multiply = ours<T>(s, run.mode);
  multiply(data.a.data(), data.b[0].data(), data.c.data());
  if (!same_bits(s, data)) run.wrong = true;

  Case c;
  c.name = name;
  c.unit = "GFLOP/s";
  c.threads = run.threads;
  c.work = 2e-9 * static_cast<double>(s.m) * static_cast<double>(s.n) * static_cast<double>(s.k);
  c.peak = sizeof(T) == 4 ? run.peak.f32_gflops : run.peak.f64_gflops;
  if (s.m <= 16) {     // B comes from memory: copy bandwidth is the limit where it is the lower one
    const double bytes = static_cast<double>(sizeof(T)) * static_cast<double>(s.k * s.n + s.m * s.k + s.m * s.n);
    c.peak = std::min(c.peak, c.work * 1e9 / bytes * run.peak.copy_gbs);
  }
  auto contender = [&data](std::string who, Multiply<T> f) {
    return Contender{std::move(who), [&data, f] { f(data.a.data(), data.next_b(), data.c.data()); }};
  };
  c.ours = contender("ordo", multiply);
  if (run.mode != Mode::fixed) {
    c.peers.push_back(contender("ordo_fixed", ours<T>(s, Mode::fixed)));
  } else {
    const std::vector<T> expected = data.c;
    for (const Peer& peer : run.others) {
      Multiply<T> f = theirs<T>(peer, s);
      if (!f) continue;
      f(data.a.data(), data.b[0].data(), data.c.data());
      if (near(expected, data.c, s.k)) c.peers.push_back(contender(peer.name, f));
      else std::fprintf(stderr, "%s: %s computes a wrong product here and is left out\n", name.c_str(), peer.name.c_str());
    }
  }
  run.report.compare(c);
}
}  // namespace

int program(int argc, char** argv) {
  unpin_openblas(argv);
  const Options options = parse(argc, argv, "fixed symbolic unscheduled");
  const Mode mode = options.mode == "symbolic" ? Mode::symbolic : options.mode == "unscheduled" ? Mode::unscheduled : Mode::fixed;
  Report report("gemm", options);
  std::vector<Peer> others = peers();
  report.note("cpu: " + cpu_name());
  for (const Peer& peer : others) report.note(peer.name + ": " + peer.version);
  const std::vector<Named> all = shapes();
  report.expect(static_cast<int>(2 * all.size() * options.threads.size()));
  return on_threads(report, options, others, [&](int threads, const Peak& peak) {
    GemmRun run{report, others, mode, peak, threads};
    for (const Named& named : all) run_case<float>(run, named);
    for (const Named& named : all) run_case<double>(run, named);
    return !run.wrong;
  });
}
}  // namespace bench
