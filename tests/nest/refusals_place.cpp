// Refusals of what places values: pack, inline_, compute_root; and of traces for another program.
#include "nest/golden.hpp"
#include "nest/made.hpp"

namespace {
using namespace ordo;
using golden::refused;
using made::Sketch;

Sketch matmul() { return Sketch(made::matmul()); }
Sketch epilogue() { return Sketch(made::epilogue()); }

// C(i, j) = sum(k, A(i, k) * B(k, j)) + D(i, j)
ir::Program with_epilogue_read() {
  Tensor<float, 2> A{"A", {64, 32}}, B{"B", {32, 48}}, C{"C"}, D{"D", {64, 48}};
  Index i{"i"}, j{"j"};
  Chain k{"k"};
  C(i, j) = sum(k, A(i, k) * B(k, j)) + D(i, j);
  return made::staged({C});
}
}  // namespace

TEST_CASE("refusals: pack") {
  refused("pack.tensor", [] { matmul().pack("C", "Bias", "j"); });
  refused("pack.tensor.near", [] { Sketch(made::epilogue()).pack("C", "bais", "i"); });
  refused("pack.tensor.own", [] { matmul().pack("C", "C", "j"); });
  refused("pack.tensor.output", [] {
    Tensor<float, 1> X{"X", {64}}, Y{"Y"}, Z{"Z"};
    Index i{"i"};
    Y(i) = X(i) * 2;
    Z(i) = Y(i) + 1;
    Sketch(made::staged({Y, Z})).pack("Z", "Y");
  });
  refused("pack.tensor.inlined", [] { epilogue().inline_("E").pack("C", "E", "i"); });
  refused("pack.twice", [] { matmul().pack("C", "B", "j").pack("C", "B", "i"); });
  refused("pack.access", [] { epilogue().pack("C", "A", "i"); });
  refused("pack.access.several", [] { Sketch(made::stencil()).pack("by", "bx", "v"); });
  refused("pack.access.gather", [] {
    Tensor<float, 2> E{"E", {100, 16}}, Y{"Y"};
    Tensor<i64, 1> id{"id", {50}};
    Index n{"n"}, d{"d"};
    Y(n, d) = E(id(n), d);
    Sketch(made::staged({Y})).pack("Y", "E", "n");
  });
  refused("pack.access.guarded", [] {
    Tensor<float, 1> X{"X", {64}}, Y{"Y"};
    Index i{"i", 80};
    Y(i) = select(i < 64, X(i), 0);
    Sketch(made::staged({Y})).pack("Y", "X");
  });
  refused("pack.loop", [] { matmul().pack("C", "B", "k"); });
  refused("pack.loop.vectorized", [] {
    Sketch s(made::fixed_matmul());
    s.split("C", "j", {"8"})
        .reorder("C", {"k", "i", "j.0", "j.1"})
        .unroll("C", "i")
        .reorder("C", {"j.0", "j.1", "i"})
        .vectorize("C", "j.1")
        .pack("C", "A", "j.1");
  });
  refused("pack.loop.reduction", [] { Sketch(with_epilogue_read()).reorder("C", {"k", "i", "j"}).pack("C", "D", "i"); });
  refused("pack.memory", [] { matmul().pack("C", "B", "j", {Memory::registers, 0, false}); });
  refused("pack.memory.shared", [] { matmul().pack("C", "B", "j", {Memory::shared, 0, false}); });
  refused("pack.memory.symbolic", [] { matmul().pack("C", "B", "j", {Memory::stack, 0, false}); });
  refused("pack.memory.large", [] {
    Sketch(made::fixed_matmul()).split("C", "i", {"2048"}).pack("C", "A", nullptr, {Memory::stack, 1, false});
  });
  refused("pack.pad", [] { matmul().pack("C", "B", "j", {Memory::automatic, -1, false}); });
  refused("pack.constant", [] { matmul().pack("C", "B", "j", {Memory::automatic, 0, true}); });
  refused("pack.constant.computed", [] { epilogue().pack("E", "D", nullptr, {Memory::automatic, 0, true}); });
}

