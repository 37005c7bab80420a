// Numbers worked out by hand, as said beside them.
#include "ordo/metrics/metrics.hpp"
#include <cmath>
#include <stdexcept>
#include <doctest/doctest.h>
#include "nest/made.hpp"
#include "ordo/nest/edit.hpp"

using namespace ordo;
using made::Sketch;
using metrics::StageMetrics;

namespace {
Machine small() {
  Machine m;
  m.vector_bits = 512;
  m.vector_registers = 32;
  m.fma = true;
  m.cores = 2;
  m.l1_bytes = 4096;
  m.l2_bytes = 16384;
  return m;
}
i64 number(ir::Ref e) {
  REQUIRE(e != nullptr);
  REQUIRE(e->op == ir::Op::Const);
  return static_cast<i64>(e->arg);
}
struct Bytes {
  std::string name;
  i64 touched, moved;
};
void check(const metrics::Level& level, const std::string& loop, std::vector<Bytes> tensors) {
  INFO(loop);
  CHECK(level.loop == loop);
  i64 touched = 0, moved = 0;
  CHECK(level.tensors.size() == tensors.size());
  for (const Bytes& t : tensors) {
    INFO(t.name);
    bool found = false;
    for (const metrics::Held& h : level.tensors) {
      if (h.name != t.name) continue;
      found = true;
      CHECK(number(h.bytes) == t.touched);
      CHECK(number(h.moved) == t.moved);
    }
    CHECK(found);
    touched += t.touched;
    moved += t.moved;
  }
  CHECK(number(level.bytes) == touched);
  CHECK(number(level.moved) == moved);
}
StageMetrics stage(const metrics::Metrics& all, const char* name) {
  for (const StageMetrics& s : all.stages)
    if (s.name == name) return s;
  throw std::runtime_error(name);
}
ir::Program scaled() {  // Y(i) = X(i) * W(0), and a Dim T to split by
  Dim N{"N"}, T{"T"};
  Tensor<float, 1> X{"X", {N}}, W{"W", {T}}, Y{"Y"};
  Index i{"i"};
  Y(i) = X(i) * W(0);
  return made::staged({Y});
}
}  // namespace

TEST_CASE("metrics: a tiled product") {  // C 64 x 48, over 32
  Sketch s(made::fixed_matmul());
  s.split("C", "i", {"8"}).split("C", "j", {"16"}).reorder("C", {"j.0", "i.0", "k", "i.1", "j.1"});
  s.unroll("C", "i.1").vectorize("C", "j.1").parallel("C", "j.0");
  const metrics::Metrics all = metrics::measure(s.nest, small());
  const StageMetrics c = stage(all, "C");
  CHECK(number(c.operations) == 2 * 64 * 48 * 32);
  REQUIRE(c.levels.size() == 4);
  check(c.levels[0], "", {{"A", 64 * 32 * 4, 8192}, {"B", 32 * 48 * 4, 6144}, {"C", 64 * 48 * 4, 12288}});
  check(c.levels[1], "j.0", {{"A", 8192, 8192}, {"B", 32 * 16 * 4, 6144}, {"C", 64 * 16 * 4, 12288}});    // A stays
  check(c.levels[2], "i.0", {{"A", 8 * 32 * 4, 3 * 8192}, {"B", 2048, 6144}, {"C", 8 * 16 * 4, 12288}});  // A again for each j.0
  check(c.levels[3], "k", {{"A", 8 * 4, 3 * 8192}, {"B", 16 * 4, 3 * 8 * 2048}, {"C", 512, 12288}});      // B again for each i.0
  CHECK(c.caches[0].holds == "i.0");                                                                      // 3584 bytes in 4096
  CHECK(number(c.caches[0].moved) == 24576 + 6144 + 12288);
  CHECK(c.caches[1].holds == "j.0");  // 14336 bytes in 16384
  CHECK(number(c.caches[1].moved) == 26624);
  CHECK(c.caches[2].holds == "");
  CHECK(metrics::intensity(c.operations, c.caches[1].moved) == doctest::Approx(196608.0 / 26624));
  CHECK(number(c.tasks) == 3);
  CHECK(c.balance.value() == 0.75);  // two, then one
  CHECK(c.chained);
  CHECK(number(c.accumulators) == 8);  // 8 rows of one vector
  CHECK(c.wanted == 4 * 2);
  CHECK(c.registers == 8 + 1 + 1);  // accumulators, a vector of B, one of A in all lanes
  CHECK(c.vectors.value() == 1);
  CHECK(c.reads.size() == 2);
  for (const metrics::Read& r : c.reads) CHECK(r.reach == (r.name == "A" ? metrics::Reach::same : metrics::Reach::contiguous));
}

