// Reductions over Lanes, Blocks and lists of them: what is lowered, and that every schedule gives the interpreter's bytes.
#include "kernel/lowered.hpp"
#include "ordo/ir/text.hpp"

using namespace ordo;
using lowered::four_lanes;
using lowered::planned;

namespace {
nest::Directive of_y(const char* name, std::vector<std::string> loops, std::vector<std::string> factors = {}) {
  nest::Directive d = lowered::directive(name, std::move(loops), std::move(factors));
  d.stage = "Y";
  return d;
}
std::string lowered_text(const char* program, const nest::Trace& trace, const kernel::Layout& layout = {1, 0}) {
  const kernel::Kernel k = kernel::lower(planned(ir::parse(program), trace), 0, layout, four_lanes());
  kernel::verify(k);
  return kernel::print(k);
}
}  // namespace

TEST_CASE("parts: lanes that are vectorized stay in registers, the last step apart; halves are joined as vectors") {
  CHECK(lowered_text("input X: f32[M, N]\nY[i]: f32[M] = sum(lanes<8> k < N, X[i, k])\noutput Y\n", {of_y("vectorize", {"k.lane"})}) ==
        "kernel Y\n"
        "argument Y: f32, canonical\n"
        "argument X: f32\n"
        "for i in 0..M\n"
        "  alloc acc: f32[8] registers\n"
        "    acc[ramp(0, 1) x4] = select(ramp(0, 1) x4 < maximum(N, 1) x4, 0.0 x4, -0.0 x4)\n"
        "    acc[ramp(4, 1) x4] = select(ramp(4, 1) x4 < maximum(N, 1) x4, 0.0 x4, -0.0 x4)\n"
        "    for k.step in 0..minimum(N / 8, (N + 7) / 8)\n"
        "      acc[ramp(0, 1) x4] = acc[ramp(0, 1) x4] + X[ramp(i * X.stride0 + k.step * 8, 1) x4]\n"
        "      acc[ramp(4, 1) x4] = acc[ramp(4, 1) x4] + X[ramp(i * X.stride0 + k.step * 8 + 4, 1) x4]\n"
        "    for k.step_2 in minimum(N / 8, (N + 7) / 8)..(N + 7) / 8\n"
        "      acc[ramp(0, 1) x4] = select(ramp(k.step_2 * 8, 1) x4 < N x4, acc[ramp(0, 1) x4] + X[ramp(i * X.stride0 + k.step_2 * 8, 1) "
        "x4 where ramp(k.step_2 * 8, 1) x4 < N x4], acc[ramp(0, 1) x4])\n"
        "      acc[ramp(4, 1) x4] = select(ramp(k.step_2 * 8 + 4, 1) x4 < N x4, acc[ramp(4, 1) x4] + X[ramp(i * X.stride0 + k.step_2 * 8 "
        "+ 4, 1) x4 where ramp(k.step_2 * 8 + 4, 1) x4 < N x4], acc[ramp(4, 1) x4])\n"
        "    acc[ramp(0, 1) x4] = acc[ramp(0, 1) x4] + acc[ramp(4, 1) x4]\n"
        "    acc[ramp(0, 1) x2] = acc[ramp(0, 1) x2] + acc[ramp(2, 1) x2]\n"
        "    acc[0] = acc[0] + acc[1]\n"
        "    Y[i] = acc[0]\n");
}

TEST_CASE("parts: blocks on several threads wait in memory and are joined in pairs after them") {
  CHECK(
      lowered_text("input X: f32[M, N]\nY[i]: f32[M] = sum(blocks<16> k < N, X[i, k])\noutput Y\n", {of_y("parallel", {"k.block"})}) ==
      "kernel Y\n"
      "argument Y: f32, canonical\n"
      "argument X: f32\n"
      "for i in 0..M\n"
      "  alloc Y.park: f32[maximum((N + 15) / 16, 1)] heap\n"
      "    for k.block in 0..maximum(1, (N + 15) / 16) parallel\n"
      "      alloc acc: f32[1] registers\n"
      "        acc[0] = 0.0\n"
      "        if 0 < N\n"
      "          for k.step in 0..minimum(16, N - k.block * 16)\n"
      "            acc[0] = acc[0] + X[i * X.stride0 + (k.block * 16 + k.step)]\n"
      "        Y.park[k.block] = acc[0]\n"
      "    alloc acc: f32[1] registers\n"
      "      for level in 0..48\n"
      "        if 1 << level < (N + 15) / 16\n"
      "          for k.block_2 in 0..((N + 15) / 16 + (1 << level) + -1) / ((1 << level) * 2)\n"
      "            Y.park[k.block_2 * ((1 << level) * 2)] = Y.park[k.block_2 * ((1 << level) * 2)] + Y.park[k.block_2 * ((1 << level) * 2) "
      "+ (1 << level)]\n"
      "      acc[0] = Y.park[0]\n"
      "      Y[i] = acc[0]\n");
}

