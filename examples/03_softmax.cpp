// Softmax of rows: the axis's type says in which order a row is summed, and so fixes every bit. Two schedules and the interpreter
// agree; another order is another program, with another digest.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>
#include "ordo/cpu.hpp"
#include "ordo/nn.hpp"
#include "ordo/ordo.hpp"

namespace {
using namespace ordo;
constexpr i64 rows = 256, columns = 1000;

// FNV-1a over the bytes.
u64 digest(const std::vector<float>& v) {
  u64 h = 0xcbf29ce484222325;
  for (std::size_t k = 0; k < v.size() * sizeof(float); ++k) h = (h ^ reinterpret_cast<const u8*>(v.data())[k]) * 0x100000001b3;
  return h;
}
template <class Axis> struct Softmax {
  Tensor<float, 2> X{"X"}, Y{"Y"};
  Index i{"i"}, j{"j"};
  Axis l{"l"};
  Softmax() { Y(i, j) = nn::softmax(l, X(i, l)).at(j); }
  Program program() const { return Program(inputs(X), outputs(Y)); }
};
std::vector<float> run(const AnyKernel& kernel, std::vector<float>& x) {
  std::vector<float> y(x.size());
  kernel({view(x, {rows, columns}), view(y, {rows, columns})});
  return y;
}
// Which elements meet which: element l waits in lane l mod 4, lanes meet by halves.
void print_order(int n) {
  std::string lane[4];
  for (int l = 0; l < n; ++l) {
    const std::string e = "e" + std::to_string(l);
    lane[l % 4] = lane[l % 4].empty() ? e : "(" + lane[l % 4] + " + " + e + ")";
  }
  const char *a = lane[0].c_str(), *b = lane[1].c_str(), *c = lane[2].c_str(), *d = lane[3].c_str();
  std::printf("a row of %d over Lanes<4>: ((%s + %s) + (%s + %s))\n", n, a, c, b, d);
}
}  // namespace

int main() {
  std::vector<float> x(rows * columns);
  const Tensor<float, 1> U{"U", {rows * columns}};
  const Index n{"n"};
  U(n) = normal<float>({42, 0}, n);                   // the same numbers everywhere
  compile(inputs(), outputs(U), cpu::host())(view(x, {rows * columns}));

  print_order(10);
  const Softmax<Lanes<16>> lanes;
  std::printf("\n%s\n", lanes.program().text());

  Schedule s{lanes.Y};
  auto [outer, inner] = s.split(lanes.j, 16);
  s.parallel(lanes.i).vectorize(inner);
  const u64 plain = digest(run(compile(lanes.program(), interpreter()), x));
  const u64 automatic = digest(run(compile(lanes.program(), cpu::host()), x));
  const u64 by_hand = digest(run(compile(s, lanes.program(), cpu::host()), x));
  const u64 chain = digest(run(compile(Softmax<Chain>().program(), cpu::host()), x));
  const auto show = [](const char* what, u64 d) { std::printf("%-34s %016llx\n", what, static_cast<unsigned long long>(d)); };
  show("Lanes<16>, interpreted", plain);
  show("Lanes<16>, scheduled by the library", automatic);
  show("Lanes<16>, scheduled by hand", by_hand);
  show("Chain", chain);
  return plain == automatic && plain == by_hand && plain != chain ? 0 : 1;
}
