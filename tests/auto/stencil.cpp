#include "auto/wide.hpp"
#include "kernel/lowered.hpp"
#include "ordo/auto/schedule.hpp"
#include "ordo/ir/text.hpp"

using namespace ordo;

namespace {
using made::wide;
std::string traced(const char* text) {
  const ir::Program p = ir::parse(text);
  const nest::Trace trace = made::written(p, wide());
  nest::Nest nest = nest::make(ir::stages(p));
  nest::apply(nest, trace);
  nest::verify(nest);
  return nest::print(trace);
}
}  // namespace

TEST_CASE("default schedule: groups of rows share what a stencil reads, and ask ahead for what comes from memory") {
  CHECK(traced("input X: f32[4098, 4096]\nY[i, j]: f32[4096, 4096] = X[i, j] + X[i + 1, j] * X[i + 2, j]\noutput Y\n") ==
        "auto [i0, i1] = s[Y].split(i, 4);\n"
        "auto [j0, j1] = s[Y].split(j, 16);\n"
        "s[Y].reorder(i0, j0, i1, j1);\n"
        "s[Y].unroll(i1);\n"
        "s[Y].vectorize(j1);\n"
        "s[Y].store_nontemporal();\n"
        "s[Y].parallel(i0, 16);\n"
        "s[Y].prefetch(X, i0, 1);\n");
}
TEST_CASE("default schedule: planes that the second cache does not hold are cut") {
  CHECK(traced("input X: f32[264, 264, 256]\n"
               "Y[z, i, j]: f32[256, 256, 256] = X[z, i + 4, j] + X[z + 8, i + 4, j] + X[z + 4, i, j] + X[z + 4, i + 8, j]\n"
               "output Y\n") ==
        "auto [z0, z1] = s[Y].split(z, 4);\n"
        "auto [i0, i1] = s[Y].split(i, 32);\n"
        "auto [j0, j1] = s[Y].split(j, 16);\n"
        "s[Y].reorder(i0, z0, i1, j0, z1, j1);\n"
        "s[Y].unroll(z1);\n"
        "s[Y].vectorize(j1);\n"
        "s[Y].store_nontemporal();\n"
        "s[Y].parallel(i0);\n"
        "s[Y].prefetch(X, z0, 1);\n");
}
TEST_CASE("default schedule: a stage that neighbours of another one read slides along with it, in a ring of rows") {
  CHECK(traced("input X: f32[H + 2, 4098]\n"
               "T[y, x]: f32[H + 2, 4096] = X[y, x] + X[y, x + 1] + X[y, x + 2]\n"
               "Y[i, j]: f32[H, 4096] = T[i, j] + T[i + 1, j] + T[i + 2, j]\noutput Y\n") ==
        "auto [i0, i1, i2] = s[Y].split(i, {64, 4});\n"
        "auto [j0, j1, j2] = s[Y].split(j, {256, 16});\n"
        "s[Y].reorder(i0, i1, j0, j1, i2, j2);\n"
        "s[T].compute_at(s[Y], j0);\n"
        "s[T].store_at(s[Y], i0);\n"
        "s[T].fold_storage(y);\n"
        "auto [x0, x1] = s[T].split(x, 16);\n"
        "s[T].reorder(x0, y, x1);\n"
        "s[T].vectorize(x1);\n"
        "s[T].unroll(y);\n"
        "s[Y].unroll(i2);\n"
        "s[Y].vectorize(j2);\n"
        "s[Y].parallel(i0);\n");
}
TEST_CASE("default schedule: three stages, one strided, one dilated") {
  const std::string text =
      traced("input X: f32[2008, 1030]\n"
             "A[y, x]: f32[2008, 1024] = X[y, x] + X[y, x + 2] + X[y, x + 6]\n"
             "B[y, x]: f32[2004, 1024] = A[y, x] + A[y + 4, x]\n"
             "Y[i, j]: f32[1000, 1024] = B[2 * i, j] + B[2 * i + 1, j] + B[2 * i + 2, j]\noutput Y\n");
  for (const char* word : {"s[A].store_at(s[Y], i0);", "s[B].store_at(s[Y], i0);", "s[A].fold_storage(y);", "s[B].fold_storage(y);"})
    CHECK_MESSAGE(text.find(word) != std::string::npos, text);
}
TEST_CASE("default schedule: what is cheap is computed again for each neighbour") {
  CHECK(traced("input X: f32[4098, 4096]\nT[y, x]: f32[4098, 4096] = X[y, x] * 2.0\n"
               "Y[i, j]: f32[4096, 4096] = T[i, j] + T[i + 2, j]\noutput Y\n")
            .rfind("s[T].inline_();\n", 0) == 0);
}
TEST_CASE("default schedule: what has taken a reduction is not computed again for each neighbour") {
  const std::string text =
      traced("input X: f32[402, 400, 5]\nR[y, x]: f32[402, 400] = sum(chain k < 5, X[y, x, k])\nT[y, x]: f32[402, 400] = R[y, x] * 2.0\n"
             "Y[i, j]: f32[400, 400] = T[i, j] + T[i + 2, j]\noutput Y\n");
  CHECK_MESSAGE(text.find("s[T].inline_()") == std::string::npos, text);
}
TEST_CASE("default schedule: a long chain of stencils is cut into pipelines") {
  std::string program = "input X: f32[4200, 512]\n", before = "X";
  for (int k = 99; k >= 0; --k) {
    const std::string name = "T" + std::to_string(k), rows = "f32[" + std::to_string(4000 + 2 * k) + ", 512]";
    program += name + "[i, j]: " + rows + " = (" + before + "[i, j] + " + before + "[i + 1, j]) * " + before + "[i + 2, j]\n";
    before = name;
  }
  const std::string text = traced((program + "output T0\n").c_str());
  for (const char* word : {"s[T7].store_at(s[T0], i0);", "s[T15].store_at(s[T8], i0);"})
    CHECK_MESSAGE(text.find(word) != std::string::npos, text);
}
