// Every element-wise operation on every type, scalar and vector, for every target this processor runs: the bits of soft::.
#include <doctest/doctest.h>
#include "codegen/cases.hpp"
#include "ordo/codegen/llvm/llvm.hpp"

namespace {
using namespace made;

void check(const Target& target, const Set& set, int lanes) {
  const Table table(set, lanes);
  const Linked linked(table.kernel(), target);
  Call call;
  std::vector<std::vector<u8>> memory = table.memory();
  for (auto& bytes : memory) call.data.push_back(bytes.data());
  call.dims = {table.turns()};
  call.strides.resize(memory.size() * max_rank, 1);
  CHECK(call.run(linked.entry()) == 0);
  table.compare(target.name, memory);
}
void check_shapes(const std::vector<Set>& sets) {
  for (const Target& t : targets())
    for (int lanes : {1, t.vector_bits / 32})
      for (const Set& set : sets) check(t, set, lanes);
}
}  // namespace

TEST_CASE("targets: those that this processor lacks are skipped, the others are tested") {
  for (const char* name : {"x86-64-v2", "x86-64-v3", "x86-64-v4"})
    if (!cpu::runs_here(cpu::named(name))) MESSAGE("skipped, not run here: " << name);
  CHECK(cpu::runs_here(cpu::host()));
}
TEST_CASE("float operations: the bits of the contract on each target") {
  for (Type t : {Type::f32, Type::f64}) check_shapes(float_sets(t));
}
TEST_CASE("integer operations: the bits of the contract on each target") {
  for (Type t : {Type::i32, Type::u32, Type::i64, Type::u64}) check_shapes(integer_sets(t));
}
TEST_CASE("bool operations: on each target") { check_shapes(bool_sets()); }
TEST_CASE("casts: between all types, one rounding, saturation, low bits") {
  for (Type from : {Type::boolean, Type::i32, Type::u32, Type::i64, Type::u64, Type::f32, Type::f64}) check_shapes({cast_set(from)});
}
TEST_CASE("bitcast: keeps the bits, but for those of a NaN") { check_shapes(bitcast_sets()); }
TEST_CASE("vectors of an odd length: the same bits") {
  const Target target = cpu::named("x86-64-v3");
  if (!cpu::runs_here(target)) return;
  check(target, {{Type::f32, Type::f32}, same({Op::Add, Op::Max, Op::Fmod, Op::Lt}, Type::f32), 100}, 2);
  check(target, {{Type::f64, Type::f64, Type::f64}, same({Op::Fma}, Type::f64), 100}, 2);
}
