#include "kernel/lowered.hpp"
#include "ordo/ir/text.hpp"

using namespace ordo;
using namespace lowered;

namespace {
nest::Directive placed(const char* stage, const char* host, const char* loop) {
  nest::Directive d = directive("compute_at", {loop});
  d.stage = stage;
  d.tensor = host;
  return d;
}
nest::Directive stored(const char* stage, const char* host, std::vector<std::string> loops) {
  nest::Directive d = directive("store_at", std::move(loops));
  d.stage = stage;
  d.tensor = host;
  return d;
}
nest::Directive folded(const char* stage, const char* loop) {
  nest::Directive d = directive("fold_storage", {loop});
  d.stage = stage;
  return d;
}
std::string made_of(const char* program, const nest::Trace& trace) {
  const plan::Plan plan = planned(ir::parse(program), trace);
  const kernel::Kernel k = kernel::lower(plan, 0, kernel::Layout(plan.nest.program.inputs.size() + 1, 0), four_lanes());
  kernel::verify(k);
  return kernel::print(k);
}
}  // namespace

TEST_CASE("turns: a tile of a stage with the border that its reader needs, cut to the tensor") {
  const char* program = "input X: f32[N + 2]\nT[i]: f32[N + 2] = X[i] * 2.0\nC[i]: f32[N] = T[i] + T[i + 2]\noutput C\n";
  CHECK(made_of(program, {directive("split", {"i"}, {"8"}), placed("T", "C", "i.0")}) ==
        "kernel C\nargument C: f32, canonical\nargument X: f32\n"
        "for i.0 in 0..(N + 7) / 8\n"
        "  alloc T: f32[10] stack\n"
        "    for i in 0..minimum(10, N - i.0 * 8 + 2)\n"
        "      T[i] = X[i.0 * 8 + i] * 2.0\n"
        "    for i.1 in 0..minimum(8, N - i.0 * 8)\n"
        "      C[i.0 * 8 + i.1] = T[i.1] + T[i.1 + 2]\n");
}
TEST_CASE("turns: a recurrence goes along with a loop, two steps in memory") {
  const char* program =
      "input X: f32[N]\nT[scan t]: f32[N] = scan(t, 0.0, T[t - 1] + X[t])\n"
      "C[t]: f32[N] = T[t] * select(t > 0, T[t - 1], 1.0)\noutput C\n";
  CHECK(made_of(program, {placed("T", "C", "t")}) ==
        "kernel C\nargument C: f32, canonical\nargument X: f32\n"
        "alloc T: f32[2] stack\n"
        "  for t in 0..minimum(1, N)\n"
        "    T[floor_mod(t, 2)] = 0.0 + X[t]\n"
        "    C[t] = T[floor_mod(t, 2)] * 1.0\n"
        "  for t_2 in minimum(1, N)..N\n"
        "    T[floor_mod(t_2, 2)] = T[floor_mod(t_2 + -1, 2)] + X[t_2]\n"
        "    C[t_2] = T[floor_mod(t_2, 2)] * select(t_2 > 0, T[floor_mod(t_2 + -1, 2)], 1.0)\n");
}
TEST_CASE("turns: a recurrence along a loop starts anew in each turn of a loop over time around it") {
  const std::string text = made_of(
      "input X: f32[N]\nT[i, scan t]: f32[4, N] = scan(t, 0.25, T[i, t - 1] * X[i])\n"
      "C[scan s, j]: f32[4, N] = scan(s, 0.0, C[s - 1, j] + T[s, j])\noutput C\n",
      {placed("T", "C", "j")});
  int starts = 0;
  for (std::size_t at = text.find("T[0] = 0.25 * X["); at != std::string::npos; at = text.find("T[0] = 0.25 * X[", at + 1)) ++starts;
  CHECK(starts == 2);                                    // in the first turns of s, and in the others
  CHECK(text.find("select(") == std::string::npos);
}
TEST_CASE("turns: a window slides, its first turn computes what lies before the new element") {
  const char* program = "input X: f32[N + 2]\nT[i]: f32[N + 2] = X[i] * 2.0\nC[i]: f32[N] = T[i] + T[i + 2]\noutput C\n";
  CHECK(made_of(program, {directive("split", {"i"}, {"8"}), placed("T", "C", "i.1"), stored("T", "C", {"i.0"})}) ==
        "kernel C\nargument C: f32, canonical\nargument X: f32\n"
        "for i.0 in 0..(N + 7) / 8\n"
        "  alloc T: f32[10] stack\n"
        "    for i.1 in 0..minimum(8, N - i.0 * 8)\n"
        "      for warm in select(i.1 == 0, 0, 2)..3\n"
        "        for i in 0..minimum(1, N - i.0 * 8 - i.1 - warm + 2)\n"
        "          T[i.1 + warm + i] = X[i.0 * 8 + i.1 + warm + i] * 2.0\n"
        "      C[i.0 * 8 + i.1] = T[i.1] + T[i.1 + 2]\n");
  CHECK(made_of(program, {placed("T", "C", "i"), stored("T", "C", {}), folded("T", "i")}) ==
        "kernel C\nargument C: f32, canonical\nargument X: f32\n"
        "alloc T: f32[4] stack\n"
        "  for i in 0..N\n"
        "    for warm in select(i == 0, 0, 2)..3\n"
        "      T[floor_mod(i + warm, 4)] = X[i + warm] * 2.0\n"
        "    C[i] = T[floor_mod(i, 4)] + T[floor_mod(i + 2, 4)]\n");
}
TEST_CASE("turns: pieces of a strided window overlap in a first turn") {
  const char* program = "input X: f32[2 * N + 2]\nT[i]: f32[2 * N + 2] = X[i] * 2.0\nC[i]: f32[N] = T[2 * i] + T[2 * i + 2]\noutput C\n";
  CHECK(made_of(program, {placed("T", "C", "i"), stored("T", "C", {}), folded("T", "i")}) ==
        "kernel C\nargument C: f32, canonical\nargument X: f32\n"
        "alloc T: f32[4] stack\n"
        "  for i in 0..N\n"
        "    for warm in select(i == 0, 0, 1)..2\n"
        "      for i_2 in 0..2\n"
        "        %0 = maximum(i * 2 + warm * 2 - 1, i * 2) + i_2\n"
        "        T[floor_mod(%0, 4)] = X[%0] * 2.0\n"
        "    C[i] = T[floor_mod(i * 2, 4)] + T[floor_mod(i * 2 + 2, 4)]\n");
}
