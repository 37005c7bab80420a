// Every element-wise operation on every type, scalar and vector, for every target this processor runs: the bits of soft::.
#include <doctest/doctest.h>
#include "codegen/made.hpp"
#include "ordo/codegen/llvm/llvm.hpp"
#include "ordo/ir/scalar.hpp"

namespace {
using namespace made;

struct Case { Op op; u64 arg; Type result; };

// One kernel evaluates all cases over the same operands; one output a case.
void check(const Target& target, const std::vector<Type>& types, const std::vector<Case>& cases, int lanes, std::size_t random_count) {
  Random random;
  const auto columns = operands(types, random_count, random);
  const std::size_t n = columns[0].size();
  Maker m("operations");
  std::vector<u64> inputs, outputs;
  for (Type t : types) inputs.push_back(m.argument("in", t));
  for (const Case& c : cases) outputs.push_back(m.argument("out", c.result, true));
  Ref i = m.var("i");
  Ref at = m.ramp(m.mul(i, m.i(lanes)), lanes);
  std::vector<Ref> values, statements;
  for (u64 b : inputs) values.push_back(m.read(b, at));
  for (std::size_t c = 0; c < cases.size(); ++c) {
    Ref v = m.a.make(cases[c].op, compute_type(cases[c].result), values.data(), static_cast<u32>(values.size()), cases[c].arg, "", {},
                     static_cast<u16>(lanes));
    statements.push_back(m.write(outputs[c], at, v));
  }
  m.kernel.body = m.loop(i, m.i(0), m.dim(0), m.block(statements));
  const Linked linked(m.kernel, target);

  Call call;
  std::vector<std::vector<u8>> memory;
  for (std::size_t c = 0; c < types.size(); ++c) memory.push_back(in_memory(types[c], columns[c]));
  for (const Case& c : cases) memory.emplace_back(n * static_cast<std::size_t>(bytes_of(c.result)), u8{0xcc});
  for (auto& bytes : memory) call.data.push_back(bytes.data());
  call.dims = {static_cast<i64>(n) / lanes};
  call.strides.resize(memory.size() * max_rank, 1);
  CHECK(call.run(linked.entry()) == 0);

  const Type from = types.size() == 3 && types[0] == Type::boolean ? types[1] : types[0];
  for (std::size_t c = 0; c < cases.size(); ++c) {
    int wrong = 0;
    for (std::size_t k = 0; k < n && wrong < 3; ++k) {
      u64 a[3] = {};
      for (std::size_t o = 0; o < types.size(); ++o) a[o] = columns[o][k];
      u64 want = 0;
      soft::store(cases[c].result, &want, ir::scalar(cases[c].op, from, cases[c].arg, a));
      const u64 have = element(cases[c].result, memory[types.size() + c], k);
      if (have == want) continue;
      ++wrong;
      char text[300];
      std::snprintf(text, sizeof text, "%s %s lanes %d: %s(%llx, %llx, %llx) = %llx, not %llx", target.name, name_of(types.back()), lanes,
                    ir::name_of(cases[c].op), static_cast<unsigned long long>(a[0]), static_cast<unsigned long long>(a[1]),
                    static_cast<unsigned long long>(a[2]), static_cast<unsigned long long>(want), static_cast<unsigned long long>(have));
      FAIL_CHECK(text);
    }
  }
}
std::vector<Case> same(std::initializer_list<Op> ops, Type t) {
  std::vector<Case> all;
  for (Op op : ops) all.push_back({op, 0, class_of(op) == ir::OpClass::compare || op == Op::IsNan ? Type::boolean : t});
  return all;
}
template <class Check> void for_each_shape(const Check& check_one) {
  for (const Target& t : targets())
    for (int lanes : {1, t.vector_bits / 32}) check_one(t, lanes);
}
}  // namespace

