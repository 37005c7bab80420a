// What directives about memory become: prefetches, stores past the caches, tasks of several turns.
#include <doctest/doctest.h>
#include "kernel/lowered.hpp"

using namespace ordo;
using namespace lowered;

namespace {
const kernel::Layout rows = {1, 1, 1};
nest::Directive prefetch(const char* tensor, const char* loop, const char* distance) {
  nest::Directive d = directive("prefetch", {loop}, {distance});
  d.tensor = tensor;
  return d;
}
kernel::Kernel make(const plan::Plan& plan) {
  kernel::Kernel k = kernel::lower(plan, 0, rows, four_lanes(), {});
  kernel::verify(k);
  return k;
}
const nest::Trace hinted = {
    directive("split", {"j"}, {"4"}), directive("reorder", {"i", "j.0", "k", "j.1"}), directive("vectorize", {"j.1"}),
    prefetch("B", "k", "8"),          prefetch("A", "i", "1"),                        directive("store_nontemporal", {}),
    directive("parallel", {"i"}, {"3"}),
};
}  // namespace

TEST_CASE("memory: prefetches stand before the steps that read, tasks hold several turns, the output is marked") {
  CHECK(kernel::print(make(planned(matmul(7, 8, 5), hinted))) ==
        "kernel C\n"
        "argument C: f32, canonical, past the caches\n"
        "argument A: f32\n"
        "argument B: f32\n"
        "for task in 0..3 parallel\n"
        "  for i in task * 3..minimum(task * 3 + 3, 7)\n"
        "    for j.0 in 0..2\n"
        "      alloc acc: f32[4] registers\n"
        "        acc[ramp(0, 1) x4] = 0.0 x4\n"
        "        prefetch A[(i + 1) * A.stride0]\n"
        "        for k in 0..5\n"
        "          prefetch B[ramp((k + 8) * B.stride0 + j.0 * 4, 1) x4]\n"
        "          acc[ramp(0, 1) x4] = fma(A[i * A.stride0 + k] x4, B[ramp(k * B.stride0 + j.0 * 4, 1) x4], acc[ramp(0, 1) x4])\n"
        "        C[ramp(i * C.stride0 + j.0 * 4, 1) x4] = acc[ramp(0, 1) x4]\n");
}
TEST_CASE("memory: a line is asked for once, outside the loops that stay in it") {
  const auto text = [](std::vector<std::string> order) {
    return kernel::print(make(planned(matmul(8, 8, 64), {directive("split", {"i"}, {"2"}), directive("split", {"k"}, {"16"}),
                                                         directive("reorder", std::move(order)), directive("unroll", {"i.1"}),
                                                         directive("vectorize", {"j"}), prefetch("A", "k.0", "1")})));
  };
  CHECK(text({"i.0", "k.0", "k.1", "i.1", "j"}).find("    for k.0 in 0..4\n"
                                                     "      prefetch A[i.0 * 2 * A.stride0 + k.0 * 16 + 16]\n"
                                                     "      prefetch A[(i.0 * 2 + 1) * A.stride0 + k.0 * 16 + 16]\n"
                                                     "      for k.1 in 0..16\n") != std::string::npos);
}
TEST_CASE("memory: the bytes of the plain nest at every size; unfinished sums are not parked in an output that goes past the caches") {
  nest::Trace blocked = hinted;
  blocked.insert(blocked.begin() + 1, directive("split", {"k"}, {"2"}));
  blocked[2] = directive("reorder", {"k.0", "i", "j.0", "k.1", "j.1"});
  blocked[4] = prefetch("B", "k.1", "8");
  CHECK(kernel::print(make(planned(matmul(), blocked))).find("C.park") != std::string::npos);
  for (const nest::Trace& trace : {hinted, blocked})
    for (const i64 m : {0, 1, 3, 7})
      for (const i64 n : {0, 1, 8, 13})
        for (const i64 depth : {0, 1, 5})
          CHECK(walked(make(planned(matmul(), trace)), m, n, depth) == walked(make(planned(matmul(), {})), m, n, depth));
}

TEST_CASE("memory: of a stencil's reads those farthest ahead are asked for, one of those side by side") {
  const char* program =
      "input X: f32[N + 2, M + 2]\n"
      "C[i, j]: f32[N, M] = X[i, j + 1] + X[i + 1, j] + X[i + 1, j + 2] + X[i + 2, j + 1] + X[i + 2, j + 2]\noutput C\n";
  const std::string text = kernel::print(kernel::lower(planned(ir::parse(program), {prefetch("X", "i", "1")}), 0, {1, 1}, four_lanes(), {}));
  CHECK_MESSAGE(text.find("prefetch X[(i + 3) * X.stride0 + j + 2]\n") != std::string::npos, text);
  CHECK(text.find("prefetch") == text.rfind("prefetch"));
}
TEST_CASE("memory: an input that is read at neighbours shares no memory with an output") {
  const auto apart = [](const char* program) {
    const kernel::Kernel k = kernel::lower(planned(ir::parse(program), {}), 0, {0, 0}, four_lanes(), {});
    bool found = false;
    for (const kernel::Buffer& b : k.buffers) found = found || b.apart;
    return found;
  };
  CHECK(apart("input X: f32[N + 1]\nC[i]: f32[N] = X[i] + X[i + 1]\noutput C\n"));
  CHECK_FALSE(apart("input X: f32[N]\nC[i]: f32[N] = X[i] + X[i] * 2.0\noutput C\n"));
}
