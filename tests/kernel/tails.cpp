#include "kernel/lowered.hpp"
#include "ordo/ir/text.hpp"

using namespace ordo;
using namespace lowered;

namespace {
kernel::Kernel doubled(i64 n, const nest::Trace& trace) {
  made::Front f;
  const ir::Ref N = n < 0 ? f.dim("N") : f.number(n), X = f.tensor("X", {N}), C = f.tensor("C", {N}), i = f.index("i");
  f.define(C, {i}, f.add(f.at(X, {i}), f.real(1)));
  kernel::Kernel k = kernel::lower(planned(f.program({X}, {C}), trace), 0, {0, 0}, four_lanes());
  kernel::verify(k);
  return k;
}
std::string body(const kernel::Kernel& k) {
  const std::string text = kernel::print(k);
  return text.substr(text.find("X: f32\n") + 7);
}
kernel::Kernel product(const nest::Trace& trace, i64 m = -1, i64 n = -1, i64 k = -1) {
  kernel::Kernel made = kernel::lower(planned(matmul(m, n, k), trace), 0, {1, 1, 1}, four_lanes());
  kernel::verify(made);
  return made;
}
}  // namespace

TEST_CASE("shift_in: the last tile starts where it ends at the extent, without a mask") {
  CHECK(body(doubled(15, {directive("split", {"i"}, {"4"}, Tail::shift_in), directive("vectorize", {"i.1"})})) ==
        "for i.0 in 0..4\n"
        "  C[ramp(minimum(i.0 * 4, 11), 1) x4] = X[ramp(minimum(i.0 * 4, 11), 1) x4] + 1.0 x4\n");
}
TEST_CASE("shift_in: masked where the extent is shorter than a tile") {
  CHECK(body(doubled(3, {directive("split", {"i"}, {"4"}, Tail::shift_in), directive("vectorize", {"i.1"})})) ==
        "C[ramp(0, 1) x4 where ramp(0, 1) x4 < 3 x4] = X[ramp(0, 1) x4 where ramp(0, 1) x4 < 3 x4] + 1.0 x4\n");
  CHECK(body(doubled(-1, {directive("split", {"i"}, {"4"}, Tail::shift_in), directive("vectorize", {"i.1"})})) ==
        "for i.0 in 0..(N + 3) / 4\n"
        "  if 4 <= N\n"
        "    C[ramp(minimum(i.0 * 4, maximum(N + -4, 0)), 1) x4] = X[ramp(minimum(i.0 * 4, maximum(N + -4, 0)), 1) x4] + 1.0 x4\n"
        "  else\n"
        "    %0 = ramp(minimum(i.0 * 4, maximum(N + -4, 0)), 1) x4\n"
        "    C[%0 where %0 < N x4] = X[%0 where %0 < N x4] + 1.0 x4\n");
}
TEST_CASE("cover: two loops, each with tiles of its own size and no mask") {
  CHECK(body(doubled(29, {directive("split", {"i"}, {"4", "3"}, Tail::cover), directive("vectorize", {"i.1"})})) ==
        "for i.0 in 0..5\n"
        "  C[ramp(i.0 * 4, 1) x4] = X[ramp(i.0 * 4, 1) x4] + 1.0 x4\n"
        "for i.0_2 in 5..8\n"
        "  C[ramp(i.0_2 * 3 + 5, 1) x3] = X[ramp(i.0_2 * 3 + 5, 1) x3] + 1.0 x3\n");
}
TEST_CASE("cover: what remains is masked, which needs a test only where tiles of one factor may not fill the extent") {
  const std::string text = body(doubled(-1, {directive("split", {"i"}, {"4", "3"}, Tail::cover), directive("vectorize", {"i.1"})}));
  const std::size_t second = text.find("for i.0_2");
  REQUIRE(second != std::string::npos);
  CHECK(text.substr(text.find('\n') + 1, second - text.find('\n') - 1) == "  C[ramp(i.0 * 4, 1) x4] = X[ramp(i.0 * 4, 1) x4] + 1.0 x4\n");
  CHECK(text.find(" where ", second) != std::string::npos);
}
TEST_CASE("cover: the bytes of the plain nest") {
  const auto tiled = [](Tail tail, std::vector<std::string> order) {
    nest::Trace t{directive("split", {"i"}, {"3", "2"}, Tail::cover),
                  directive("split", {"j"}, {"8", "5"}, Tail::cover),
                  directive("split", {"k"}, {"4", "3"}, Tail::cover),
                  directive("reorder", std::move(order)),
                  directive("vectorize", {"j.1"}),
                  directive("unroll", {"i.1"})};
    if (tail != Tail::cover) t[0] = directive("split", {"i"}, {"3"}, tail);
    return t;
  };
  for (const i64 m : {1, 4, 7})
    for (const i64 n : {1, 7, 13, 18, 28})
      for (const i64 k : {0, 1, 9}) {
        const std::string plain = walked(product({}), m, n, k);
        for (const Tail tail : {Tail::cover, Tail::mask, Tail::guard})
          for (const std::vector<std::string>& order : {std::vector<std::string>{"i.0", "j.0", "k.0", "k.1", "i.1", "j.1"},
                                                        {"k.0", "i.0", "j.0", "k.1", "i.1", "j.1"},
                                                        {"i.0", "k.0", "k.1", "j.0", "i.1", "j.1"}}) {
            CHECK(walked(product(tiled(tail, order)), m, n, k) == plain);
            CHECK(walked(product(tiled(tail, order), m, n, k), m, n, k) == plain);
          }
      }
}
TEST_CASE("shift_in: the bytes of the plain nest") {
  const nest::Trace tiled = {directive("split", {"i"}, {"3"}, Tail::shift_in),
                             directive("split", {"j"}, {"8"}, Tail::shift_in),
                             directive("split", {"k"}, {"4"}),
                             directive("reorder", {"i.0", "j.0", "k.0", "k.1", "i.1", "j.1"}),
                             directive("vectorize", {"j.1"}),
                             directive("unroll", {"i.1"})};
  for (const i64 m : {1, 2, 3, 7, 9})
    for (const i64 n : {1, 7, 8, 13, 16}) {
      const std::string plain = walked(product({}), m, n, 9);
      CHECK(walked(product(tiled), m, n, 9) == plain);
      CHECK(walked(product(tiled, m, n, 9), m, n, 9) == plain);
    }
}
TEST_CASE("cover: parts that wait in memory have places that tiles of both factors share") {
  const ir::Program p = ir::parse("input X: f32[15, 15]\nC[i]: f32[15] = sum(lanes<4> k < 15, X[i, k])\noutput C\n");
  const kernel::Kernel k = kernel::lower(planned(p, {directive("split", {"i"}, {"12", "4"}, Tail::cover),
                                                     directive("reorder", {"k.step", "i.0", "k.lane", "i.1"}), directive("vectorize", {"i.1"})}),
                                         0, {0, 1}, four_lanes());
  const std::string text = kernel::print(k);
  CHECK(text.find("C.park[ramp(k.lane * 24, 1) x4]") != std::string::npos);
  CHECK(text.find("C.park[ramp(k.lane_2 * 24 + 12, 1) x4]") != std::string::npos);
}
