// Attention in f32 in blocks of keys, against the unfused program and oneDNN; one thread,
// then all. Each case has a line a peer.
//   build/release/bench/attention [--filter h8/s2048] [--threads 1] [--json FILE]
// exp is correctly rounded; in cases named approx it is approx::exp, on both sides that are ours.
#include <cmath>
#include <cstdio>
#include <cstring>
#include "bench/buffer.hpp"
#include "bench/measure.hpp"
#include "bench/ours_attention.hpp"
#include "bench/peers/peers.hpp"
#include "bench/threads.hpp"

namespace bench {
namespace {
struct Named {
  AttentionShape shape;
  bool approximate;
};
constexpr Named cases[] = {
    {{8, 128, 64, false}, false}, {{32, 128, 64, true}, false},  {{8, 512, 64, false}, false},  {{8, 512, 64, true}, false},
    {{16, 512, 128, false}, false}, {{16, 1024, 128, true}, false}, {{8, 2048, 64, false}, false}, {{8, 2048, 64, false}, true},
    {{8, 2048, 64, true}, false},  {{8, 4096, 64, true}, false},
};

struct Data {
  explicit Data(const AttentionShape& s)
      : elements(s.heads * s.sequence * s.width), q(random_buffer(elements, 1, 3)), k(random_buffer(elements, 1, 4)),
        v(random_buffer(elements, 1, 5)), o(buffer(elements)) {}
  void run(const Attend& f) const { f(q.get(), k.get(), v.get(), o.get()); }
  long elements;
  Buffer q, k, v, o;
};

Attend ours(const Named& named, bool flash, const ordo::Target& target) {
  return named.approximate ? ours<ordo::nn::Approx>(named.shape, flash, target) : ours<ordo::nn::Exact>(named.shape, flash, target);
}
// A sequence of 48 as the interpreter computes it: the same definition and schedule, other extents.
bool same_bits(const Named& named, bool flash) {
  const Named small{{2, 48, named.shape.width, named.shape.causal}, named.approximate};
  const Data expected(small.shape), made(small.shape);
  expected.run(ours(small, flash, ordo::interpreter()));
  made.run(ours(small, flash, ordo::cpu::host()));
  return std::memcmp(expected.o.get(), made.o.get(), static_cast<std::size_t>(made.elements) * sizeof(float)) == 0;
}
bool near(const Buffer& x, const Buffer& y, long elements) {
  for (std::size_t n = 0; n < static_cast<std::size_t>(elements); ++n)
    if (!(std::fabs(static_cast<double>(x[n]) - static_cast<double>(y[n])) <= 1e-5)) return false;
  return true;
}

void run_case(Run& run, const Named& named) {
  const AttentionShape& s = named.shape;
  const std::string name = "h" + std::to_string(s.heads) + "/s" + std::to_string(s.sequence) + "/d" + std::to_string(s.width) +
                           (s.causal ? "/causal" : "") + (named.approximate ? "/approx" : "") + "/t" + std::to_string(run.threads);
  if (!run.report.wants(name)) return;
  for (const bool flash : {false, true})
    if (!same_bits(named, flash)) {
      std::fprintf(stderr, "%s: wrong bits, %s\n", name.c_str(), flash ? "flash" : "unfused");
      run.wrong = true;
    }
  Data data(s);
  Case c;
  c.name = name;
  c.unit = "GFLOP/s";
  c.threads = run.threads;
  const double pairs = static_cast<double>(s.heads) * static_cast<double>(s.sequence) *
                       (s.causal ? 0.5 * static_cast<double>(s.sequence + 1) : static_cast<double>(s.sequence));
  c.work = 4e-9 * pairs * static_cast<double>(s.width);
  c.peak = run.peak.f32_gflops;
  const auto contender = [&data](std::string who, Attend f) { return Contender{std::move(who), [&data, f] { data.run(f); }}; };
  const Attend flash = ours(named, true, ordo::cpu::host());
  c.ours = contender("ordo", flash);
  data.run(flash);
  const Buffer expected = std::move(data.o);
  data.o = buffer(data.elements);
  const auto add = [&](const char* who, const Attend& f) {
    data.run(f);
    if (near(expected, data.o, data.elements)) return c.peers.push_back(contender(who, f));
    std::fprintf(stderr, "%s: %s computes something else and is left out\n", name.c_str(), who);
    run.wrong = run.wrong || std::strcmp(who, "ordo_unfused") == 0;
  };
  add("ordo_unfused", ours(named, false, ordo::cpu::host()));
#if defined(BENCH_ONEDNN)
  add("onednn", onednn_attention(s));
#endif
  run.report.compare(c);
}
}  // namespace

int program(int argc, char** argv) {
  Options options = parse(argc, argv);
  options.all_peers = true;
  Report report("attention", options);
  const std::vector<Peer> others = peers();
  report.note("cpu: " + cpu_name());
  for (const Peer& peer : others)
    if (peer.name == "onednn") report.note(peer.name + ": " + peer.version);
  report.note("multiply-adds of the two products alone are counted, of causal cases those that are needed");
  report.expect(static_cast<int>(std::size(cases) * options.threads.size()));
  return on_threads(report, options, others, [&](int threads, const Peak& peak) {
    Run run{report, peak, threads};
    for (const Named& named : cases) run_case(run, named);
    return !run.wrong;
  });
}
}  // namespace bench
