#include "kernel/lowered.hpp"
#include "ordo/ir/text.hpp"

using namespace ordo;
using namespace lowered;

namespace {
std::string made_of(const char* program, const nest::Trace& trace) {
  const plan::Plan plan = planned(ir::parse(program), trace);
  const kernel::Kernel k = kernel::lower(plan, 0, kernel::Layout(plan.nest.program.inputs.size() + 1, 1), four_lanes());
  kernel::verify(k);
  const std::string text = kernel::print(k);
  return text.substr(text.find("for "));
}
}  // namespace

TEST_CASE("recurrence: the first steps ask for the start, the others do not") {
  CHECK(made_of("input X: f32[N, M]\nC[scan t, j]: f32[N, M] = scan(t, 1.0, C[t - 1, j] + X[t, j])\noutput C\n", {}) == "");
}
TEST_CASE("recurrence: rows outside time, lanes inside") {
  nest::Trace trace{directive("split", {"j"}, {"4"}), directive("reorder", {"j.0", "t", "j.1"}), directive("vectorize", {"j.1"})};
  CHECK(made_of("input X: f32[N, 8]\nC[scan t, j]: f32[N, 8] = scan(t, 0.0, C[t - 1, j] + X[t, j])\noutput C\n", trace) == "");
}
TEST_CASE("recurrence: stages go through time in step") {
  CHECK(made_of("input X: f32[N, M]\nG[scan t, i]: f32[N, M] = C[t - 1, i] * X[t, i]\n"
                "C[scan t, i]: f32[N, M] = scan(t, 0.5, G[t, i] + C[t - 2, M - 1 - i])\noutput C\n",
                {}) == "");
}
