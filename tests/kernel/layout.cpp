// layout: stores and reads of a stage that is stored otherwise than its dimensions come.
#include <doctest/doctest.h>
#include "kernel/lowered.hpp"
#include "ordo/ir/text.hpp"

using namespace ordo;
using namespace lowered;

namespace {
const char* program = "input A: f32[M, N]\nT[i, j]: f32[M, N] = A[i, j] * 2.0\nC[i, j]: f32[M, N] = T[i, j] + 1.0\noutput C\n";
nest::Directive of(const char* stage, nest::Directive d) {
  d.stage = stage;
  return d;
}
const nest::Trace blocks = {of("T", directive("layout", {}, {"j / 4", "i", "j % 4"})), of("T", directive("split", {"j"}, {"4"})),
                            of("T", directive("vectorize", {"j.1"})), directive("split", {"j"}, {"4"}), directive("vectorize", {"j.1"})};
}  // namespace

TEST_CASE("layout: a tile in the turns of its reader is stored so, too") {
  const plan::Plan plan =
      planned(ir::parse(program), {of("T", directive("layout", {}, {"j", "i"})), directive("split", {"i"}, {"4"}),
                                   directive("split", {"j"}, {"8"}), directive("reorder", {"i.0", "j.0", "i.1", "j.1"}), [] {
                                     nest::Directive d = of("T", directive("compute_at", {"j.0"}));
                                     d.tensor = "C";
                                     return d;
                                   }()});
  const kernel::Kernel k = kernel::lower(plan, 0, {1, 1}, four_lanes());
  kernel::verify(k);
  const std::string text = kernel::print(k);
  CHECK(text.find("alloc T: f32[32] stack\n") != std::string::npos);
  CHECK(text.find("T[j * 4 + i] = ") != std::string::npos);
}
TEST_CASE("layout: blocks are found by the loops that index is made of, a last one that is not full is stored whole") {
  const plan::Plan plan = planned(ir::parse(program), blocks);
  CHECK(ir::print(plan.workspaces.at(0).elements) == "M * ((N + 3) / 4) * 4");
  std::string text;
  for (const int group : {0, 1}) {
    const kernel::Kernel k = kernel::lower(plan, group, {1, 1}, four_lanes());
    kernel::verify(k);
    text += kernel::print(k);
  }
  CHECK(text ==
        "kernel T\n"
        "workspace T: f32[M * ((N + 3) / 4) * 4]\n"
        "argument A: f32\n"
        "for i in 0..M\n"
        "  for j.0 in 0..(N + 3) / 4\n"
        "    if j.0 * 4 + 3 < N\n"
        "      T[ramp(j.0 * (M * 4) + i * 4, 1) x4] = A[ramp(i * A.stride0 + j.0 * 4, 1) x4] * 2.0 x4\n"
        "    else\n"
        "      T[ramp(j.0 * (M * 4) + i * 4, 1) x4 where ramp(j.0 * 4, 1) x4 < N x4] = A[ramp(i * A.stride0 + j.0 * 4, 1) x4 where "
        "ramp(j.0 * "
        "4, 1) x4 < N x4] * 2.0 x4\n"
        "kernel C\n"
        "argument C: f32, canonical\n"
        "workspace T: f32[M * ((N + 3) / 4) * 4]\n"
        "for i in 0..M\n"
        "  for j.0 in 0..(N + 3) / 4\n"
        "    if j.0 * 4 + 3 < N\n"
        "      C[ramp(i * C.stride0 + j.0 * 4, 1) x4] = T[ramp(j.0 * (M * 4) + i * 4, 1) x4] + 1.0 x4\n"
        "    else\n"
        "      C[ramp(i * C.stride0 + j.0 * 4, 1) x4 where ramp(j.0 * 4, 1) x4 < N x4] = T[ramp(j.0 * (M * 4) + i * 4, 1) x4 where "
        "ramp(j.0 * "
        "4, 1) x4 < N x4] + 1.0 x4\n");
}
