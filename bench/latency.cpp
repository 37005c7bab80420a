// What a kernel costs before and around its work: build + compile, the same from the disk cache, and a call.
//   build/release/bench/latency [--samples N] [--json FILE]
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include "bench/measure.hpp"
#include "bench/ours_gemm.hpp"
#include "ordo/auto/schedule.hpp"
#include "ordo/ir/text.hpp"
#include "tests/auto/network.hpp"

namespace bench {
namespace {
// The bounds that the project promises; `theirs` in the lines, so that a ratio above 1 keeps the promise.
constexpr double compile_ms = 60, cached_ms = 5, call_ns = 200, schedule_ms = 20;

double compile_once(long n) {
  const double begin = seconds_now();
  (void)make_gemm<float>({n, n, n}, Mode::fixed, ordo::cpu::host());
  return (seconds_now() - begin) * 1e3;
}

// A new size each time: neither the cache in memory nor the one on disk knows it.
double fresh_compile_ms(int samples) {
  std::vector<double> took;
  compile_once(640);
  for (int n = 0; n < samples; ++n) took.push_back(compile_once(1000 + n));
  return median(took);
}

// From disk, in a process of its own for each sample: as its first kernel, or after another one.
double cached_compile_ms(int samples, const char* program, const char* how) {
  std::vector<double> took;
  for (int n = 0; n < samples; ++n) {
    const std::string command = std::string("'") + program + "' " + how;
    FILE* child = popen(command.c_str(), "r");
    double ms = 0;
    if (child == nullptr || std::fscanf(child, "%lf", &ms) != 1 || pclose(child) != 0) throw std::runtime_error("cannot run " + command);
    took.push_back(ms);
  }
  return median(took);
}

double default_schedule_ms(int samples) {
  const ordo::nest::Nest nest = ordo::nest::make(ordo::ir::stages(ordo::ir::parse(fifty::network("512").c_str())));
  const ordo::Machine machine = ordo::detect(ordo::cpu::host());
  return measure({{"schedule", [&] { (void)ordo::default_schedule(nest, machine); }}}, samples, 1)[0] * 1e3;
}

double call_overhead_ns(int samples) {
  using namespace ordo;
  Tensor<float, 1> x{"x", {1}}, y{"y", {1}};
  Index i{"i"};
  y(i) = x(i) + 1;
  const auto kernel = compile(inputs(x), outputs(y), cpu::host());
  float in[1] = {1}, out[1] = {0};
  const View<const float, 1> from(in, {1});
  const View<float, 1> to(out, {1});
  return measure({{"call", [&] { kernel(from, to); }}}, samples, 1)[0] * 1e9;
}
}  // namespace

int program(int argc, char** argv) {
  const std::string how = argc == 2 ? argv[1] : "";
  if (how == "--first" || how == "--cached") {
    if (how == "--cached") compile_once(640);
    std::printf("%.6f\n", compile_once(1000));
    return 0;
  }
  const Options options = parse(argc, argv);
  char cache[] = "/tmp/ordo-latency-XXXXXX";
  if (mkdtemp(cache) == nullptr) throw std::runtime_error("cannot make a folder in /tmp");
  setenv("XDG_CACHE_HOME", cache, 1);
  ordo::set_default_executor(ordo::serial());
  Report report("latency", options);
  report.note("cpu: " + cpu_name());
  report.note("theirs is the promised bound");
  const auto line = [&](const char* name, const char* unit, double value, double bound) {
    report.value({name, "bound", unit, value, bound, bound / value, 0});
  };
  line("build+compile", "ms", fresh_compile_ms(options.samples), compile_ms);
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  line("disk_cache", "ms", cached_compile_ms(options.samples, self.c_str(), "--cached"), cached_ms);
  line("disk_cache_first_kernel", "ms", cached_compile_ms(options.samples, self.c_str(), "--first"), cached_ms);
  line("default_schedule_50_stages", "ms", default_schedule_ms(options.samples), schedule_ms);
  line("call", "ns", call_overhead_ns(options.samples), call_ns);
  const int status = report.finish();
  std::filesystem::remove_all(cache);
  return status;
}
}  // namespace bench
