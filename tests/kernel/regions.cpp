#include "kernel/lowered.hpp"

using namespace ordo;
using namespace lowered;

namespace {
nest::Directive in_region(int region, nest::Directive d) {
  d.region = region;
  return d;
}
}  // namespace

TEST_CASE("regions: one after the other, each with its own loops") {
  made::Front f;
  const ir::Ref N = f.number(20), X = f.tensor("X", {N}), C = f.tensor("C", {N}), i = f.index("i");
  f.define(C, {i}, f.add(f.at(X, {i}), f.real(1)));
  const kernel::Kernel k = kernel::lower(
      planned(f.program({X}, {C}), {directive("regions", {"i"}, {"1", "18"}), in_region(1, directive("split", {"i"}, {"4"}, Tail::shift_in)),
                                    in_region(1, directive("vectorize", {"i.1"}))}),
      0, {0, 0}, four_lanes());
  kernel::verify(k);
  const std::string text = kernel::print(k);
  CHECK(text.substr(text.find("X: f32\n") + 7) ==
        "C[0] = X[0] + 1.0\n"
        "for i.0 in 0..5\n"
        "  C[ramp(minimum(i.0 * 4, 13) + 1, 1) x4] = X[ramp(minimum(i.0 * 4, 13) + 1, 1) x4] + 1.0 x4\n"
        "for i in 0..2\n"
        "  C[i + 18] = X[i + 18] + 1.0\n");
}
TEST_CASE("regions: the bytes of the plain nest") {
  const nest::Trace trace = {directive("split", {"k"}, {"4"}),
                             directive("regions", {"i"}, {"2", "5"}),
                             in_region(0, directive("reorder", {"k.0", "i", "j"})),
                             in_region(1, directive("split", {"j"}, {"8"}, Tail::shift_in)),
                             in_region(1, directive("reorder", {"j.0", "k.0", "k.1", "i", "j.1"})),
                             in_region(1, directive("vectorize", {"j.1"})),
                             in_region(2, directive("split", {"i"}, {"3", "2"}, Tail::cover)),
                             in_region(2, directive("parallel", {"i.0"}))};
  for (const i64 m : {0, 1, 2, 4, 5, 9})
    for (const i64 n : {1, 13}) {
      const auto run = [&](const nest::Trace& t, i64 fixed) {
        const kernel::Kernel k = kernel::lower(planned(matmul(fixed, n, 9), t), 0, {1, 1, 1}, four_lanes());
        kernel::verify(k);
        return walked(k, m, n, 9);
      };
      CHECK(run(trace, m) == run({}, m));
    }
}