TEST_CASE("refusals: inline_ and compute_root") {
  refused("inline.output", [] { matmul().inline_("C"); });
  refused("inline.twice", [] { epilogue().inline_("E").inline_("E"); });
  refused("inline.scan", [] {
    Tensor<float, 2> X{"X", {8, 100}}, Y{"Y"}, Z{"Z"};
    Index i{"i"}, j{"j"};
    Scan t{"t"};
    Y(i, t) = scan(t, 0, Y(i, t - 1) + X(i, t));
    Z(i, j) = Y(i, j) * 2;
    Sketch(made::staged({Z})).inline_("Y");
  });
  refused("inline.scheduled", [] { epilogue().split("E", "i", {"8"}).inline_("E"); });
  refused("inline.scheduled.order", [] { epilogue().reorder("E", {"j", "i"}).inline_("E"); });
  refused("inline.packed", [] { epilogue().pack("C", "E", "i").inline_("E"); });
  refused("inline.packed.through", [] {
    Tensor<float, 1> X{"X", {64}}, Y{"Y"}, Z{"Z"};
    Index i{"i"};
    Y(i) = X(i) * 2;
    Z(i) = Y(i) + X(i);
    Sketch(made::staged({Z})).pack("Z", "X").inline_("Y");
  });
  refused("inline.reduction", [] { epilogue().inline_("E").inline_("D"); });
  refused("inline.reduction.readers", [] {
    Tensor<float, 2> X{"X", {8, 100}};
    Tensor<float, 1> S{"S"}, Y{"Y"}, Z{"Z"};
    Index i{"i"};
    Chain k{"k"};
    S(i) = sum(k, X(i, k));
    Y(i) = S(i) * 2;
    Z(i) = S(i) + 1;
    Sketch(made::staged({Y, Z})).inline_("S");
  });
  refused("inline.reduction.two", [] {
    Tensor<float, 2> X{"X", {8, 100}};
    Tensor<float, 1> S{"S"}, Y{"Y"};
    Index i{"i"};
    Chain k{"k"}, l{"l"};
    S(i) = sum(k, X(i, k));
    Y(i) = S(i) + sum(l, X(i, l) * S(i));
    Sketch(made::staged({Y})).inline_("S");
  });
  refused("inline.reduction.places", [] {
    Tensor<float, 2> X{"X", {8, 100}};
    Tensor<float, 1> S{"S"}, Y{"Y"};
    Index i{"i"}, j{"j", 7};
    Chain k{"k"};
    S(i) = sum(k, X(i, k));
    Y(j) = S(j) + S(j + 1);
    Sketch(made::staged({Y})).inline_("S");
  });
  refused("inline.reduction.indices", [] {
    Tensor<float, 2> X{"X", {8, 100}};
    Tensor<float, 1> S{"S"}, Y{"Y"};
    Index i{"i"}, j{"j", 7};
    Chain k{"k"};
    S(i) = sum(k, X(i, k));
    Y(j) = S(j + 1) * 2;
    Sketch(made::staged({Y})).inline_("S");
  });
  refused("inline.reduction.rank", [] {
    Tensor<float, 2> X{"X", {8, 100}}, Y{"Y"};
    Tensor<float, 1> S{"S"};
    Index i{"i"}, j{"j"};
    Chain k{"k"};
    S(i) = sum(k, X(i, k));
    Y(i, j) = X(i, j) / S(i);
    Sketch(made::staged({Y})).inline_("S");
  });
  refused("inline.reduction.guarded", [] {
    Tensor<float, 2> X{"X", {8, 100}};
    Tensor<float, 1> S{"S"}, Y{"Y"};
    Index i{"i"}, j{"j", 12};
    Chain k{"k"};
    S(i) = sum(k, X(i, k));
    Y(j) = select(j < 8, S(j), 0);
    Sketch(made::staged({Y})).inline_("S");
  });
  refused("compute_root.scheduled", [] { epilogue().inline_("D").split("E", "k", {"8"}).compute_root("D"); });
  refused("compute_root.scheduled.mark", [] { epilogue().inline_("D").split("E", "k", {"8"}).unroll("E", "k.1").compute_root("D"); });
  refused("compute_root.scheduled.reader", [] { epilogue().inline_("D").inline_("E").compute_root("D"); });
  refused("compute_root.packed", [] { epilogue().inline_("D").pack("E", "B", "i").compute_root("D"); });
}

TEST_CASE("refusals: a trace for another program stops at the first directive that does not fit") {
  const nest::Trace trace = matmul().split("C", "i", {"8"}).split("C", "k", {"4"}).trace;
  refused("trace.fit", [&] {
    Tensor<float, 2> A{"A"}, C{"C"};
    Index i{"i"}, j{"j"};
    C(i, j) = A(i, j) * 2;
    nest::Nest other = nest::make(made::staged({C}));
    const std::string before = print(other);
    try {
      nest::apply(other, trace);
    } catch (const Error&) {
      CHECK(print(other) == before);
      throw;
    }
  });
}