TEST_CASE("metrics: a product cut along its sum moves the sums out and in again") {
  Sketch s(made::fixed_matmul());
  s.split("C", "k", {"8"}).reorder("C", {"k.0", "i", "j", "k.1"});
  const StageMetrics c = stage(metrics::measure(s.nest, small()), "C");
  check(c.levels[1], "k.0", {{"A", 64 * 8 * 4, 8192}, {"B", 8 * 48 * 4, 6144}, {"C", 12288, 12288}});
  check(c.levels[2], "i", {{"A", 32, 8192}, {"B", 1536, 6144}, {"C", 192, 12288 * (4 + 3)}});  // out four times, in three times
}

TEST_CASE("metrics: a packed panel is written once, read through and kept by what holds a turn of its loop") {
  Sketch s(made::fixed_matmul());
  s.split("C", "i", {"8"}).split("C", "j", {"16"}).reorder("C", {"j.0", "i.0", "k", "i.1", "j.1"});
  s.unroll("C", "i.1").vectorize("C", "j.1").pack("C", "B", "j.0");
  const StageMetrics c = stage(metrics::measure(s.nest, small()), "C");
  check(c.levels[0], "", {{"A", 8192, 8192}, {"B", 6144, 6144}, {"B.pack", 2048, 0}, {"C", 12288, 12288}});
  check(c.levels[1], "j.0", {{"A", 8192, 8192}, {"B", 2048, 6144}, {"B.pack", 2048, 0}, {"C", 4096, 12288}});
  check(c.levels[2], "i.0", {{"A", 1024, 24576}, {"B", 0, 6144}, {"B.pack", 2048, 2 * 6144}, {"C", 512, 12288}});
}

TEST_CASE("metrics: a copy has a place for each turn of its loops, where windows overlap too") {
  Tensor<float, 1> X{"X", {50}}, W{"W", {3}}, Y{"Y"};
  Index o{"o", 48};
  Chain r{"r"};
  Y(o) = sum(r, X(o + r) * W(r));
  Sketch s(made::staged({Y}));
  s.split("Y", "o", {"16"}).reorder("Y", {"o.0", "r", "o.1"}).pack("Y", "X", "o.0");
  const StageMetrics y = stage(metrics::measure(s.nest, small()), "Y");
  check(y.levels[1], "o.0", {{"X", 18 * 4, 50 * 4}, {"X.pack", 3 * 16 * 4, 0}, {"W", 12, 12}, {"Y", 64, 192}});
}