TEST_CASE("targets: those that this processor lacks are skipped, the others are tested") {
  for (const char* name : {"x86-64-v2", "x86-64-v3", "x86-64-v4"})
    if (!cpu::runs_here(cpu::named(name))) MESSAGE("skipped, not run here: " << name);
  CHECK(cpu::runs_here(cpu::host()));
}
TEST_CASE("float operations: the bits of the contract on each target") {
  for (Type t : {Type::f32, Type::f64})
    for_each_shape([&](const Target& target, int lanes) {
      check(target, {t}, same({Op::Neg, Op::Abs, Op::Sqrt, Op::Floor, Op::Ceil, Op::Trunc, Op::Round, Op::IsNan, Op::Unfused}, t), lanes,
            1000);
      check(target, {t, t},
            same({Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Fmod, Op::Max, Op::Min, Op::Fmax, Op::Fmin, Op::Copysign, Op::Lt, Op::Le, Op::Gt,
                  Op::Ge, Op::Eq, Op::Ne},
                 t),
            lanes, 1000);
      check(target, {t, t, t}, same({Op::Fma}, t), lanes, 4000);
      check(target, {Type::boolean, t, t}, same({Op::Select}, t), lanes, 100);
    });
}
TEST_CASE("integer operations: the bits of the contract on each target") {
  for (Type t : {Type::i32, Type::u32, Type::i64, Type::u64})
    for_each_shape([&](const Target& target, int lanes) {
      check(target, {t}, same({Op::Neg, Op::Abs, Op::Unfused}, t), lanes, 100);
      check(target, {t, t},
            same({Op::Add,   Op::Sub,    Op::Mul, Op::Div, Op::Mod, Op::FloorDiv, Op::FloorMod, Op::Max, Op::Min, Op::BitAnd,
                  Op::BitOr, Op::BitXor, Op::Shl, Op::Shr, Op::Lt,  Op::Le,       Op::Gt,       Op::Ge,  Op::Eq,  Op::Ne},
                 t),
            lanes, 500);
      check(target, {Type::boolean, t, t}, same({Op::Select}, t), lanes, 100);
    });
}
TEST_CASE("bool operations: on each target") {
  for_each_shape([&](const Target& target, int lanes) {
    check(target, {Type::boolean}, same({Op::Not}, Type::boolean), lanes, 16);
    check(target, {Type::boolean, Type::boolean}, same({Op::And, Op::Or, Op::BitXor, Op::Eq, Op::Ne}, Type::boolean), lanes, 16);
    check(target, {Type::boolean, Type::boolean, Type::boolean}, same({Op::Select}, Type::boolean), lanes, 16);
  });
}
TEST_CASE("casts: between all types, one rounding, saturation, low bits") {
  for (Type from : {Type::boolean, Type::i32, Type::u32, Type::i64, Type::u64, Type::f32, Type::f64})
    for_each_shape([&](const Target& target, int lanes) {
      std::vector<Case> cases;
      for (Type to : {Type::boolean, Type::i8, Type::u8, Type::i16, Type::u16, Type::i32, Type::u32, Type::i64, Type::u64, Type::f16,
                      Type::bf16, Type::f32, Type::f64})
        cases.push_back({Op::Cast, static_cast<u64>(to), compute_type(to)});
      check(target, {from}, cases, lanes, 2000);
    });
}
TEST_CASE("bitcast: keeps the bits, but for those of a NaN") {
  for_each_shape([&](const Target& target, int lanes) {
    check(target, {Type::f32}, {{Op::Bitcast, 0, Type::u32}, {Op::Bitcast, 0, Type::i32}}, lanes, 200);
    check(target, {Type::f64}, {{Op::Bitcast, 0, Type::u64}}, lanes, 200);
    check(target, {Type::u32}, {{Op::Bitcast, 0, Type::f32}}, lanes, 200);
    check(target, {Type::i64}, {{Op::Bitcast, 0, Type::f64}}, lanes, 200);
  });
}
TEST_CASE("vectors of an odd length: the same bits") {
  const Target target = cpu::named("x86-64-v3");
  if (!cpu::runs_here(target)) return;
  check(target, {Type::f32, Type::f32}, same({Op::Add, Op::Max, Op::Fmod, Op::Lt}, Type::f32), 2, 100);
  check(target, {Type::f64, Type::f64, Type::f64}, same({Op::Fma}, Type::f64), 2, 100);
}
