// On each target that this processor runs.
#include <doctest/doctest.h>
#include "codegen/constants.hpp"
#include "ordo/codegen/llvm/llvm.hpp"

namespace {
using namespace made;

void check(const Target& target, const BesideConstants& one) {
  const Linked linked(one.kernel(), target);
  Call call;
  std::vector<std::vector<u8>> memory = one.memory();
  for (auto& bytes : memory) call.data.push_back(bytes.data());
  call.dims = {one.turns()};
  call.strides.resize(call.data.size() * max_rank);
  CHECK(call.run(linked.entry()) == 0);
  one.compare(target.name, memory);
}
}  // namespace

TEST_CASE("integers beside a constant: division, remainder and shifts keep their special cases") {
  for (const Target& target : targets())
    for (const BesideConstants& one : beside_constants_integers(target.vector_bits / 64)) check(target, one);
}
TEST_CASE("floats beside a constant: clips, relu and scalings keep the bits of the operation") {
  for (const Target& target : targets())
    for (const BesideConstants& one : beside_constants_floats(target.vector_bits / 64)) check(target, one);
}
