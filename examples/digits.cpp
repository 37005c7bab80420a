// Handwritten digits by their nearest neighbour: the distances are written in the language, run under six schedules, on 1 and
// 2 threads and for every x86-64 level that this CPU has. The times differ; the bits do not. Then a large matrix product.
#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <set>
#include "bench/measure.hpp"
#include "bench/ours_gemm.hpp"
#include "bench/peak.hpp"
#include "bench/peers/peers.hpp"
#include "examples/digits_data.hpp"
#include "ordo/cpu.hpp"
#include "ordo/ordo.hpp"

namespace {
using namespace ordo;
using digits::asked, digits::known, digits::pixels;
using Distances = Kernel<In<float, 2>, In<float, 2>, Out<float, 2>>;

struct Loops3 { Index i{"i"}, j{"j"}; Chain k{"k"}; };
struct Program3 {                // D(i, j): how far image i of Q is from image j of R
  Tensor<float, 2> Q{"Q", {asked, pixels}}, R{"R", {known, pixels}}, D{"D"};
  Loops3 l;
};

// Squared differences, summed in the order of the pixels.
Program3 differences() {
  Program3 p;
  auto [i, j, k] = p.l;
  Expr<float> d = p.Q(i, k) - p.R(j, k);
  p.D(i, j) = sum(k, d * d);
  return p;
}
// The same distance as |q|^2 - 2 q.r + |r|^2: mostly a matrix product. Other roundings, so other bits.
Program3 expansion() {
  Program3 p;
  auto [i, j, k] = p.l;
  Chain m{"m"}, n{"n"};
  Tensor<float, 1> q2{"q2"}, r2{"r2"};
  q2(i) = sum(m, p.Q(i, m) * p.Q(i, m));
  r2(j) = sum(n, p.R(j, n) * p.R(j, n));
  p.D(i, j) = q2(i) - 2 * sum(k, p.Q(i, k) * p.R(j, k)) + r2(j);
  return p;
}

struct Plan { const char* name; std::function<void(Schedule&, Loops3, AnyTensor)> apply; };
const Plan plans[] = {
    {"plain loops", [](Schedule&, Loops3, AnyTensor) {}},
    {"vectors over j", [](Schedule& s, Loops3 l, AnyTensor) {
       auto [jo, ji] = s.split(l.j, 16);
       s.reorder(l.i, jo, l.k, ji).vectorize(ji).parallel(l.i);
     }},
    {"tiles 4 x 32", [](Schedule& s, Loops3 l, AnyTensor) {
       auto [io, ii] = s.split(l.i, 4);
       auto [jo, ji] = s.split(l.j, 32);
       s.reorder(io, jo, l.k, ii, ji).unroll(ii).vectorize(ji).parallel(io);
     }},
    {"tiles 8 x 48, R packed", [](Schedule& s, Loops3 l, AnyTensor R) {
       auto [io, ii] = s.split(l.i, 8);
       auto [jo, ji] = s.split(l.j, 48);
       s.reorder(jo, io, l.k, ii, ji).unroll(ii).vectorize(ji).parallel(jo);
       s.pack(R, jo);
     }},
    {"k in blocks of 24, j first", [](Schedule& s, Loops3 l, AnyTensor) {
       auto [ko, ki] = s.split(l.k, 24);
       auto [jo, ji] = s.split(l.j, 64);
       s.reorder(jo, ko, l.i, ki, ji).vectorize(ji).parallel(jo);
     }},
    {"odd tiles 7 x 13, peeled", [](Schedule& s, Loops3 l, AnyTensor) {
       auto [io, ii] = s.split(l.i, 7, Tail::peel);
       auto [jo, ji] = s.split(l.j, 13, Tail::peel);
       s.reorder(io, jo, l.k, ii, ji).unroll(ii).vectorize(ji).parallel(io);
     }},
};

double accuracy(const std::vector<float>& distance, const std::vector<int>& label) {
  int right = 0;
  for (int i = 0; i < asked; ++i) {
    const float* row = &distance[static_cast<std::size_t>(i) * known];
    right += label[static_cast<std::size_t>(std::min_element(row, row + known) - row)] == label[static_cast<std::size_t>(known + i)];
  }
  return 100.0 * right / asked;
}

// One line that is written over while something runs; only where somebody looks.
void progress(const std::string& what) {
  static const bool watched = isatty(STDERR_FILENO) != 0;
  if (watched) std::fprintf(stderr, "\r\033[K%s", what.c_str());
}
void use_threads(int threads) { set_default_executor(threads == 1 ? serial() : cpu::threads(threads)); }

std::vector<Target> targets_here() {
  std::vector<Target> here;
  for (const char* level : {"x86-64-v2", "x86-64-v3", "x86-64-v4"})
    if (cpu::runs_here(cpu::named(level))) here.push_back(cpu::named(level));
  return here;
}

struct Classifier {
  const digits::Digits& data;
  std::vector<float> distance = std::vector<float>(static_cast<std::size_t>(asked) * known);

