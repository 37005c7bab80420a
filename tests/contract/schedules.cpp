// Reductions of every kind under schedules of every kind: compiled kernels give the interpreter's bytes.
#include "contract/ways.hpp"

using namespace ways;

namespace {
// Numbers whose sums round otherwise in every order.
Data rough(Type type, std::vector<i64> shape, u64 seed) {
  i64 n = 1;
  for (const i64 s : shape) n *= s;
  std::vector<double> v;
  for (i64 k = 0; k < n; ++k) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    const double x = static_cast<double>(seed >> 40) * 0x1p-22 - 1.7;
    v.push_back(is_float(type) ? x : static_cast<double>(static_cast<i64>(x * 9)));
  }
  return made::numbers(type, shape, v);
}
struct Case {
  std::string program;                   // of output Y
  std::vector<std::pair<Type, std::vector<i64>>> arguments;      // the last is Y
  std::vector<std::string> schedules;
};
void check(const Case& c) {
  std::vector<Data> data;
  for (const auto& [type, shape] : c.arguments) data.push_back(rough(type, shape, data.size() + 1));
  const auto cleared = [&] { return made::empty(c.arguments.back().first, c.arguments.back().second); };
  data.back() = cleared();
  const Bits expected = interpreted(c.program, data);
  for (const Way& way : compiled())
    for (const std::string& s : c.schedules) {
      INFO(way.name << ": " << s << "\n" << c.program);
      data.back() = cleared();
      CHECK(Compiled(c.program, s, way.target)(data) == expected);
    }
}
constexpr Type single = Type::f32, wide = Type::f64, whole = Type::i32;
}  // namespace

TEST_CASE("schedules: what all lanes share is not read where the guard of another axis fails") {
  for (const i64 n : {1, 3, 6, 9})
    check({"input X: f32[N, 2]\ninput Z: f32[N]\nW[i]: f32[N] = Z[i] + 1.0\n"      // of a workspace `walk` knows the end
           "Y: f32 = sum({blocks<8, lanes<4>> a < N, blocks<12, lanes<4>> b < N}, X[a, 0] * W[b])\noutput Y\n",
           {{single, {n, 2}}, {single, {n}}, {single, {}}},
           {"", "reorder a.block b.block a.step b.step b.lane a.lane; unroll b.lane; vectorize a.lane",
            "reorder b.block a.block a.step b.step a.lane b.lane; unroll a.lane; vectorize b.lane; parallel b.block"}});
}

TEST_CASE("schedules: what a condition reads is not read past the end of its axis") {
  const std::string inputs = "input Z: f32[N]\nW[i]: f32[N] = Z[i] + 1.0\n";       // of a workspace `walk` knows the end
  for (const i64 n : {1, 3, 6, 9}) {
    const std::vector<std::pair<Type, std::vector<i64>>> arguments{{single, {n}}, {single, {}}};
    check({inputs + "Y: f32 = sum(lanes<4> k < N, W[k], where W[k] > 0.5)\noutput Y\n", arguments,
           {"", "vectorize k.lane", "unroll k.lane", "split k.step 2; unroll k.step.1; vectorize k.lane"}});
    check({inputs + "Y: f32 = sum(chain k < N, W[k], where W[k] > 0.5)\noutput Y\n", arguments, {"", "split k 4; unroll k.1"}});
    check({inputs + "Y: f32 = max(any k < N, W[k], where W[k] < 0.5)\noutput Y\n", arguments,
           {"", "split k 4; vectorize k.1", "split k 4; unroll k.1"}});
  }
}

TEST_CASE("schedules: parts of a free order all start, whatever a guard leaves to do") {
  for (const i64 n : {0, 1, 8, 20})
    check({"input X: i32[N]\nY: i32 = min(any k < N, X[k])\noutput Y\n",
           {{whole, {n}}, {whole, {}}},
           {"", "split k 8; reorder k.1 k.0; split k.0 8; parallel k.0.1", "split k 8; reorder k.1 k.0; split k.0 3; unroll k.0.1",
            "split k 16; vectorize k.1", "split k 16 4; unroll k.1; vectorize k.2; parallel k.0", "parallel k"}});
}

TEST_CASE("schedules: a list whose every axis may have nothing") {
  for (const i64 m : {0, 1, 5})
    for (const i64 n : {0, 3, 9})
      for (const std::string what : {"sum({AXES}, X[a, b])", "sum({AXES}, X[a, b] * X[a, b], where X[a, b] > 0.5)",
                                     "product({AXES}, X[a, b])",
                                     "reduce({AXES}, init(s = 2.0), step(s * 0.5 - X[a, b]), merge(o: s - o * 3.0))#0"}) {
        std::string program = "input X: f32[M, N]\nY: f32 = " + what + "\noutput Y\n";
        program.replace(program.find("AXES"), 4, "blocks<2> a < M, lanes<4> b < N");
        check({program,
               {{single, {m, n}}, {single, {}}},
               {"", "reorder a.block a.step b.step b.lane; vectorize b.lane", "parallel a.block; vectorize b.lane",
                "split a.block 2; reorder a.block.0 a.step b.step a.block.1 b.lane; unroll a.block.1; vectorize b.lane",
                "reorder b.lane a.block a.step b.step; parallel b.lane", "reorder a.step b.step a.block b.lane; fuse a.block b.lane"}});
      }
}

