#include <doctest/doctest.h>
#include <string>
#include "ordo/ir/digest.hpp"
#include "ordo/ir/text.hpp"

using namespace ordo;
using namespace ordo::ir;

namespace {
constexpr const char* base =
    "input A: f32[M, K]\n"
    "input B: f32[K, N]\n"
    "input E: f32\n"
    "C[i, j]: f32[M, N] = sum(chain k < K, A[i, k] * B[k, j]) + 1.5 * E\n"
    "S[i]: f32[M] = sum({lanes<8> l < N, blocks<64, lanes<4>> b < 3}, unfused(C[i, l] * cast<f32>(b)), where l < i)\n"
    "P[i]: f32[M] = reduce(chain k < K, init(m = 0.0, n = 1.0), step(maximum(m, A[i, k]), m * n))#0\n"
    "Y[i, scan t]: f16[M, K] = scan(t, 0.0, Y[i, t - 1] + A[i, t])\n"
    "Q[i]: i64[M] = select(i < 3, i, i + 7) - cast<i64>(cast<u8>(P[i]))\n"
    "check M == N: C.0, C.1\n"
    "output C, S, Y, Q\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  REQUIRE_MESSAGE(text.find(from) != std::string::npos, from);
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) text.replace(at, from.size(), to);
  return text;
}
std::string name(const std::string& text) {
  char digits[33];
  hex(digest(parse(text.c_str())), digits);
  return digits;
}
}  // namespace

TEST_CASE("digest: names, lines and spelling do not reach it") {
  const std::string own = name(base);
  CHECK(own.size() == 32);
  const char* renamings[][2] = {{"A", "weights"}, {"i", "row"},  {"k", "`a b`"},  {"l", "lane1"},
                                {"M", "Rows"},    {"t", "time"}, {"Q", "Result"}, {"E", "eps"}};
  for (const auto& r : renamings) {
    std::string text;
    const std::string from = base;
    const auto part = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; };
    for (std::size_t k = 0; k < from.size(); ++k) {
      const bool whole = from.compare(k, std::string(r[0]).size(), r[0]) == 0 && (k == 0 || !part(from[k - 1])) &&
                         !part(from[k + std::string(r[0]).size()]);
      text += whole ? r[1] : std::string(1, from[k]);
      if (whole) k += std::string(r[0]).size() - 1;
    }
    CHECK_MESSAGE(name(text) == own, r[0]);
  }
  CHECK(name(replaced(base, "check M == N: C.0, C.1", "check M == N: here, there")) == own);
  CHECK(name("// a comment\n\n" + replaced(base, "1.5 * E", "1.50 * (E)")) == own);
  CHECK(name(replaced(base, "l < i)", "l < i )\n")) == own);
}

TEST_CASE("digest: a name that two reductions share or do not share makes no difference") {
  const std::string shared = "input A: f32[N]\nS: f32 = sum(chain k < N, A[k] * A[k]) / sum(chain k < N, A[k])\n";
  CHECK(name(shared) == name(replaced(shared, "sum(chain k < N, A[k])", "sum(chain l < N, A[l])")));
}

TEST_CASE("digest: every order, type, constant, shape, operand and condition does reach it") {
  const std::string own = name(base);
  const char* changes[][2] = {{"chain k < K, A[i, k] * B", "lanes<4> k < K, A[i, k] * B"},
                              {"lanes<8> l", "lanes<16> l"},
                              {"lanes<8> l", "chain l"},
                              {"blocks<64, lanes<4>>", "blocks<32, lanes<4>>"},
                              {"blocks<64, lanes<4>>", "blocks<64, lanes<2>>"},
                              {"blocks<64, lanes<4>>", "blocks<64>"},
                              {"b < 3}", "b < 4}"},
                              {"1.5", "1.5000001"},
                              {"1.5", "-1.5"},
                              {"1.5 * E", "E * 1.5"},
                              {"unfused(C[i, l] * cast<f32>(b))", "C[i, l] * cast<f32>(b)"},
                              {"l < i)", "l <= i)"},
                              {", where l < i)", ")"},
                              {", where l < i)", ", from 0.5, where l < i)"},
                              {"{lanes<8> l < N, blocks<64, lanes<4>> b < 3}", "{blocks<64, lanes<4>> b < 3, lanes<8> l < N}"},
                              {"n = 1.0", "n = 2.0"},
                              {"maximum(m, A[i, k])", "fmax(m, A[i, k])"},
                              {"maximum(m, A[i, k])", "maximum(A[i, k], m)"},
                              {"m * n))#0", "m * n))#1"},
                              {"step(maximum(m, A[i, k]), m * n)", "step(maximum(m, A[i, k]), m * n), merge(a, b: m, b)"},
                              {"Y[i, scan t]: f16", "Y[i, scan t]: f32"},
                              {"scan(t, 0.0,", "scan(t, -0.0,"},
                              {"Y[i, t - 1]", "Y[i, t - 2]"},
                              {"cast<u8>", "cast<i8>"},
                              {"i + 7)", "i - 7)"},
                              {"i < 3, i, i + 7", "i < 3, i + 7, i"},
                              {"input E: f32", "input E: bf16"},
                              {"input A: f32[M, K]", "input A: f16[M, K]"},
                              {"check M == N: C.0, C.1\n", ""},
                              {"check M == N", "check N == M"},
                              {"output C, S, Y, Q", "output S, C, Y, Q"},
                              {"output C, S, Y, Q", "output C, S, Y, Q, P"},
                              {"input E: f32\n", "input E: f32\ninput F: f32\n"}};
  for (const auto& c : changes) CHECK_MESSAGE(name(replaced(base, c[0], c[1])) != own, c[0] << " -> " << c[1]);
  const std::string two = "input A: f32[N]\ninput B: f32[N]\nC[i]: f32[N] = A[i] + B[i]\nD[i]: f32[N] = A[i] * 2.0\noutput C, D\n";
  CHECK(name(two) != name(replaced(two, "input A: f32[N]\ninput B: f32[N]\n", "input B: f32[N]\ninput A: f32[N]\n")));
  CHECK(name(two) != name(replaced(two, "C[i]: f32[N] = A[i] + B[i]\nD[i]: f32[N] = A[i] * 2.0\n",
                                   "D[i]: f32[N] = A[i] * 2.0\nC[i]: f32[N] = A[i] + B[i]\n")));
  const std::string sizes = "input A: f32[N, M]\nC[i]: f32[N] = A[i, 0]\n";
  CHECK(name(sizes) != name(replaced(sizes, "C[i]: f32[N]", "C[i]: f32[M]")));
}

TEST_CASE("digest: the numerics version is part of it") {
  const Program p = parse(base);
  CHECK(digest(p) == digest(p, static_cast<u64>(numerics_version)));
  CHECK(digest(p) != digest(p, static_cast<u64>(numerics_version) + 1));
}

TEST_CASE("digest: takes time that is linear in the size of the graph") {
  Program p = parse("input A: f32[N]\nC[i]: f32[N] = A[i]\n");
  Definition& d = p.definitions[0];
  for (int k = 0; k < 60; ++k) d.value = p.arena.make(Op::Add, Type::f32, {d.value, d.value});
  const Digest sixty = digest(p);
  for (int k = 0; k < 100000; ++k) d.value = p.arena.make(Op::Abs, Type::f32, {d.value});
  CHECK(digest(p) != sixty);
}

TEST_CASE("digest: the digest of bytes is XXH3-128") {
  char digits[33];
  hex(digest_of("", 0), digits);
  CHECK(std::string(digits) == "99aa06d3014798d86001c324468d497f");
}
