#include <string>
#include <doctest/doctest.h>
#include "ordo/base/machine.hpp"
#include "ordo/ordo.hpp"

using namespace ordo;

namespace {
struct Doubled {
  Tensor<float, 2> X{"X", {64, 4096}}, Y{"Y"};
  Index i{"i"}, j{"j"};
  Doubled() { Y(i, j) = X(i, j) * 2; }
  std::string loops(const Machine* machine) const {
    return std::string(compile(inputs(X), outputs(Y), null_target(), {.machine = machine}).explain());
  }
};
}  // namespace

TEST_CASE("compile: a default schedule is made for the machine that is given") {
  const Doubled d;
  Machine one, many;
  many.vector_bits = 512;
  many.cores = 64;
  CHECK(d.loops(&one) != d.loops(&many));
  CHECK(d.loops(&one) == d.loops(&one));
}
TEST_CASE("compile: a machine that cannot be is refused at the caller's line") {
  const Doubled d;
  Machine none;
  none.cores = 0;
  try {
    (void)d.loops(&none);
    CHECK(false);
  } catch (const Error& e) {
    CHECK(std::string(e.code()) == "machine.value");
    CHECK(std::string(e.what()).find("machine.cpp") != std::string::npos);
  }
}
