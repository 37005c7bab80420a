#include <doctest/doctest.h>
#include <random>
#include <string>
#include "ir/canonical.hpp"
#include "ordo/base/soft.hpp"
#include "ordo/ir/builder.hpp"
#include "ordo/ir/digest.hpp"
#include "ordo/ir/text.hpp"

using ordo::Error;
using ordo::Type;
using namespace ordo::ir;
using i64 = ordo::i64;
using u64 = ordo::u64;

namespace {
void check_round_trip(const Program& p) {
  const std::string text = print(p);
  const Program again = parse(text.c_str());
  CHECK(print(again) == text);
  CHECK(digest(again) == digest(p));
}
// A program of one definition; its line comes back.
std::string line(const std::string& definition,
                 const std::string& inputs = "input A: f32[N, M]\ninput n: i64\ninput b: bool\ninput d: f64\n") {
  const Program p = parse((inputs + definition + "\n").c_str());
  check_round_trip(p);
  const std::string text = print(p);
  const std::size_t from = text.find(" = ") + 3;
  return text.substr(from, text.find('\n', from) - from);
}
void keeps(const std::string& value, const std::string& type = "f32") { CHECK(line("Y[i, j]: " + type + "[N, M] = " + value) == value); }
std::string error_of(const std::string& text) {
  try {
    parse(text.c_str());
  } catch (const Error& e) {
    CHECK(std::string(e.code()) == "text.parse");
    return e.what();
  }
  return "no error";
}
}  // namespace

TEST_CASE("text: the canonical programs and their stages come back from their text") {
  for (const canonical::Named& c : canonical::all()) {
    INFO(c.name);
    check_round_trip(c.program.snapshot());
    check_round_trip(stages(c.program.snapshot()));
  }
}

TEST_CASE("text: each function of the contract is a call by its name") {
#define ORDO_X(op, text, group) \
  keeps(class_of(Op::op) == OpClass::unary ? std::string(text) + "(A[i, j])" : std::string(text) + "(A[i, j], 2.0)");
  ORDO_FUNCTIONS(ORDO_X)
#undef ORDO_X
  keeps("exp(d)", "f64");
  keeps("pow(d, exp(d))", "f64");
  CHECK(error_of("input n: i64\nY: f32 = exp(n)\n").find("`exp` takes floating-point numbers, not i64") != std::string::npos);
  CHECK(error_of("input d: f64\nY: f64 = approx_exp(d)\n").find("`approx_exp` takes f32, not f64") != std::string::npos);
}

TEST_CASE("text: one line a tensor and a definition, with the order of every reduction") {
  CHECK(print(canonical::matmul().snapshot()) ==
        "input A: f32[M, K]\n"
        "input B: f32[K, N]\n"
        "input bias: f32[bias.0]\n"
        "C[i, j]: f32[M, N] = maximum(sum(chain k < K, A[i, k] * B[k, j]) + bias[j], 0.0)\n"
        "check N == bias.0: B.1, bias.0\n"
        "output C\n");
  CHECK(print(canonical::softmax().snapshot()) ==
        "input X: f32[X.0, X.1]\n"
        "E[i, j]: f32[X.0, X.1] = abs(X[i, j] - max(lanes<16> l < X.1, X[i, l]))\n"
        "Y[i, j]: f32[X.0, X.1] = E[i, j] / sum(lanes<16> l < X.1, E[i, l])\n"
        "output Y\n");
  CHECK(print(canonical::cumulative_sum().snapshot()) ==
        "input X: f32[X.0, X.1]\n"
        "Y[i, scan t]: f32[X.0, X.1] = scan(t, 0.0, Y[i, t - 1] + X[i, t])\n"
        "output Y\n");
}

