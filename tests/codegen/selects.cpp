// LLVM makes minima, maxima and clamps of a comparison and a select; each must stay what was written, for NaNs too.
#include <doctest/doctest.h>
#include "codegen/selects.hpp"
#include "ordo/codegen/llvm/llvm.hpp"

TEST_CASE("selects of compared operands: as written, on each target") {
  using namespace made;
  for (const Target& target : targets())
    for (int lanes : {1, target.vector_bits / 32})
      for (Type t : {Type::f32, Type::f64, Type::i32, Type::u64}) {
        const Selects selects(t, lanes);
        const Linked linked(selects.kernel(), target);
        Call call;
        std::vector<std::vector<u8>> memory = selects.memory();
        for (auto& bytes : memory) call.data.push_back(bytes.data());
        call.dims = {selects.turns()};
        call.strides.resize(memory.size() * max_rank, 1);
        CHECK(call.run(linked.entry()) == 0);
        selects.compare(target.name, memory);
      }
}
