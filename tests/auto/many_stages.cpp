// Fifty stages of many shapes; bench/latency says how long their default schedule takes to make.
#include <string>
#include <doctest/doctest.h>
#include "auto/network.hpp"
#include "ordo/auto/schedule.hpp"
#include "ordo/ir/text.hpp"

using namespace ordo;

TEST_CASE("default schedule: of fifty stages, always the same") {
  for (const char* size : {"512", "N"}) {
    const ir::Program program = ir::parse(fifty::network(size).c_str());
    CHECK(program.definitions.size() == 50);
    const nest::Nest nest = nest::make(ir::stages(program));
    const Machine machine;
    const std::string first = nest::print(default_schedule(nest, machine));
    CHECK(nest::print(default_schedule(nest, machine)) == first);
    const nest::Nest again = nest::make(ir::stages(ir::parse(fifty::network(size).c_str())));
    CHECK(nest::print(default_schedule(again, machine)) == first);
  }
}