TEST_CASE("text: operators keep their places by precedence and parentheses") {
  for (const char* value : {"A[i, j] + A[j, i] - 1.0", "A[i, j] + (A[j, i] - 1.0)", "-A[i, j] * 2.0", "-(A[i, j] * 2.0)", "-(-A[i, j])",
                            "-(2.0)", "A[i, j] * (1.0 + 2.0) / 3.0", "A[i, j] / (2.0 * 3.0)", "2.0 - -3.0", "fma(A[i, j], 2.0, -1.0)",
                            "abs(-A[i, j])", "select(b && i < j || !(i == 3) && i != j, 1.0, 0.0)", "select((b || i < j) && b, 1.0, 0.0)",
                            "select((i < j) == b, 1.0, 0.0)", "cast<f32>(d)", "cast<f32>(i * (j - 1) % 4 / 2)", "cast<f16>(A[i, j])",
                            "bitcast<f32>(cast<i32>(n))", "maximum(minimum(fmax(A[i, j], 0.0), 1.0), copysign(2.0, A[j, i]))"})
    keeps(value);
  keeps("shl(i, 2) - bit_and(j, bit_xor(n, 255)) + floor_div(i, -3) + floor_mod(-i, 4)", "i64");
  CHECK(line("Y[i, j]: f32[N, M] = ((A[i, j])) + (2.0 * 3.0)") == "A[i, j] + 2.0 * 3.0");
}

TEST_CASE("text: constants are written by their value and come back bit for bit") {
  for (const char* value : {"0.1", "-0.0", "1e-05", "3.4028235e+38", "bits<f32>(0x7f800000)", "bits<f32>(0xff800000)",
                            "bits<f32>(0x7fc00000)", "bits<f32>(0x1)", "1.1754944e-38", "16777216.0"})
    keeps(std::string("A[i, j] + ") + value);
  for (const char* value : {"0.1f64", "-2.5f64", "1e+300f64", "bits<f64>(0x7ff8000000000000)"}) keeps(std::string("d + ") + value, "f64");
  keeps("n + 9223372036854775807 - -9223372036854775808", "i64");
  keeps("cast<i64>(-2147483648i32) + cast<i64>(18446744073709551615u64) + cast<i64>(4294967295u32)", "i64");
  keeps("b || true && false", "bool");
  CHECK(line("Y[i, j]: f32[N, M] = 2.50e0 * 1e2") == "2.5 * 100.0");
  std::mt19937_64 random(3);
  for (int turn = 0; turn < 2000; ++turn) {
    const bool wide = turn % 2 == 0;
    const u64 bits = wide ? random() : random() & 0xffffffff;
    const Type t = wide ? Type::f64 : Type::f32;
    Program p = parse(wide ? "input A: f64\nY: f64 = A\n" : "input A: f32\nY: f32 = A\n");
    p.definitions[0].value = p.arena.constant(t, ordo::soft::canonical(t, bits));
    REQUIRE(parse(print(p).c_str()).definitions[0].value->arg == p.definitions[0].value->arg);
  }
}

TEST_CASE("text: a sum of products steps by fma, and a sum that does not says unfused") {
  keeps("sum(chain k < M, A[i, k] * A[k, j])");
  keeps("sum(chain k < M, unfused(A[i, k] * A[k, j]))");
  keeps("sum(chain k < M, (A[i, k] + 1.0) * -A[k, j])");
  keeps("sum(chain k < M, -(A[i, k] * A[k, j]))");
  keeps("sum(chain k < M, A[i, k], from A[i, 0] * 2.0, where k > i)");
  keeps("sum(any k < M, k * i)", "i64");
  keeps("sum({chain a < M, lanes<4> k < M, blocks<16> c < 3, blocks<64, lanes<8>> e < M * 2 - 1}, A[a, k] * cast<f32>(c + e))");
  keeps("max(any k < M, A[i, k]) + min(chain k < M, A[i, k]) + fmax(any k < M, A[i, k]) + product(lanes<2> k < M, A[i, k])");
  keeps("all_of(any k < M, A[i, k] > 0.0) && any_of(chain k < M, b)", "bool");
  keeps("sum(chain k < M, sum(chain l < M, A[k, l], where l <= k) * max(any q < N, A[q, k]))");
  const auto step = [](const char* text) {
    const Program p = parse((std::string("input A: f32[N]\nY: f32 = ") + text + "\n").c_str());
    return ReduceView(p.definitions[0].value->src[0]).step(0)->op;
  };
  CHECK(step("sum(chain k < N, A[k] * A[k])") == Op::Fma);
  CHECK(step("sum(chain k < N, (A[k] * A[k]))") == Op::Fma);
  CHECK(step("sum(chain k < N, unfused(A[k] * A[k]))") == Op::Add);
  CHECK(step("sum(chain k < N, A[k])") == Op::Add);
}

