// layout: code of readers follows how what they read is stored, whatever was compiled before.
#include <doctest/doctest.h>
#include <vector>
#include "ordo/cpu.hpp"
#include "ordo/ordo.hpp"
#include "walk_target.hpp"
using namespace ordo;

TEST_CASE("layout: the bytes of each order of storage, one compiled after the other") {
  Dim M{"M"}, N{"N"};
  Tensor<float, 2> A{"A", {M, N}}, T{"T"}, C{"C"};
  Index i{"i"}, j{"j"}, x{"x"}, y{"y"};
  T(i, j) = A(i, j) * 3;
  C(y, x) = T(x, y) + T(x, y) * T(x, y);
  std::vector<float> a(7 * 13), plain(a.size()), c(a.size());
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = static_cast<float>(k) / 7;
  const auto run = [&](const Schedule& s, std::vector<float>& to) {
    compile(s, inputs(A), outputs(C), cpu::host(), walk_target::no_disk())(view(a.data(), {7, 13}), view(to.data(), {13, 7}));
  };
  run(Schedule{C}, plain);
  for (int form = 0; form < 3; ++form) {
    Schedule s{C};
    if (form == 0) s[T].layout({j, i});
    if (form == 1) s[T].layout({j / 4, i, j % 4});
    if (form == 2) s[T].layout({i % 2, j, i / 2});
    run(s, c);
    CHECK(c == plain);
  }
}
