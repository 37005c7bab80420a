// align: promises where arguments lie.
#include <doctest/doctest.h>
#include "nest/golden.hpp"
#include "nest/made.hpp"
#include "ordo/nest/schedule.hpp"
#include "ordo/trace.hpp"

namespace {
using namespace ordo;
using golden::refused;
using made::Sketch;
Sketch matmul() { return Sketch(made::matmul()); }
Sketch epilogue() { return Sketch(made::epilogue()); }
}  // namespace

TEST_CASE("align: is shown at the top of the stage; the largest promise of a tensor counts") {
  Sketch s = matmul();
  CHECK(s.align("C", "A", "64").text().rfind("C:\n  A at multiples of 64 bytes\n  for i 0..64\n", 0) == 0);
  Sketch e = epilogue();
  e.align("D", "A", "32").align("C", "bias", "16").align("C", "C", "128");
  const nest::Promise* p = nest::promise_of(e.nest, e.nest.program.outputs[0]);
  REQUIRE(p != nullptr);
  CHECK(p->bytes == 128);
}
TEST_CASE("align: typed, printed, through JSON and replayed") {
  Dim N{"N"};
  Tensor<float, 2> A{"A", {64, N}}, C{"C"};
  Index i{"i"}, j{"j"};
  C(i, j) = A(i, j) + 1;
  Schedule s{C};
  s.align(A, 64).align(C, 4096);
  CHECK(std::string(s.trace()) == "s[C].align(A, 64);\ns[C].align(C, 4096);\n");
  Schedule again{C};
  replay(again, trace_json(s).c_str());
  CHECK(std::string(again.text()) == s.text());
  CHECK(trace_json(again) == trace_json(s));
}
TEST_CASE("refusals: align") {
  refused("align.tensor", [] { matmul().align("C", "D", "64"); });
  refused("align.tensor.other", [] { epilogue().align("C", "A", "64"); });
  refused("align.tensor.made", [] { epilogue().align("C", "E", "64"); });
  refused("align.bytes", [] { matmul().align("C", "A", "48"); });
  refused("align.bytes.small", [] { matmul().align("C", "A", "2"); });
  refused("align.bytes.large", [] { matmul().align("C", "A", "8192"); });
  refused("align.bytes.text", [] { matmul().align("C", "A", "N"); });
  refused("align.twice", [] { matmul().align("C", "A", "64").align("C", "A", "128"); });
}