TEST_CASE("text: a general reduction shows init, step and merge") {
  keeps("reduce(chain k < M, init(s0 = 0.0), step(s0 * 0.5 + A[i, k]))#0");
  keeps(
      "reduce({lanes<8> l < M, chain c < 2}, init(s0 = 1.0, s1 = true), step(A[i, l], s0 > 0.5 && s1), merge(o0, o1: s0 * o0, o1), where b "
      "&& l < 3)#0");
  keeps("reduce(any k < M, init(s0 = 0), step(bit_xor(s0, k)), merge(o0: bit_xor(s0, o0)), free)#0", "i64");
  keeps("(t1 := reduce(chain k < M, init(s0 = 0.0, s1 = A[i, 0]), step(s1, s0 + A[i, k])))#0 + t1#1");
  // A step by another order of operands, or with a merge that is not its own, is no sum.
  keeps("reduce(chain k < M, init(s0 = 0.0), step(A[i, k] + s0))#0");
  keeps("reduce(lanes<4> k < M, init(s0 = 0.0), step(s0 + A[i, k]), merge(o0: o0 + s0))#0");
}

TEST_CASE("text: names that collide are told apart, other names are quoted") {
  Builder b;
  const auto at = ordo::Where{"names.cpp", 1};
  const Ref size = b.dim("N"), shape[] = {size};
  const Ref first = b.tensor("x", Type::f32, 1, shape, at), second = b.tensor("x", Type::f32, 1, shape, at),
            odd = b.tensor("a `b\\\n", Type::f32, 1, shape, at);
  const Ref word = b.tensor("chain", Type::f32, 1, shape, at), out = b.tensor("", Type::f32, 1, nullptr, at);
  const Ref i = b.axis("N", ordo::ir::Order::free, 1, 0, nullptr, at), k = b.axis("x", ordo::ir::Order::chain, 1, 0, size, at),
            l = b.axis("x", ordo::ir::Order::chain, 1, 0, b.constant(Type::i64, i64{3}, at), at);
  const auto read = [&](Ref t, Ref index) { return b.load(t, &index, 1, at); };
  const auto sum = [&](Ref axis, Ref term) { return b.fold(Fold::sum, Type::none, &axis, 1, term, nullptr, nullptr, at); };
  Ref value =
      b.binary(Op::Add, b.binary(Op::Add, read(first, i), sum(k, read(second, k))), b.binary(Op::Add, sum(l, read(odd, l)), read(word, i)));
  b.define(read(out, i), value);
  const Ref in[] = {first, second, odd, word};
  const Program p = snapshot(in, 4, &out, 1, at);
  CHECK(print(p) ==
        "input x: f32[N]\n"
        "input x_2: f32[N]\n"
        "input `a \\`b\\\\\\x0a`: f32[N]\n"
        "input `chain`: f32[N]\n"
        "T[N_2]: f32[N] = x[N_2] + sum(chain x_3 < N, x_2[x_3]) + (sum(chain x_3 < 3, `a \\`b\\\\\\x0a`[x_3]) + `chain`[N_2])\n"
        "output T\n");
}

TEST_CASE("text: a value that stands in several places is written once") {
  Program p = parse("input A: f32[N]\nY[i]: f32[N] = A[i]\n");
  Ref& value = p.definitions[0].value;
  for (int k = 0; k < 60; ++k) value = p.arena.make(Op::Add, Type::f32, {value, value});
  CHECK(print(p).size() < 2000);
  check_round_trip(p);
  for (int k = 0; k < 100000; ++k) value = p.arena.make(Op::Abs, Type::f32, {value});
  CHECK(print(p).size() > 500000);
  CHECK(error_of(print(p)).find("levels deep") != std::string::npos);
  keeps("(t1 := A[i, j] * 2.0 + A[j, i]) / sum(chain k < M, t1 * A[k, i])");
  CHECK(line("Y[i, j]: f32[N, M] = (a := A[i, j]) + a") == "A[i, j] + A[i, j]");
}

