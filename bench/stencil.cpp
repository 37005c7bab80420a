// Stencils of f32 in memory, against straightforward C++ and the copy bandwidth; one thread, then all.
//   build/release/bench/stencil [--filter blur] [--threads 1] [--json FILE]
// `ours` is compiled without a schedule; `ordo_by_hand` with one; `ordo_unfused` stores the first stage of the blur as a whole.
#include <cstdio>
#include <cstring>
#include "bench/buffer.hpp"
#include "bench/measure.hpp"
#include "bench/ours_stencil.hpp"
#include "bench/threads.hpp"

namespace bench {
namespace {
struct Named { const char* name; Stencil stencil; };
constexpr Named cases[] = {
    {"blur/4096x4096", {StencilOp::blur, 1, 4096, 4096}},           {"2d5/4096x4096", {StencilOp::star2d, 1, 4096, 4096}},
    {"2d25/4096x4096", {StencilOp::box2d, 1, 4096, 4096}},          {"3d7/256x256x256", {StencilOp::star3d7, 256, 256, 256}},
    {"3d25/256x256x256", {StencilOp::star3d25, 256, 256, 256}},
};
constexpr long line = 16;
constexpr int copies = 3;        // of the input, in turn: no cache holds one

class Data {
 public:
  explicit Data(const Stencil& s) : y(buffer(s.outputs())), scratch(buffer(s.op == StencilOp::blur ? (s.n1 + 2) * s.n2 : 1)) {
    const long r = radius(s.op), rows = (is_3d(s.op) ? s.n0 + 2 * r : 1) * (s.n1 + 2 * r);
    begin_ = line - r;
    for (int k = 0; k < copies; ++k) x_.push_back(random_buffer(rows * pitch(s) + line, 4, 7));
  }
  const float* next() { return x_[turn_ = (turn_ + 1) % x_.size()].get() + begin_; }
  const float* first() const { return x_[0].get() + begin_; }
  Buffer y, scratch;

 private:
  std::vector<Buffer> x_;
  std::size_t turn_ = 0;
  long begin_ = 0;
};

// A small one as the interpreter computes it, and this one by all three schedules alike.
bool same_bits(const char* name, const Stencil& s, Data& data) {
  Stencil few = s;
  few.n0 = std::min(few.n0, 5L);
  few.n1 = 37;
  few.n2 = 192;
  Data small(few);
  const Buffer expected = buffer(few.outputs());
  ours(few, StencilSchedule::by_default, ordo::interpreter())(small.first(), expected.get());
  const Buffer all = buffer(s.outputs());
  ours(s, StencilSchedule::by_default, ordo::cpu::host())(data.first(), all.get());
  for (const StencilSchedule how : {StencilSchedule::by_default, StencilSchedule::by_hand, StencilSchedule::unfused}) {
    if (how == StencilSchedule::unfused && s.op != StencilOp::blur) continue;
    ours(few, how, ordo::cpu::host())(small.first(), small.y.get());
    bool same = std::memcmp(small.y.get(), expected.get(), sizeof(float) * static_cast<std::size_t>(few.outputs())) == 0;
    ours(s, how, ordo::cpu::host())(data.first(), data.y.get());
    same = same && std::memcmp(data.y.get(), all.get(), sizeof(float) * static_cast<std::size_t>(s.outputs())) == 0;
    if (same) continue;
    std::fprintf(stderr, "%s: wrong bits\n", name);
    return false;
  }
  return true;
}
bool near(const Stencil& s, const Buffer& a, const Buffer& b) {
  for (std::size_t k = 0; k < static_cast<std::size_t>(s.outputs()); ++k)
    if (!(a[k] - b[k] < 1e-4f && b[k] - a[k] < 1e-4f)) return false;
  return true;
}

bool run_case(Report& report, const Named& named, int threads, const Peak& peak) {
  const Stencil& s = named.stencil;
  const std::string name = std::string(named.name) + "/t" + std::to_string(threads);
  if (!report.wants(name)) return true;
  Data data(s);
  if (!same_bits(named.name, s, data)) return false;
  const auto contender = [&](const char* who, StencilSchedule how) {
    return Contender{who, [&data, f = ours(s, how, ordo::cpu::host())] { f(data.next(), data.y.get()); }};
  };
  Case c;
  c.name = name;
  c.unit = "Gelem/s";
  c.threads = threads;
  c.work = 1e-9 * static_cast<double>(s.outputs());
  c.peak = peak.copy_gbs * c.work * 1e9 / (4.0 * static_cast<double>(s.inputs() + s.outputs()));
  c.ours = contender("ordo", StencilSchedule::by_default);
  c.peers.push_back(contender("ordo_by_hand", StencilSchedule::by_hand));
  if (s.op == StencilOp::blur) c.peers.push_back(contender("ordo_unfused", StencilSchedule::unfused));
  const Buffer plain = buffer(s.outputs());
  plain_stencil(s.op, data.first(), data.scratch.get(), plain.get(), s.n0, s.n1, s.n2, threads);
  if (near(s, data.y, plain))
    c.peers.push_back({"plain_c++", [&data, &s, threads] {
                         plain_stencil(s.op, data.next(), data.scratch.get(), data.y.get(), s.n0, s.n1, s.n2, threads);
                       }});
  else std::fprintf(stderr, "%s: the C++ computes something else\n", name.c_str());
  report.compare(c);
  return true;
}
}  // namespace

int program(int argc, char** argv) {
  Options options = parse(argc, argv);
  options.all_peers = true;
  Report report("stencil", options);
  report.note("cpu: " + cpu_name());
  report.note("peak: of the measured copy bandwidth, each byte of x and y counted once");
  report.expect(static_cast<int>(std::size(cases) * options.threads.size()));
  return on_threads(report, options, {}, [&](int threads, const Peak& peak) {
    bool right = true;
    for (const Named& c : cases) right = run_case(report, c, threads, peak) && right;
    return right;
  });
}
}  // namespace bench