  // Milliseconds of the best of up to 10 calls; the digest of what they wrote is added.
  double run(Program3 p, const Plan& plan, const Target& target, int threads, std::set<std::string>& digests) {
    Schedule s{p.D};
    plan.apply(s, p.l, p.R);
    const Distances kernel = compile(s, inputs(p.Q, p.R), outputs(p.D), target);
    use_threads(threads);
    const float* reference = data.pixel.data();
    const float* queries = reference + known * pixels;
    std::fill(distance.begin(), distance.end(), -1.0f);
    double best = 1e9;
    const double enough = bench::seconds_now() + 0.2;
    for (int call = 0; call == 0 || (call < 10 && bench::seconds_now() < enough); ++call) {
      const double begin = bench::seconds_now();
      kernel(view(queries, {asked, pixels}), view(reference, {known, pixels}), view(distance, {asked, known}));
      best = std::min(best, bench::seconds_now() - begin);
    }
    digests.insert(digits::sha256(distance.data(), distance.size() * sizeof(float)));
    return best * 1e3;
  }
};

bool classify(const char* title, Program3 (*make)(), const digits::Digits& data) {
  Classifier classifier{data};
  std::set<std::string> digests;
  const std::vector<Target> targets = targets_here();
  std::printf("\n%s\n  milliseconds, threads 1 and 2", title);
  for (const Target& target : targets) std::printf("   %15s", target.name);
  std::printf("   SHA-256 of the distances\n");
  for (const Plan& plan : plans) {
    std::string row;
    std::set<std::string> here;
    for (const Target& target : targets) {
      row += "  ";
      for (int threads : {1, 2}) {
        progress(std::string(title) + ": " + plan.name + ", " + target.name);
        char cell[16];
        std::snprintf(cell, sizeof cell, " %7.2f", classifier.run(make(), plan, target, threads, here));
        row += cell;
      }
    }
    progress("");
    std::printf("  %-29s%s  ", plan.name, row.c_str());
    for (const std::string& digest : here) std::printf(" %.16s", digest.c_str());
    std::printf("\n");
    digests.merge(here);
  }
  std::printf("  %.1f %% of %d right; %zu digest%s: %s\n", accuracy(classifier.distance, data.label), asked, digests.size(),
              digests.size() == 1 ? "" : "s", digests.begin()->c_str());
  return digests.size() == 1;
}

// What would happen without the promise: the same sums from the last pixel to the first.
void backwards(const digits::Digits& data) {
  std::vector<float> distance(static_cast<std::size_t>(asked) * known);
  for (std::size_t i = 0; i < asked; ++i)
    for (std::size_t j = 0; j < known; ++j) {
      float sum = 0;
      for (std::size_t k = pixels; k-- > 0;) {
        const float d = data.pixel[(known + i) * pixels + k] - data.pixel[j * pixels + k];
        sum = std::fma(d, d, sum);
      }
      distance[i * known + j] = sum;
    }
  std::printf("\nA C++ loop that sums the same differences backwards gives %.16s: an order matters.\n",
              digits::sha256(distance.data(), distance.size() * sizeof(float)).c_str());
}

bool product() {
  const bench::Shape shape{1024, 1024, 1024};
  const std::size_t elements = 1024 * 1024;
  const double gflop = 2e-9 * 1024 * 1024 * 1024;
  std::vector<float> a(elements), b(elements), c(elements);
  for (std::size_t n = 0; n < elements; ++n) a[n] = static_cast<float>(n % 97) - 48, b[n] = static_cast<float>(n % 89) / 89;
  std::printf("\nMatrix product 1024 x 1024 x 1024, f32\n  %8s %10s %10s %12s %10s\n", "threads", "ordo", "of peak", "Eigen", "ratio");
  for (int threads : {1, 2}) {
    progress("measuring");
    use_threads(threads);
    const bench::Peak peak = bench::measure_peak(threads);
    bench::Peer eigen = bench::eigen();
    eigen.set_threads(threads);
    const auto ours = bench::ours<float>(shape, bench::Mode::fixed), theirs = eigen.f32(shape);
    const auto run = [&](const bench::Multiply<float>& f) { return [&] { f(a.data(), b.data(), c.data()); }; };
    const std::vector<double> took = bench::measure({{"ordo", run(ours)}, {"eigen", run(theirs)}}, 11, threads);
    progress("");
    std::printf("  %8d %10.1f %9.1f%% %12.1f %10.2f   GFLOP/s\n", threads, gflop / took[0], 100 * gflop / took[0] / peak.f32_gflops,
                gflop / took[1], took[1] / took[0]);
  }
  return true;
}
}  // namespace

int main(int argc, char** argv) {
  try {
    const digits::Digits data = digits::load(argc > 1 ? argv[1] : ORDO_DIGITS);
    std::printf("Nearest neighbour of %d handwritten digits among %d others (UCI; E. Alpaydin, C. Kaynak; CC BY 4.0)\n", asked, known);
    bool one = classify("Squared differences", differences, data);
    one &= classify("Matrix product expansion", expansion, data);
    backwards(data);
    return product() && one ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "\n%s\n", error.what());
    return 1;
  }
}