TEST_CASE("schedules: tails of the output beside lanes of the sum") {
  for (const i64 m : {1, 6, 13})
    for (const i64 n : {5, 16, 35})
      check({"input X: f32[M, N]\nY[i]: f32[M] = sum(lanes<16> k < N, X[i, k] * X[i, k]) + X[i, 0]\noutput Y\n",
             {{single, {m, n}}, {single, {m}}},
             {"", "split i 4; reorder i.0 k.step i.1 k.lane; unroll i.1; vectorize k.lane",
              "split i 8; reorder i.0 k.step k.lane i.1; unroll k.lane; vectorize i.1", "split k.lane 5; vectorize k.lane.1",
              "split i 4; reorder k.step i.0 i.1 k.lane; unroll i.1; vectorize k.lane",
              "split k.lane 4; parallel k.lane.0; vectorize k.lane.1",
              "split i 4; reorder i.0 k.lane k.step i.1; vectorize i.1"}});
}

TEST_CASE("schedules: a state whose members mention fewer indices than others") {
  const std::string online = "reduce(AXIS k < N, init(m = -4.0, l = 0.0, o = 0.0), "
                             "step(maximum(m, X[i, k]), l * select(m < X[i, k], 0.5, 1.25) + abs(X[i, k]), "
                             "o * select(m < X[i, k], 0.5, 1.25) + maximum(m, X[i, k]) * V[k, d])MERGE, where k != i)";
  const std::string merge = ", merge(m2, l2, o2: maximum(m, m2), l + l2 * select(m < m2, 3.0, 0.25), o * m2 - o2 * maximum(m, m2))";
  for (const std::string axis : {"chain", "lanes<4>", "blocks<3>"}) {
    std::string r = online;
    r.replace(r.find("AXIS"), 4, axis);
    r.replace(r.find("MERGE"), 5, axis == "chain" ? "" : merge);
    const std::string program =
        "input X: f32[M, N]\ninput V: f32[N, D]\nY[i, d]: f32[M, D] = (t := " + r + ")#2 / t#1 + t#0\noutput Y\n";
    std::vector<std::string> schedules{"", "split d 8; reorder i d.0 AXIS d.1; vectorize d.1",
                                       "split d 4; split i 2; reorder i.0 d.0 AXIS i.1 d.1; "
                                       "unroll i.1; vectorize d.1", "split d 4; reorder i AXIS d.0 d.1; vectorize d.1",
                                       "split i 4; reorder d i.0 AXIS i.1; vectorize i.1", "split d 4; reorder d.1 i d.0; parallel d.1"};
    for (std::string& s : schedules)
      if (const std::size_t at = s.find("AXIS"); at != std::string::npos)
        s.replace(at, 4, axis == "chain" ? "k" : axis == "lanes<4>" ? "k.step k.lane" : "k.block k.step");
    if (axis == "lanes<4>") {
      schedules.push_back("split d 8; reorder i d.0 k.step k.lane d.1; unroll k.lane; vectorize d.1");
      schedules.push_back("reorder i d k.step k.lane; vectorize k.lane");
      schedules.push_back("split d 2; reorder i d.0 k.step d.1 k.lane; unroll d.1; vectorize k.lane");
    }
    check({program, {{single, {5, 9}}, {single, {9, 11}}, {single, {5, 11}}}, schedules});
  }
}

TEST_CASE("schedules: wider accumulators, integers and extremes over lanes and blocks") {
  check({"input X: f32[M, N]\nY[i]: f64[M] = sum(blocks<6, lanes<2>> k < N, cast<f64>(X[i, k]) * cast<f64>(X[i, k]))\noutput Y\n",
         {{single, {3, 20}}, {wide, {3}}},
         {"", "vectorize k.lane", "parallel k.block; vectorize k.lane"}});
  check({"input X: i32[M, N]\nY[i]: i32[M] = sum(lanes<8> k < N, X[i, k] * X[i, k], where X[i, k] > 1i32)\noutput Y\n",
         {{whole, {3, 21}}, {whole, {3}}},
         {"", "vectorize k.lane", "parallel k.lane", "reorder k.lane k.step; unroll k.lane", "split k.lane 4; vectorize k.lane.1"}});
  check({"input X: f32[M, N]\nY[i]: f32[M] = max(lanes<8> k < N, X[i, k]) - fmin(blocks<4> l < N, X[i, l])\noutput Y\n",
         {{single, {3, 21}}, {single, {3}}},
         {""}});
}
