#include <doctest/doctest.h>
#include <string>
#include "ordo/codegen/null/null.hpp"

using namespace ordo;

TEST_CASE("null: verifies, makes no code, launches nothing") {
  const Target t = null_target();
  CHECK(std::string(t.name) == "null");
  REQUIRE(t.backend == &codegen::null::backend());
  kernel::Kernel k;
  k.body = k.arena.make(ir::Op::Block, Type::none, nullptr, 0);
  const codegen::Code code = t.backend->generate(k, t, true);
  CHECK(code.object.empty());
  void* loaded = t.backend->load(code.object, "nothing");
  CHECK(t.backend->entry(loaded)(nullptr) == 0);
  t.backend->unload(loaded);
  CHECK_THROWS_AS(t.backend->load("x", "nothing"), Error);
}
TEST_CASE("null: a kernel that breaks a rule is refused") {
  kernel::Kernel k;
  k.body = k.arena.integer(3);
  CHECK_THROWS_AS(null_target().backend->generate(k, null_target(), false), Error);
}
