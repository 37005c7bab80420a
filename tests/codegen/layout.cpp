// layout: a stage that is stored as its reader goes is read in whole vectors.
#include <doctest/doctest.h>
#include "kernel/lowered.hpp"
#include "ordo/codegen/llvm/llvm.hpp"
#include "ordo/ir/text.hpp"

TEST_CASE("layout: vectors of a transposed read are loaded whole where the stage is stored transposed") {
  using namespace lowered;
  const auto code = [](std::vector<std::string> places) {
    nest::Directive layout = directive("layout", {}, std::move(places));
    layout.stage = "T";
    const plan::Plan plan =
        planned(ir::parse("input A: f32[M, N]\nT[i, j]: f32[M, N] = A[i, j] * 2.0\nC[j, i]: f32[N, M] = T[i, j] + 1.0\noutput C\n"),
                {layout, directive("split", {"i"}, {"8"}), directive("vectorize", {"i.1"})});
    const Target target = cpu::named("x86-64-v3");
    return codegen::llvm::generate(kernel::lower(plan, 1, {1, 1}, target), target, true).ir;
  };
  const auto has = [](const std::string& text, const char* what) { return text.find(what) != std::string::npos; };
  CHECK(has(code({"i", "j"}), "insertelement <8 x float>"));
  CHECK(!has(code({"i", "j"}), "= load <8 x float>"));
  for (const auto& places : {std::vector<std::string>{"j", "i"}, {"i / 8", "j", "i % 8"}}) {
    CHECK(has(code(places), "= load <8 x float>"));
    CHECK(!has(code(places), "insertelement <8 x float>"));
  }
}
