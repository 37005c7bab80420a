// A library of schedules: a C++ template for any program of a shape, and recipes: schedules as values, kept, compared, applied.
#include <cstdio>
#include "ordo/cpu.hpp"
#include "ordo/ordo.hpp"
#include "ordo/trace.hpp"

namespace {
using namespace ordo;

// For every stage with two free loops around an ordered one, whatever they are called. A Chain given for `columns` does not compile.
template <class Rows, class Columns, class Sum>
void register_tile(Stage s, Rows rows, Columns columns, Sum sum, i64 height, i64 width) {
  auto [r0, r1] = s.split(rows, height);
  auto [c0, c1] = s.split(columns, width);
  s.reorder(r0, c0, sum, r1, c1).unroll(r1).vectorize(c1);
}
}  // namespace

int main() {
  Tensor<float, 2> A{"A", {256, 300}}, B{"B", {300, 480}}, C{"C"};
  Tensor<double, 3> P{"P", {8, 64, 64}}, Q{"Q", {8, 64, 64}}, R{"R"};
  Index i{"i"}, j{"j"}, b{"batch"}, m{"m"}, n{"n"};
  Chain k{"k"}, l{"l"};
  C(i, j) = sum(k, A(i, k) * B(k, j));
  R(b, m, n) = sum(l, P(b, m, l) * Q(b, l, n));

  Schedule one{C}, batched{R};
  std::printf("before\n%s%s\n", one.text(), batched.text());
  register_tile(one, i, j, k, 8, 48);
  register_tile(batched, m, n, l, 4, 32);
  batched.parallel(b);
  std::printf("after\n%s%s\n", one.text(), batched.text());

  // What was done is a value: it has a name, is JSON on disk, and fits every program whose loops have these names.
  const Recipe kept = recipe_from_json(to_json(recipe("tile of 8 x 48", one)).c_str());
  Schedule again{C}, other{C};
  apply(again, kept);
  register_tile(other, i, j, k, 12, 32);
  std::printf("from tiles of 8 x 48 to tiles of 12 x 32\n%s\n", diff(again, other).c_str());

  try {                          // no such loops here: refused at the first directive that does not fit, and nothing is done
    apply(batched, renamed(kept, "C", "R"));
    return 1;
  } catch (const Error& refusal) {
    std::printf("%s\n", refusal.what());
  }
  return diff(again, one).empty() ? 0 : 1;
}
