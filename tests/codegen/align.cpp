// Promises about arguments: vectors that begin at multiples of their size are read and stored as aligned.
#include <doctest/doctest.h>
#include "kernel/lowered.hpp"
#include "ordo/codegen/llvm/llvm.hpp"
#include "ordo/ir/text.hpp"

namespace {
using namespace lowered;
const char* scaled = "input A: f32[M, N]\nC[i, j]: f32[M, N] = A[i, j] * 3.0\noutput C\n";
nest::Directive align(const char* tensor, const char* bytes) {
  nest::Directive d = directive("align", {}, {bytes});
  d.tensor = tensor;
  return d;
}
std::string assembly(const nest::Trace& trace, const kernel::Layout& layout = {1, 1}) {
  return codegen::llvm::generate(kernel::lower(planned(ir::parse(scaled), trace), 0, layout, cpu::named("x86-64-v3")),
                                 cpu::named("x86-64-v3"), true)
      .assembly;
}
bool has(const std::string& text, const char* what) { return text.find(what) != std::string::npos; }
const nest::Trace vectors = {directive("split", {"j"}, {"8"}), directive("vectorize", {"j.1"})};
}  // namespace

TEST_CASE("align: aligned loads and stores where the promise reaches, plain ones elsewhere") {
  const auto with = [](std::vector<nest::Directive> promises, nest::Trace trace = vectors) {
    trace.insert(trace.end(), promises.begin(), promises.end());
    return trace;
  };
  CHECK(has(assembly(vectors), "vmovups\t%ymm"));
  CHECK(!has(assembly(vectors), "vmovaps\t%ymm"));
  CHECK(has(assembly(with({align("C", "32")})), "vmovaps\t%ymm"));
  CHECK(!has(assembly(with({align("C", "32")})), "vmovups\t%ymm"));
  CHECK(!has(assembly(with({align("C", "16")})), "vmovaps\t%ymm"));  // half a vector
  const nest::Trace odd = {directive("split", {"j"}, {"12"}), directive("split", {"j.1"}, {"8"}), directive("vectorize", {"j.1.1"})};
  CHECK(!has(assembly(with({align("C", "32")}, odd)), "vmovaps\t%ymm"));     // 12 elements apart
  CHECK(!has(assembly(with({align("C", "32")}), {0, 0}), "vmovaps\t%ymm"));  // its last dimension has some stride
  nest::Trace past = with({align("C", "32")});
  past.push_back(directive("store_nontemporal", {}));
  CHECK(has(assembly(past), "vmovntps\t%ymm"));
  CHECK(!has(assembly(past), "vmovups\t%ymm"));  // nothing to ask at run time
}
