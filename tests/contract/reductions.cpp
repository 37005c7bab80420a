// The worked examples of the numerics contract about reductions, as compiled kernels give them under several schedules.
#include "contract/ways.hpp"

using namespace ways;

namespace {
constexpr double T = 16777216;
const std::vector<double> V = {0.5, 7, 1, 7, -T, 3, 0.5, T, 1};
const std::vector<double> X = {1, -T - 2, 1, 2 * T, 3, -T - 2};
const std::vector<double> Z = {T, -T, 1, 1, 1, 1};

// `value` in a program of a scalar output, its inputs X, Y0 and S; the same bits by every way and schedule.
struct Example {
  std::string value, inputs;
  std::vector<Data> data;
  u64 expected;
  std::vector<std::string> schedules;
};
void check(const Example& e, Type type = Type::f32) {
  const std::string program = e.inputs + "Y: " + std::string(name_of(type)) + " = " + e.value + "\noutput Y\n";
  std::vector<Data> data = e.data;
  data.push_back(made::empty(type, {}));
  INFO(program);
  CHECK(interpreted(program, data)[0] == e.expected);
  for (const Way& way : compiled())
    for (const std::string& s : e.schedules) {
      INFO(way.name << ": " << s);
      data.back() = made::empty(type, {});
      CHECK(Compiled(program, s, way.target)(data)[0] == e.expected);
    }
}
Data vector(const std::vector<double>& v) { return made::numbers(Type::f32, {static_cast<i64>(v.size())}, v); }
void vector_sum(const std::string& axis, u64 expected, const std::vector<std::string>& schedules, const std::vector<double>& v = V) {
  check({"sum(" + axis + " k < N, X[k])", "input X: f32[N]\n", {vector(v)}, expected, schedules});
  const std::string n = std::to_string(v.size());
  check({"sum(" + axis + " k < " + n + ", X[k])", "input X: f32[" + n + "]\n", {vector(v)}, expected,
         {schedules.begin(), schedules.begin() + 2}});
}
void matrix_sum(const std::string& axes, u64 expected, const std::vector<std::string>& schedules) {
  const std::string text = "input X: f32[M, N]\n";
  check({"sum({" + axes + "}, X[a, b])", text, {made::numbers(Type::f32, {2, 3}, X)}, expected, schedules});
}
const std::vector<std::string> by_lanes = {"",
                                           "vectorize k.lane",
                                           "unroll k.lane",
                                           "reorder k.lane k.step",
                                           "parallel k.lane",
                                           "split k.step 3; unroll k.step.1; vectorize k.lane"};
const std::vector<std::string> by_blocks = {"",
                                            "parallel k.block",
                                            "split k.block 2; unroll k.block.1; reorder k.block.0 k.step k.block.1",
                                            "reorder k.step k.block",
                                            "unroll k.step",
                                            "split k.block 2; reorder k.block.0 k.step k.block.1; vectorize k.block.1"};
}  // namespace

TEST_CASE("contract: sum of a vector as Chain, Lanes and Blocks, compiled") {
  vector_sum("chain", 0x41a80000, {"", "split k 4", "split k 4; unroll k.1"});
  vector_sum("lanes<2>", 0x41980000, by_lanes);
  vector_sum("lanes<4>", 0x41a00000, by_lanes);
  vector_sum("lanes<8>", 0x41b00000, by_lanes);
  vector_sum("blocks<2>", 0x419c0000, by_blocks);
  vector_sum("blocks<3>", 0x41900000, by_blocks);
  vector_sum("blocks<4, lanes<2>>", 0x41a40000,
             {"", "vectorize k.lane", "parallel k.block; vectorize k.lane", "unroll k.lane; unroll k.step", "reorder k.lane k.block",
              "reorder k.step k.block k.lane; fuse k.block k.lane"});
}

TEST_CASE("contract: sum of a matrix over two axes, compiled") {
  const std::string ca = "chain a < M", cb = "chain b < N", la = "lanes<2> a < M", lb = "lanes<2> b < N", bb = "blocks<2> b < N";
  matrix_sum(ca + ", " + cb, 0x40000000, {"", "split b 2; unroll b.1", "fuse a b"});
  matrix_sum(cb + ", " + ca, 0xc0000000, {"", "split a 2; unroll a.1"});
  matrix_sum(la + ", " + cb, 0x40400000, {"", "reorder a.step b a.lane; vectorize a.lane", "parallel a.lane"});
  matrix_sum(ca + ", " + lb, 0xbf800000, {"", "vectorize b.lane", "unroll b.lane", "parallel b.lane"});
  const std::vector<std::string> both = {"", "reorder a.step b.step a.lane b.lane; unroll a.lane; vectorize b.lane",
                                         "reorder a.step b.step a.lane b.lane; fuse a.lane b.lane; vectorize a.lane*b.lane",
                                         "reorder a.lane a.step b.step; vectorize b.lane"};
  matrix_sum(la + ", " + lb, 0x00000000, both);
  matrix_sum(
      lb + ", " + la, 0x3f800000,
      {"", "reorder b.step a.step b.lane a.lane; unroll b.lane; vectorize a.lane", "reorder b.lane b.step a.step; vectorize a.lane"});
  matrix_sum(ca + ", " + bb, 0x40800000, {"", "reorder b.block a b.step; parallel b.block", "parallel b.block"});
  matrix_sum(bb + ", " + ca, 0x00000000, {"", "parallel b.block", "reorder b.step b.block a"});
}

