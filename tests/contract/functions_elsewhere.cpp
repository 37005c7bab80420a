// Functions of the contract on instruction sets that are emulated: the interpreter's bits, and no name of libm in the code.
#include <memory>
#include "foreign/lowered.hpp"
#include "interp/made.hpp"
#include "ordo/codegen/llvm/llvm.hpp"
#include "ordo/ir/program.hpp"
#include "targets/undefined.hpp"

namespace {
using namespace made;

std::vector<Op> functions(Type t) {
  std::vector<Op> all;
  for (int k = 0; k < ir::op_count; ++k)
    if (const Op op = static_cast<Op>(k); ir::is_function(op) && (t == Type::f32 || !ir::is_approx(op))) all.push_back(op);
  return all;
}
Bits values(Type t, std::size_t count, u64 state) {
  Bits all;
  if (t == Type::f32)
    all = {0, 0x80000000, 1, 0x80000001, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7f812345, 0x42b17218, 0xc2cff1b5};
  else all = {0, u64{1} << 63, 1, 0x3ff0000000000000, 0xbff0000000000000, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff0000000012345};
  const int frac = t == Type::f32 ? 23 : 52;
  const u64 bias = t == Type::f32 ? 127 : 1023, fraction = (u64{1} << frac) - 1;
  while (all.size() < count) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const u64 r = state >> 30;
    all.push_back((r & 1) << (bits_of(t) - 1) | (bias - 12 + r % 24) << frac | (state >> 9 & fraction));
  }
  return all;
}
// Y_f(i) = f(X(i)), or f(X(i), Z(i)).
struct Functions {
  Functions(Type t, std::size_t count) {
    Maker b;
    const i64 n = static_cast<i64>(count);
    const Ref x = b.input("X", t, 1), z = b.input("Z", t, 1), i = b.index("i", b.i64s(n)), inputs[] = {x, z};
    std::vector<Ref> outputs;
    for (const Op op : functions(t)) {
      const bool one = ir::class_of(op) == ir::OpClass::unary;
      outputs.push_back(b.named(ir::name_of(op), t, {i}, one ? b.unary(op, b.at(x, {i})) : b.binary(op, b.at(x, {i}), b.at(z, {i}))));
    }
    program = std::make_unique<ir::Program>(ir::snapshot(inputs, 2, outputs.data(), static_cast<int>(outputs.size()), {}));
    data = {patterns(t, {n}, values(t, count, 1)), patterns(t, {n}, values(t, count, 99))};
    for (std::size_t k = 0; k < outputs.size(); ++k) data.push_back(empty(t, {n}));
  }
  std::vector<Argument> arguments(std::vector<Data>& of) const {
    std::vector<Argument> all;
    for (Data& d : of) all.push_back(d.argument());
    return all;
  }
  std::unique_ptr<ir::Program> program;
  std::vector<Data> data;
};
}  // namespace

TEST_CASE("foreign targets: functions have the interpreter's bits") {
  for (const Type t : {Type::f32, Type::f64}) {
    const Functions f(t, 203);
    std::vector<Data> want = f.data;
    const std::vector<Argument> plain = f.arguments(want);
    interpret(*f.program, plain.data(), static_cast<int>(plain.size()));
    const ir::Program staged = ir::stages(*f.program);
    for (const foreign::Machine& machine : foreign::machines()) {
      if (!foreign::missing(machine).empty() || machine.target == "aarch64-sve") continue;    // instructions of the other two
      foreign::Batch batch(machine);
      std::vector<Data> mine = f.data;
      std::vector<foreign::Job> jobs{foreign::lowered(batch, foreign::plan_of(staged, nullptr, batch.target()), f.arguments(mine))};
      const std::string wrong = batch.run(machine.cpus.front(), jobs);
      CHECK_MESSAGE(wrong.empty(), wrong);
      for (std::size_t k = 2; wrong.empty() && k < f.data.size(); ++k) {
        mine[k].bytes = jobs[0].memory[k].bytes;
        mine[k].bytes.push_back(0x5a);
        CHECK_MESSAGE(mine[k].bytes == want[k].bytes, machine.target, " ", name_of(t), " ", ir::name_of(functions(t)[k - 2]));
      }
    }
  }
}
TEST_CASE("symbols: no function calls libm") {
  for (const Type t : {Type::f32, Type::f64}) {
    Functions f(t, 16);
    for (const char* name : {"x86-64-v2", "aarch64-neon", "riscv64-v"}) {
      const Target target = cpu::named(name);
      const plan::Plan plan = foreign::plan_of(ir::stages(*f.program), nullptr, target);
      const foreign::Setting setting(plan, f.arguments(f.data));
      for (std::size_t g = 0; g < plan.groups.size(); ++g) {
        const kernel::Kernel k = kernel::lower(plan, static_cast<int>(g), setting.layout, target);
        for (const std::string& s : targets::undefined(codegen::llvm::unsealed_code(k, target, "entry", false).object))
          CHECK_MESSAGE(targets::ours(s), name, ": ", s);
      }
    }
  }
}
