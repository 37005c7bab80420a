// Operations on constants: what LLVM folds must be what the instructions would have given.
#include <doctest/doctest.h>
#include "codegen/cases.hpp"
#include "ordo/codegen/llvm/llvm.hpp"

namespace {
using namespace made;

void check(const Target& target, const Set& set) {
  Random random;
  const auto columns = operands(set.types, 0, random);
  const std::size_t all = columns[0].size(), step = all > 240 ? all / 240 | 1 : 1;
  Maker m("folded");
  std::vector<std::size_t> tuples;
  for (std::size_t k = 0; k < all; k += step) tuples.push_back(k);
  std::vector<Ref> statements;
  std::vector<std::vector<u8>> memory;
  for (const Case& c : set.cases) {
    const u64 out = m.argument("out", c.result, true);
    memory.emplace_back(tuples.size() * static_cast<std::size_t>(bytes_of(c.result)));
    for (std::size_t t = 0; t < tuples.size(); ++t) {
      std::vector<Ref> values;
      for (std::size_t o = 0; o < set.types.size(); ++o) values.push_back(m.a.constant(set.types[o], columns[o][tuples[t]], 1));
      statements.push_back(
          m.write(out, m.i(static_cast<i64>(t)),
                  m.a.make(c.op, compute_type(c.result), values.data(), static_cast<u32>(values.size()), c.arg, "", {}, 1)));
    }
  }
  m.kernel.body = m.block(statements);
  const Linked linked(m.kernel, target);
  Call call;
  for (auto& bytes : memory) call.data.push_back(bytes.data());
  call.strides.resize(memory.size() * max_rank);
  CHECK(call.run(linked.entry()) == 0);
  const Type from = set.types.size() == 3 && set.types[0] == Type::boolean ? set.types[1] : set.types[0];
  for (std::size_t c = 0; c < set.cases.size(); ++c) {
    int wrong = 0;
    for (std::size_t t = 0; t < tuples.size() && wrong < 2; ++t) {
      u64 a[3] = {}, want = 0;
      for (std::size_t o = 0; o < set.types.size(); ++o) a[o] = columns[o][tuples[t]];
      soft::store(set.cases[c].result, &want, ir::scalar(set.cases[c].op, from, set.cases[c].arg, a));
      const u64 have = element(set.cases[c].result, memory[c], t);
      if (have == want) continue;
      ++wrong;
      FAIL_CHECK(target.name << " " << name_of(from) << ": " << ir::name_of(set.cases[c].op) << "(" << a[0] << ", " << a[1] << ", " << a[2]
                             << ") = " << want << ", not " << have);
    }
  }
}
}  // namespace

TEST_CASE("operations on constants: folded to the bits of the contract") {
  for (const Target& t : {cpu::named("x86-64-v2"), cpu::host()})
    if (cpu::runs_here(t))
      for (const Set& set : all_sets()) check(t, set);
}
