// Every row of the contract's "Worked examples" by `walk` and on every target.
#include <set>
#include "contract/example.hpp"
#include "foreign/lowered.hpp"
#include "ordo/cpu.hpp"
#include "ordo/runtime/calls.hpp"
#include "runtime/walk_target.hpp"

namespace {
using namespace contract;

// Rows that compiled targets do not lower yet. A row that they do must not be here.
const std::set<std::string> interpreted_only = {};
void check_compiled(const Example& e, const Target& target) {
  Call call(e);
  const bool refused = interpreted_only.count(e.row) != 0;
  runtime::KernelBody* body = nullptr;
  try {
    body = runtime::compile(e.program, nullptr, target, walk_target::no_disk(), {});
  } catch (const Error& error) {
    if (!refused) FAIL_CHECK(e.row << " on " << target.name << ": " << std::string(error.what()));
    return;
  }
  if (refused) FAIL_CHECK(e.row << " is lowered: delete its line in interpreted_only");
  runtime::call(body, call.arguments.data(), call.count(), {});
  runtime::release(body);
  check(e, target.name, call.data.back());
}
}  // namespace

TEST_CASE("contract: the worked examples, on each target that this processor runs") {
  std::vector<Target> targets{walk_target::target()};
  for (const char* name : {"x86-64-v2", "x86-64-v3", "x86-64-v4"})
    if (const Target t = cpu::named(name); cpu::runs_here(t)) targets.push_back(t);
  for (const Example& e : all())
    for (const Target& t : targets) check_compiled(e, t);
}
TEST_CASE("contract: the worked examples, on instruction sets that are emulated") {
  Examples lowered;
  for (Example& e : all())
    if (interpreted_only.count(e.row) == 0) lowered.push_back(std::move(e));
  for (const foreign::Machine& machine : foreign::machines()) {
    if (const std::string why = foreign::missing(machine); !why.empty()) {
      MESSAGE("skipped: " << why);
      continue;
    }
    foreign::Batch batch(machine);
    std::vector<foreign::Job> jobs;
    for (const Example& e : lowered) {
      Call call(e);
      jobs.push_back(foreign::lowered(batch, foreign::plan_of(ir::stages(e.program), nullptr, batch.target()), call.arguments));
    }
    for (const std::string& cpu : machine.cpus) {
      std::vector<foreign::Job> calls = jobs;
      const std::string wrong = batch.run(cpu, calls);
      CHECK_MESSAGE(wrong.empty(), wrong);
      for (std::size_t k = 0; wrong.empty() && k < calls.size(); ++k) {
        Data output = lowered[k].output;
        output.bytes = calls[k].memory[lowered[k].inputs.size()].bytes;
        CHECK(calls[k].status == 0);
        check(lowered[k], (machine.target + " on " + cpu).c_str(), output);
      }
    }
  }
}
