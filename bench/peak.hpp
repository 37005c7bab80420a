// What this machine can do at best, measured: the fractions that benchmarks print stand on it.
#pragma once

namespace bench {
struct Peak {
  double f32_gflops;     // fused multiply-adds, counted as 2 operations, all threads together
  double f64_gflops;
  double copy_gbs;       // bytes read and written by a copy beyond the caches, GB/s
  const char* vector;    // "avx512", "avx2", "scalar": the instructions measured
};
Peak measure_peak(int threads);
}  // namespace bench
