// Every cast from every element type to every other: all values of the narrow types, a sample and the edges of the others,
// beside MPFR; in vectors and their tails, by `walk`, by the interpreter, folded, and on every target.
#include "contract/exact.hpp"
#include "contract/samples.hpp"
#include "foreign/lowered.hpp"
#include "ordo/cpu.hpp"
#include "ordo/runtime/calls.hpp"
#include "runtime/walk_target.hpp"

namespace {
using namespace contract;

// One program casts a vector of `from` to every type.
struct Casts {
  Casts(Type type, bool constants) : from(type), values(Samples(type).all()) {
    if (constants) {             // a few, chosen by position
      Bits few;
      for (std::size_t k = 0; k < 24; ++k) few.push_back(values[k * 7919 % values.size()]);
      values = few;
    }
    Maker b;
    const Ref x = b.input("X", from, 1), i = b.index("i", constants ? b.i64s(static_cast<i64>(values.size())) : nullptr);
    std::vector<Ref> outputs;
    for (const Type to : every_type) {
      Ref value = constants ? chosen(b, i, to) : b.cast(to, b.at(x, {i}));
      outputs.push_back(b.named((std::string("Y_") + name_of(to)).c_str(), to, {i}, value));
    }
    program = std::make_unique<ir::Program>(ir::snapshot(&x, constants ? 0 : 1, outputs.data(), static_cast<int>(outputs.size()), {}));
    if (!constants) data.push_back(patterns(from, {count()}, values));
    for (const Type to : every_type) data.push_back(empty(to, {count()}));
  }
  i64 count() const { return static_cast<i64>(values.size()); }
  Ref chosen(Maker& b, Ref i, Type to) const {     // of constants: cast(c0) at 0, cast(c1) at 1 ...
    Ref value = nullptr;
    for (std::size_t k = values.size(); k-- > 0;) {
      u64 bits = values[k];
      if (compute_type(from) != from) bits = soft::load(from, &bits);
      const Ref one = b.cast(to, b.bits(compute_type(from), bits));
      value = value == nullptr ? one : b.ternary(Op::Select, b.binary(Op::Eq, i, b.i64s(static_cast<i64>(k))), one, value);
    }
    return value;
  }
  void check(const char* target, const std::vector<Data>& got) const {
    exact::Number room;
    const std::size_t first = got.size() - std::size(every_type);
    for (std::size_t t = 0; t < std::size(every_type); ++t) {
      const Bits have = bits(got[first + t]);
      int wrong = 0;
      for (std::size_t k = 0; k < values.size() && wrong < 3; ++k) {
        const u64 want = exact::cast(every_type[t], from, values[k], room);
        if (have[k] == want) continue;
        ++wrong;
        char text[160];
        std::snprintf(text, sizeof text, "%s: %s from %s %llx is %llx, not %llx", target, name_of(every_type[t]), name_of(from),
                      static_cast<unsigned long long>(values[k]), static_cast<unsigned long long>(want),
                      static_cast<unsigned long long>(have[k]));
        FAIL_CHECK(text);
      }
    }
  }
  std::vector<Argument> arguments(std::vector<Data>& of) const {
    std::vector<Argument> all;
    for (Data& d : of) all.push_back(d.argument());
    return all;
  }
  void interpreted() const {
    std::vector<Data> mine = data;
    const std::vector<Argument> a = arguments(mine);
    interpret(*program, a.data(), static_cast<int>(a.size()));
    check("the interpreter", mine);
  }
  void compiled(const Target& target) const {
    std::vector<Data> mine = data;
    const std::vector<Argument> a = arguments(mine);
    runtime::KernelBody* body = runtime::compile(*program, nullptr, target, walk_target::no_disk(), {});
    runtime::call(body, a.data(), static_cast<int>(a.size()), {});
    runtime::release(body);
    check(target.name, mine);
  }
  Type from;
  Bits values;
  std::unique_ptr<ir::Program> program;
  std::vector<Data> data;
};
std::vector<Target> targets() {
  std::vector<Target> all{walk_target::target()};
  for (const char* name : {"x86-64-v2", "x86-64-v3", "x86-64-v4"})
    if (const Target t = cpu::named(name); cpu::runs_here(t)) all.push_back(t);
  return all;
}
}  // namespace

TEST_CASE("casts: between all types, by the interpreter, walk and each target of this processor, as MPFR has them") {
  for (const Type from : every_type) {
    const Casts casts(from, false);
    casts.interpreted();
    for (const Target& t : targets()) casts.compiled(t);
  }
}
TEST_CASE("casts: of constants") {
  for (const Type from : every_type) {
    const Casts casts(from, true);
    casts.interpreted();
    for (const Target& t : targets()) casts.compiled(t);
  }
}
TEST_CASE("casts: on instruction sets that are emulated") {
  for (const foreign::Machine& machine : foreign::machines()) {
    if (const std::string why = foreign::missing(machine); !why.empty()) {
      MESSAGE("skipped: " << why);
      continue;
    }
    foreign::Batch batch(machine);
    std::vector<Casts> all;
    std::vector<foreign::Job> jobs;
    for (const Type from : every_type) {
      all.emplace_back(from, false);
      const std::vector<Argument> a = all.back().arguments(all.back().data);
      jobs.push_back(foreign::lowered(batch, foreign::plan_of(ir::stages(*all.back().program), nullptr, batch.target()), a));
    }
    const std::string& cpu = machine.cpus.front();
    const std::string wrong = batch.run(cpu, jobs);
    CHECK_MESSAGE(wrong.empty(), wrong);
    for (std::size_t k = 0; wrong.empty() && k < jobs.size(); ++k) {
      std::vector<Data> got = all[k].data;
      for (std::size_t d = 0; d < got.size(); ++d) got[d].bytes = jobs[k].memory[d].bytes;
      all[k].check((machine.target + " on " + cpu).c_str(), got);
    }
  }
}
