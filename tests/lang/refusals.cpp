#include <string>
#include <doctest/doctest.h>
#include "ordo/lang/lang.hpp"

namespace {
using namespace ordo;
template <class F> std::string refusal(F f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "accepted";
}

TEST_CASE("lang.scatter: the index mentions one Chain") {
  Tensor<float, 1> D{"D"}, Y{"Y"};
  Tensor<float, 2> X{"X"};
  Tensor<i64, 2> id{"id"};
  Index v{"v"};
  Chain n{"n"}, m{"m"};
#line 100 "scatter.cpp"
  const std::string text = refusal([&] { Y(v) = scatter_add(D, id(n, m), X(n, m)); });
  CHECK(text == "error[lang.scatter]: the index of scatter_add mentions one Chain, over which it runs\n"
                "  at scatter.cpp:100\n"
                "  help: for several write sum({n, m}, x, index == v).from(D(v))\n");
}

TEST_CASE("lang.axes: at most 16 axes in one reduction") {
  Tensor<float, 1> X{"X"};
  auto seventeen = [&] {
#line 200 "axes.cpp"
    Chain k{"k"};
    (void)sum({k, k, k, k, k, k, k, k, k, k, k, k, k, k, k, k, k}, X(k));
  };
  CHECK(refusal(seventeen) == "error[lang.axes]: a reduction lists at most 16 axes\n  at axes.cpp:200");
}

TEST_CASE("lang.named: a value of its own lies outside every reduction around it") {
  Tensor<float, 2> X{"X"};
  Index i{"i"};
  Chain k{"k"};
  AnyOrder a{"a"};
#line 300 "named.cpp"
  const std::string axis = refusal([&] { (void)named("square", X(i, k) * X(i, k)); });
  CHECK(axis == "error[lang.named]: `square` mentions `k`, the axis of a reduction around it\n"
                "  at named.cpp:300\n"
                "  help: define it as a tensor over an Index first, and reduce over `k` where that is read");
  struct One { Expr<float> s; };
#line 400 "named.cpp"
  const std::string state = refusal([&] { (void)reduce(k, One{0}, [&](One s) { return One{named("next", s.s + X(i, k))}; }); });
  CHECK(state == "error[lang.named]: `next` mentions the state of a reduction around it\n"
                 "  at named.cpp:400\n"
                 "  help: a step holds plain expressions; define a tensor along a Scan axis for more");
#line 500 "named.cpp"
  CHECK(refusal([&] { (void)sort(a, X(k, a)).at(0); }).rfind("error[lang.named]: `sort` mentions `k`", 0) == 0);
}

TEST_CASE("lang.extent: blocks of a prefix need the length of their axis") {
  Tensor<float, 1> X{"X"};
  Blocks<8> k{"k"};
#line 600 "prefix.cpp"
  const std::string text = refusal([&] { (void)cumsum(k, select(k < 5, X(k), 0)); });
  CHECK(text == "error[lang.extent]: the extent of `k` is not given, and no read outside guards shows it\n"
                "  at prefix.cpp:600\n"
                "  help: Blocks<8> k{\"k\", extent};");
}

TEST_CASE("lang.rank: a table has at most 12 axes") {
  Tensor<float, 12> X{"X"};
  Index a{"a"}, b{"b"}, c{"c"}, d{"d"}, e{"e"}, f{"f"}, g{"g"}, h{"h"}, i{"i"}, j{"j"}, l{"l"}, m{"m"};
  Chain k{"k"};
#line 700 "rank.cpp"
  const std::string text = refusal([&] { (void)cumsum(k, X(a, b, c, d, e, f, g, h, i, j, l, m) + cast<float>(k)); });
  CHECK(text == "error[lang.rank]: `cumsum` runs over 13 axes: a tensor has at most 12\n  at rank.cpp:700");
}
}  // namespace
