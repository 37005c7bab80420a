#include <doctest/doctest.h>
#include <string>
#include "ordo/codegen/llvm/llvm.hpp"

using namespace ordo;

TEST_CASE("targets: the facts of the named levels") {
  const Target v2 = cpu::named("x86-64-v2"), v3 = cpu::named("x86-64-v3"), v4 = cpu::named("x86-64-v4");
  CHECK(v2.vector_bits == 128);
  CHECK(v3.vector_bits == 256);
  CHECK(v4.vector_bits == 512);
  CHECK(v3.vector_registers == 16);
  CHECK(v4.vector_registers == 32);
  CHECK((!v2.fma && v3.fma && v4.fma));
  CHECK((!v2.masked_memory && v3.masked_memory && v4.masked_memory));
  CHECK(std::string(v2.features) == "+cx16,+popcnt,+sahf,+sse3,+ssse3,+sse4.1,+sse4.2");
  CHECK(v3.backend == &codegen::llvm::backend());
}
TEST_CASE("targets: the facts of other instruction sets; none of them runs here") {
  for (const char* name : {"aarch64-neon", "aarch64-sve", "aarch64-sve256", "riscv64-v"}) {
    const Target t = cpu::named(name);
    CHECK(std::string(t.name) == name);
    CHECK(t.vector_bits == (std::string(name) == "aarch64-sve256" ? 256 : 128));
    CHECK(t.vector_registers == 32);
    CHECK(t.fma);
    CHECK(t.masked_memory == (std::string(name) != "aarch64-neon"));
#if defined(__x86_64__)
    CHECK(!cpu::runs_here(t));
#endif
  }
}
TEST_CASE("targets: the host runs what it says it has; more than it has does not run here") {
  const Target host = cpu::host();
  CHECK(std::string(host.name) == "host");
  CHECK(cpu::runs_here(host));
  Target more = cpu::named("x86-64-v2");
  std::string list = std::string(more.features) + ",+no-such-thing";
  list.copy(more.features, list.size());
  CHECK(!cpu::runs_here(more));
}
TEST_CASE("target.name: an unknown name lists the known ones") {
  try {
    cpu::named("x86-64-v5", {"user.cpp", 7});
    FAIL("accepted");
  } catch (const Error& e) {
    CHECK(std::string(e.what()) ==
          "error[target.name]: no target is called `x86-64-v5`\n  at user.cpp:7\n  help: x86-64-v2, x86-64-v3, x86-64-v4, aarch64-neon, "
          "aarch64-sve, aarch64-sve256, riscv64-v, "
          "or cpu::host()");
    CHECK(std::string(e.code()) == "target.name");
  }
}
