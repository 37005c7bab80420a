// Every row of the contract's "Worked examples", as bits, by the interpreter.
#include "contract/example.hpp"

TEST_CASE("contract: the worked examples, by the interpreter") {
  using namespace contract;
  for (const Example& e : all()) {
    Call call(e);
    interpret(e.program, call.arguments.data(), call.count());
    check(e, "the interpreter", call.data.back());
  }
}
