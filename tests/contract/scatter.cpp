// Steps that an equality sends to one destination: the interpreter's bytes under every order of loops, and no pass over all destinations.
#include "contract/ways.hpp"

using namespace ways;

namespace {
struct Case {
  std::string program;     // of output Y
  std::vector<Data> data;  // the last is Y
  std::vector<std::string> schedules;
};
void check(Case c) {
  std::vector<Data> data = c.data;
  const Bits expected = interpreted(c.program, data);
  for (const Way& way : compiled())
    for (const std::string& s : c.schedules) {
      INFO((way.name + ": " + s + "\n" + c.program));
      data = c.data;
      CHECK(Compiled(c.program, s, way.target)(data) == expected);
    }
}
Data rough(Type type, std::vector<i64> shape) {
  std::vector<double> v;
  i64 n = 1;
  for (const i64 s : shape) n *= s;
  for (i64 k = 0; k < n; ++k) v.push_back(static_cast<double>((k * 7919 + 13) % 1009) * 0x1p-7 - 3);
  return made::numbers(type, shape, v);
}
// Some beside all destinations, many for one, negative ones.
Data places(Type type, i64 n, i64 destinations) {
  std::vector<double> v;
  for (i64 k = 0; k < n; ++k)
    v.push_back(static_cast<double>(k % 5 == 0 ? destinations / 2 : k * k % (destinations + 4) - (is_signed(type) ? 2 : 0)));
  return made::numbers(type, {n}, v);
}
}  // namespace

TEST_CASE("scatter: one destination a step, whatever the loops") {
  const std::vector<std::string> schedules{"default",
                                           "",
                                           "reorder n v d",
                                           "split d 4; reorder n v d.0 d.1; vectorize d.1",
                                           "split v 3; reorder v.0 n v.1 d; parallel v.0",
                                           "split v 4; split d 8; reorder v.0 n v.1 d.0 d.1; vectorize d.1; parallel v.0",
                                           "split n 4; reorder n.0 v n.1 d; unroll n.1",
                                           "split n 4; reorder n.0 n.1 v d",
                                           "reorder d n v"};
  for (const i64 n : {0, 1, 23})
    for (const Type type : {Type::i64, Type::i32, Type::u8, Type::i8, Type::u32, Type::u64}) {
      const std::string equal = type == Type::i64                     ? std::string("id[n] == v")
                                : is_signed(type) && type != Type::i8 ? "cast<i64>(id[n]) == v"
                                                                      : "id[n] == cast<" + std::string(name_of(type)) + ">(v)";
      const std::string head = "input id: " + std::string(name_of(type)) + "[N]\ninput X: f32[N, D]\ninput E: f32[V, D]\n";
      const std::vector<Data> data{places(type, n, 7), rough(Type::f32, {n, 9}), rough(Type::f32, {7, 9}), made::empty(Type::f32, {7, 9})};
      check({head + "Y[v, d]: f32[V, D] = sum(chain n < N, X[n, d], from E[v, d], where " + equal + ")\noutput Y\n", data, schedules});
    }
}
TEST_CASE("scatter: results that go on from the sum, narrow ones, conditions with more parts") {
  const std::vector<std::string> schedules{"default", "", "reorder n v d", "split v 3; reorder v.0 n v.1 d; parallel v.0"};
  const std::string head = "input id: i32[N]\ninput X: f32[N, D]\ninput E: f16[V, D]\n";
  const std::vector<Data> data{places(Type::i32, 23, 7), rough(Type::f32, {23, 9}), rough(Type::f16, {7, 9}),
                               made::empty(Type::f16, {7, 9})};
  const std::string equal = "id[n] == cast<i32>(v)";
  check({head + "Y[v, d]: f16[V, D] = sum(chain n < N, X[n, d], from E[v, d], where " + equal + ")\noutput Y\n", data, schedules});
  check({head + "Y[v, d]: f16[V, D] = sum(chain n < N, X[n, d] * X[n, d], where n > 2 && " + equal + " && d < 5) * E[v, d]\noutput Y\n",
         data, schedules});
  check({head + "Y[v, d]: f16[V, D] = cast<f32>(sum(any n < N, 1, where " + equal + " && X[n, d] > 0.0)) + E[v, d]\noutput Y\n", data,
         schedules});
}
TEST_CASE("scatter: more values than the cast keeps apart meet all their destinations") {
  std::vector<double> v;
  for (int k = 0; k < 40; ++k) v.push_back(k * 37 % 256);
  check({"input X: u8[N]\ninput Z: i64[V]\nY[v]: i64[V] = sum(any n < N, 1, where X[n] == cast<u8>(v)) + Z[v]\noutput Y\n",
         {made::numbers(Type::u8, {40}, v), rough(Type::i64, {600}), made::empty(Type::i64, {600})},
         {"default", "", "reorder n v", "split v 64; reorder v.0 n v.1; parallel v.0"}});
}
TEST_CASE("scatter: batches have destinations of their own") {
  std::vector<double> v;
  for (int k = 0; k < 60; ++k) v.push_back(k * 37 % 11 - 1);
  check(
      {"input X: i32[B, N]\ninput Z: i64[V]\nY[b, v]: i64[B, V] = sum(any n < N, 1, from Z[v], where X[b, n] == cast<i32>(v))\noutput Y\n",
       {made::numbers(Type::i32, {3, 20}, v), rough(Type::i64, {9}), made::empty(Type::i64, {3, 9})},
       {"default", "", "reorder b n v", "reorder n b v", "reorder n v b", "split v 4; reorder b v.0 n v.1; parallel b"}});
}
TEST_CASE("scatter: the sum may take the place of what it starts from") {
  const std::string program =
      "input id: i64[N]\ninput E: f32[V]\nY[v]: f32[V] = sum(chain n < N, 0.1, from E[v], where id[n] == v)\noutput Y\n";
  for (const std::string s : {"default", "", "reorder n v", "split v 3; reorder v.0 n v.1; parallel v.0"}) {
    std::vector<Data> data{places(Type::i64, 23, 7), rough(Type::f32, {7}), made::empty(Type::f32, {7})};
    const Bits expected = interpreted(program, data);
    std::vector<Argument> arguments{data[0].argument(), data[1].argument(), data[1].argument()};
    Compiled kernel(program, s, cpu::host());
    kernel.call(arguments);
    CHECK(made::bits(data[1]) == expected);
  }
}
