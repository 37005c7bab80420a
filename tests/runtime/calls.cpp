// Every kind of wrong call, on the interpreter and on lowered code: the same text, and no memory touched.
#include <doctest/doctest.h>
#include <cstring>
#include <limits>
#include <vector>
#include "ordo/ordo.hpp"
#include "refused.hpp"
#include "walk_target.hpp"
using namespace ordo;

namespace {
struct Gemm {
  Dim M{"M"}, N{"N"}, K{"K"};
  Tensor<float, 2> A{"A", {M, K}}, B{"B", {K, N}}, C{"C"};
  Tensor<float, 1> bias{"bias", {N}};
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  Gemm() { C(i, j) = sum(k, A(i, k) * B(k, j)) + bias(j); }
};
struct Arrays {
  float a[6] = {1, 2, 3, 4, 5, 6}, b[12] = {1, 0, 0, 2, 0, 1, 0, 2, 0, 0, 1, 2}, z[4] = {10, 20, 30, 40}, c[8];
  Arrays() {
    for (float& x : c) x = -1;
  }
  bool untouched() const {
    for (const float x : c)
      if (x != -1) return false;
    return true;
  }
};
template <class F> void on_both(F f) {
  SUBCASE("interpreter") { f(interpreter()); }
  SUBCASE("lowered") { f(walk_target::target()); }
}
}  // namespace

