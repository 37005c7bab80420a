// Every element-wise operation on every type, scalar and vector, on instruction sets that are emulated: the bits of soft::.
#include <doctest/doctest.h>
#include "codegen/cases.hpp"
#include "ordo/codegen/llvm/llvm.hpp"
#include "targets/foreign.hpp"

namespace {
using namespace made;

std::vector<Set> all_sets() {
  std::vector<Set> all = bool_sets();
  const auto add = [&](const std::vector<Set>& sets) { all.insert(all.end(), sets.begin(), sets.end()); };
  for (Type t : {Type::f32, Type::f64}) add(float_sets(t));
  for (Type t : {Type::i32, Type::u32, Type::i64, Type::u64}) add(integer_sets(t));
  for (Type from : {Type::boolean, Type::i32, Type::u32, Type::i64, Type::u64, Type::f32, Type::f64}) add({cast_set(from)});
  add(bitcast_sets());
  return all;
}
foreign::Job job_of(const Table& table, int entry) {
  foreign::Job job;
  foreign::Launch launch;
  launch.entry = entry;
  for (std::vector<u8>& bytes : table.memory()) {
    launch.data.push_back(static_cast<i64>(job.memory.size()));
    job.memory.push_back({std::move(bytes), true});
  }
  launch.dims = {table.turns()};
  launch.strides.resize(job.memory.size() * max_rank, 1);
  job.launches.push_back(launch);
  return job;
}
}  // namespace

TEST_CASE("foreign targets: every operation and cast has the bits of the contract") {
  for (const foreign::Machine& machine : foreign::machines()) {
    if (const std::string why = foreign::missing(machine); !why.empty()) {
      MESSAGE("skipped: " << why);
      continue;
    }
    foreign::Batch batch(machine);
    std::vector<Table> tables;
    std::vector<foreign::Job> jobs;
    for (const Set& set : all_sets())
      for (int lanes : {1, batch.target().vector_bits / 32}) {
        tables.emplace_back(set, lanes);
        jobs.push_back(job_of(tables.back(), batch.add(tables.back().kernel())));
      }
    for (const std::string& cpu : machine.cpus) {
      std::vector<foreign::Job> calls = jobs;
      const std::string wrong = batch.run(cpu, calls);
      CHECK_MESSAGE(wrong.empty(), wrong);
      if (!wrong.empty()) continue;
      for (std::size_t k = 0; k < calls.size(); ++k) {
        std::vector<std::vector<u8>> memory;
        for (foreign::Memory& m : calls[k].memory) memory.push_back(std::move(m.bytes));
        CHECK(calls[k].status == 0);
        tables[k].compare((machine.target + " on " + cpu).c_str(), memory);
      }
    }
  }
}
