// Sums in memory of their own: what is in the code.
#include <doctest/doctest.h>
#include "kernel/lowered.hpp"
#include "ordo/codegen/llvm/llvm.hpp"

TEST_CASE("cache_write: sums wait on the stack of the code, not in its output") {
  using namespace lowered;
  nest::Trace trace = {directive("split", {"i"}, {"32"}), directive("split", {"j"}, {"4"}), directive("split", {"k"}, {"8"}),
                       directive("reorder", {"i.0", "j.0", "k.0", "i.1", "k.1", "j.1"}), directive("vectorize", {"j.1"})};
  const char* allocated = "alloca [128 x float], align 64";
  const auto code = [&] {
    return codegen::llvm::generate(kernel::lower(planned(matmul(), trace), 0, {1, 1, 1}, four_lanes()), cpu::named("x86-64-v3"), true);
  };
  const codegen::Code plain = code();
  trace.push_back(directive("cache_write", {"j.0"}));
  const codegen::Code cached = code();
  CHECK(plain.ir.find(allocated) == std::string::npos);
  CHECK(cached.ir.find(allocated) != std::string::npos);
}
