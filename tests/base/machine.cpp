#include <functional>
#include <string>
#include <doctest/doctest.h>
#include "ordo/trace.hpp"

using namespace ordo;

namespace {
std::string refused(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) { return error.what(); }
  return "";
}
std::string read(const std::string& facts) {
  return refused([&] {
    (void)machine_from_json(("{\"format\": \"ordo machine\", \"version\": 1" + facts + "}").c_str(), {}, {"tune.cpp", 3});
  });
}
}  // namespace

TEST_CASE("machine: detected, it is one") {
  Target t;
  t.vector_bits = 512;
  t.vector_registers = 32;
  t.fma = true;
  const Machine m = detect(t);
  CHECK_NOTHROW(check(m, {}));
  CHECK(m.vector_bits == 512);
  CHECK(m.vector_registers == 32);
  CHECK(m.fma);
  CHECK(m.cores >= 1);
}
TEST_CASE("machine: printed, a line a fact") {
  CHECK(print(Machine{}) ==
        "vector_bits = 128\nvector_registers = 16\nfma = 0\nbyte_dots = 0\nfma_ports = 2\nfma_latency = 4\nl1_bytes = 32768\n"
        "l1_ways = 8\nl2_bytes = 524288\nl3_bytes = 8388608\npage_bytes = 4096\ncores = 1\n");
}
TEST_CASE("machine: JSON goes out and comes back; a part of it changes that part") {
  Machine m;
  m.fma = true;
  m.cores = 48;
  m.l3_bytes = i64{1} << 33;
  CHECK(print(machine_from_json(to_json(m).c_str())) == print(m));
  CHECK(to_json(machine_from_json(to_json(m).c_str())) == to_json(m));
  const Machine few = machine_from_json("{\"format\": \"ordo machine\", \"version\": 1, \"cores\": 2}", m);
  CHECK(few.cores == 2);
  CHECK(few.fma);
  CHECK(to_json(m).find("\"fma\": true,\n \"byte_dots\": false,") != std::string::npos);
}
TEST_CASE("machine: what is no description is refused") {
  CHECK(refused([] {
          (void)machine_from_json("{", {}, {"tune.cpp", 3});
        }) == "error[machine.json]: cannot read the machine: this is no JSON\n  at tune.cpp:3");
  CHECK(refused([] {
          (void)machine_from_json("[]", {}, {"tune.cpp", 3});
        }) == "error[machine.json]: cannot read the machine: this is no machine: \"format\" is not \"ordo machine\"\n  at tune.cpp:3");
  CHECK(refused([] {
          (void)machine_from_json("{\"format\": \"ordo machine\", \"version\": 9}", {}, {"tune.cpp", 3});
        }) == "error[machine.json]: cannot read the machine: version 9 is not known; this library reads version 1\n  at tune.cpp:3");
  CHECK(read(", \"fma\": 1") == "error[machine.json]: cannot read the machine: \"fma\" is not true or false\n  at tune.cpp:3");
  CHECK(read(", \"cores\": \"many\"") == "error[machine.json]: cannot read the machine: \"cores\" is not an integer\n  at tune.cpp:3");
  CHECK(read(", \"cores\": 4294967297") == "error[machine.json]: cannot read the machine: \"cores\" is too large\n  at tune.cpp:3");
  CHECK(read(", \"core\": 4") ==
        "error[machine.json]: cannot read the machine: \"core\" is no fact of a machine; facts are vector_bits, vector_registers, fma, "
        "byte_dots, fma_ports, fma_latency, l1_bytes, l1_ways, l2_bytes, l3_bytes, page_bytes, cores\n  at tune.cpp:3");
}
TEST_CASE("machine: no text, nesting without end and half a list of keys are no description") {
  CHECK(refused([] {
          (void)machine_from_json(nullptr, {}, {"tune.cpp", 3});
        }) == "error[machine.json]: cannot read the machine: there is no text\n  at tune.cpp:3");
  const std::string deep = std::string(200000, '[') + std::string(200000, ']');
  CHECK(refused([&] {
          (void)machine_from_json(("{\"format\": \"ordo machine\", \"version\": " + deep + "}").c_str(), {}, {"tune.cpp", 3});
        }) == "error[machine.json]: cannot read the machine: version ? is not known; this library reads version 1\n  at tune.cpp:3");
  CHECK(read(", \"cores\": " + deep) == "error[machine.json]: cannot read the machine: \"cores\" is not an integer\n  at tune.cpp:3");
  for (const char* key : {"l1_bytes, l1_ways", "", "fma,"})
    CHECK(read(", \"" + std::string(key) + "\": 5").find("\"" + std::string(key) + "\" is no fact of a machine") != std::string::npos);
}
TEST_CASE("machine: a way of the first cache holds a line") {
  CHECK(read(", \"l1_ways\": 65536") ==
        "error[machine.value]: l1_ways = 65536 of l1_bytes = 32768 hold no line of 64 bytes each\n  at tune.cpp:3\n  help: at most 512 "
        "ways, where any line may take any place");
  CHECK(read(", \"l1_ways\": 512").empty());
}
TEST_CASE("machine: nonsense is refused") {
  CHECK(read(", \"cores\": 0") ==
        "error[machine.value]: no machine has cores = 0\n  at tune.cpp:3\n  help: it is 1 to 65536; detect(target) gives those of this "
        "machine");
  CHECK(read(", \"l1_bytes\": -5").find("l1_bytes = -5") != std::string::npos);
  CHECK(read(", \"vector_bits\": 384") ==
        "error[machine.value]: no machine has vector_bits = 384\n  at tune.cpp:3\n  help: it is a power of two");
  CHECK(read(", \"l1_bytes\": 1048576") ==
        "error[machine.value]: l1_bytes = 1048576 is more than l2_bytes = 524288\n  at tune.cpp:3\n  help: of a machine without that "
        "cache give both the same size");
}
