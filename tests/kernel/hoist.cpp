// Conditions leave the loops that do not change them.
#include <doctest/doctest.h>
#include "kernel/lowered.hpp"
#include "ordo/ir/text.hpp"

using namespace ordo;
using namespace lowered;

namespace {
std::string text_of(const std::string& program, const nest::Trace& trace) {
  const kernel::Kernel k = kernel::lower(planned(ir::parse(program.c_str()), trace), 0, {1, 1, 1}, four_lanes(), {});
  kernel::verify(k);
  const std::string text = kernel::print(k);
  return text.substr(text.find("for "));
}
int count(const std::string& text, const char* part) {
  int n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}
// Rows of three, zeros around them left out: what a convolution with padding is.
std::string padded(const char* where) {
  return std::string("input X: f32[8, 5]\ninput F: f32[3, 5]\nC[x]: f32[8] = sum({chain s < 3, chain c < 5}, X[x + s - 1, c] * F[s, c], where ") +
         where + ")\noutput C\n";
}
const nest::Trace tiled = {directive("split", {"x"}, {"4"}), directive("reorder", {"x.0", "s", "c", "x.1"}), directive("unroll", {"x.1"})};
}  // namespace

TEST_CASE("hoist: each case of the edges has a loop of its own, what the ranges of loops show is not asked") {
  const std::string text = text_of(padded("0 <= x + s - 1 && x + s - 1 < 8"), tiled);
  CHECK(text.find("    for s in 0..3\n"
                  "      if 0 <= x.0 * 4 + s + -1\n"
                  "        if x.0 * 4 + s + 2 < 8\n"
                  "          for c in 0..5\n"
                  "            acc[0] = fma(") != std::string::npos);
  CHECK(count(text, "for c") == 4);
  CHECK(count(text, "fma(") == 4 + 3 + 3 + 2);
  CHECK(count(text, " where ") == 0);
}
TEST_CASE("hoist: a condition that reads memory stays, with what stands beside it") {
  const std::string text = text_of(padded("0 <= x + s - 1 && x + s - 1 < 8 && F[s, c] < 0.5"), tiled);
  CHECK(count(text, "for c") == 1);
  CHECK(count(text, "F[s * F.stride0 + c] < 0.5") >= 4);
}
TEST_CASE("hoist: what all statements of a loop ask is asked before it") {
  const std::string text = text_of(
      "input X: f32[8, 5]\nC[x]: f32[8] = sum(chain c < 5, X[x, c], where x < 6)\noutput C\n", {directive("reorder", {"x", "c"})});
  CHECK(text.find("    if x < 6\n"
                  "      for c in 0..5\n"
                  "        acc[0] = acc[0] + X[x * X.stride0 + c]\n") != std::string::npos);
}
TEST_CASE("hoist: a loop runs where its condition holds") {
  CHECK(text_of("input X: f32[M, N]\nC[x]: f32[M] = sum(chain c < N, X[x, c], where c <= x && x < c + 4)\noutput C\n", {})
            .find("    for c in maximum(0, x + -3)..minimum(N, x + 1)\n"
                  "      acc[0] = acc[0] + X[x * X.stride0 + c]\n") != std::string::npos);
}
TEST_CASE("hoist: of several statements, the turns that all of them take have a loop of their own") {
  const std::string text = text_of("input X: f32[8, N]\nC[x]: f32[8] = sum(chain c < N, X[x, c], where c <= x)\noutput C\n",
                                   {directive("split", {"x"}, {"2"}), directive("reorder", {"x.0", "c", "x.1"}), directive("unroll", {"x.1"})});
  CHECK(text.find("    for c in 0..maximum(0, minimum(N, x.0 * 2 + 1))\n"
                  "      acc[0] = acc[0] + X[x.0 * 2 * X.stride0 + c]\n"
                  "      acc[1] = acc[1] + X[(x.0 * 2 + 1) * X.stride0 + c]\n"
                  "    for c_2 in maximum(0, minimum(N, x.0 * 2 + 1))..minimum(N, x.0 * 2 + 2)\n"
                  "      if c_2 <= x.0 * 2\n") != std::string::npos);
}
TEST_CASE("hoist: a sum that may wrap is compared as it stands") {
  const std::string text = text_of(
      "input X: f32[M, N]\nC[x]: f32[M] = sum(chain c < N, X[x, c], where c + 9223372036854775807 < x)\noutput C\n", {});
  CHECK(text.find("    for c in 0..N\n") != std::string::npos);
}
TEST_CASE("hoist: many conditions get one loop for where all hold") {
  const std::string text = text_of(
      "input X: f32[16, 5]\ninput F: f32[7, 5]\nC[x]: f32[16] = sum({chain s < 7, chain c < 5}, X[x + s - 3, c] * F[s, c], "
      "where 0 <= x + s - 3 && x + s - 3 < 16)\noutput C\n",
      tiled);
  CHECK(count(text, "for c") == 2);
  CHECK(count(text, "fma(") == 8);
}
TEST_CASE("hoist: a test that cannot fail leaves an empty loop, which goes too") {
  const std::string text = text_of("input X: f32[M, N]\nC[scan x, y]: f32[M, N] = scan(x, 0.0, C[x - 1, floor_mod(y + 1, N)] + X[x, y])\noutput C\n", {});
  CHECK(count(text, "fail") == 1);                       // of the steps that read back
}