TEST_CASE("text: without a program an expression is short and for people") {
  Builder b;
  const auto at = ordo::Where{"names.cpp", 1};
  const Ref size = b.dim("N"), i = b.axis("i", ordo::ir::Order::free, 1, 0, nullptr, at),
            k = b.axis("k", ordo::ir::Order::lanes, 16, 0, nullptr, at);
  const Ref t = b.tensor("A", Type::f32, 1, nullptr, at);
  const Ref index = b.binary(Op::Sub, b.binary(Op::Mul, i, b.constant(Type::i64, i64{2}, at)), size), load = b.load(t, &index, 1, at);
  CHECK(print(load) == "A[i * 2 - N]");
  CHECK(print(b.inside(load)) == "inside(A[i * 2 - N])");
  CHECK(print(b.extent(t, 0)) == "extent(A, 0)");
  CHECK(print(b.component(k, ordo::ir::AxisPart::lane)) == "k.lane");
  CHECK(print(b.fold(Fold::sum, Type::none, &k, 1, b.load(t, &k, 1, at), nullptr, nullptr, at)) == "sum(lanes<16> k, A[k])");
  Ref e = load;
  for (int turn = 0; turn < 60; ++turn) e = b.binary(Op::Add, e, e);
  CHECK(print(e).size() < 50000);
}

TEST_CASE("parse: errors say where and what was expected") {
  const std::string head = "input A: f32[N]\n";
  CHECK(error_of(head + "C[i]: f32[N] = A[i +]\n") ==
        "error[text.parse]: line 2, column 21: expected an expression, found `]`\n"
        "  C[i]: f32[N] = A[i +]\n"
        "                      ^");
  const char* cases[][2] = {
      {"", "the text defines no tensor"},
      {"C[i]: f32[N] = A[i", "expected `]`, found the end of the line"},
      {"C[i]: f32[N] = A[i] A[i]", "expected the end of the line, found `A`"},
      {"C[i]: f32[N] = B[i]", "nothing is called `B` here"},
      {"C[i]: f32[P] = A[i]", "nothing is called `P` here"},
      {"C[i]: f32[N] = A[i, i]", "`A` has 1 dimensions and is read with 2 indices"},
      {"C[i]: f32[N] = A", "`A` has 1 dimensions and is read with 0 indices"},
      {"C[i]: f32[N] = A[i] + i", "the operands of `+` have the types f32 and i64"},
      {"C[i]: f32[N] = i", "a value of type i64 defines a tensor of type f32"},
      {"C[i]: f32[N] = A[A[i]]", "an index is of type f32, not i64"},
      {"C[i, i]: f32[N, N] = A[i]", "`i` stands twice on the left"},
      {"C[i]: f32[N, N] = A[i]", "`C` has 1 axes and a shape of 2 dimensions"},
      {"A[i]: f32[N] = 1.0", "`A` is declared twice"},
      {"C[i]: f99[N] = A[i]", "expected a type, found `f99`"},
      {"C[i]: f32[N] = 1", "a value of type i64"},
      {"C[i]: f32[N] = 99999999999999999999.0f32 + 1e99", "out of the range of f32"},
      {"C[i]: i64[N] = 99999999999999999999", "the number is too large"},
      {"C[i]: i32[N] = 2147483648i32", "not a value of i32"},
      {"C[i]: i32[N] = 5i33", "no type has the suffix `i33`"},
      {"C[i]: f32[N] = sum(A[i])", "expected an order"},
      {"C[i]: f32[N] = sum(chain k < i, A[k])", "a size is made of Dims and integers, and `i` is neither"},
      {"C[i]: f32[A[0]] = 1.0", "and `A` is neither"},
      {"C[i]: f32[sum(chain k < 3, k)] = 1.0", "a reduction stands in a size"},
      {"C[i]: f32[N] = sum(any k < N, A[k])", "none of its axes is `any`"},
      {"C[i]: f32[N] = sum(lanes<3> k < N, A[k])", "the number of lanes is a power of two"},
      {"C[i]: f32[N] = sum(blocks<6, lanes<4>> k < N, A[k])", "the lanes of a block divide it"},
      {"C[i]: f32[N] = reduce(lanes<4> k < N, init(s = 0.0), step(s))#0", "needs a merge"},
      {"C[i]: f32[N] = reduce(chain k < N, init(s = 0.0), step(s))", "a reduction with components stands for a value"},
      {"C[i]: f32[N] = reduce(chain k < N, init(s = 0.0), step(s))#1", "no component 1"},
      {"C[i]: f32[N] = reduce(chain k < N, init(s = 0.0), step(1))#0", "a step is of type i64, not f32"},
      {"C[i]: f32[N] = scan(i, 0.0, A[i])", "marked `scan`"},
      {"C[scan i]: f32[N] = 1.0 + scan(i, 0.0, A[i])", "`scan` is the whole right side"},
      {"C[i]: f32[N] = frob(A[i])", "no function is called `frob`"},
      {"C[i]: f32[N] = A[i] ? 1.0", "expected a name, a number or a sign"},
      {"C[i]: f32[N] = cast<f32>(A[i])", "a cast from f32 to itself"},
      {"C[i]: bool[N] = 1 < 2 < 3", "comparisons do not chain"},
      {"dim Q\nC[i]: f32[N] = A[i]", "nothing gives it a value"},
      {"C[i]: f32[N] = A[i]\noutput D", "no tensor is called `D`"},
      {"C[i]: f32[N] = A[i]\noutput A", "`A` is an input"},
      {"C[i]: f32[N] = `A", "expected ` at the end of a name"},
      {"C[i]: f32[N] = bits<f32>(0x100000000)", "more bits than a f32 has"},
  };
  for (const auto& c : cases) {
    const std::string text = error_of(head + c[0]);
    CHECK_MESSAGE(text.find(c[1]) != std::string::npos, c[0] << " gives " << text);
  }
}

