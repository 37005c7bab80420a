#include "kernel/lowered.hpp"

using namespace ordo;
using namespace lowered;

namespace {
// The kernel of C(i) = X(i) + 1 for N elements in tiles of four, in the schedule for `condition`.
std::string for_sizes(const char* condition, Tail tail = Tail::mask) {
  made::Front f;
  const ir::Ref N = f.dim("N"), X = f.tensor("X", {N}), C = f.tensor("C", {N}), i = f.index("i");
  f.define(C, {i}, f.add(f.at(X, {i}), f.real(1)));
  nest::Nest nest = nest::make(ir::stages(f.program({X}, {C})));
  nest::Directive d;
  d.name = "specialize";
  d.when = condition;
  nest::apply(nest, {directive("split", {"i"}, {"4"}, tail), directive("vectorize", {"i.1"}), d});
  const kernel::Kernel k = kernel::lower(plan::make(nest::copy(nest.variants[0].nest)), 0, {0, 0}, four_lanes());
  kernel::verify(k);
  const std::string text = kernel::print(k);
  return text.substr(text.find("X: f32\n") + 7);
}
}  // namespace

TEST_CASE("specialize: no mask and no guard where the condition shows that there is no tail") {
  CHECK(for_sizes("N % 4 == 0") ==
        "for i.0 in 0..N / 4\n"
        "  C[ramp(i.0 * 4, 1) x4] = X[ramp(i.0 * 4, 1) x4] + 1.0 x4\n");
  CHECK(for_sizes("N % 12 == 0 && N >= 24") ==
        "for i.0 in 0..maximum(N / 12, 2) * 3\n"
        "  C[ramp(i.0 * 4, 1) x4] = X[ramp(i.0 * 4, 1) x4] + 1.0 x4\n");
  CHECK(for_sizes("N >= 8", Tail::shift_in) ==
        "for i.0 in 0..(maximum(N, 8) + 3) / 4\n"
        "  C[ramp(minimum(i.0 * 4, maximum(N, 8) + -4), 1) x4] = X[ramp(minimum(i.0 * 4, maximum(N, 8) + -4), 1) x4] + 1.0 x4\n");
}
TEST_CASE("specialize: a condition that says nothing of a Dim alone chooses, and is no fact") {
  CHECK(for_sizes("N * 2 >= 9").find(" where ") != std::string::npos);
}
