// Functions over 2^20 f32: those that are correctly rounded beside vectors of at most 1 ulp, the approximate
// ones beside the fast kind; on one core.
//   build/release/bench/functions [--samples N] [--filter TEXT] [--all-peers] [--json FILE]
#include <cstdio>
#include "bench/measure.hpp"
#include "bench/peers/functions.hpp"
#include "ordo/cpu.hpp"
#include "ordo/ir/text.hpp"
#include "ordo/ordo.hpp"

namespace bench {
namespace {
constexpr long elements = 1 << 20;

struct Row {
  const char* function;
  float low, high;
};
constexpr Row rows[] = {{"exp", -80, 80}, {"log", 1e-6f, 1e6f}, {"tanh", -8, 8},   {"erf", -4, 4},
                        {"sin", -50, 50}, {"cos", -50, 50},     {"pow", 0.01f, 20}};

ordo::AnyKernel compiled(const std::string& name, bool two) {
  std::string text = "input X: f32[N]\n";
  if (two) text += "input Y: f32[N]\n";
  text += "Z[i]: f32[N] = " + name + (two ? "(X[i], Y[i])\n" : "(X[i])\n");
  ordo::CompileOptions options;
  options.cache = "";
  return ordo::compile(ordo::Program(ordo::ir::parse(text.c_str())), ordo::cpu::host(), options);
}
void run_case(Report& report, const Row& row, bool approximate) {
  const std::string name = std::string(approximate ? "approx/" : "rounded/") + row.function;
  const bool two = std::string(row.function) == "pow";
  if (!report.wants(name) || (two && approximate)) return;
  std::vector<float> x(elements), y(elements), z(elements);
  for (long k = 0; k < elements; ++k) {
    const float at = static_cast<float>(k * 7919 % elements) / static_cast<float>(elements);
    x[static_cast<std::size_t>(k)] = row.low + (row.high - row.low) * at;
    y[static_cast<std::size_t>(k)] = 8 * at - 4;
  }
  const ordo::AnyKernel kernel = compiled((approximate ? "approx_" : "") + std::string(row.function), two);
  const ordo::View<const float, 1> from(x.data(), {elements}), other(y.data(), {elements});
  const ordo::View<float, 1> to(z.data(), {elements});
  Case c;
  c.name = name;
  c.unit = "Gelem/s";
  c.work = 1e-9 * static_cast<double>(elements);
  c.ours = {"ordo", [&] {
              if (two) kernel({from, other, to});
              else kernel({from, to});
            }};
  for (const Vectors& v : vectors(row.function, approximate))
    c.peers.push_back({v.name, [&, v] { v.run(x.data(), y.data(), z.data(), elements); }});
  report.compare(c);
}
}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  using namespace bench;
  const Options options = parse(argc, argv);
  Report report("functions", options);
  report.expect(13);
  ordo::set_default_executor(ordo::serial());  // one core each
  for (const bool approximate : {false, true})
    for (const Row& row : rows) run_case(report, row, approximate);
  return report.finish();
}
