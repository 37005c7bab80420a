// What object code asks a linker for: nothing but our own routines. A name of libm or of a compiler's runtime would bring
// arithmetic that the contract does not fix.
#include <doctest/doctest.h>
#include "codegen/cases.hpp"
#include "ordo/codegen/llvm/llvm.hpp"
#include "targets/undefined.hpp"

namespace {
using namespace made;
using targets::undefined;

void check(const Target& target, const kernel::Kernel& kernel) {
  const std::string object = codegen::llvm::unsealed_code(kernel, target, "entry", false).object;
  for (const std::string& name : undefined(object)) {
    CHECK_MESSAGE(targets::ours(name), target.name, ": ", name);
    if (target.fma) CHECK_MESSAGE(name != "ordo_soft_fma_f64", target.name);
  }
}
kernel::Kernel copies(Type from, Type to, int lanes) {
  Maker m;
  const u64 in = m.argument("in", from), out = m.argument("out", to, true);
  Ref i = m.var("i"), place = m.ramp(m.mul(i, m.i(lanes)), lanes);
  Ref mask = m.two(Op::Lt, place, m.broadcast(m.dim(0), lanes));
  m.kernel.body = m.loop(i, m.i(0), m.dim(1), m.write(out, place, m.read(in, place, mask), mask));
  return std::move(m.kernel);
}
}  // namespace

TEST_CASE("symbols: an object file that calls libm is found out") {
  Maker m;
  const u64 in = m.argument("in", Type::f64), out = m.argument("out", Type::f64);
  m.kernel.body = m.write(out, m.i(0), m.fma(m.read(in, m.i(0)), m.read(in, m.i(1)), m.read(in, m.i(2))));
  Target wrong = cpu::named("x86-64-v2");
  wrong.fma = true;                // it has none: LLVM calls fma
  CHECK(undefined(codegen::llvm::unsealed_code(m.kernel, wrong, "entry", false).object) == std::set<std::string>{"fma"});
}
TEST_CASE("symbols: no target's code calls libm or a compiler's runtime") {
  for (const char* name : {"x86-64-v2", "x86-64-v3", "x86-64-v4", "aarch64-neon", "aarch64-sve", "aarch64-sve256", "riscv64-v"}) {
    const Target target = cpu::named(name);
    for (int lanes : {1, target.vector_bits / 32}) {
      for (const Set& set : all_sets()) check(target, Table(set, lanes).kernel());
      for (Type t : {Type::boolean, Type::i8, Type::u8, Type::i16, Type::u16, Type::f16, Type::bf16}) {
        check(target, copies(t, t, lanes));
        check(target, copies(compute_type(t), t, lanes));
      }
    }
  }
}
