#include <doctest/doctest.h>
#include <cstdlib>
#include <set>
#include "ordo/runtime/overlap.hpp"
using namespace ordo;

namespace {
Argument array(char* data, Type type, std::initializer_list<i64> shape, std::initializer_list<i64> stride) {
  Argument a;
  a.data = data;
  a.type = type;
  a.rank = 0;
  for (const i64 n : shape) a.shape[a.rank++] = n;
  int d = 0;
  for (const i64 s : stride) a.stride[d++] = s;
  return a;
}
void visit(const Argument& a, int d, i64 offset, std::multiset<i64>& places) {
  if (d == a.rank) { places.insert(offset); return; }
  for (i64 x = 0; x < a.shape[d]; ++x) visit(a, d + 1, offset + x * a.stride[d], places);
}
std::set<const char*> bytes_of_array(const Argument& a) {
  std::multiset<i64> places;
  visit(a, 0, 0, places);
  std::set<const char*> bytes;
  for (const i64 p : places)
    for (int b = 0; b < bytes_of(a.type); ++b) bytes.insert(static_cast<const char*>(a.data) + p * bytes_of(a.type) + b);
  return bytes;
}
char memory[1 << 14];
}  // namespace

TEST_CASE("overlap: agrees with listing every byte, for random small views") {
  u64 state = 1;
  const auto random = [&state](u64 below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<i64>((state >> 33) % below);
  };
  int met = 0;
  for (int round = 0; round < 4000; ++round) {
    Argument a[2];
    for (Argument& g : a) {
      g.type = random(2) == 0 ? Type::f32 : Type::i8;
      g.rank = static_cast<int>(random(4));
      g.data = memory + 4096 + random(40) * 4;
      for (int d = 0; d < g.rank; ++d) {
        g.shape[d] = random(8) == 0 ? random(2) : 1 + random(5);
        g.stride[d] = random(25) - 12;
      }
    }
    bool share = false;
    const std::set<const char*> second = bytes_of_array(a[1]);
    for (const char* b : bytes_of_array(a[0])) share = share || second.count(b) != 0;
    met += share;
    CHECK(runtime::overlap(a[0], a[1]) == share);
    std::multiset<i64> places;
    visit(a[0], 0, 0, places);
    CHECK(runtime::overlaps_itself(a[0]) == (std::set<i64>(places.begin(), places.end()).size() != places.size()));
  }
  CHECK(met > 500);
  CHECK(met < 3500);
}
TEST_CASE("overlap: halves of the rows of one matrix do not meet, one column further they do") {
  const Argument left = array(memory, Type::f32, {64, 16}, {32, 1});
  CHECK_FALSE(runtime::overlap(left, array(memory + 64, Type::f32, {64, 16}, {32, 1})));
  CHECK(runtime::overlap(left, array(memory + 60, Type::f32, {64, 16}, {32, 1})));
}
TEST_CASE("overlap: interleaved elements do not meet, and a large problem ends") {
  CHECK_FALSE(runtime::overlap(array(memory, Type::f32, {100}, {2}), array(memory + 4, Type::f32, {100}, {2})));
  const i64 n = i64{1} << 40;
  CHECK_FALSE(runtime::overlap(array(memory, Type::f32, {n, 3}, {6, 2}), array(memory + 4, Type::f32, {n, 3}, {6, 2})));
}
TEST_CASE("span: an offset or address past the address space is no span") {
  runtime::Span s;
  CHECK(runtime::span_of(array(memory, Type::f64, {i64{1} << 20}, {1}), &s));
  CHECK(s.high - s.low == (u64{8} << 20));
  CHECK_FALSE(runtime::span_of(array(memory, Type::f64, {i64{1} << 61, 8}, {8, 1}), &s));
  CHECK_FALSE(runtime::span_of(array(memory, Type::i8, {2}, {-(i64{1} << 62)}), &s));
  CHECK_FALSE(runtime::span_of(array(memory, Type::i8, {-1}, {1}), &s));
  CHECK(runtime::span_of(array(nullptr, Type::f64, {i64{1} << 62, 0}, {8, 1}), &s));
  CHECK(s.low == s.high);
}