TEST_CASE("parse: hostile text ends in an error") {
  const std::string head = "input A: f32[N]\nC[i]: f32[N] = ";
  const auto many = [](const std::string& piece, int n) { std::string s; for (int k = 0; k < n; ++k) s += piece; return s; };
  for (const char* piece : {"(", "-", "!", "abs(", "A[", "sum(chain k < N, ", "select(true, ", "(t := "}) {
    INFO(piece);
    CHECK(error_of(head + many(piece, 100000)).find("text.parse") != std::string::npos);
  }
  CHECK(error_of(many("{[(", 100000)) != "no error");
  CHECK(error_of(many(")", 100000)) != "no error");
  CHECK(error_of(std::string("\x01\xff\x00", 3)) != "no error");
  CHECK(line("Y[i, j]: f32[N, M] = A[i, j]" + many(" + A[i, j]", 20000)).size() > 100000);
}

TEST_CASE("parse: texts with random changes give a program that comes back, or an error of the user") {
  std::mt19937_64 random(11);
  std::vector<std::string> texts;
  for (const canonical::Named& c : canonical::all()) texts.push_back(print(c.program.snapshot()));
  int parsed = 0;
  for (int turn = 0; turn < 2500; ++turn) {
    std::string text = texts[random() % texts.size()];
    const int changes = 1 + static_cast<int>(random() % 2);
    for (int k = 0; k < changes; ++k) {
      const std::size_t at = random() % text.size(), from = random() % text.size(), length = 1 + random() % 12;
      switch (random() % 7) {
        case 0: text.erase(at, length); break;
        case 1: text.insert(at, text.substr(from, length)); break;
        case 2: text.replace(at, length, text.substr(from, length)); break;
        case 3: text[text.find_first_of("0123456789", at) % text.size()] = static_cast<char>('0' + random() % 10); break;
        case 4: text[text.find_first_of("ijkabNMtq", at) % text.size()] = "ijkabNMtq"[random() % 9]; break;
        case 5: text[at] = "()[]{}<>,:=+-*/%!#` \n0ijk.\\"[random() % 27]; break;
        default: text.resize(at);
      }
      if (text.empty()) text = " ";
    }
    try {
      const Program p = parse(text.c_str());
      ++parsed;
      INFO(text);
      check_round_trip(p);
    } catch (const Error& e) {
      CHECK_MESSAGE(e.kind() == Error::Kind::user, e.what() << "\n" << text);
    }
  }
  CHECK(parsed > 50);
}
