#include "everything.hpp"
#include "twins.hpp"
#include <cstdio>

std::vector<float> product_a();
int main() {
  const std::vector<float> a = product_a(), b = product();
  std::printf("%zu elements, %s\n", a.size(), a == b ? "equal" : "different");
  return a == b && a.size() == 35 ? 0 : 1;
}
