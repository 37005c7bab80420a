// Arrays and rows in memory, f32, against oneDNN and Eigen; one thread, then all.
//   build/release/bench/rows [--filter softmax/4096/64MiB] [--threads 1] [--all-peers] [--json FILE]
// softmax and log_softmax use the correctly rounded exp (and log), softmax_approx and log_softmax_approx those of approx::.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include "bench/buffer.hpp"
#include "bench/measure.hpp"
#include "bench/ours_rows.hpp"
#include "bench/peers/peers.hpp"
#include "bench/threads.hpp"

namespace bench {
namespace {
struct Operation {
  const char* name;
  RowOp op;
  bool approximate, whole;       // whole: of an array, not of its rows
};
constexpr Operation operations[] = {
    {"copy", RowOp::copy, false, true},
    {"chain5", RowOp::chain, false, true},
    {"sum", RowOp::sum, false, true},
    {"dot", RowOp::dot, false, true},
    {"row_sum", RowOp::row_sum, false, false},
    {"softmax", RowOp::softmax, false, false},
    {"softmax_approx", RowOp::softmax, true, false},
    {"log_softmax", RowOp::log_softmax, false, false},
    {"log_softmax_approx", RowOp::log_softmax, true, false},
    {"layer_norm", RowOp::layer_norm, false, false},
    {"rms_norm", RowOp::rms_norm, false, false},
    {"argmax", RowOp::argmax, false, false},
    {"transpose", RowOp::transpose, false, false},
};
constexpr long lengths[] = {127, 1024, 4096, 32000};
constexpr long totals[] = {1, 8, 64};        // MiB of x
constexpr long beyond = 64;                  // held by no cache

long results(const Rows& r) {
  switch (r.op) {
    case RowOp::sum:
    case RowOp::dot: return 1;
    case RowOp::row_sum:
    case RowOp::argmax: return r.rows;
    case RowOp::copy:
    case RowOp::chain:
    case RowOp::softmax:
    case RowOp::log_softmax:
    case RowOp::layer_norm:
    case RowOp::rms_norm:
    case RowOp::transpose: break;
  }
  return r.rows * r.columns;
}
// Read and written at least once.
double least_bytes(const Rows& r) {
  const bool second = r.op == RowOp::chain || r.op == RowOp::dot;
  return 4.0 * static_cast<double>(r.rows * r.columns * (second ? 2 : 1) + results(r));
}

class Data {
 public:
  Data(const Rows& r, long copies) : other(random_buffer(r.rows * r.columns, 4, 5)), y(buffer(r.rows * r.columns)) {
    for (long copy = 0; copy < copies; ++copy) x_.push_back(random_buffer(r.rows * r.columns, 4, 7));
  }
  const float* first() const { return x_[0].get(); }
  const float* next() { return x_[turn_ = (turn_ + 1) % x_.size()].get(); }
  Buffer other, y;

