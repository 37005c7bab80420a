// Convolutions of one image in f32, without schedules, against oneDNN in its own layouts; one thread, then all.
//   build/release/bench/conv [--filter resnet] [--threads 1] [--json FILE]
#include <array>
#include <cmath>
#include <cstdio>
#include "bench/measure.hpp"
#include "bench/ours_conv.hpp"
#include "bench/peers/peers.hpp"
#include "bench/threads.hpp"

namespace bench {
namespace {
struct Network {
  const char* name;
  std::vector<ConvShape> layers;
};
std::vector<Network> networks() {
  std::vector<Network> all{
      {"mobilenet", {{32, 32, 112, 3, 1}, {64, 64, 112, 3, 2}, {128, 128, 56, 3, 1}, {128, 128, 56, 3, 2}, {256, 256, 28, 3, 1},
                     {256, 256, 28, 3, 2}, {512, 512, 14, 3, 1}, {512, 512, 14, 3, 2}, {1024, 1024, 7, 3, 1}}},
      {"resnet18", {{64, 3, 224, 7, 2}, {64, 64, 56, 3, 1}, {64, 64, 56, 1, 1}, {128, 64, 56, 3, 2}, {128, 64, 56, 1, 2},
                    {128, 128, 28, 3, 1}, {256, 128, 28, 3, 2}, {256, 128, 28, 3, 1}, {256, 256, 14, 3, 1}, {512, 512, 14, 3, 2},
                    {512, 256, 14, 1, 2}, {512, 512, 7, 3, 1}}},
      {"yolo9000", {{32, 3, 544, 3, 1}, {64, 32, 272, 3, 1}, {128, 64, 136, 3, 1}, {64, 128, 136, 1, 1}, {256, 128, 68, 3, 1},
                    {128, 256, 68, 1, 1}, {512, 256, 34, 3, 1}, {256, 512, 34, 1, 1}, {1024, 512, 17, 3, 1}, {512, 1024, 17, 1, 1}}},
      {"depthwise", {}}};
  for (const auto& [channels, side, stride] : {std::array<long, 3>{32, 112, 1}, {64, 112, 2}, {128, 56, 1}, {128, 56, 2}, {256, 28, 1},
                                               {256, 28, 2}, {512, 14, 1}, {512, 14, 2}, {1024, 7, 1}})
    all.back().layers.push_back({channels, channels, side, 3, stride, true});
  return all;
}

// The bits that the program promises, of sample elements: a chain of fused multiply-adds over {cb, r, s, c}.
bool same_bits(const ConvShape& s, const Buffer& x, const Buffer& f, const Buffer& y) {
  const long o = s.out(), b = block_of(s.channels);
  for (long sample = 0; sample < 64; ++sample) {
    const long n = (s.filters - 1) * sample / 63, row = (o - 1) * (sample % 8) / 7, column = (o - 1) * (sample / 8) / 7;
    float expected = 0;
    const auto step = [&](long c, long weight, long r, long q) {
      const long from_y = row * s.stride + r - s.before(), from_x = column * s.stride + q - s.before();
      const bool in = from_y >= 0 && from_y < s.side && from_x >= 0 && from_x < s.side;
      const float value = in ? x[static_cast<std::size_t>((c * s.side + from_y) * s.side + from_x)] : 0;
      expected = std::fma(value, f[static_cast<std::size_t>((weight * s.kernel + r) * s.kernel + q)], expected);
    };
    for (long cb = 0; cb < (s.depthwise ? 1 : s.channels / b); ++cb)
      for (long r = 0; r < s.kernel; ++r)
        for (long q = 0; q < s.kernel; ++q)
          for (long c = 0; c < (s.depthwise ? 1 : b); ++c)
            s.depthwise ? step(n, n, r, q) : step(cb * b + c, n * s.channels + cb * b + c, r, q);
    const float got = y[static_cast<std::size_t>((n * o + row) * o + column)];
    if (got == expected) continue;
    std::fprintf(stderr, "wrong bits at (%ld, %ld, %ld): %.9g, a chain gives %.9g\n", n, row, column, static_cast<double>(got),
                 static_cast<double>(expected));
    return false;
  }
  return true;
}

void run_case(Run& run, const std::string& network, const ConvShape& s) {
  const std::string name = network + "/" + std::to_string(s.filters) + "," + std::to_string(s.channels) + "," + std::to_string(s.side) +
                           "," + std::to_string(s.kernel) + "," + std::to_string(s.stride) + "/t" + std::to_string(run.threads);
  if (!run.report.wants(name)) return;
  const long weights = s.filters * (s.depthwise ? 1 : s.channels) * s.kernel * s.kernel, results = s.filters * s.out() * s.out();
  const Buffer x = random_buffer(s.channels * s.side * s.side, 1, 3), f = random_buffer(weights, 1, 4), y = buffer(results),
               z = buffer(results);
  const Conv mine = ours(s, x.get(), f.get());
  mine.run();
  mine.result(y.get());
  if (!same_bits(s, x, f, y)) run.wrong = true;
  Case c;
  c.name = name;
  c.unit = "GFLOP/s";
  c.threads = run.threads;
  c.work = 2e-9 * static_cast<double>(weights) * static_cast<double>(s.out() * s.out());
  if (!s.depthwise) c.peak = run.peak.f32_gflops;
  c.ours = {"ordo", mine.run};
#if defined(BENCH_ONEDNN)
  const Conv other = onednn_conv(s, x.get(), f.get());
  other.run();
  other.result(z.get());
  bool near = true;
  for (std::size_t k = 0; k < static_cast<std::size_t>(results); ++k)
    near = near && std::fabs(static_cast<double>(y[k]) - static_cast<double>(z[k])) <= 1e-2;
  if (near) c.peers.push_back({"onednn", other.run});
  else std::fprintf(stderr, "%s: onednn computes something else and is left out\n", name.c_str());
#endif
  run.report.compare(c);
}

}  // namespace

int program(int argc, char** argv) {
  const Options options = parse(argc, argv);
  Report report("conv", options);
  const std::vector<Peer> others = peers();
  report.note("cpu: " + cpu_name());
  for (const Peer& peer : others)
    if (peer.name == "onednn") report.note(peer.name + ": " + peer.version);
  const std::vector<Network> all = networks();
  int cases = 0;
  for (const Network& network : all) cases += static_cast<int>(network.layers.size());
  report.expect(cases * static_cast<int>(options.threads.size()));
  return on_threads(report, options, others, [&](int threads, const Peak& peak) {
    Run run{report, peak, threads};
    for (const Network& network : all)
      for (const ConvShape& s : network.layers) run_case(run, network.name, s);
    return !run.wrong;
  });
}
}  // namespace bench
