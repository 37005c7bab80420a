// build/release/bench/peak [threads]: measured peaks of this machine, for one thread and for all.
#include <cstdio>
#include <cstdlib>
#include <thread>
#include "bench/peak.hpp"

int main(int argc, char** argv) {
  const int all = argc > 1 ? std::atoi(argv[1]) : static_cast<int>(std::thread::hardware_concurrency());
  for (int threads = 1; threads <= all; threads = threads == all ? all + 1 : all) {
    const bench::Peak p = bench::measure_peak(threads);
    std::printf("threads=%d vector=%s f32_gflops=%.1f f64_gflops=%.1f copy_gbs=%.1f\n", threads, p.vector, p.f32_gflops, p.f64_gflops,
                p.copy_gbs);
  }
}
