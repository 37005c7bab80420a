// Random directives, most of them refused: the nest stays sound, a refusal leaves no trace, and what was applied replays.
#include <doctest/doctest.h>
#include <algorithm>
#include <iterator>
#include <random>
#include "nest/made.hpp"
#include "ordo/nest/edit.hpp"

using namespace ordo;

namespace {
ir::Program recurrence() {
  Tensor<float, 2> X{"X", {10, 100}}, Y{"Y"};
  Index i{"i", 10};
  Scan t{"t"};
  Y(i, t) = scan(t, 0, select(i > 0, Y(i - 1, t - 1), X(i, t)));
  return made::staged({Y});
}
ir::Program recurrence_of_two() {
  Tensor<float, 2> X{"X", {100, 16}}, W{"W", {16, 16}}, G{"G"}, H{"H"};
  Index i{"i"};
  Scan t{"t"};
  Lanes<4> k{"k"};
  G(t, i) = sum(k, W(i, k) * H(t - 1, k)) + X(t, i);
  H(t, i) = scan(t, W(i, i), G(t, i) + H(t - 2, i));
  return made::staged({H});
}
ir::Program lanes() {
  Tensor<float, 3> X{"X", {8, 100, 3}};
  Tensor<float, 1> Y{"Y"}, Z{"Z"};
  Index i{"i"};
  Blocks<32, Lanes<8>> b{"b"};
  Chain c{"c"};
  Y(i) = sum({b, c}, X(i, b, c));
  Z(i) = Y(i) * 2;
  return made::staged({Z});
}

struct Dice {
  std::mt19937 engine;
  int below(std::size_t n) { return n == 0 ? 0 : static_cast<int>(engine() % n); }
  template <class T>
  const T& of(const std::vector<T>& list) {
    return list[static_cast<std::size_t>(below(list.size()))];
  }
};

std::string some_loop(const nest::Stage& stage, Dice& dice) {
  if (dice.below(12) == 0 || stage.loops.empty()) return stage.loops.empty() ? "none" : dice.of(stage.loops).name;
  return stage.order.empty() ? "none" : stage.loop(dice.of(stage.order)).name;
}

nest::Directive any(const nest::Nest& nest, Dice& dice) {
  const nest::Stage& stage = dice.of(nest.stages);
  nest::Directive d = made::directive(nest::directive::rows[static_cast<std::size_t>(dice.below(std::size(nest::directive::rows)))].name,
                                      stage.name.c_str(), {}, 7);
  if (!stage.packs.empty() && dice.below(4) == 0) d.stage += "/" + dice.of(stage.packs).name;
  const nest::directive::Row& row = *nest::row_of(d.name);
  const int loops = d.name == "reorder" ? dice.below(stage.order.size() + 1) + 1 : row.most_loops - (d.name == "pack" ? dice.below(2) : 0);
  for (int k = 0; k < loops; ++k) d.loops.push_back(some_loop(stage, dice));
  if (d.name == "reorder") {
    d.loops.clear();
    for (const int loop : stage.order) d.loops.push_back(stage.loop(loop).name);
    std::shuffle(d.loops.begin(), d.loops.end(), dice.engine);
  }
  if (d.name == "fuse" && stage.order.size() > 1 && dice.below(4) != 0) {
    const std::size_t at = static_cast<std::size_t>(dice.below(stage.order.size() - 1));
    d.loops = {stage.loop(stage.order[at]).name, stage.loop(stage.order[at + 1]).name};
  }
  if (row.factors)
    for (int k = dice.below(3); k >= 0; --k)
      d.factors.push_back(dice.of(std::vector<std::string>{"1", "2", "3", "7", "8", "16", "100", "maximum(N, 1)", "K", "0"}));
  d.tail = d.name == "split" ? static_cast<Tail>(dice.below(6)) : Tail::mask;
  if (row.tensor) d.tensor = dice.of(nest.names);
  if (row.tensor && dice.below(3) == 0) d.pack = {static_cast<Memory>(dice.below(5)), dice.below(3), dice.below(2) == 0};
  return d;
}
}  // namespace

TEST_CASE("random directives: never corrupt a nest, never change it when refused, and replay") {
  ir::Program (*const programs[])() = {made::matmul, made::fixed_matmul, made::epilogue, made::stencil, recurrence,
                                       lanes,        recurrence_of_two};
  int applied = 0, refused = 0;
  for (unsigned seed = 0; seed < 105; ++seed) {
    Dice dice{std::mt19937(seed)};
    const auto program = programs[seed % std::size(programs)];
    nest::Nest nest = nest::make(program());
    nest::Trace trace;
    for (int k = 0; k < 30; ++k) {
      const nest::Directive d = any(nest, dice);
      const std::string before = print(nest);
      if (const nest::Refusal r = nest::attempt(nest, d)) {
        ++refused;
        CHECK(print(nest) == before);
        CHECK(!r.message.empty());
      } else {
        ++applied;
        trace.push_back(d);
      }
      nest::verify(nest);
    }
    nest::Nest again = nest::make(program());
    nest::apply(again, trace);
    CHECK(print(again) == print(nest));
  }
  CHECK(applied > 300);
  CHECK(refused > 300);
}
