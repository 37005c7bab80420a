// Object files for a linker: what a user asks for, and what a Frame must hold.
#include <doctest/doctest.h>
#include "foreign/foreign.hpp"
#include "ordo/aot.hpp"
#include "ordo/cpu.hpp"
#include "ordo/ordo.hpp"
#include "runtime/refused.hpp"
using namespace ordo;

namespace {
struct Product {
  Dim M{"M"}, N{"N"}, K{"K"};
  Tensor<float, 2> A{"A", {M, K}}, B{"B", {K, N}}, C{"C"};
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  Product() { C(i, j) = sum(k, A(i, k) * B(k, j)); }
  Program program() const { return Program(inputs(A, B), outputs(C)); }
};
}  // namespace

TEST_CASE("object code: a frame says what it holds") {
  const ObjectCode code = object_code(Product().program(), cpu::named("aarch64-neon"), "product");
  REQUIRE(code.launches.size() == 1);
  CHECK(code.launches[0].entry == "product_0");
  CHECK(code.launches[0].bytes.substr(0, 4) == "\x7f" "ELF");
  CHECK(code.frame ==
        "data[0] A: f32[M, K]\ndata[1] B: f32[K, N]\ndata[2] C: f32[M, N]\ndims[0] M\ndims[1] K\ndims[2] N\n"
        "strides[12 * slot + dimension], in elements\n");
}
TEST_CASE("object code: two programs, linked together, on instruction sets that are emulated") {
  const Product p;
  Schedule s{p.C};
  auto [j0, j1] = s.split(p.j, 4);
  s.reorder(j0, p.k, j1).vectorize(j1);
  std::vector<float> a(5 * 7), b(7 * 11), c(5 * 11);
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = 1.0f / static_cast<float>(k + 1);
  for (std::size_t k = 0; k < b.size(); ++k) b[k] = 3.0f - static_cast<float>(k) / 7;
  compile(inputs(p.A, p.B), outputs(p.C), interpreter())(view(a, {5, 7}), view(b, {7, 11}), view(c, {5, 11}));
  const auto bytes = [](const std::vector<float>& v) {
    const unsigned char* const first = reinterpret_cast<const unsigned char*>(v.data());
    return std::vector<unsigned char>(first, first + v.size() * sizeof(float));
  };
  for (const foreign::Machine& machine : foreign::machines()) {
    if (!foreign::missing(machine).empty()) continue;
    foreign::Batch batch(machine);
    std::vector<foreign::Job> jobs;
    for (const ObjectCode& code :
         {object_code(p.program(), batch.target(), "plain"), object_code(s, p.program(), batch.target(), "scheduled")}) {
      foreign::Launch launch;
      launch.entry = batch.add(code.launches.at(0).bytes, code.launches.at(0).entry);
      launch.data = {0, 0, 1, 0, 2, 0};
      launch.dims = {5, 7, 11};
      launch.strides.resize(36);
      for (const auto& [slot, row] : {std::pair<std::size_t, i64>{0, 7}, {1, 11}, {2, 11}}) {
        launch.strides[12 * slot] = row;
        launch.strides[12 * slot + 1] = 1;
      }
      jobs.push_back({{{bytes(a), true}, {bytes(b), true}, {std::vector<unsigned char>(c.size() * 4), true}}, {launch}, 0});
    }
    const std::string wrong = batch.run(machine.cpus.front(), jobs);
    CHECK_MESSAGE(wrong.empty(), wrong);
    for (const foreign::Job& job : jobs) CHECK_MESSAGE(job.memory[2].bytes == bytes(c), machine.target);
  }
}
TEST_CASE("target.object, target.elsewhere: what has no object files, and code that does not run here") {
  const Product p;
  CHECK(refused([&] { object_code(p.program(), interpreter(), "product"); }) ==
        "error[target.object]: there are no object files for `interpreter`\n  at object_code.cpp:*\n"
        "  help: a target of cpu::, as cpu::named(\"aarch64-neon\")");
  CHECK(refused([&] { compile(inputs(p.A, p.B), outputs(p.C), cpu::named("aarch64-sve")); }) ==
        "error[target.elsewhere]: code for `aarch64-sve` does not run on this processor\n  at object_code.cpp:*\n"
        "  help: cpu::host(); or object_code(...) of ordo/aot.hpp, for a linker");
}
TEST_CASE("target.symbol: an entry is named as C names things; no name is no target") {
  const Product p;
  for (const char* name : {"", "a b", "2x", "x-y"})
    CHECK(refused([&] { object_code(p.program(), cpu::host(), name); }).find("target.symbol") == 6);
  CHECK(refused([&] { object_code(p.program(), cpu::host(), nullptr); }) ==
        "error[target.symbol]: `` cannot be the name of an entry\n  at object_code.cpp:*\n"
        "  help: a name as C has them: letters, digits and _, no digit first");
  CHECK(refused([] { cpu::named(nullptr); }).rfind("error[target.name]: no target is called ``\n", 0) == 0);
}
TEST_CASE("target.facts, target.triple: a target that was edited into one that cannot be") {
  const Product p;
  const auto edited = [](const char* name, auto edit) {
    Target t = cpu::named(name);
    edit(t);
    return t;
  };
  const auto text = [&](const Target& t) { return refused([&] { object_code(p.program(), t, "product"); }); };
  for (const int bits : {-128, 0, 1, 64, 192, 4096})
    CHECK(text(edited("x86-64-v3", [&](Target& t) { t.vector_bits = bits; })) ==
          "error[target.facts]: vector_bits of the target `x86-64-v3` is " + std::to_string(bits) +
              "\n  at object_code.cpp:*\n"
              "  help: a power of two from 128 to 2048, as cpu::host() and cpu::named(...) give it");
  CHECK(text(edited("riscv64-v", [](Target& t) { t.vector_registers = 0; })) ==
        "error[target.facts]: vector_registers of the target `riscv64-v` is 0\n  at object_code.cpp:*\n"
        "  help: a number from 4 to 1024, as cpu::host() and cpu::named(...) give it");
  for (const char* triple : {"", "no-such-machine", "powerpc64le-unknown-linux-gnu"})
    CHECK(text(edited("aarch64-neon", [&](Target& t) { __builtin_strcpy(t.triple, triple); })) ==
          std::string("error[target.triple]: no code is made for the triple `") + triple +
              "` of the target `aarch64-neon`\n  at object_code.cpp:*\n"
              "  help: x86_64-unknown-linux-gnu, aarch64-unknown-linux-gnu, riscv64-unknown-linux-gnu, as cpu::named(...) gives it");
  CHECK(refused([&] {
          compile(inputs(p.A, p.B), outputs(p.C), edited("host", [](Target& t) { t.vector_bits = 0; }));
        }).rfind("error[target.facts]: ", 0) == 0);
  for (const int registers : {4, 1024})
    CHECK(object_code(p.program(), edited("x86-64-v4", [&](Target& t) { t.vector_registers = registers; }), "product").launches.size() ==
          1);
}

TEST_CASE("object code: scheduled for the machine that is given") {
  Tensor<float, 2> A{"A", {512, 512}}, B{"B", {512, 512}}, C{"C"};
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  C(i, j) = sum(k, A(i, k) * B(k, j));
  const Program program(inputs(A, B), outputs(C));
  const Target target = cpu::named("x86-64-v3");
  Machine few = detect(target), many = few;
  few.vector_registers = 8;
  many.vector_registers = 32;
  CHECK(object_code(program, target, few, "t").launches[0].bytes != object_code(program, target, many, "t").launches[0].bytes);
  few.l1_ways = 0;
  CHECK_THROWS_AS((void)object_code(program, target, few, "t"), Error);
}
