// A benchmark's cases on each number of threads that its options name.
#pragma once
#include <cstdio>
#include "bench/measure.hpp"
#include "bench/peak.hpp"
#include "bench/peers/peers.hpp"
#include "ordo/cpu.hpp"

namespace bench {
struct Run {                     // of all cases on one number of threads
  Report& report;
  Peak peak;
  int threads;
  bool wrong = false;
};
// `cases(threads, peak)` says whether all bits were right. The program's exit status.
template <class Cases> int on_threads(Report& report, const Options& options, const std::vector<Peer>& others, const Cases& cases) {
  bool right = true;
  for (const int threads : options.threads) {
    ordo::set_default_executor(threads == 1 ? ordo::serial() : ordo::cpu::threads(threads));
    for (const Peer& peer : others) peer.set_threads(threads);
    const Peak peak = measure_peak(threads);
    char line[160];
    std::snprintf(line, sizeof line, "peak: threads=%d vector=%s f32_gflops=%.1f f64_gflops=%.1f copy_gbs=%.1f", threads, peak.vector,
                  peak.f32_gflops, peak.f64_gflops, peak.copy_gbs);
    report.note(line);
    right = cases(threads, peak) && right;
  }
  const int status = report.finish();
  return right ? status : 1;
}
}  // namespace bench
