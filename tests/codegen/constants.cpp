// Operations with a constant operand, which the back-end and LLVM treat apart: divisors, counts, bounds of a clip.
#include <doctest/doctest.h>
#include "codegen/made.hpp"
#include "ordo/codegen/llvm/llvm.hpp"
#include "ordo/ir/scalar.hpp"

namespace {
using namespace made;

struct Case { Op op; u64 constant; bool left; };

void check(const Target& target, Type t, const std::vector<Case>& cases, int lanes) {
  Random random;
  const auto values = operands({t}, 200, random)[0];
  Maker m("constants");
  const u64 in = m.argument("in", t);
  Ref i = m.var("i"), at = m.ramp(m.mul(i, m.i(lanes)), lanes), x = m.read(in, at);
  std::vector<Ref> statements;
  std::vector<Type> results;
  for (const Case& c : cases) {
    Ref k = m.a.constant(t, c.constant, static_cast<u16>(lanes));
    Ref v = c.left ? m.two(c.op, k, x) : m.two(c.op, x, k);
    results.push_back(v->type);
    statements.push_back(m.write(m.argument("out", v->type, true), at, v));
  }
  m.kernel.body = m.loop(i, m.i(0), m.dim(0), m.block(statements));
  const Linked linked(m.kernel, target);
  Call call;
  auto source = in_memory(t, values);
  std::vector<std::vector<u8>> memory;
  for (Type r : results) memory.emplace_back(values.size() * static_cast<std::size_t>(bytes_of(r)));
  call.data.push_back(source.data());
  for (auto& bytes : memory) call.data.push_back(bytes.data());
  call.dims = {static_cast<i64>(values.size()) / lanes};
  call.strides.resize(call.data.size() * max_rank);
  CHECK(call.run(linked.entry()) == 0);
  for (std::size_t c = 0; c < cases.size(); ++c) {
    int wrong = 0;
    for (std::size_t k = 0; k < values.size() && wrong < 2; ++k) {
      const u64 a[2] = {cases[c].left ? cases[c].constant : values[k], cases[c].left ? values[k] : cases[c].constant};
      u64 want = 0;
      soft::store(results[c], &want, ir::scalar(cases[c].op, t, 0, a));
      const u64 have = element(results[c], memory[c], k);
      if (have == want) continue;
      ++wrong;
      char text[200];
      std::snprintf(text, sizeof text, "%s %s: %s(%llx, %llx) = %llx, not %llx", target.name, name_of(t), ir::name_of(cases[c].op),
                    static_cast<unsigned long long>(a[0]), static_cast<unsigned long long>(a[1]), static_cast<unsigned long long>(want),
                    static_cast<unsigned long long>(have));
      FAIL_CHECK(text);
    }
  }
}
void check_all(Type t, std::initializer_list<Op> ops, const std::vector<u64>& constants) {
  for (const Target& target : {cpu::named("x86-64-v2"), cpu::host()}) {
    if (!cpu::runs_here(target)) continue;
    std::vector<Case> cases;
    for (Op op : ops)
      for (u64 c : constants) {
        cases.push_back({op, c, false});
        if (op == Op::Max || op == Op::Min || op == Op::Lt || op == Op::Sub) cases.push_back({op, c, true});
      }
    check(target, t, cases, target.vector_bits / 64);
  }
}
}  // namespace

TEST_CASE("integers beside a constant: division, remainder and shifts keep their special cases") {
  const auto division = {Op::Div, Op::Mod, Op::FloorDiv, Op::FloorMod};
  for (Type t : {Type::i32, Type::i64}) {
    const u64 m = mask_of(t);
    check_all(t, division, {0, 1, m, 2, 3, 8, m - 1, m - 6, m / 2, m / 2 + 1});
    check_all(t, {Op::Shl, Op::Shr, Op::Max, Op::Min, Op::Lt, Op::Sub}, {0, 1, 31, 32, 63, 64, m});
  }
  for (Type t : {Type::u32, Type::u64}) {
    const u64 m = mask_of(t);
    check_all(t, division, {0, 1, m, 2, 3, 8, m / 2 + 1});
    check_all(t, {Op::Shl, Op::Shr, Op::Max, Op::Min, Op::Lt}, {0, 1, 31, 32, 63, 64, m});
  }
}
TEST_CASE("floats beside a constant: clips, relu and scalings keep the bits of the operation") {
  for (Type t : {Type::f32, Type::f64}) {
    const bool single = t == Type::f32;
    const u64 one = single ? 0x3f800000 : 0x3ff0000000000000, sign = single ? 0x80000000 : u64{1} << 63,
              nan = single ? 0x7fc00000 : 0x7ff8000000000000;
    const u64 inf = single ? 0x7f800000 : 0x7ff0000000000000, three = single ? 0x40400000 : 0x4008000000000000,
              half = single ? 0x3f000000 : 0x3fe0000000000000;
    check_all(t, {Op::Max, Op::Min, Op::Fmax, Op::Fmin, Op::Lt, Op::Eq, Op::Copysign}, {0, sign, one, one | sign, inf, inf | sign, nan, 1});
    check_all(t, {Op::Add, Op::Sub, Op::Mul, Op::Div}, {0, sign, one, one | sign, three, half, inf, nan, 1});
  }
}
