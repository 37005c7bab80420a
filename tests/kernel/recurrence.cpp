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
  CHECK(made_of("input X: f32[N, M]\nC[scan t, j]: f32[N, M] = scan(t, 1.0, C[t - 1, j] + X[t, j])\noutput C\n", {}) ==
        "for t in 0..minimum(1, N)\n"
        "  for j in 0..M\n"
        "    C[t * C.stride0 + j] = 1.0 + X[t * X.stride0 + j]\n"
        "for t_2 in minimum(1, N)..N\n"
        "  for j_2 in 0..M\n"
        "    C[t_2 * C.stride0 + j_2] = C[(t_2 + -1) * C.stride0 + j_2] + X[t_2 * X.stride0 + j_2]\n");
}
TEST_CASE("recurrence: rows outside time, lanes inside") {
  nest::Trace trace{directive("split", {"j"}, {"4"}), directive("reorder", {"j.0", "t", "j.1"}), directive("vectorize", {"j.1"})};
  CHECK(made_of("input X: f32[N, 8]\nC[scan t, j]: f32[N, 8] = scan(t, 0.0, C[t - 1, j] + X[t, j])\noutput C\n", trace) ==
        "for j.0 in 0..2\n"
        "  alloc C.last: f32[4] registers\n"
        "    for t in 0..minimum(1, N)\n"
        "      let last x4 = 0.0 x4 + X[ramp(t * X.stride0 + j.0 * 4, 1) x4]\n"
        "      C[ramp(t * C.stride0 + j.0 * 4, 1) x4] = last\n"
        "      C.last[ramp(0, 1) x4] = last\n"
        "    for t_2 in minimum(1, N)..N\n"
        "      let last_2 x4 = C.last[ramp(0, 1) x4] + X[ramp(t_2 * X.stride0 + j.0 * 4, 1) x4]\n"
        "      C[ramp(t_2 * C.stride0 + j.0 * 4, 1) x4] = last_2\n"
        "      C.last[ramp(0, 1) x4] = last_2\n");
}
TEST_CASE("recurrence: stages go through time in step") {
  CHECK(made_of("input X: f32[N, M]\nG[scan t, i]: f32[N, M] = C[t - 1, i] * X[t, i]\n"
                "C[scan t, i]: f32[N, M] = scan(t, 0.5, G[t, i] + C[t - 2, M - 1 - i])\noutput C\n",
                {}) ==
        "for t in 0..minimum(2, N)\n"
        "  for i in 0..M\n"
        "    G[t * M + i] = select(t + -1 < 0, 0.5, C[(t + -1) * C.stride0 + i where !(t + -1 < 0)]) * X[t * X.stride0 + i]\n"
        "  for i_2 in 0..M\n"
        "    C[t * C.stride0 + i_2] = G[t * M + i_2] + 0.5\n"
        "for t_2 in minimum(2, N)..N\n"
        "  for i_3 in 0..M\n"
        "    G[t_2 * M + i_3] = C[(t_2 + -1) * C.stride0 + i_3] * X[t_2 * X.stride0 + i_3]\n"
        "  for i_4 in 0..M\n"
        "    C[t_2 * C.stride0 + i_4] = G[t_2 * M + i_4] + C[(t_2 + -2) * C.stride0 + (M + -1 - i_4)]\n");
}