TEST_CASE("metrics: rows summed over lanes") {
  Tensor<float, 2> X{"X", {100, 1000}};
  Tensor<float, 1> S{"S"};
  Index i{"i"};
  Lanes<16> l{"l"};
  S(i) = sum(l, X(i, l));
  Sketch s(made::staged({S}));
  s.vectorize("S", "l.lane").parallel("S", "i", "16");
  const StageMetrics m = stage(metrics::measure(s.nest, small()), "S");
  CHECK(number(m.operations) == 100 * 1000);
  REQUIRE(m.levels.size() == 3);
  check(m.levels[0], "", {{"X", 400000, 400000}, {"S", 400, 400}});
  check(m.levels[1], "i", {{"X", 4000, 400000}, {"S", 4, 400}});
  check(m.levels[2], "l.step", {{"X", 64, 400000}, {"S", 4, 400}});
  CHECK(number(m.accumulators) == 1);
  CHECK(number(m.tasks) == 7);  // of 16 rows
  CHECK(m.balance.value() == 7.0 / 8);
  CHECK(m.mask.value() == 1000.0 / 1008);  // 62.5 steps
}

TEST_CASE("metrics: a stencil computed where it is read") {  // strips of 16 rows need 18 of the stage before
  Sketch s(made::stencil());
  s.split("by", "v", {"16"}).compute_at("bx", "by", "v.0").split("bx", "x", {"16"}).vectorize("bx", "x.1");
  const metrics::Metrics all = metrics::measure(s.nest, small(), {{"H", 1026}, {"W", 1026}});
  const i64 row = 1024 * 4, whole = 1026 * 1026 * 4;
  const StageMetrics bx = stage(all, "bx"), by = stage(all, "by");
  CHECK(number(bx.operations) == 64 * 18 * 1024 * 3);
  CHECK(number(by.operations) == 1024 * 1024 * 3);
  check(bx.levels[0], "by/v.0", {{"I", 18 * 1026 * 4, whole}, {"bx", 18 * row, 0}, {"by", 16 * row, 0}});
  check(bx.levels[1], "y", {{"I", 1026 * 4, 64 * 18 * 1026 * 4}, {"bx", row, 64 * 18 * row}});
  check(by.levels[2], "v.1", {{"bx", 3 * row, 64 * 18 * row}, {"by", row, 1024 * row}});
  check(by.levels[3], "x", {{"bx", 12, 1024 * 3 * row}, {"by", 4, 1024 * row}});
  Sketch apart(made::stencil());
  const metrics::Metrics two = metrics::measure(apart.nest, small(), {{"H", 1026}, {"W", 1026}});
  Machine large = small();
  large.l2_bytes = 1 << 20;
  const i64 fused = number(metrics::measure(s.nest, large, {{"H", 1026}, {"W", 1026}}).caches[1].moved);
  CHECK(fused == whole + 1024 * row);  // bx stays where it is used
  CHECK(number(two.operations) < number(all.operations));
}

TEST_CASE("metrics: what stages share in a turn is moved once") {
  Sketch s(made::rows());  // m, E, S, Y of 64 rows of 1000: X comes in for m and E, Y goes out
  for (const char* name : {"S", "E", "m"}) s.compute_at(name, "Y", "i");
  Machine machine = small();
  machine.l1_bytes = 16384;
  const metrics::Metrics all = metrics::measure(s.nest, machine, {{"M", 64}, {"N", 1000}});
  CHECK(number(stage(all, "m").caches[0].moved) == 256000);
  CHECK(number(stage(all, "E").caches[0].moved) == 256000);
  CHECK(number(all.caches[0].moved) == 2 * 256000);
}

TEST_CASE("metrics: rows that stay for the turns after") {    // strips of 8 rows of by; three of bx for each, one of them new
  Sketch s(made::stencil());
  s.split("by", "v", {"8"}).compute_at("bx", "by", "v.1").store_at("bx", "by", "v.0");
  const metrics::Metrics all = metrics::measure(s.nest, small(), {{"H", 1026}, {"W", 1026}});
  const StageMetrics by = stage(all, "by");
  const i64 row = 1024 * 4;
  check(by.levels[1], "v.0", {{"bx", 10 * row, 0}, {"by", 8 * row, 1024 * row}, {"I", 10 * 1026 * 4, 0}});
  for (const metrics::Held& h : by.levels[2].tensors)
    if (h.name == "bx") CHECK(number(h.bytes) == 3 * row);
}

