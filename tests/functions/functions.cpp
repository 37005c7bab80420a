// Samples of what functions_report shows of all inputs; and that every target, and the interpreter, gives the same bytes.
#include <doctest/doctest.h>
#include <cstring>
#include "functions/kernel.hpp"
#include "functions/sweep.hpp"

namespace {
using namespace functions;
bool is_approx(const oracle::Function& f) { return std::strncmp(f.name, "approx", 6) == 0; }
void check(const oracle::Function& f, const Found& found) {
  INFO(f.name, ": ", found.tried, " inputs, ", found.wrong, " wrong, worst ", found.worst, " ulp");
  for (const std::string& example : found.examples)
    if (found.wrong > 0) MESSAGE(example);
  CHECK(found.wrong == 0);
}
template <class Body>
void for_each(const Body& body) {
  for (const oracle::Function& f : oracle::functions()) body(f);
}
constexpr unsigned long long odd_stride = 255;  // 2^24 inputs of each; an odd one meets every pattern of low bits at every exponent
}  // namespace

TEST_CASE("f32 functions of one operand: correctly rounded, at 2^24 inputs and the special ones") {
  for_each([](const oracle::Function& f) {
    if (!f.binary() && !is_approx(f)) check(f, sweep(f, ordo::cpu::host(), 0, odd_stride));
  });
}
TEST_CASE("approx functions: within 2 ulp, at 2^24 inputs and the special ones") {
  for_each([](const oracle::Function& f) {
    if (is_approx(f)) check(f, sweep(f, ordo::cpu::host(), 0, odd_stride));
  });
}
TEST_CASE("f32 functions of two operands: correctly rounded, at random pairs and all pairs of special values") {
  for_each([](const oracle::Function& f) {
    if (f.binary()) check(f, pairs(f, ordo::cpu::host(), 2'000'000, 3));
  });
}
TEST_CASE("pow: where the result is the middle of two floats, or near it") {
  check(oracle::named("pow"), exact_powers(oracle::named("pow"), ordo::cpu::host(), 61));
  check(oracle::named("pow"), exact_powers(oracle::named("pow"), ordo::cpu::host(), 4096));  // few bits: exact ones among them
}
TEST_CASE("f64 functions: below 1 ulp, at random and special inputs") {
  for_each([](const oracle::Function& f) {
    if (!is_approx(f)) check(f, doubles(f, ordo::cpu::host(), 30'000, 5));
  });
}

namespace {
template <class T>
std::vector<T> inputs_of(std::size_t count, ordo::u64 seed) {
  std::vector<T> all(count);
  for (T& x : all) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    const ordo::u64 some = seed ^ (seed >> 29);
    if (some % 3 == 0) std::memcpy(&x, &some, sizeof x);
    else x = static_cast<T>(static_cast<double>(static_cast<ordo::i64>(some) >> (some % 50)) * 0x1p-60);
  }
  return all;
}
template <class T>
void same_on_all_targets(const oracle::Function& f, std::size_t interpreted, std::size_t count) {
  const std::vector<T> x = inputs_of<T>(count, 7), y = inputs_of<T>(count, 11);
  std::vector<T> want(count), have(count);
  Compiled<T>(f, ordo::cpu::host())(x.data(), y.data(), want.data(), static_cast<ordo::i64>(count));
  const auto equal = [&](const ordo::Target& target, std::size_t n) {
    INFO(f.name, " ", ordo::name_of(ordo::type_of<T>), " on ", target.name);
    Compiled<T>(f, target)(x.data(), y.data(), have.data(), static_cast<ordo::i64>(n));
    CHECK(std::memcmp(want.data(), have.data(), n * sizeof(T)) == 0);
  };
  for (const char* name : {"x86-64-v2", "x86-64-v3", "x86-64-v4"})
    if (ordo::cpu::runs_here(ordo::cpu::named(name))) equal(ordo::cpu::named(name), count);
  equal(ordo::interpreter(), interpreted);
}
}  // namespace

TEST_CASE("functions: the same bytes on each target and from the interpreter") {
  for_each([](const oracle::Function& f) {
    same_on_all_targets<float>(f, 300, 4001);
    if (!is_approx(f)) same_on_all_targets<double>(f, 300, 4001);
  });
}
