#include "ordo/metrics/svg.hpp"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>
#include <doctest/doctest.h>
#include "nest/made.hpp"
#include "ordo/ordo.hpp"

using namespace ordo;
using made::Sketch;

namespace {
void golden_text(const char* name, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(ORDO_TEST_SOURCES) / "metrics" / "goldens" / name;
  if (std::getenv("ORDO_UPDATE_GOLDENS") != nullptr) std::ofstream(path, std::ios::binary) << text;
  std::ifstream file(path, std::ios::binary);
  CHECK(text == std::string(std::istreambuf_iterator<char>(file), {}));
}
// Elements close in the order in which they opened, attributes are quoted, no bare & or < is left.
bool well_formed(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t at = 0; at < xml.size();) {
    if (xml[at] == '&') {
      const std::size_t end = xml.find(';', at);
      const std::string name = end == std::string::npos ? "" : xml.substr(at + 1, end - at - 1);
      if (name != "amp" && name != "lt" && name != "gt" && name != "quot") return false;
      at = end;
    }
    if (xml[at] != '<') {
      if (open.empty() && xml[at] != '\n') return false;
      ++at;
      continue;
    }
    const std::size_t end = xml.find('>', at);
    if (end == std::string::npos || xml.find('<', at + 1) < end) return false;
    const std::string tag = xml.substr(at + 1, end - at - 1);
    at = end + 1;
    int quotes = 0;
    for (const char c : tag) quotes += c == '"' ? 1 : 0;
    if (quotes % 2 != 0) return false;
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return false;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(tag.substr(0, tag.find_first_of(" \n")));
    }
  }
  return open.empty();
}
Schedule convolution() {
  Tensor<float, 3> X{"X", {64, 58, 58}}, C{"C"}, Y{"Y"};
  Tensor<float, 4> W{"W", {128, 64, 3, 3}};
  Tensor<float, 1> bias{"bias", {128}};
  Index f{"f", 128}, y{"y", 56}, x{"x", 56};
  Chain c{"c"}, r{"r"}, t{"t"};
  C(f, y, x) = sum({c, r, t}, X(c, y + r, x + t) * W(f, c, r, t));
  Y(f, y, x) = maximum(C(f, y, x) + bias(f), 0);
  Schedule s{Y};
  auto [f0, f1] = s.split(f, 8);
  auto [x0, x1] = s.split(x, 16);
  s.reorder(f0, y, f1, x0, x1).parallel(f0).vectorize(x1);
  const Stage conv = s[C];
  conv.compute_at(s, y);
  auto [u0, u1] = conv.split(x, 28);
  conv.reorder(u0, c, r, t, f, u1).unroll(f).vectorize(u1);
  return s;
}
}  // namespace

TEST_CASE("svg: a convolution and what follows it") {
  const std::string text = svg(convolution());
  CHECK(well_formed(text));
  golden_text("convolution.svg", text);
}
TEST_CASE("svg: a product with a copy, sizes unknown") {
  Sketch s(made::matmul());
  s.split("C", "i", {"8"}).split("C", "j", {"48"}).reorder("C", {"j.0", "i.0", "k", "i.1", "j.1"});
  s.unroll("C", "i.1").vectorize("C", "j.1").parallel("C", "j.0").pack("C", "B", "j.0").prefetch("C", "A", "k", "4");
  CHECK(well_formed(metrics::svg(s.nest)));
  golden_text("product.svg", metrics::svg(s.nest));
}
TEST_CASE("svg: names are escaped") {
  Tensor<float, 1> X{"a<b&\"c\"", {10}}, Y{"y>x"};
  Index i{"i<&"};
  Y(i) = X(i) + 1;
  const std::string text = svg(Schedule{Y});
  CHECK(well_formed(text));
  CHECK(text.find("a&lt;b&amp;&quot;c&quot;") != std::string::npos);
  CHECK(!well_formed("<svg><text>a & b</text></svg>"));
  CHECK(!well_formed("<svg><text></svg></text>"));
}
TEST_CASE("svg: every stage of a chain") {
  Sketch s(made::rows());
  const std::string text = metrics::svg(s.nest);
  CHECK(well_formed(text));
  for (const char* name : {"holds m", "holds E", "holds S", "holds Y"}) CHECK(text.find(name) != std::string::npos);
}
