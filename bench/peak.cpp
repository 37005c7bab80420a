// Independent chains of fused multiply-adds in registers, the widest vectors that the CPU has, written in assembly so that
// no compiler flag touches them. The best of many short runs is the peak.
#include "bench/peak.hpp"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace bench {
namespace {
double seconds_now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

#if defined(__x86_64__)
// clang-format off
#define FMA(op, r, to, a, b) #op " %%" #r #a ", %%" #r #b ", %%" #r #to "\n\t"
#define FMA4(op, r, t0, t1, t2, t3, a, b) FMA(op, r, t0, a, b) FMA(op, r, t1, a, b) FMA(op, r, t2, a, b) FMA(op, r, t3, a, b)
#define ZERO4(r, a, b, c, d) "vpxor %%x" #r #a ",%%x" #r #a ",%%x" #r #a "\n\t" "vpxor %%x" #r #b ",%%x" #r #b ",%%x" #r #b "\n\t" \
                             "vpxor %%x" #r #c ",%%x" #r #c ",%%x" #r #c "\n\t" "vpxor %%x" #r #d ",%%x" #r #d ",%%x" #r #d "\n\t"
#define LOW_CLOBBERS "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"
// 12 chains and 2 operands, all zero: no chain ever meets a denormal or an infinity.
#define CHAINS(name, op, r)                                                                                          \
  void name(long turns) {                                                                                            \
    asm volatile(ZERO4(mm, 0, 1, 2, 3) ZERO4(mm, 4, 5, 6, 7) ZERO4(mm, 8, 9, 10, 11) ZERO4(mm, 12, 13, 14, 15)       \
                 "1:\n\t"                                                                                            \
                 FMA4(op, r, 0, 1, 2, 3, 12, 13) FMA4(op, r, 4, 5, 6, 7, 12, 13) FMA4(op, r, 8, 9, 10, 11, 12, 13)   \
                 FMA4(op, r, 0, 1, 2, 3, 12, 13) FMA4(op, r, 4, 5, 6, 7, 12, 13) FMA4(op, r, 8, 9, 10, 11, 12, 13)   \
                 "sub $1, %0\n\tjnz 1b\n\tvzeroupper"                                                                \
                 : "+r"(turns) : : "cc", LOW_CLOBBERS);                                                              \
  }
CHAINS(chains_f32_avx512, vfmadd231ps, zmm)
CHAINS(chains_f64_avx512, vfmadd231pd, zmm)
CHAINS(chains_f32_avx2, vfmadd231ps, ymm)
CHAINS(chains_f64_avx2, vfmadd231pd, ymm)
// clang-format on
#endif
constexpr double fmas_a_turn = 24;

void chains_scalar(long turns) {
  double a[12] = {};
  volatile double x = 0.0;
  for (long t = 0; t < turns; ++t)
    for (int twice = 0; twice < 2; ++twice)
      for (double& v : a) v = std::fma(x, x, v);
  x = a[0];
}

// Runs `work(thread)` on all threads at once and returns the seconds of the slowest.
double together(int threads, const std::function<void(int)>& work) {
  std::atomic<int> waiting{threads};
  std::vector<double> took(static_cast<std::size_t>(threads));
  auto body = [&](int t) {
    waiting.fetch_sub(1);
    while (waiting.load() > 0) std::this_thread::yield();
    const double begin = seconds_now();
    work(t);
    took[static_cast<std::size_t>(t)] = seconds_now() - begin;
  };
  std::vector<std::thread> team;
  for (int t = 1; t < threads; ++t) team.emplace_back(body, t);
  body(0);
  for (std::thread& t : team) t.join();
  return *std::max_element(took.begin(), took.end());
}

double best_gflops(void (*chains)(long), int lanes, int threads) {
  const long turns = 300'000;
  double best = 0;
  chains(turns);
  for (int run = 0; run < 40; ++run) {
    const double s = together(threads, [&](int) { chains(turns); });
    best = std::max(best, 2 * fmas_a_turn * lanes * static_cast<double>(turns) * threads / s * 1e-9);
  }
  return best;
}

double best_copy_gbs(int threads) {
  const std::size_t bytes = (std::size_t{256} << 20) / static_cast<std::size_t>(threads);
  std::vector<std::unique_ptr<char[]>> from, to;
  for (int t = 0; t < threads; ++t) {
    from.emplace_back(new char[bytes]);
    to.emplace_back(new char[bytes]);
    std::memset(from.back().get(), t + 1, bytes);
    std::memset(to.back().get(), t + 2, bytes);
  }
  double best = 0;
  for (int run = 0; run < 8; ++run) {
    const double s = together(threads, [&](int t) {
      const auto n = static_cast<std::size_t>(t);
      std::memcpy(to[n].get(), from[n].get(), bytes);
    });
    best = std::max(best, 2e-9 * static_cast<double>(bytes) * threads / s);
  }
  return best;
}
}  // namespace

Peak measure_peak(int threads) {
  Peak peak{};
  peak.copy_gbs = best_copy_gbs(threads);
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) {
    peak.vector = "avx512";
    peak.f32_gflops = best_gflops(chains_f32_avx512, 16, threads);
    peak.f64_gflops = best_gflops(chains_f64_avx512, 8, threads);
    return peak;
  }
  if (__builtin_cpu_supports("fma")) {
    peak.vector = "avx2";
    peak.f32_gflops = best_gflops(chains_f32_avx2, 8, threads);
    peak.f64_gflops = best_gflops(chains_f64_avx2, 4, threads);
    return peak;
  }
#endif
  peak.vector = "scalar";
  peak.f32_gflops = peak.f64_gflops = best_gflops(chains_scalar, 1, threads);
  return peak;
}
}  // namespace bench
