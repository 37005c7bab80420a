// Every element-wise operation on every type, scalar and vector, on instruction sets that are emulated: the bits of soft::.
#include <doctest/doctest.h>
#include <functional>
#include "codegen/cases.hpp"
#include "codegen/constants.hpp"
#include "codegen/selects.hpp"
#include "foreign/foreign.hpp"
#include "ordo/codegen/llvm/llvm.hpp"

namespace {
using namespace made;

foreign::Job job_of(std::vector<std::vector<u8>> memory, i64 turns, int entry) {
  foreign::Job job;
  foreign::Launch launch;
  launch.entry = entry;
  for (std::vector<u8>& bytes : memory) {
    launch.data.insert(launch.data.end(), {static_cast<i64>(job.memory.size()), 0});
    job.memory.push_back({std::move(bytes), true});
  }
  launch.dims = {turns};
  launch.strides.resize(job.memory.size() * max_rank, 1);
  job.launches.push_back(launch);
  return job;
}
// Runs the kernel of each table on each machine, and compares.
template <class One> void check_everywhere(const std::function<std::vector<One>(const Target&)>& make) {
  for (const foreign::Machine& machine : foreign::machines()) {
    if (const std::string why = foreign::missing(machine); !why.empty()) {
      MESSAGE("skipped: " << why);
      continue;
    }
    foreign::Batch batch(machine);
    const std::vector<One> all = make(batch.target());
    std::vector<foreign::Job> jobs;
    for (const One& one : all) jobs.push_back(job_of(one.memory(), one.turns(), batch.add(one.kernel())));
    for (const std::string& cpu : machine.cpus) {
      std::vector<foreign::Job> calls = jobs;
      const std::string wrong = batch.run(cpu, calls);
      CHECK_MESSAGE(wrong.empty(), wrong);
      if (!wrong.empty()) continue;
      for (std::size_t k = 0; k < calls.size(); ++k) {
        std::vector<std::vector<u8>> memory;
        for (foreign::Memory& m : calls[k].memory) memory.push_back(std::move(m.bytes));
        CHECK(calls[k].status == 0);
        all[k].compare((machine.target + " on " + cpu).c_str(), memory);
      }
    }
  }
}
}  // namespace

TEST_CASE("foreign targets: every operation and cast has the bits of the contract") {
  check_everywhere<Table>([](const Target& target) {
    std::vector<Table> all;
    for (const Set& set : all_sets())
      for (int lanes : {1, target.vector_bits / 32}) all.emplace_back(set, lanes);
    return all;
  });
}
TEST_CASE("foreign targets: selects of compared operands are as written") {
  check_everywhere<Selects>([](const Target& target) {
    std::vector<Selects> all;
    for (Type t : {Type::f32, Type::f64, Type::i32, Type::u64})
      for (int lanes : {1, target.vector_bits / 32}) all.emplace_back(t, lanes);
    return all;
  });
}
TEST_CASE("foreign targets: operations beside a constant keep their special cases") {
  for (bool floats : {false, true})
    for (bool scalar : {false, true})
      check_everywhere<BesideConstants>([=](const Target& target) {
        const int lanes = scalar ? 1 : target.vector_bits / 64;
        return floats ? beside_constants_floats(lanes) : beside_constants_integers(lanes);
      });
}
