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
}  // namespace