TEST_CASE("call: a kernel computes, typed and untyped") {
  on_both([](const Target& target) {
    Gemm g;
    Arrays m;
    const auto kernel = compile(inputs(g.A, g.B, g.bias), outputs(g.C), target, walk_target::no_disk());
    kernel(view(m.a, {2, 3}), view(m.b, {3, 4}), view(m.z, {4}), view(m.c, {2, 4}));
    const float want[8] = {11, 22, 33, 52, 14, 25, 36, 70};
    CHECK(std::memcmp(m.c, want, sizeof want) == 0);
    float again[8] = {};
    const AnyKernel any = compile(Program(inputs(g.A, g.B, g.bias), outputs(g.C)), target, walk_target::no_disk());
    any({view(m.a, {2, 3}), view(m.b, {3, 4}), view(m.z, {4}), view(again, {2, 4})});
    CHECK(std::memcmp(again, want, sizeof want) == 0);
    CHECK(std::string(any.text()) == kernel.text());
  });
}
TEST_CASE("call: a wrong shape is refused, with the argument that fixed the size") {
  on_both([](const Target& target) {
    Gemm g;
    Arrays m;
    const auto kernel = compile(inputs(g.A, g.B, g.bias), outputs(g.C), target, walk_target::no_disk());
    CHECK(refused([&] { kernel(view(m.a, {2, 3}), view(m.b, {2, 4}), view(m.z, {4}), view(m.c, {2, 4})); }) ==
          "error[run.shape]: dimension 0 of input `B` is 2; it must be K = 3\n"
          "  at calls.cpp:*\n"
          "  where K is dimension 1 of `A`: 3");
    CHECK(refused([&] { kernel(view(m.a, {2, 3}), view(m.b, {3, 4}), view(m.z, {4}), view(m.c, {1, 4})); }) ==
          "error[run.shape]: dimension 0 of output `C` is 1; it must be M = 2\n"
          "  at calls.cpp:*\n"
          "  where M is dimension 0 of `A`: 2");
    CHECK(refused([&] { kernel(view(m.a, {2, -3}), view(m.b, {3, 4}), view(m.z, {4}), view(m.c, {2, 4})); }) ==
          "error[run.shape]: dimension 1 of input `A` is -3; an extent is not negative\n"
          "  at calls.cpp:*");
    CHECK(m.untouched());
  });
}
TEST_CASE("call: a null pointer is refused unless there are no elements") {
  on_both([](const Target& target) {
    Gemm g;
    Arrays m;
    const auto kernel = compile(inputs(g.A, g.B, g.bias), outputs(g.C), target, walk_target::no_disk());
    float* const null = nullptr;
    CHECK(refused([&] { kernel(view(m.a, {2, 3}), view(m.b, {3, 4}), view(null, {4}), view(m.c, {2, 4})); }) ==
          "error[run.null]: input `bias` has elements, but its pointer is null\n"
          "  at calls.cpp:*");
    CHECK(refused([&] { kernel(view(null, {0, 3}), view(m.b, {3, 4}), view(m.z, {4}), view(null, {0, 4})); }) == "no error");
    kernel(view(null, {2, 0}), view(null, {0, 4}), view(m.z, {4}), view(m.c, {2, 4}));
    CHECK(m.c[7] == 40);
  });
}
TEST_CASE("call: a misaligned pointer is refused") {
  on_both([](const Target& target) {
    Gemm g;
    Arrays m;
    const auto kernel = compile(inputs(g.A, g.B, g.bias), outputs(g.C), target, walk_target::no_disk());
    alignas(float) char bytes[32];
    float* const odd = reinterpret_cast<float*>(bytes + 2);
    CHECK(refused([&] { kernel(view(m.a, {2, 3}), view(m.b, {3, 4}), view(odd, {4}), view(m.c, {2, 4})); }) ==
          "error[run.align]: the address of input `bias` is not a multiple of 4, the size of f32\n"
          "  at calls.cpp:*");
    CHECK(m.untouched());
  });
}
TEST_CASE("call: an array past the address space is refused") {
  on_both([](const Target& target) {
    Gemm g;
    Arrays m;
    const auto kernel = compile(inputs(g.A, g.B, g.bias), outputs(g.C), target, walk_target::no_disk());
    const i64 most = (i64{1} << 40) - 1;
    CHECK(refused([&] { kernel(view(m.a, {most, 3}, {i64{1} << 24, 1}), view(m.b, {3, 4}), view(m.z, {4}), view(m.c, {most, 4})); }) ==
          "error[run.large]: input `A` reaches past the address space\n"
          "  at calls.cpp:*\n"
          "  given f32[1099511627775, 3], strides [16777216, 1]");
    CHECK(refused([&] { kernel(view(m.a, {most + 1, 3}, {0, 1}), view(m.b, {3, 4}), view(m.z, {4}), view(m.c, {2, 4})); }) ==
          "error[run.large]: dimension 0 of input `A` is 1099511627776; an extent is less than 2^40\n"
          "  at calls.cpp:*");
    const i64 far = std::numeric_limits<i64>::min();
    CHECK(refused([&] {
            kernel(view(m.a, {2, 3}, {far, 1}), view(m.b, {3, 4}), view(m.z, {4}), view(m.c, {2, 4}));
          }).find("error[run.large]") == 0);
    CHECK(m.untouched());
  });
}
TEST_CASE("call: outputs overlap nothing else") {
  on_both([](const Target& target) {
    Gemm g;
    Arrays m;
    const auto kernel = compile(inputs(g.A, g.B, g.bias), outputs(g.C), target, walk_target::no_disk());
    CHECK(refused([&] { kernel(view(m.a, {2, 3}), view(m.b, {3, 4}), view(m.z, {4}), view(m.b + 4, {2, 4})); }) ==
          "error[run.alias]: output `C` shares memory with input `B`\n"
          "  at calls.cpp:*\n"
          "  `B` is f32[3, 4], strides [4, 1]\n"
          "  `C` is f32[2, 4], strides [4, 1]\n"
          "  help: an output may share memory only with an input that is read nowhere but at the element being written");
    CHECK(refused([&] { kernel(view(m.a, {2, 3}), view(m.b, {3, 4}), view(m.z, {4}), view(m.c, {2, 4}, {0, 1})); }) ==
          "error[run.alias]: output `C` has several elements at one place\n"
          "  at calls.cpp:*\n"
          "  given f32[2, 4], strides [0, 1]");
    CHECK(m.untouched());
    CHECK(m.b[0] == 1);
  });
}
TEST_CASE("call: two outputs never share memory") {
  on_both([](const Target& target) {
    Tensor<float, 1> X{"X"}, Y{"Y"}, Z{"Z"};
    Index i{"i"};
    Y(i) = X(i) + 1;
    Z(i) = X(i) + 2;
    const auto kernel = compile(inputs(X), outputs(Y, Z), target, walk_target::no_disk());
    float x[4] = {1, 2, 3, 4}, y[4] = {};
    CHECK(refused([&] { kernel(view(x, {4}), view(y, {4}), view(y, {4})); }) ==
          "error[run.alias]: output `Z` shares memory with output `Y`\n"
          "  at calls.cpp:*\n"
          "  `Y` is f32[4], strides [1]\n"
          "  `Z` is f32[4], strides [1]");
    CHECK(refused([&] { kernel(view(x, {2}), view(y, {2}, {2}), view(y + 1, {2}, {2})); }) == "no error");
    CHECK(y[0] == 2);
    CHECK(y[3] == 4);
  });
}
TEST_CASE("call: inputs may overlap, repeat elements and run backwards") {
  on_both([](const Target& target) {
    Tensor<float, 2> A{"A"}, B{"B"}, C{"C"};
    Index i{"i"}, j{"j"};
    C(i, j) = A(i, j) + 10 * B(i, j);
    const auto kernel = compile(inputs(A, B), outputs(C), target, walk_target::no_disk());
    float x[4] = {1, 2, 3, 4}, c[4];
    kernel(view(x, {2, 2}, {0, 1}), view(x + 3, {2, 2}, {-2, -1}), view(c, {2, 2}));
    const float want[4] = {41, 32, 21, 12};
    CHECK(std::memcmp(c, want, sizeof want) == 0);
    kernel(view(x, {2, 2}, {1, 2}), view(x, {2, 2}), view(c + 3, {2, 2}, {-1, -2}));     // column-major in, backwards out
    const float back[4] = {44, 23, 32, 11};
    CHECK(std::memcmp(c, back, sizeof back) == 0);
  });
}
TEST_CASE("call: sizes that must agree are checked, and bound sizes computed") {
  on_both([](const Target& target) {
    Dim H{"H"};
    Tensor<float, 1> X{"X", {H}}, Y{"Y", {(H - 3) / 2 + 1}};
    Index y{"y"};
    Y(y) = X(2 * y) + X(2 * y + 2);
    const auto kernel = compile(inputs(X), outputs(Y), target, walk_target::no_disk());
    float x[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, out[8] = {};
    kernel(view(x, {9}), view(out, {4}));
    CHECK(out[3] == 16);
    CHECK(refused([&] { kernel(view(x, {9}), view(out, {5})); }) ==
          "error[run.shape]: dimension 0 of output `Y` is 5; it must be (H - 3) / 2 + 1 = 4\n"
          "  at calls.cpp:*\n"
          "  where H is dimension 0 of `X`: 9");
  });
}
TEST_CASE("call: an index that leaves its tensor is refused before anything runs") {
  on_both([](const Target& target) {
    Dim N{"N"}, R{"R"};
    Tensor<float, 1> X{"X", {N}}, F{"F", {R}}, Y{"Y", {N}};
    Index i{"i"};
    Chain r{"r"};
    Y(i) = sum(r, X(i + r) * F(r));
    const auto kernel = compile(inputs(X, F), outputs(Y), target, walk_target::no_disk());
    float x[4] = {1, 2, 3, 4}, f[2] = {1, 1}, y[4] = {};
    kernel(view(x, {4}), view(f, {1}), view(y, {4}));
    CHECK(y[3] == 4);
    const std::string text = refused([&] { kernel(view(x, {4}), view(f, {2}), view(y, {4})); });
    CHECK(text.find("error[run.index]") == 0);
    if (target.backend != nullptr)
      CHECK(text == "error[run.index]: index 4 of dimension 0 of `X` is out of range: its extent is 4\n"
                    "  at calls.cpp:*\n"
                    "  read at calls.cpp:*\n"
                    "  where N is dimension 0 of `X`: 4\n"
                    "  where R is dimension 0 of `F`: 2");
  });
}
TEST_CASE("call: an untyped kernel checks number, rank, type and constness of its arguments") {
  on_both([](const Target& target) {
    Gemm g;
    Arrays m;
    const AnyKernel kernel = compile(Program(inputs(g.A, g.B, g.bias), outputs(g.C)), target, walk_target::no_disk());
    const AnyView a = view(m.a, {2, 3}), b = view(m.b, {3, 4}), z = view(m.z, {4}), c = view(m.c, {2, 4});
    CHECK(refused([&] { kernel({a, b, c}); }) ==
          "error[run.count]: the kernel takes 4 arguments, not 3\n"
          "  at calls.cpp:*\n"
          "  it takes `A`, `B`, `bias`, `C`");
    CHECK(refused([&] { kernel({a, b, b, c}); }) ==
          "error[run.rank]: input `bias` is given with rank 2; its rank is 1\n"
          "  at calls.cpp:*\n"
          "  declared bias: f32[N]");
    const std::vector<double> wide(4);
    CHECK(refused([&] { kernel({a, b, wide, c}); }) ==
          "error[run.type]: input `bias` is given with elements of f64; its elements are f32\n"
          "  at calls.cpp:*\n"
          "  declared bias: f32[N]");
    CHECK(refused([&] { kernel({a, b, z, view(static_cast<const float*>(m.c), {2, 4})}); }) ==
          "error[run.const]: output `C` is given as a view of constant elements\n"
          "  at calls.cpp:*");
    CHECK(m.untouched());
  });
}
TEST_CASE("call: numbers are inputs of rank 0, a variable is an output of rank 0") {
  on_both([](const Target& target) {
    Tensor<float, 1> X{"X"};
    Tensor<float, 0> Total{"Total"};
    Scalar<float> scale{"scale"};
    Scalar<i32> shift{"shift"};
    Chain k{"k"};
    Total() = sum(k, X(k) * scale) + cast<float>(shift);
    const auto kernel = compile(inputs(X, scale, shift), outputs(Total), target, walk_target::no_disk());
    float x[3] = {1, 2, 3}, total = 0, half = 0.5f;
    kernel(view(x, {3}), 0.5f, 7, total);
    CHECK(total == 10);
    kernel(view(x, {3}), View<const float, 0>(half), 0, total);
    CHECK(total == 3);
    const AnyKernel any = compile(Program(inputs(X, scale, shift), outputs(Total)), target, walk_target::no_disk());
    any({view(x, {3}), 2.0f, 1, View<float, 0>(total)});
    CHECK(total == 13);
  });
}
TEST_CASE("call: with fixed layouts only row-major arguments are taken") {
  Gemm g;
  Arrays m;
  CompileOptions options = walk_target::no_disk();
  options.layouts = Layouts::fixed;
  const auto kernel = compile(inputs(g.A, g.B, g.bias), outputs(g.C), walk_target::target(), options);
  kernel(view(m.a, {2, 3}), view(m.b, {3, 4}), view(m.z, {4}), view(m.c, {2, 4}));
  Arrays fresh;
  CHECK(refused([&] { kernel(view(m.a, {2, 3}, {1, 2}), view(m.b, {3, 4}), view(m.z, {4}), view(fresh.c, {2, 4})); }) ==
        "error[run.layout]: input `A` is not row-major, and the kernel was compiled with Layouts::fixed\n"
        "  at calls.cpp:*\n"
        "  given f32[2, 3], strides [1, 2]\n"
        "  help: compile with Layouts::any, which makes a variant for each layout on its first use");
  CHECK(fresh.untouched());
}
TEST_CASE("call: a range that wraps around 64 bits is out of range") {
  Dim N{"N"};
  Tensor<float, 1> X{"X"}, F{"F", {N}};
  Tensor<float, 0> Y{"Y"};
  Chain k{"k"};
  Y() = sum(k, X(k * (i64{1} << 24)) * F(k));
  const auto kernel = compile(inputs(X, F), outputs(Y), walk_target::target(), walk_target::no_disk());
  float x[4] = {1, 2, 3, 4}, f[1] = {1}, y = 0;
  CHECK(refused([&] {
          kernel(view(x, {4}), view(f, {(i64{1} << 40) - 1}, {0}), y);
        }).find("error[run.index]: index 9223372036854775807 of dimension 0 of `X` is out of range") == 0);
}