 private:
  std::vector<Buffer> x_;
  std::size_t turn_ = 0;
};

// Rows at the start and at the end, and arrays of up to 1 MiB, as the interpreter computes them.
bool same_bits(const Rows& r, const Operation& o, const Data& data) {
  const auto same = [&](const Rows& part, const float* x, const float* other, auto place) {
    const Buffer expected = buffer(part.rows * part.columns);
    ours(part, o.approximate, ordo::interpreter())(x, other, expected.get());
    for (long k = 0; k < results(part); ++k)
      if (std::memcmp(&expected[static_cast<std::size_t>(k)], &data.y[static_cast<std::size_t>(place(k))], sizeof(float)) != 0) {
        std::fprintf(stderr, "%s, rows of %ld: wrong bits in element %ld\n", o.name, r.columns, place(k));
        return false;
      }
    return true;
  };
  const auto itself = [](long k) { return k; };
  if (o.whole) return r.rows * r.columns > 1 << 18 || same(r, data.first(), data.other.get(), itself);
  const Rows few{r.op, std::min(2L, r.rows), r.columns};
  const long skipped = r.rows - few.rows;
  if (r.op == RowOp::transpose) {
    const auto column = [&](long first) { return [&, first](long k) { return k / few.rows * r.rows + k % few.rows + first; }; };
    return same(few, data.first(), data.other.get(), column(0)) &&
           same(few, data.first() + skipped * r.columns, data.other.get(), column(skipped));
  }
  const long offset = results(r) / r.rows * skipped;
  return same(few, data.first(), data.other.get(), itself) &&
         same(few, data.first() + skipped * r.columns, data.other.get(), [&](long k) { return k + offset; });
}

// Positions are compared as they are. Sums of an array have a tolerance that grows with it.
bool near(const Rows& r, const Buffer& ours, const Buffer& theirs) {
  const double n = r.op == RowOp::sum || r.op == RowOp::dot ? static_cast<double>(r.rows * r.columns) : static_cast<double>(r.columns);
  const bool sums = r.op == RowOp::sum || r.op == RowOp::dot || r.op == RowOp::row_sum;
  const double absolute = sums ? 2e-5 * std::sqrt(n) * (r.op == RowOp::dot ? 4 : 1) + 1e-6 * n : 1e-5;
  for (std::size_t k = 0; k < static_cast<std::size_t>(results(r)); ++k) {
    if (r.op == RowOp::argmax) {
      if (std::memcmp(&ours[k], &theirs[k], sizeof(float)) != 0) return false;
      continue;
    }
    const double a = static_cast<double>(ours[k]), b = static_cast<double>(theirs[k]);
    if (!(std::fabs(a - b) <= absolute + 1e-4 * std::fabs(a))) return false;
  }
  return true;
}

void run_case(Run& run, const Operation& o, long columns, long mebibytes) {
  const std::string name = std::string(o.name) + (o.whole ? "" : "/" + std::to_string(columns)) + "/" + std::to_string(mebibytes) +
                           "MiB/t" + std::to_string(run.threads);
  if (!run.report.wants(name)) return;
  const Rows r{o.op, (mebibytes << 18) / columns, columns};
  Data data(r, mebibytes < beyond ? 1 : 256 / mebibytes);
  const RowRun kernel = ours(r, o.approximate, ordo::cpu::host());
  kernel(data.first(), data.other.get(), data.y.get());
  if (!same_bits(r, o, data)) run.wrong = true;

  Case c;
  c.name = name;
  c.unit = "Gelem/s";
  c.threads = run.threads;
  c.work = 1e-9 * static_cast<double>(r.rows * r.columns);
  if (mebibytes >= beyond) c.peak = c.work * 1e9 / least_bytes(r) * run.peak.copy_gbs;
  const auto contender = [&data](std::string who, RowRun f) {
    return Contender{std::move(who), [&data, f] { f(data.next(), data.other.get(), data.y.get()); }};
  };
  c.ours = contender("ordo", kernel);
  const Buffer expected = std::move(data.y);
  data.y = buffer(r.rows * r.columns);
  for (const RowPeer& peer : row_peers(r)) {
    peer.run(data.first(), data.other.get(), data.y.get());
    if (!peer.same || near(r, expected, data.y)) c.peers.push_back(contender(peer.name, peer.run));
    else std::fprintf(stderr, "%s: %s computes something else here and is left out\n", name.c_str(), peer.name.c_str());
  }
  run.report.compare(c);
}
}  // namespace

int program(int argc, char** argv) {
  const Options options = parse(argc, argv);
  Report report("rows", options);
  const std::vector<Peer> others = peers();
  report.note("cpu: " + cpu_name());
  for (const Peer& peer : others)
    if (peer.name != "openblas") report.note(peer.name + ": " + peer.version);
  report.note("softmax, log_softmax: exp and log correctly rounded; ..._approx: approx::exp and approx::log, at most 2 ulp");
  report.note("peak: of the measured copy bandwidth, each byte of x, other and y counted once; for 64 MiB only");
  report.expect(static_cast<int>((4 + 9 * std::size(lengths)) * std::size(totals) * options.threads.size()));
  return on_threads(report, options, others, [&](int threads, const Peak& peak) {
    Run run{report, peak, threads};
    for (const Operation& o : operations)
      for (const long columns : lengths)
        for (const long mebibytes : totals)
          if (!o.whole || columns == 4096) run_case(run, o, columns, mebibytes);
    return !run.wrong;
  });
}
}  // namespace bench