TEST_CASE("metrics: tails") {
  struct Tails {
    double mask, remainder, vectors;
    i64 code;
  };
  const auto of = [](Tail tail, const char* factor) -> Tails {
    Sketch s(scaled());
    s.split("Y", "i", {factor}, tail).vectorize("Y", "i.1");
    const StageMetrics y = stage(metrics::measure(s.nest, small(), {{"N", 1000}}), "Y");
    return {y.mask.value(), y.remainder.value(), y.vectors.value(), y.code_bytes};
  };
  const Tails masked = of(Tail::mask, "48"), peeled = of(Tail::peel, "48"), narrow = of(Tail::mask, "40");
  CHECK(masked.mask == 1000.0 / 1008);
  CHECK(masked.remainder == 40.0 / 1000);
  CHECK(peeled.mask == 1000.0 / 1008);  // 40 in three vectors
  CHECK(of(Tail::guard, "48").mask == 1);
  CHECK(peeled.remainder == 40.0 / 1000);
  CHECK(narrow.mask == 1);
  CHECK(narrow.remainder == 0);
  CHECK(narrow.vectors == 40.0 / 48);
  CHECK(of(Tail::mask, "16").code < of(Tail::mask, "256").code);
}

TEST_CASE("metrics: sizes stay expressions where they are not given") {
  Sketch s(scaled());
  s.split("Y", "i", {"maximum(T, 1)"});
  const metrics::Metrics all = metrics::measure(s.nest, small());
  const metrics::Level& turn = all.stages[0].levels[1];
  CHECK(ordo::nest::print_size(turn.bytes) == "maximum(T, 1) * 8 + 4");
  CHECK(ordo::nest::print_size(all.stages[0].operations) == "N");
  CHECK(std::isnan(metrics::intensity(all.operations, turn.moved)));
  Sketch v(scaled());
  v.split("Y", "i", {"48"}).vectorize("Y", "i.1");
  const std::string text = print(metrics::measure(v.nest, small()), small());
  CHECK(text.find("N of (N + 47) / 48 * 48 exists") != std::string::npos);
}

TEST_CASE("metrics: what is inlined counts where it is read; a convolution's windows overlap") {
  Tensor<float, 1> X{"X", {100}}, W{"W", {5}}, T{"T"}, Y{"Y"};
  Index i{"i"}, o{"o", 48};
  Chain r{"r"};
  T(i) = X(i) + 1;
  Y(o) = sum(r, T(2 * o + r) * W(r));
  Sketch s(made::staged({Y}));
  s.inline_("T").split("Y", "o", {"8"}).reorder("Y", {"o.0", "r", "o.1"}).unroll("Y", "o.1");
  const StageMetrics y = stage(metrics::measure(s.nest, small()), "Y");
  CHECK(number(y.operations) == 48 * 5 * 3);
  check(y.levels[1], "o.0", {{"X", (7 * 2 + 4 + 1) * 4, (47 * 2 + 4 + 1) * 4}, {"W", 20, 20}, {"Y", 32, 192}});
  check(y.levels[2], "r", {{"X", 8 * 4, 6 * 19 * 4}, {"W", 4, 6 * 20}, {"Y", 32, 192}});
}

TEST_CASE("metrics: of a window that slides a turn computes the new part") {
  Tensor<float, 1> X{"X", {100}}, T{"T"}, A{"A"}, Y{"Y"};
  Index i{"i"}, a{"a", 98}, o{"o", 96};
  T(i) = X(i) + 1;
  A(a) = T(a) + T(a + 2);
  Y(o) = A(o) * A(o + 2);
  Sketch s(made::staged({Y}));
  s.compute_at("A", "Y", "o").store_at("A", "Y").fold_storage("A", "a").compute_at("T", "A", "a");
  CHECK(number(stage(metrics::measure(s.nest, small()), "A").operations) == 96);
}
