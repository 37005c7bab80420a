// Unfinished sums in memory of their own: a stack or heap tile in loop order, in the type of the sums.
#include <doctest/doctest.h>
#include "kernel/lowered.hpp"
#include "ordo/ir/text.hpp"

using namespace ordo;
using namespace lowered;

namespace {
const kernel::Layout rows = {1, 1, 1};
kernel::Kernel make(const plan::Plan& plan, const kernel::Layout& layout = rows) {
  kernel::Kernel k = kernel::lower(plan, 0, layout, four_lanes(), {});
  kernel::verify(k);
  return k;
}
nest::Trace blocked(const char* at) {
  return {directive("split", {"i"}, {"3"}), directive("split", {"j"}, {"4"}),
          directive("split", {"k"}, {"2"}), directive("reorder", {"i.0", "j.0", "k.0", "i.1", "k.1", "j.1"}),
          directive("vectorize", {"j.1"}),  directive("cache_write", {at})};
}
}  // namespace

TEST_CASE("cache_write: sums wait in a tile of the turn, and the output is stored once") {
  CHECK(kernel::print(make(planned(matmul(6, 8, 5), blocked("j.0")))) ==
        "kernel C\n"
        "argument C: f32, canonical\n"
        "argument A: f32\n"
        "argument B: f32\n"
        "for i.0 in 0..2\n"
        "  for j.0 in 0..2\n"
        "    alloc C.cache: f32[12] stack\n"
        "      for k.0 in 0..3\n"
        "        for i.1 in 0..3\n"
        "          alloc acc: f32[4] registers\n"
        "            if k.0 == 0\n"
        "              acc[ramp(0, 1) x4] = 0.0 x4\n"
        "            else\n"
        "              acc[ramp(0, 1) x4] = C.cache[ramp(i.1 * 4, 1) x4]\n"
        "            for k.1 in 0..minimum(2, 5 - k.0 * 2)\n"
        "              acc[ramp(0, 1) x4] = fma(A[(i.0 * 3 + i.1) * A.stride0 + (k.0 * 2 + k.1)] x4, B[ramp((k.0 * 2 + k.1) * B.stride0 + "
        "j.0 * "
        "4, 1) x4], acc[ramp(0, 1) x4])\n"
        "            if k.0 + 1 == 3\n"
        "              C[ramp((i.0 * 3 + i.1) * C.stride0 + j.0 * 4, 1) x4] = acc[ramp(0, 1) x4]\n"
        "            else\n"
        "              C.cache[ramp(i.1 * 4, 1) x4] = acc[ramp(0, 1) x4]\n");
}
TEST_CASE("cache_write: in the type of the sums, of any size on the heap, past the caches and over parts") {
  const auto text = [](const char* program, const nest::Trace& trace) {
    return kernel::print(make(planned(ir::parse(program), trace), {0, 1, 1}));
  };
  const auto has = [](const std::string& in, const char* what) { return in.find(what) != std::string::npos; };
  const std::string narrow = text(
      "input A: bf16[M, K]\ninput B: bf16[K, N]\nC[i, j]: bf16[M, N] = sum(chain k < K, A[i, k] * B[k, j])\noutput C\n", blocked("i.0"));
  CHECK(has(narrow, "  alloc C.cache: f32[(N + 3) / 4 * 12] heap\n"));
  CHECK(!has(narrow, "C.park"));
  nest::Trace stored = blocked("j.0");
  stored.push_back(directive("store_nontemporal", {}));
  CHECK(has(kernel::print(make(planned(matmul(), stored))), "    alloc C.cache: f32[12] stack\n"));
  const std::string parts =
      text("input A: f32[M, K]\ninput B: f32[K, N]\nC[i, j]: f32[M, N] = sum(blocks<16> k < K, A[i, k] * B[k, j])\noutput C\n",
           {directive("split", {"j"}, {"4"}), directive("reorder", {"i", "j.0", "k.block", "k.step", "j.1"}),
            directive("vectorize", {"j.1"}), directive("cache_write", {"i"})});
  CHECK(has(parts, "  alloc C.cache: f32[(N + 3) / 4 * maximum((K + 15) / 16, 1) * 4] heap\n"));
  CHECK(has(parts, "C.cache[ramp(k.block * ((N + 3) / 4 * 4) + j.0 * 4, 1) x4] = acc[ramp(0, 1) x4]\n"));
}
TEST_CASE("cache_write: the bytes of the plain nest at every size") {
  for (const char* at : {"i.0", "j.0"})
    for (const Tail tail : {Tail::mask, Tail::guard, Tail::peel}) {
      nest::Trace trace = blocked(at);
      trace[0].tail = trace[1].tail = tail;
      for (const i64 m : {0, 1, 3, 7})
        for (const i64 n : {0, 1, 8, 13})
          for (const i64 depth : {0, 1, 5})
            CHECK(walked(make(planned(matmul(), trace)), m, n, depth) == walked(make(planned(matmul(), {})), m, n, depth));
    }
}
