#include <doctest/doctest.h>
#include <array>
#include <span>
#include <string>
#include <vector>
#include "ordo/runtime/view.hpp"
#include "refused.hpp"
using namespace ordo;

namespace {
struct Image {                   // a class of a user's, in its own namespace
  float pixels[6];
};
View<float, 2> view_of(Image& i) { return {i.pixels, {2, 3}}; }
View<const float, 2> view_of(const Image& i) { return {i.pixels, {2, 3}}; }

template <class T> struct Grid {         // the part of std::mdspan that is used
  T* p;
  static constexpr std::size_t rank() { return 2; }
  T* data_handle() const { return p; }
  long extent(std::size_t d) const { return d == 0 ? 4 : 5; }
  long stride(std::size_t d) const { return d == 0 ? 1 : 4; }
};
i64 strides_of(View<const float, 2> v) { return 100 * v.stride[0] + v.stride[1]; }
}  // namespace

TEST_CASE("view: a shape alone means row-major, dense") {
  float data[24];
  const View<float, 3> v(data, {2, 3, 4});
  CHECK(v.stride[0] == 12);
  CHECK(v.stride[1] == 4);
  CHECK(v.stride[2] == 1);
  const View<const float, 3> c = v;
  CHECK(c.data == data);
  CHECK(c.shape[2] == 4);
}
TEST_CASE("view: containers have rank 1, any rank with a shape of any integers") {
  std::vector<float> v(6);
  const std::vector<float> constant(6);
  std::array<i64, 3> a{};
  const std::size_t m = 2;
  const int n = 3;
  CHECK(View<float, 1>(v).shape[0] == 6);
  CHECK(View<const float, 1>(std::span<const float>(v)).data == v.data());
  CHECK(View<const i64, 1>(a).shape[0] == 3);
  CHECK(strides_of(view(v, {m, n})) == 301);
  CHECK(strides_of(view(constant, {3, 2})) == 201);
  CHECK(strides_of(view(v, {m, n}, {1, 2})) == 102);
  CHECK(strides_of(view(v.data(), {2, 2}, {-3, 1})) == -299);
  static_assert(!std::is_convertible_v<const std::vector<float>&, View<float, 1>>);
  static_assert(!std::is_convertible_v<std::vector<float>&, View<float, 2>>);
  static_assert(!std::is_convertible_v<std::vector<double>&, View<float, 1>>);
  static_assert(!std::is_convertible_v<std::vector<bool>&, View<bool, 1>>);
  static_assert(!std::is_convertible_v<std::string&, View<i8, 1>>);
}
TEST_CASE("view: long long is i64") {
  std::vector<long long> v{1, 2};
  CHECK(View<const i64, 1>(v).data[1] == 2);
  CHECK(AnyView(v).argument.type == Type::i64);
  CHECK(AnyView(7LL).argument.type == Type::i64);
}
TEST_CASE("view: a shape that is not the container's is refused") {
  std::vector<float> v(6);
  CHECK(refused([&] { (void)view(v, {2, 4}); }) == "error[run.view]: a container of 6 elements is viewed as [2, 4]\n  at view.cpp:*");
  CHECK(refused([&] { (void)view(v, {2, -3}); }).find("error[run.view]") == 0);
  CHECK(refused([&] { (void)view(v, {i64{1} << 62, 4}); }).find("error[run.view]") == 0);
  CHECK(refused([&] {
          (void)view(v, {2, 3}, {4, 1});
        }) == "error[run.view]: a container of 6 elements is viewed as [2, 3] with strides [4, 1]\n  at view.cpp:*");
  CHECK(refused([&] { (void)view(v, {2, 3}, {1, -1}); }).find("error[run.view]") == 0);
  CHECK(refused([&] { (void)view(v, {0, 100}, {1, 100}); }) == "no error");
}
TEST_CASE("view: a class with view_of beside it is an argument") {
  Image i{};
  const Image& c = i;
  CHECK(View<float, 2>(i).data == i.pixels);
  CHECK(strides_of(c) == 301);
  static_assert(!std::is_convertible_v<const Image&, View<float, 2>>);
}
TEST_CASE("view: mdspan and its like come with their strides") {
  float data[20];
  CHECK(strides_of(Grid<float>{data}) == 104);
  CHECK(strides_of(Grid<const float>{data}) == 104);
  static_assert(!std::is_convertible_v<Grid<const float>, View<float, 2>>);
}
TEST_CASE("view: an untyped view becomes a typed one of its type and rank only") {
  std::vector<float> v(6);
  const std::vector<float> constant(6);
  const AnyView any(view(v, {2, 3}));
  CHECK(View<float, 2>(any).data == v.data());
  CHECK(refused([&] { (void)View<float, 1>(any); }) ==
        "error[run.rank]: an array of rank 2 is given for one of f32 of rank 1\n  at view.cpp:*");
  CHECK(refused([&] { (void)View<double, 2>(any); }) ==
        "error[run.type]: an array of f32 is given for one of f64 of rank 2\n  at view.cpp:*");
  CHECK(refused([&] { (void)View<float, 1>(AnyView(constant)); }) ==
        "error[run.const]: a constant is given for an output of f32 of rank 1\n  at view.cpp:*");
  CHECK(View<const float, 1>(AnyView(constant)).data == constant.data());
}
TEST_CASE("view: an error names the line of the conversion") {
  int line = 0;
  try {
    std::vector<float> v(6);
    line = __LINE__ + 1;
    (void)view(v, {7});
  } catch (const Error& e) {
    CHECK(std::string(e.what()).find("view.cpp:" + std::to_string(line)) != std::string::npos);
    CHECK(e.kind() == Error::Kind::run_time);
    CHECK(std::string(e.code()) == "run.view");
  }
}