TEST_CASE("parts: a condition keeps a flag for each part; a merge that knows no neutral value asks the extents") {
  const std::string skipped = lowered_text("input X: f32[M, N]\nY[i]: f32[M] = sum(lanes<2> k < N, X[i, k], where k < i)\noutput Y\n",
                                           {of_y("unroll", {"k.lane"})});
  CHECK(skipped.find("alloc seen: bool[2] registers") != std::string::npos);
  CHECK(skipped.find("    if seen[1]\n"
                     "        if seen[0]\n"
                     "          acc[0] = acc[0] + acc[1]\n"
                     "        else\n"
                     "          acc[0] = acc[1]\n"
                     "        seen[0] = true\n") != std::string::npos);
  const std::string merged = lowered_text(
      "input X: f32[M, N]\nY[i]: f32[M] = reduce(lanes<2> k < N, init(s = 1.0), step(s - X[i, k]), merge(o: s / o))#0\noutput Y\n",
      {of_y("unroll", {"k.lane"})});
  CHECK(merged.find("    if 0 < N && 1 < maximum(N, 1)\n"
                    "      acc[0] = acc[0] / acc[1]\n") != std::string::npos);
  CHECK(merged.find("seen") == std::string::npos);
}

TEST_CASE("parts: a free order has an accumulator for each loop that runs side by side, and only for those") {
  const char* program = "input X: f32[M, N]\nY[i]: f32[M] = max(any k < N, X[i, k])\noutput Y\n";
  CHECK(lowered_text(program, {}).find("alloc acc: f32[1] registers") != std::string::npos);
  CHECK(lowered_text(program, {of_y("split", {"k"}, {"8"}), of_y("vectorize", {"k.1"})}).find("alloc acc: f32[8] registers") !=
        std::string::npos);
  CHECK(lowered_text(program, {of_y("split", {"k"}, {"64"}), of_y("parallel", {"k.0"})}).find("alloc Y.park: f32[") != std::string::npos);
}

TEST_CASE("parts: a serial loop over lanes keeps them on the stack; where others are in registers, they wait in memory") {
  const char* program = "input X: f32[M, N]\nY[i]: f32[M] = sum(lanes<4> k < N, X[i, k])\noutput Y\n";
  CHECK(lowered_text(program, {}).find("alloc acc: f32[4] stack") != std::string::npos);
  const std::string tiled =
      lowered_text(program, {of_y("split", {"i"}, {"4"}), of_y("reorder", {"i.0", "k.lane", "k.step", "i.1"}), of_y("vectorize", {"i.1"})});
  CHECK(tiled.find("alloc Y.park: f32[16] heap") != std::string::npos);
  CHECK(tiled.find("Y.park[ramp(k.lane * 4, 1) x4] = acc[ramp(0, 1) x4]") != std::string::npos);
}

TEST_CASE("members: what mentions no index of the vector has one accumulator, stepped after those that read it") {
  const std::string text = lowered_text(
      "input X: f32[M, N]\ninput V: f32[N, D]\n"
      "Y[i, d]: f32[M, D] = reduce(chain k < N, init(m = -4.0, o = 0.0), step(maximum(m, X[i, k]), fma(maximum(m, X[i, k]), V[k, d], "
      "o)))#1\n"
      "output Y\n",
      {of_y("split", {"d"}, {"4"}), of_y("reorder", {"i", "d.0", "k", "d.1"}), of_y("vectorize", {"d.1"})}, {1, 1, 1});
  CHECK(
      text.find("    if d.0 * 4 + 3 < D\n"
                "      alloc acc1: f32[4] registers\n"
                "        alloc acc0: f32[1] registers\n"
                "          acc1[ramp(0, 1) x4] = 0.0 x4\n"
                "          acc0[0] = -4.0\n"
                "          for k in 0..N\n"
                "            acc1[ramp(0, 1) x4] = fma(maximum(acc0[0], X[i * X.stride0 + k]) x4, V[ramp(k * V.stride0 + d.0 * 4, 1) x4], "
                "acc1[ramp(0, 1) x4])\n"
                "            acc0[0] = maximum(acc0[0], X[i * X.stride0 + k])\n"
                "          Y[ramp(i * Y.stride0 + d.0 * 4, 1) x4] = acc1[ramp(0, 1) x4]\n") != std::string::npos);
}

TEST_CASE("parts: a planted wrong tree changes the text of lanes and of blocks") {
  for (const char* program : {"input X: f32[M, N]\nY[i]: f32[M] = sum(lanes<8> k < N, X[i, k])\noutput Y\n",
                              "input X: f32[M, N]\nY[i]: f32[M] = sum(blocks<8> k < N, X[i, k])\noutput Y\n"}) {
    const plan::Plan plan = planned(ir::parse(program), {});
    const kernel::Kernel right = kernel::lower(plan, 0, {1, 0}, four_lanes());
    kernel::Planted planted;
    planted.wrong_tree = true;
    CHECK(kernel::print(right) != kernel::print(kernel::lower(plan, 0, {1, 0}, four_lanes(), planted)));
  }
}