TEST_CASE("contract: a cut axis, compiled") {
  const std::string z = "input X: f32[M, N]\n";
  const std::vector<Data> data = {made::numbers(Type::f32, {3, 2}, Z)};
  check({"sum({chain c < M, chain r < N}, X[c, r])", z, data, 0x40800000, {"", "split r 2; unroll r.1"}});
  check({"sum({chain r < N, chain c < M}, X[c, r])", z, data, 0x40000000, {"", "split c 2"}});
  check({"sum({chain co < (M + 1) / 2, chain r < N, chain ci < 2}, X[co * 2 + ci, r], where co * 2 + ci < M)",
         z,
         data,
         0x40400000,
         {"", "unroll ci", "split co 2; unroll co.1"}});
}

TEST_CASE("contract: a skipped part is absent, compiled") {
  const double tiny = 0x1p-100;
  const auto products = [&](std::vector<double> a, std::vector<double> b, const std::string& axis, i64 upto, u64 expected,
                            const std::vector<std::string>& schedules) {
    const std::string where = upto < 9 ? ", where k < " + std::to_string(upto) : "";
    check({"sum(" + axis + " k < N, X[k] * Y0[k]" + where + ")",
           "input X: f32[N]\ninput Y0: f32[N]\n",
           {vector(a), vector(b)},
           expected,
           schedules});
  };
  products({-tiny}, {tiny}, "chain", 9, 0x80000000, {""});
  products({-tiny, 5}, {tiny, 5}, "chain", 1, 0x80000000, {""});
  products({-tiny, 0}, {tiny, 0}, "chain", 9, 0x00000000, {""});
  for (const std::string axis : {"lanes<8>", "lanes<2>"}) {
    products({-tiny}, {tiny}, axis, 9, 0x80000000, by_lanes);
    products({-tiny, 5}, {tiny, 5}, axis, 1, 0x80000000, by_lanes);
  }
  products({-tiny, 5}, {tiny, 5}, "blocks<1>", 1, 0x80000000, {"", "parallel k.block"});
  products({-tiny, 5}, {tiny, 5}, "blocks<4, lanes<2>>", 1, 0x80000000, {"", "vectorize k.lane", "parallel k.block; vectorize k.lane"});
  vector_sum("lanes<8>", 0x00000000, by_lanes, {-0.0});
  vector_sum("lanes<8>", 0x00000000, by_lanes, {});
  vector_sum("blocks<8>", 0x00000000, by_blocks, {});
  vector_sum("blocks<8, lanes<4>>", 0x00000000, {"", "vectorize k.lane"}, {});
}

TEST_CASE("contract: a mean by reduce, with merge, compiled") {
  const std::string mean =
      "reduce(lanes<8> k < N, init(n = 0.0, m = 0.0), step(n + 1.0, m + (X[k] - m) / (n + 1.0)), "
      "merge(n2, m2: n + n2, m + (m2 - m) * (n2 / (n + n2))))#1";
  check({mean, "input X: f32[N]\n", {vector({1, 2, 4})}, 0x40155555, by_lanes});
  check({mean, "input X: f32[N]\n", {vector({})}, 0x00000000, by_lanes});
}

TEST_CASE("contract: extremes and their numbers over lanes, compiled") {
  const auto argmax = [&](const Bits& v) {
    made::Maker b;
    made::Ref x = b.input("X", Type::f32, 1), k = b.lanes("k", 4);
    const made::Ref at = b.field(b.arg_extreme(true, &k, 1, b.at(x, {k}), nullptr, {}), 1);
    made::Ref y = b.named("Y", Type::i64, {}, at);
    const std::string program = ir::print(ir::snapshot(&x, 1, &y, 1, {}));
    std::vector<Data> data{made::patterns(Type::f32, {static_cast<i64>(v.size())}, v), made::empty(Type::i64, {})};
    const u64 expected = interpreted(program, data)[0];
    for (const Way& way : compiled())
      for (const std::string& s : by_lanes) {
        INFO(way.name << ": " << s);
        CHECK(Compiled(program, s, way.target)(data)[0] == expected);
      }
    return expected;
  };
  CHECK(argmax({0x80000000, 0x00000000}) == 0);
  CHECK(argmax({0x3f800000, 0x7fc00000, 0x7fc00000}) == 1);
  CHECK(argmax({0x3f800000, 0x40000000, 0x3f800000, 0x3f800000, 0x3f800000, 0x40000000}) == 1);
  CHECK(argmax({}) == ~u64{0});
}

TEST_CASE("contract: a wider accumulator and an unfused product over lanes, compiled") {
  const std::vector<double> x0 = {-1, 1 + 0x1p-12}, y0 = {1 + 0x1p-11, 1 + 0x1p-12};
  const std::string inputs = "input X: f32[N]\ninput Y0: f32[N]\n";
  const std::vector<std::string> some = {"", "vectorize k.lane"};
  check({"sum(lanes<2> k < N, X[k] * Y0[k])", inputs, {vector(x0), vector(y0)}, 0x00000000, some});
  check({"sum(lanes<1> k < N, X[k] * Y0[k])", inputs, {vector(x0), vector(y0)}, 0x33800000, {""}});
  check({"sum(lanes<1> k < N, unfused(X[k] * Y0[k]))", inputs, {vector(x0), vector(y0)}, 0x00000000, {""}});
  check({"sum(lanes<2> k < N, cast<f64>(X[k]) * cast<f64>(Y0[k]))", inputs, {vector(x0), vector(y0)}, 0x3e70000000000000, some}, Type::f64);
}
